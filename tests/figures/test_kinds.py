"""What each kind of figure shows, and what it says where something cannot be shown."""

from __future__ import annotations

from fractions import Fraction

import pytest

import symattn as sa
from symattn.derivation.blocks import Formula, Options, Paragraph, blocks
from symattn.derivation.figures import Figure, Grid, Plane, Reordering, SoftmaxBars
from symattn.derivation.model import Level
from symattn.exact.functions import exp
from symattn.exact.numbers import rational
from symattn.exact.rounding import nearest_float
from symattn.exact.tree import Symbol
from symattn.figures.angles import cosine, degrees
from symattn.figures.letters import Box
from symattn.figures.paint import paint
from symattn.figures.place import Placer, cross, crosses, hull
from symattn.figures.scales import nice_step, relative
from symattn.figures.scene import Label, Path, Scene
from symattn.names import PROBLEMS
from symattn.render.text import plain_prose
from symattn.render.unicode import to_unicode
from tests.figures import samples
from tests.figures.samples import row, value, vector


def painted(figure: Figure, digits: int = 4) -> Scene:
    return paint(figure, Options(digits))


def texts(scene: Scene, *, decimal: bool | None = None) -> list[str]:
    return [
        plain_prose(item.text)
        for item in scene.items
        if isinstance(item, Label) and decimal in (None, item.decimal)
    ]


def paths(scene: Scene, **look: object) -> list[Path]:
    return [
        item
        for item in scene.items
        if isinstance(item, Path) and all(getattr(item, k) == v for k, v in look.items())
    ]


def bars(scene: Scene, tone: str) -> list[Box]:
    found = paths(scene, fill=tone, closed=True)
    return [Box(*map(min, zip(*p.points)), *map(max, zip(*p.points))) for p in found]  # noqa: B905


# --- planes ---------------------------------------------------------------------------------------


def test_an_arrow_points_where_its_vector_does():
    plane = Plane("p", "P", (vector("a", "key", 3, 4), vector("b", "value", -3, "1/2")))
    first, second = paths(painted(plane), arrow=True)
    scale = 0.0
    for arrow, (x, y) in ((first, (3.0, 4.0)), (second, (-3.0, 0.5))):
        (x0, y0), (x1, y1) = arrow.points
        scale = scale or (x1 - x0) / x
        assert (x1 - x0, y0 - y1) == pytest.approx((scale * x, scale * y))


def test_arrows_that_coincide_have_one_name_and_both_are_seen():
    scene = painted(samples.arrows())
    assert "q = k₁" in texts(scene)
    assert not {"q", "k₁"} & set(texts(scene))
    (query,) = paths(scene, arrow=True, stroke="query")
    assert all(query.width > key.width + 3 for key in paths(scene, arrow=True, stroke="key"))


def test_arrows_that_only_seem_to_coincide_are_not_called_equal():
    near = vector("k_1", "key", 1, "1/100000")
    scene = painted(Plane("p", "P", (vector("q", "query", 1, 0), near)))
    assert "q, k₁" in texts(scene)


def test_a_zero_vector_is_a_dot_with_its_name():
    scene = painted(Plane("p", "P", (vector("q", "query", 0, 0), vector("k", "key", 1, 1))))
    assert "q = 0" in texts(scene)
    assert len(paths(scene, arrow=True)) == 1
    assert not any("too short" in text for text in texts(scene))


def test_an_arrow_too_short_to_be_seen_is_a_dot_and_the_figure_says_so():
    scene = painted(Plane("p", "P", (vector("a", "key", 1, 1), vector("b", "key", "1/10^9", 0))))
    assert "a" in texts(scene)
    assert "b" in texts(scene)
    assert any("too short" in text for text in texts(scene))


@pytest.mark.parametrize(
    ("left", "right", "angle"),
    [
        ((1, 0), (5, 0), 0),
        ((1, 0), (0, 2), 90),
        ((1, 1), (-2, -2), 180),
        ((1, 0), (1, 1), 45),
        ((1, 0), (-1, 1), 135),
        ((1, 0), (1, "sqrt(3)"), 60),
        ((0, 2), (-1, "sqrt(3)"), 30),
        ((1, 0), (-1, "sqrt(3)"), 120),
        ((1, 2), (2, 1), None),
        ((1000000, 1), (1, 0), None),
    ],
)
def test_whole_angles_are_recognised_exactly(
    left: tuple[int, int], right: tuple[int | str, int | str], angle: int | None
):
    assert degrees(cosine(row(*left), row(*right))) == angle


def test_other_angles_are_named_and_their_cosine_is_given():
    plane = Plane("p", "P", (vector("q", "query", 1, 2), vector("k_7", "key", 2, 1)), angles=True)
    scene = painted(plane)
    assert "θ₇" in texts(scene)
    assert texts(scene, decimal=True) == ["0.8"]
    assert "The cosine of the angle between q and k₇ is 0.8." in scene.description


