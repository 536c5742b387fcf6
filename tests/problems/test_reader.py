"""Problem files at fault: one line that says file, key, what is wrong and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli, main
from symattn.errors import InputError
from symattn.problems import from_mapping, load
from symattn.problems.derive import derive_problem

VECTORS = 'q = ["1", "0"]\nK = [["1", "0"], ["0", "1"]]\n'

#: Text of the file -> what its message must say.
FAULTS = [
    ("given = 3", "given = 3: a table is needed"),
    ("title = 3\n[given]\nscaled = [1]", "title = 3: text in quotes is needed"),
    ("[given]", "given: one of `q` or `Q` with `K`, `X`, `scores` and `scaled` is needed"),
    ('[given]\nq = ["1"]', "one of `q` or `Q` with `K`"),
    ("[given\nq = 1", "line 1"),
    ('[given]\nsclaed = ["1"]', "given.sclaed: this key is unknown; did you mean 'scaled'?"),
    ('[given]\nscaled = ["1", "abc("]', "given.scaled[2] = 'abc('"),
    ('[given]\nscaled = ["1", "1/0"]', "given.scaled[2] = '1/0'"),
    ('[given]\nscaled = ["1", "sqrt(-1)"]', "given.scaled[2] = 'sqrt(-1)'"),
    ('[given]\nscaled = ["1", ""]', "given.scaled[2] = ''"),
    ('[given]\nscaled = ["__import__(1)"]', "given.scaled[1]"),
    ('[given]\nscaled = ["9^9^9^9"]', "given.scaled[1]"),
    ("[given]\nscaled = [true]", "given.scaled[1] = True: a number is needed"),
    ("[given]\nscaled = []", "given.scaled = []: a list of numbers is needed"),
    ('[given]\nscaled = "1"', "given.scaled = '1': a list of numbers is needed"),
    (
        '[given]\nscaled = [["1", "2"], ["1"]]',
        "given.scaled[2] has 1 entries, but given.scaled[1] has 2",
    ),
    ('[given]\nscaled = ["1"]\nscores = ["1"]', "only one source of scores can be given"),
    ('[given]\nscaled = ["1"]\nscale = "2"', "scores that are scaled already take no scale"),
    ('[given]\nscores = ["1"]', "given.scores need `d_k` (a whole number) or `scale`"),
    (f"[given]\n{VECTORS}d_k = 3", "given.d_k = 3, but the keys have 2 entries"),
    (f"[given]\n{VECTORS}d_k = 0", "given.d_k = 0: a whole number from 1 to"),
    (f'[given]\n{VECTORS}V = [["1"]]', "K.shape=(2, 2) and V.shape=(1, 1)"),
    ('[given]\nq = ["1"]\nK = [["1", "0"]]', "Q.shape=(1, 1) and K.shape=(1, 2)"),
    ('[given]\nscaled = ["1", "2"]\nV = [["1"]]', "2 scores a row and 1 values"),
    (f"[given]\n{VECTORS}mask = [[true]]", "given.mask: 1 row of 2 entries, true"),
    (f'[given]\n{VECTORS}causal = "yes"', "given.causal = 'yes': true or false is needed"),
    (f"[given]\n{VECTORS}permutation = [1, 1]", "given.permutation"),
    ('[given]\nX = [["1"], ["2"]]\npermutation = ["2", "1"]', "as whole numbers"),
    (f'[given]\n{VECTORS}mask = ["true", "false"]', "given.mask[1][1] = 'true'"),
    (
        '[given]\nscaled = ["M"]\nlimits = "N -> oo"',
        "given.limits: no entry holds the open symbol N",
    ),
    ('[given]\nscaled = ["e"]\nlimits = ["e -> oo"]', "a limit such as"),
    ('[given]\nscaled = ["1"]\nat = { M = "1" }', "given.at: no entry holds the open symbol M"),
    ('[given]\nscaled = ["1"]\n[case.at]\nscaled = ["2"]', "case.at: `at.` leads to the parts"),
    ('[given]\nscaled = ["1"]\n[case.limit1]\nscaled = ["2"]', "give the case another name"),
    (f"[given]\n{VECTORS}focus = 2", "given.focus = 2: a whole number from 1 to 1 is needed"),
    ('[given]\nscaled = ["M", "0"]\nlimits = ["M to oo"]', 'a limit such as "M -> oo"'),
    ('[given]\nscaled = ["M", "0"]\nat = { M = "x" }', "a number without symbols is needed"),
    ('[given]\nQ = "missing.npy"\nK = [["1"]]', "given.Q = 'missing.npy': there is no such file"),
    ('[given]\nscaled = ["1"]\n[[ask]]\ndigits = 3', "ask[1].part is missing"),
    (
        '[given]\nscaled = ["1"]\n[[ask]]\npart = "weigths"',
        "ask[1].part: part='weigths' is unknown",
    ),
    ('[given]\nscaled = ["1"]\n[[ask]]\npart = "weights[2]"', "indices count from 1 to 1"),
    ('[given]\nscaled = ["1"]\n[[ask]]\npart = "weights"\ndigits = 0', "ask[1].digits = 0"),
    ('[given]\nscaled = ["1"]\n[[claim]]\npart = "weights"', "claim[1].printed = None"),
    ('[given]\nscaled = ["1"]\n[[claim]]\nprinted = "1"', "exactly one of the two is needed"),
    ('[given]\nscaled = ["1"]\n[case.2]\nscaled = ["1"]', "case.2: a table with a plain name"),
    ('[given]\nscaled = ["1"]\n[case.a]\nfoo = 1', "case.a.foo: this key is unknown"),
    ('[given]\nscaled = ["1"]\n[[also]]\ntitle = "x"', "also[1].check is missing"),
    ('[given]\nscaled = ["1"]\nfollow_through = 2', "given.follow_through: this key is unknown"),
    (
        'follow_through = 2\n[given]\nscaled = ["1"]',
        "follow_through = 2.0: a share between 0 and 1",
    ),
    (f'[given]\n{VECTORS}V = [["v_1"], ["2"]]', "given: the open symbol v_1 has a name that the"),
    ('[given]\nscaled = ["alpha_1", "0"]', "given: the open symbol alpha_1 has a name"),
    ('[given]\nscaled = ["x", "0"]', "given: the open symbol x has a name"),
    (
        '[given]\nscaled = ["1"]\n[case.b]\nscaled = ["1", "D"]',
        "case.b: the open symbol D has a name",
    ),
    (
        '[given]\nscaled = ["1", "2"]\n[[verify]]\ncheck = ["weight[1] < 1"]',
        "verify[1]: 'weight[1]': weight is no part and no open symbol; did you mean weights?",
    ),
    ('ask = 3\n[given]\nscaled = ["1"]', "ask: a list of tables is needed"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_told_in_one_line_with_status_2(tmp_path: Path, text: str, message: str):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    status, out, err = run(["derive", str(path)])
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "mine.toml" in err
    assert message in err


def run(arguments: list[str]) -> tuple[int, str, str]:
    """The program as a user calls it."""
    runner = CliRunner()
    with runner.isolation() as streams:
        try:
            main(arguments)
        except SystemExit as stop:
            status = stop.code
        out, err = streams[0].getvalue().decode(), streams[1].getvalue().decode()
    assert isinstance(status, int)
    return status, out, err


@pytest.mark.parametrize("check", ["weights[1]", "weights[1] == 1/2", "weights[1] =", "1/2"])
def test_a_check_without_a_relation_proves_nothing_and_is_refused(tmp_path: Path, check: str):
    path = tmp_path / "mine.toml"
    path.write_text(f'[given]\nscaled = ["1", "1"]\n[[verify]]\ncheck = ["{check}"]\n')
    status, _, err = run(["derive", str(path)])
    assert status == 2
    assert f"verify[1]: check = {check!r}: a relation" in err


def test_a_relation_that_an_author_claims_must_hold(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('[given]\nscaled = ["1", "1"]\n[[verify]]\ncheck = ["weights[1] = 1/3"]\n')
    status, _, err = run(["derive", str(path)])
    assert status == 2
    assert "verify[1]: alpha_1 = 1/3 does not hold: the two sides are proved different" in err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("mine.toml", b"\xff\xfe", "it is not UTF-8 text"),
        ("mine.json", b"[1, 2]", "a table with a key `given` is needed"),
        ("mine.json", b"{", "Expecting property name"),
        ("mine.json", b"[" * 100_000, "nested too deeply"),
        ("mine.toml", b"a = " + b"[" * 100_000, "nested too deeply"),
        ("mine.toml", b"#\n" * (5 << 20), "the file is larger than 8 MB"),
        ("mine.toml", b"[given]\nscaled = [" + b"9" * 5000 + b"]", "more than 4300 digits"),
    ],
)
def test_files_that_are_no_problem_at_all(tmp_path: Path, name: str, content: bytes, message: str):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(path)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_a_folder_is_no_problem_file(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path)


def test_json_problems_have_the_shape_of_toml_ones(tmp_path: Path):
    path = tmp_path / "mine.json"
    path.write_text('{"given": {"scaled": [0.1, "1/3"]}}')
    problem = load(path)
    assert [str(x.as_rational()) for x in problem.value("scaled")] == ["1/10", "1/3"]


def test_a_decimal_in_toml_is_the_rational_that_it_spells(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text("[given]\nscaled = [0.1, 1e-3, 2]\n")
    assert [str(x.as_rational()) for x in load(path).value("scaled")] == ["1/10", "1/1000", "2"]


def test_a_case_takes_over_what_it_does_not_change(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(
        f'[given]\n{VECTORS}V = [["1"], ["2"]]\n'
        '[case.raw]\nscale = "1"\n[case.other]\nscaled = ["0", "0"]\n'
    )
    problem = load(path)
    assert str(problem.value("raw.scaled[1]").as_rational()) == "1"
    assert str(problem.value("other.output[1]").as_rational()) == "3/2"
    assert cli.name == "cli"


@pytest.mark.parametrize("text", ["α -> oo", "alpha → ∞", " alpha->+inf"])
def test_a_limit_is_read_as_it_is_written(tmp_path: Path, text: str):
    path = tmp_path / "mine.toml"
    path.write_text(f'[given]\nscaled = ["alpha", "0"]\nlimits = ["{text}"]\n', encoding="utf-8")
    assert load(path).value("limit1.weights[1]").as_rational() == 1


def test_a_case_without_the_open_symbol_takes_over_no_limit_of_it(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(
        '[given]\nscaled = ["M", "0"]\nlimits = ["M -> oo"]\nat = { M = "1" }\n'
        '[case.plain]\nscaled = ["1", "0"]\n'
    )
    assert {"limit1.weights", "at.weights"} <= set(load(path).parts)
    assert not {"plain.limit1.weights", "plain.at.weights"} & set(load(path).parts)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf[given]\nscaled = [1]\n")
    assert load(path).value("weights[1]").as_rational() == 1


def test_an_empty_title_is_the_name_of_the_file(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('title = " "\n[given]\nscaled = [1]\n')
    status, out, _ = run(["derive", str(path)])
    assert status == 0
    assert out.startswith("mine\n====\n".replace("=", "═"))


def test_a_fault_in_a_sentence_is_told_with_the_file(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('conclusion = "{weights[1]}"\n[given]\nscaled = ["M", "0"]\n')
    status, out, err = run(["derive", str(path)])
    assert (status, out) == (2, "")
    assert "mine.toml: the symbol M is open" in err


@pytest.mark.parametrize("key", ["statement", "forecast", "conclusion"])
def test_a_text_that_cannot_be_read_is_told_with_its_key(key):
    content = {key: "`<script>`", "given": {"scaled": ["1", "0"]}}
    problem = from_mapping(content, name="mine", folder=Path())
    with pytest.raises(InputError, match=f"^{key}: at character 1"):
        derive_problem(problem)
