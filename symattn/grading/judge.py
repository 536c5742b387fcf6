"""The verdict on an answer: read it, hold each entry against the true one, take the worst.

A decimal is judged by `decimals`. Any other expression claims to be exact: a ball straight from its
tree refutes most wrong ones, the normal form decides the rest. No timer is asked and no tolerance
is used, so the same answer gets the same verdict on every machine.
"""

from __future__ import annotations

from symattn.errors import InputError, ParseError, UndecidedError
from symattn.exact import arrays
from symattn.exact.enclosures import SCREEN_BITS
from symattn.exact.equality import compare
from symattn.exact.evaluate import evaluate, tree_ball
from symattn.exact.numbers import Exact
from symattn.exact.parse import Parsed, parse
from symattn.exact.stated import stated
from symattn.exact.tree import Array, Node
from symattn.grading.decimals import judge_decimal
from symattn.grading.truth import Target, Targets, Truth, squeezed
from symattn.grading.verdict import Entries, Entry, Expected, Verdict, fewest, flat, worst

__all__ = ["judge", "judge_tree", "read_answer"]


def read_answer(text: str, truth: Truth, *, decimal_comma: bool = False) -> Parsed:
    """The tree of an answer, which may hold the symbols of the true value.

    Raises: `ParseError` where the text cannot be read, `CostError` where it would cost too much.
    """
    return parse(text, symbols=truth.symbols, decimal_comma=decimal_comma)


def judge(truth: Truth, answer: str, *, decimal_comma: bool = False) -> Verdict:
    """The verdict on the text of an answer.

    >>> truth = Truth.read("1/(2 + exp(1/sqrt(2)))")
    >>> judge(truth, "0.2482").message
    'truncated, not rounded: to this place it is 0.2483'

    Raises: nothing: an answer that cannot be read is `malformed`.
    """
    try:
        parsed = read_answer(answer, truth, decimal_comma=decimal_comma)
    except ParseError as error:
        return Verdict("malformed", None, str(error), truth.expected())
    return judge_tree(truth, parsed.tree, parsed.notes)


def judge_tree(truth: Truth, tree: Node, notes: tuple[str, ...] = ()) -> Verdict:
    """The verdict on an answer that has been read."""
    targets, expected = truth.targets, truth.expected()
    misshapen = _misshapen(truth.shape, tree)
    if misshapen is not None:
        digits = [stated(leaf) for leaf in _leaves(tree)]
        least = min((said.digits for said in digits if said is not None), default=None)
        return Verdict("wrong", least, _noted(misshapen, notes), expected)
    entries = _entries(targets, tree)
    if isinstance(entries, Entry):
        message = _noted(entries.message, notes)
        alone = None if isinstance(truth.value, Exact) else (entries,)
        return Verdict(entries.verdict, entries.digits, message, expected, alone)
    return _whole(entries, expected, notes)


def _whole(entries: tuple[Entries, ...], expected: Expected, notes: tuple[str, ...]) -> Verdict:
    """The verdict on a vector or a matrix from those on its entries."""
    every = list(flat(entries))
    verdict = worst(every)
    culprits = [index for index, entry in enumerate(every) if entry.verdict == verdict]
    first = every[culprits[0]].message
    if len(culprits) < len(every):
        message = f"entry {_place(culprits[0], entries)} is {verdict}: {first}"
        if len(culprits) > 1:
            message += f" ({len(culprits)} entries are {verdict})"
    else:
        alike = all(entry.message == first for entry in every)
        message = first if alike else f"every entry is {verdict}"
    return Verdict(verdict, fewest(every), _noted(message, notes), expected, entries)


def _place(index: int, entries: tuple[Entries, ...]) -> str:
    """The index of an entry as on paper, from 1: `2`, or `2,1` in a matrix."""
    if isinstance(entries[0], Entry):
        return str(index + 1)
    row, column = divmod(index, len(entries[0]))
    return f"{row + 1},{column + 1}"


def _noted(message: str, notes: tuple[str, ...]) -> str:
    return "; ".join((message, *notes)) if notes else message


# --- shapes -------------------------------------------------------------------------------------


def _misshapen(expected: tuple[int, ...], tree: Node) -> str | None:
    """What is wrong with the shape of an answer, None where it fits."""
    if not isinstance(tree, Array):
        return f"a single number, but {_described(expected)} is due" if expected else None
    if tree.kind == "set":
        size = len(tree.entries)
        return f"a set of {size} has no order, but {_described(expected)} is due"
    found = arrays.shape(tree)
    if squeezed(found) == expected:
        return None
    return f"{_described(found)}, but {_described(expected)} is due"


def _described(dimensions: tuple[int, ...]) -> str:
    match dimensions:
        case ():
            return "a single number"
        case (n,):
            return f"a vector of shape ({n},)"
        case _:
            return f"a matrix of shape {dimensions}"


def _leaves(tree: Node) -> list[Node]:
    if isinstance(tree, Array):
        return [leaf for entry in tree.entries for leaf in _leaves(entry)]
    return [tree]


# --- entries ------------------------------------------------------------------------------------


def _entries(targets: Targets, tree: Node) -> Entries:
    while isinstance(tree, Array) and len(tree.entries) == 1:
        (tree,) = tree.entries
    if isinstance(targets, Target):
        return _judge_number(targets, tree)
    assert isinstance(tree, Array)
    return tuple(_entries(t, entry) for t, entry in zip(targets, tree.entries, strict=True))


def _judge_number(target: Target, tree: Node) -> Entry:
    said = stated(tree)
    if said is not None and not target.is_open:
        return judge_decimal(target, said)
    return _judge_expression(target, tree, None if said is None else said.digits)


def _judge_expression(target: Target, tree: Node, digits: int | None) -> Entry:
    try:
        if not target.is_open and _balls_part(target, tree):
            return Entry("wrong", digits, "proved different from the true value")
        comparison = compare(target.exact, evaluate(tree))
    except UndecidedError as error:
        return Entry("undecided", digits, str(error))
    except InputError as error:
        return Entry("malformed", digits, str(error))
    if comparison.verdict == "equal":
        return Entry("exact", digits, "equal to the true value")
    if comparison.verdict == "different":
        return Entry("wrong", digits, "proved different from the true value")
    bound = "" if comparison.bound is None else f" (|difference| < {comparison.bound})"
    return Entry("undecided", digits, f"neither equality nor difference was proved{bound}")


def _balls_part(target: Target, tree: Node) -> bool:
    ball = tree_ball(tree, SCREEN_BITS)
    return bool(ball.is_finite()) and not target.exact.enclose(SCREEN_BITS).overlaps(ball)