def test_a_name_without_room_is_told_below():
    crowd = tuple(
        vector(f"k_{j}", "key", 1000 + 7 * (j % 5), 1000 - 9 * (j // 5)) for j in range(60)
    )
    scene = painted(Plane("p", "P", crowd))
    assert any("no room for the names" in text for text in texts(scene))
    assert scene.description.count("The key") == 60


def test_the_hull_is_that_of_the_values():
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    inside = [(0.5, 0.5), (0.5, 0.0), (0.25, 0.75)]
    assert hull(inside + square + square) == square
    assert hull([(2.0, 1.0)]) == [(2.0, 1.0)]


# --- bars -----------------------------------------------------------------------------------------


def test_negative_scores_go_below_the_axis_and_have_lengths_in_proportion():
    scene = painted(samples.softmax_bars("s", row(1, -2)))
    positive, negative = bars(scene, "score")
    assert positive.bottom == pytest.approx(negative.top)
    assert negative.bottom - negative.top == pytest.approx(2 * (positive.bottom - positive.top))


def test_many_bars_lie_and_negative_ones_go_to_the_left():
    scene = painted(samples.score_bars("s", row(*range(-6, 7)), 4))
    found = bars(scene, "score")[2:]  # the first two are those of the legend
    lengths = [box.right - box.left for box in found]
    sizes = [size for k in range(-6, 7) if k for size in (abs(k), abs(k) / 2)]
    assert [length / lengths[0] for length in lengths] == pytest.approx([x / 6 for x in sizes])
    axis = found[0].right
    assert [box.right for box in found[:12]] == pytest.approx([axis] * 12)
    assert [box.left for box in found[12:]] == pytest.approx([axis] * 12)


def test_the_stack_is_as_long_as_1_and_without_gaps():
    scene = painted(samples.softmax_bars("s", row(0, 1, "1/2")))
    stack = bars(scene, "weight")[-3:]
    assert [box.left for box in stack[1:]] == pytest.approx([box.right for box in stack[:-1]])
    shares = [nearest_float(w) for w in samples.softmax(row(0, 1, "1/2"))]
    whole = stack[-1].right - stack[0].left
    assert [(box.right - box.left) / whole for box in stack] == pytest.approx(shares)


def test_a_masked_score_is_hatched_and_says_so():
    scene = painted(samples.softmax_bars("s", (value(1), None)))
    assert len(paths(scene, hatched=True)) == 1
    assert "masked" in texts(scene)
    assert "k₂ is masked and the weight 0." in scene.description


@pytest.mark.parametrize("n", [2, 14])
def test_a_row_that_is_masked_whole_can_be_drawn(n: int):
    nothing = (rational(0),) * n
    keys = samples.names("k", n)
    scene = painted(SoftmaxBars("s", "S", keys, (None,) * n, nothing))
    assert len(paths(scene, hatched=True)) == n
    hidden = ((True,) * n,) * n
    assert paths(painted(Grid("g", "G", keys, keys, (nothing,) * n, hidden)), hatched=True)


def test_a_weight_too_small_for_a_bar_is_a_line_and_the_figure_says_so():
    scene = painted(samples.softmax_bars("s", row(10, 0)))
    assert "0.00004540" in texts(scene, decimal=True)
    assert "too small for a bar" in " ".join(texts(scene))
    assert len(paths(scene, stroke="weight", fill=None)) == 1


def test_a_weight_of_zero_has_no_line_and_no_words():
    scene = painted(samples.softmax_bars("s", (value(1), None)))
    assert "too small for a bar" not in " ".join(texts(scene))
    assert paths(scene, stroke="weight", fill=None) == []


def test_profiles_are_on_one_scale():
    scene = painted(samples.profiles())
    heights = [box.bottom - box.top for box in bars(scene, "weight")]
    assert heights[0] == pytest.approx(heights[-1] / 3)


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "numbers"), [(12, 144), (13, 1)])
def test_up_to_twelve_tokens_the_cells_hold_their_numbers(n: int, numbers: int):
    scene = painted(samples.grid("g", samples.spiral(n)))
    assert len(texts(scene, decimal=True)) == numbers


def test_a_cell_is_tinted_by_its_weight():
    scene = painted(samples.grid("g", (row(0, 0), row(0, 1))))
    strengths = [path.strength for path in paths(scene, fill="weight")]
    e = nearest_float(exp(rational(1)))
    assert strengths == pytest.approx([0.5, 0.5, 1 / (1 + e), e / (1 + e)])


@pytest.mark.parametrize(("n", "hatched"), [(3, 3), (14, 13)])
def test_masked_cells_are_hatched_and_say_so(n: int, hatched: int):
    scene = painted(samples.grid("g", samples.causal(n)))
    assert len(paths(scene, hatched=True)) == hatched
    assert any("masked" in text for text in texts(scene))


