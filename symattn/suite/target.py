"""The function under check: found by its name, with its declarations and abilities.

A target is `MODULE:FUNCTION` (FUNCTION may be dotted). Abilities are found by probing with small
ordinary inputs: what is refused with NotImplementedError, TypeError, ValueError or RuntimeError is
skipped with that reason, and so is a keyword that the function does not take.

A function whose attribute `vjp` is a function vjp(q, k, v, cotangent, *, mask, causal, scale) has
its gradients checked too: it returns (dq, dk, dv) for a cotangent (n, d_v), None for zeros.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from symattn.errors import InputError
from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations, dtype_named
from symattn.suite.strategies import Abilities

__all__ = ["Probe", "Target", "differentiable", "gradient_of", "load", "probe"]

#: What a function may raise to say that it does not offer something.
REFUSALS = (NotImplementedError, TypeError, ValueError, RuntimeError)


@dataclass(frozen=True)
class Target:
    """A function on NumPy arrays with what it declares."""

    name: str
    function: Callable[..., Any]
    declarations: Declarations = field(default_factory=Declarations)
    dtypes: tuple[str, ...] = ("float32", "float64")
    few_shapes: bool = False
    layouts: bool = True
    version: str | None = None


@dataclass(frozen=True)
class Probe:
    """Abilities, and for each that is missing the reason."""

    abilities: Abilities
    reasons: dict[str, str]

    def missing(self, needs: tuple[str, ...]) -> str | None:
        """Why something that is needed is missing, or None."""
        for need in needs:
            if need == "some_mask":
                if not (self.abilities.boolean_mask or self.abilities.additive_mask):
                    return self.reasons["boolean_mask"]
            elif not getattr(self.abilities, need):
                return self.reasons[need]
        return None


def gradient_of(function: Callable[..., Any]) -> Any:
    """The function's gradient, where it has one."""
    found = getattr(function, "vjp", None)
    return found if callable(found) else None


def differentiable(function: Callable[..., Any], vjp: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its gradient as the attribute that the suite looks for."""
    setattr(function, "vjp", vjp)  # noqa: B010 - a function's type has no such attribute
    return function


def load(spec: str) -> Target:
    """The target that `MODULE:FUNCTION` names, adapted where the library is known.

    >>> load("symattn.numeric:attention").name
    'symattn.numeric:attention'

    Raises InputError where there is no such function.
    """
    from symattn.suite.adapters import adapted

    known = adapted(spec)
    if known is not None:
        return known
    module_name, separator, path = spec.partition(":")
    if not separator or not module_name or not path:
        raise InputError(
            f"target={spec!r} should be MODULE:FUNCTION, such as mypackage.nn:attention"
        )
    try:
        found: Any = importlib.import_module(module_name)
    except ImportError as error:
        raise InputError(f"target={spec!r}: cannot import {module_name!r} ({error})") from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise InputError(f"target={spec!r}: {module_name!r} has no {path!r}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"target={spec!r} is {type(found).__name__}, should be a function")
    return Target(spec, found)


def probe(target: Target, dtype: str) -> Probe:
    """What the function takes with this type."""
    reasons: dict[str, str] = {}
    for name, cases in _probes(dtype).items():
        keyword = _KEYWORD.get(name)
        if keyword and not takes(target.function, keyword):
            reasons[name] = f"the function takes no {keyword!r}"
            continue
        for case in cases:
            reason = _refusal(target.function, case)
            if reason is not None:
                reasons[name] = reason
                break
    if "causal" in reasons or ("boolean_mask" in reasons and "additive_mask" in reasons):
        reasons.setdefault("mask_and_causal", "needs both a mask and causal")
    for name in ("zero_scale", "negative_scale"):
        if "scale" in reasons:
            reasons.setdefault(name, reasons["scale"])
    if "plain" in reasons:  # three plain arrays must work: the properties will say so
        del reasons["plain"]
    else:
        reasons |= _extensions(target.function, dtype)
    if not target.layouts:
        reasons["layouts"] = "arrays are copied on their way to the function"
    if gradient_of(target.function) is None:
        reasons["gradient"] = "the function has no gradient (an attribute vjp)"
    names = {f.name for f in fields(Abilities)} - {"few_shapes"}
    return Probe(
        Abilities(few_shapes=target.few_shapes, **{name: name not in reasons for name in names}),
        reasons,
    )


#: Ability -> the keyword it needs.
_KEYWORD = {
    "boolean_mask": "mask",
    "additive_mask": "mask",
    "mask_and_causal": "mask",
    "causal": "causal",
    "scale": "scale",
    "zero_scale": "scale",
    "negative_scale": "scale",
}


def takes(function: Callable[..., Any], keyword: str) -> bool:
    """Whether a function takes a keyword, as far as its signature tells."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True  # builtins do not tell: the probe will
    return any(p.kind is p.VAR_KEYWORD or p.name == keyword for p in parameters)


def _probes(dtype: str) -> dict[str, list[Case]]:
    """Ability -> small ordinary cases that use it."""
    kind = dtype_named(dtype)
    square = np.array([[1, 0], [0.5, 1]], dtype=kind)
    plain = Case(square, square, square)
    keep = np.array([[True, False], [True, True]])
    bias = np.array([[0, 0.5], [1, 0]], dtype=kind)
    return {
        "plain": [plain],
        "boolean_mask": [plain.but(mask=keep)],
        "additive_mask": [plain.but(mask=bias)],
        "causal": [plain.but(causal=True)],
        # Libraries choose another kernel for values of another width.
        "mask_and_causal": [
            plain.but(mask=mask, causal=True, v=v)
            for mask in (keep, bias)
            for v in (square, square[:, :1])
        ],
        "scale": [plain.but(scale=0.5)],
        "zero_scale": [plain.but(scale=0.0)],
        "negative_scale": [plain.but(scale=-0.5)],
        "rectangular": [plain.but(q=square[:1])],
        "value_width": [plain.but(v=square[:, :1])],
        "no_keys": [plain.but(k=square[:0], v=square[:0])],
    }


def _extensions(function: Callable[..., Any], dtype: str) -> dict[str, str]:
    """Which of log-sum-exps and heads are missing, by what small calls return."""
    x = np.ones((2, 2), dtype=dtype_named(dtype))
    reasons = {}
    plain = _outcome(function, x.copy(), x.copy(), x.copy())
    if not (isinstance(plain, tuple) and len(plain) == 2 and np.shape(plain[1]) == (2,)):
        reasons["returns_lse"] = "the function returns no log-sum-exp of the scores"
    queries, keys = np.stack([x] * 4), np.stack([x] * 2)
    grouped = _outcome(function, queries, keys, keys.copy())
    grouped = grouped[0] if isinstance(grouped, tuple) else grouped
    if np.shape(grouped) != queries.shape:
        reasons["heads"] = "the function takes no heads"
    return reasons


def _outcome(function: Callable[..., Any], *arrays: Any) -> Any:
    """What the function returns, or None where it raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*arrays)
    except Exception:
        return None


def _refusal(function: Callable[..., Any], case: Case) -> str | None:
    """Why the function refuses a case, or None; other exceptions are for the properties to find."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*case.arrays(), **case.keywords())
    except REFUSALS as error:
        return f"refused with {type(error).__name__}: {' '.join(str(error).split())[:160]}"
    except Exception:
        return None
    return None
