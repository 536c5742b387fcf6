"""Arrays from files: what their numbers are taken for, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from symattn.api import solve
from symattn.errors import InputError
from symattn.problems import load


def write(folder: Path, given: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(f"[given]\n{given}\n", encoding="utf-8")
    return path


def test_floats_of_a_file_are_taken_at_their_exact_binary_value(tmp_path: Path):
    np.save(tmp_path / "q.npy", np.array([[0.1, 0.0]]))
    problem = load(write(tmp_path, 'Q = "q.npy"\nK = [["1", "0"]]\nscale = "1"'))
    (((score,),),) = (problem.value("scores"),)
    assert Fraction(str(score.as_rational())) == Fraction(0.1)
    (note,) = problem.setups[""].notes
    assert "exact binary value" in note
    assert "q.npy" in note


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint64"])
def test_every_real_dtype_is_read_exactly(tmp_path: Path, dtype: str):
    array = np.array([[1, 3]], dtype) / np.array(2 if dtype.startswith("f") else 1, dtype)
    np.save(tmp_path / "q.npy", array.astype(dtype))
    problem = load(write(tmp_path, 'Q = "q.npy"\nK = [["1", "0"], ["0", "1"]]\nscale = "1"'))
    wanted = [Fraction(float(x)) for x in array.astype(dtype)[0]]
    assert [Fraction(str(x.as_rational())) for x in problem.value("scores")[0]] == wanted


def test_members_of_npz_go_by_their_names(tmp_path: Path):
    np.savez(tmp_path / "all.npz", Q=np.eye(2), K=np.eye(2), other=np.ones((2, 1)))
    given = 'Q = "all.npz"\nK = "all.npz"\nV = "all.npz#other"'
    problem = load(write(tmp_path, given))
    assert str(problem.value("output[1,1]").as_rational()) == "1"


def test_csv_holds_exact_text(tmp_path: Path):
    (tmp_path / "k.csv").write_text("1/3,sqrt(2)\n0.1,0\n")
    problem = load(write(tmp_path, 'Q = [["1", "0"]]\nK = "k.csv"\nscale = "1"'))
    assert [str(x.as_rational()) for x in problem.value("scores")[0]] == ["1/3", "1/10"]


def test_json_arrays_keep_their_decimals(tmp_path: Path):
    (tmp_path / "k.json").write_text("[[0.1, 0], [1, 0]]")
    problem = load(write(tmp_path, 'Q = [["1", "0"]]\nK = "k.json"\nscale = "1"'))
    assert [str(x.as_rational()) for x in problem.value("scores")[0]] == ["1/10", "1"]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([[np.nan]]), "finite real numbers are needed"),
        (np.array([[np.inf]]), "finite real numbers are needed"),
        (np.array([[1j]]), "complex128"),
        (np.zeros((1, 1, 1)), "shape (1, 1, 1)"),
        (np.array([["a"]]), "finite real numbers are needed"),
    ],
)
def test_arrays_that_hold_no_real_matrix_are_refused(tmp_path: Path, array, message: str):
    np.save(tmp_path / "q.npy", array)
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, 'Q = "q.npy"\nK = [["1"]]'))
    assert message in str(caught.value)
    assert "given.Q" in str(caught.value)


def test_pickled_arrays_are_never_loaded(tmp_path: Path):
    np.save(tmp_path / "q.npy", np.array([[object()]]), allow_pickle=True)
    with pytest.raises(InputError, match=r"q\.npy cannot be read"):
        load(write(tmp_path, 'Q = "q.npy"\nK = [["1"]]'))


@pytest.mark.parametrize(
    ("name", "content"),
    [("q.npy", b"no array"), ("q.npz", b"PK"), ("q.json", b"{"), ("q.csv", b"\xff")],
)
def test_broken_files_are_named(tmp_path: Path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        load(write(tmp_path, f'Q = "{name}"\nK = [["1"]]'))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (1, "1"),
        ("1/3", "1/3"),
        (Fraction(2, 7), "2/7"),
        (0.5, "1/2"),
        (np.float32(0.1), "13421773/134217728"),
        (np.int64(-3), "-3"),
        (sp.Rational(1, 9), "1/9"),
    ],
)
def test_python_numbers_of_many_kinds_are_taken_exactly(entry, text: str):
    derivation = solve(scaled=[entry, 0])
    assert derivation.results["scaled"][0].text == text


@pytest.mark.parametrize("entry", [float("nan"), float("inf"), None, object(), 1j, [1], True])
def test_python_values_that_are_no_real_number_are_refused(entry):
    with pytest.raises(InputError, match=r"given\.scaled"):
        solve(scaled=[entry, 0])


def test_numpy_arrays_can_be_given_directly():
    derivation = solve(Q=np.eye(2), K=np.eye(2), V=np.array([[1.0], [2.0]]))
    assert derivation.results["scores"][0][0].text == "1"


@pytest.mark.parametrize(
    "mask",
    [
        np.array([[True, False], [True, True]]),
        ((True, False), (True, True)),
        np.array([[0.0, -np.inf], [0.0, 0.0]]),
    ],
)
def test_a_mask_can_be_an_array_or_tuples(mask):
    d = solve(Q=np.eye(2), K=np.eye(2), mask=mask)
    assert d.results["weights"][0][1].text == "0"


def test_other_keys_take_numpy_scalars_and_tuples():
    d = solve(X=np.eye(2), permutation=(2, 1), causal=np.bool_(False), focus=np.int64(1))
    assert [w.text for w in d.results["weights"][0]] == [
        "exp(1/sqrt(2))/(1 + exp(1/sqrt(2)))",
        "1/(1 + exp(1/sqrt(2)))",
    ]