def test_a_reordering_leads_each_token_to_its_new_place():
    order = (3, 1, 2)
    figure = samples.reordering()
    assert figure.order == order
    lines = paths(painted(figure), arrow=True, stroke="token")
    starts = sorted({line.points[0][0] for line in lines})
    ends = [line.points[1][0] for line in lines]
    assert ends == sorted(ends)
    assert [starts.index(line.points[0][0]) + 1 for line in lines] == list(order)


@pytest.mark.parametrize(("follows", "words"), [(True, "The same numbers"), (False, "differ")])
def test_a_reordering_says_whether_the_weights_follow(follows: bool, words: str):
    old = samples.reordering()
    figure = Reordering("r", "R", old.order, old.tokens, old.before, old.after, follows)
    assert any(words in text for text in texts(painted(figure)))


# --- chains and curves ----------------------------------------------------------------------------


def test_a_blend_starts_and_ends_where_its_output_does():
    scene = painted(samples.tip_to_tail("b", row("1/2", "1/2"), (row(2, 0), row(0, 2))))
    first, second = paths(scene, arrow=True, stroke="value")
    (output,) = paths(scene, arrow=True, stroke="output")
    assert first.points[1] == second.points[0]
    assert output.points[0] == first.points[0]
    assert output.points[1] == pytest.approx(second.points[1])
    assert output.dashed
    assert texts(scene, decimal=True) == ["0.5", "0.5", "(1, 1)"]


def test_curves_that_are_equal_are_one():
    figure = samples.curve()
    again = (*figure.functions, (Symbol("beta"), figure.functions[1][1]))
    scene = painted(type(figure)(**{**vars(figure), "functions": again}))
    assert "α₂ = β" in texts(scene)
    assert "The dashed lines are the limits of α₁, 1 and 0." in texts(scene)


# --- the parts ------------------------------------------------------------------------------------


def test_sizes_beyond_the_floats_are_compared_exactly():
    huge = rational(Fraction(10) ** 400)
    parts, top = relative([huge, -huge / 4, rational(1)])
    assert parts == [1.0, -0.25, 0.0]
    assert top == float("inf")
    parts, top = relative([1 / huge, 1 / (2 * huge)])
    assert parts == [1.0, 0.5]
    assert relative([rational(0)]) == ([0.0], 0.0)


@pytest.mark.parametrize(
    ("span", "most", "step"),
    [(1.0, 5, 0.2), (10.0, 4, 5.0), (7.0, 7, 1.0), (3e12, 5, 1e12), (2.0, 1, 2.0), (0.03, 3, 0.01)],
)
def test_steps_of_axes_are_round(span: float, most: int, step: float):
    assert nice_step(span, most) == pytest.approx(step)


def test_a_label_has_the_nearest_free_place():
    placer = Placer(Box(0, 0, 100, 100))
    first = placer.place((50, 50), (0, -1), (20, 10))
    second = placer.place((50, 50), (0, -1), (20, 10))
    assert first == Box(40, 36, 60, 46)
    assert second is not None
    assert not first.meets(second)
    assert placer.place((50, 50), (0, -1), (101, 10)) is None


def test_lines_cross_boxes_and_one_another():
    box = Box(10, 10, 20, 20)
    assert crosses(box, ((0, 0), (30, 30)))
    assert crosses(box, ((12, 12), (13, 13)))
    assert not crosses(box, ((0, 15), (9, 15)))
    assert not crosses(box, ((0, 30), (30, 21)))
    assert cross(((0, 0), (2, 2)), ((0, 2), (2, 0)))
    assert not cross(((0, 0), (2, 2)), ((3, 0), (3, 9)))


# --- the documents --------------------------------------------------------------------------------

#: The weights before the positions were added stand in the picture alone.
ONLY_DRAWN = {("ex9-permutation", "encoded-permutation")}


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_decimal_of_a_figure_is_one_of_the_text(name: str):
    derivation = sa.derive(name)
    written: set[str] = set()
    for block in blocks(derivation, Options(level=Level.FULL)):
        if isinstance(block, Formula):
            sides = (block.first, *(side for _, side in block.links))
            written |= set(_numerals(" ".join(map(to_unicode, sides))))
        elif isinstance(block, Paragraph):
            written |= set(_numerals(plain_prose(block.text)))
    for figure in derivation.pictures():
        if (name, figure.name) not in ONLY_DRAWN:
            shown = _numerals(" ".join(texts(painted(figure), decimal=True)))
            assert set(shown) <= written, figure.name


def _numerals(text: str) -> list[str]:
    for sign in "()[],;=≈·+/":
        text = text.replace(sign, " ")
    return [word for word in text.split() if any(char.isdigit() for char in word)]
