"""How a function behaves towards its caller: inputs, output, memory, repetition."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Case
from symattn.suite.properties.base import Property, Subject, Violation, match, same_bits
from symattn.suite.strategies import cases

__all__ = ["PROPERTIES"]


def _inputs_kept(subject: Subject, case: Case) -> None:
    arrays, keywords = case.arrays(), case.keywords()
    subject.call_with(case, *arrays, **keywords)
    mask = keywords.get("mask")
    given = (*arrays, *([] if mask is None else [mask]))
    before = (*case.arrays(), *([] if case.mask is None else [case.mask]))
    for name, ours, now in zip(("q", "k", "v", "mask"), before, given, strict=False):
        if not same_bits(np.ascontiguousarray(ours), np.ascontiguousarray(now)):
            raise Violation(f"the caller's {name} was modified", case, got=now, wanted=ours)


def _output_type(subject: Subject, case: Case) -> None:
    output = subject.raw(case)
    array = np.asarray(output[0] if isinstance(output, tuple) else output)
    if array.dtype != case.q.dtype:
        raise Violation(f"the output has dtype {array.dtype}, should be {case.dtype}", case)
    subject(case)


def _repeats(subject: Subject, case: Case) -> None:
    first, second = subject(case), subject(case)
    if not same_bits(first, second):
        raise Violation("the same call gives different outputs", case, got=second, wanted=first)


def _layout(subject: Subject, case: Case) -> None:
    message = f"differs with arrays that lie in memory otherwise (layout={case.layout})"
    match(subject, case, case.but(layout="C"), message)


PROPERTIES = (
    Property(
        "inputs-kept",
        "conduct",
        "The caller's arrays are not modified.",
        "Scaling q in place is right once and wrong ever after.",
        lambda dtype, able: cases(dtype, able),
        _inputs_kept,
    ),
    Property(
        "output-type",
        "conduct",
        "The output has shape (n, d_v) and the type of the inputs.",
        "A width taken from the keys or a silent float64 shows up far away.",
        lambda dtype, able: cases(dtype, able),
        _output_type,
    ),
    Property(
        "determinism",
        "conduct",
        "The same call gives the same output, bit by bit.",
        "State left over from a call before, or memory read before it was written.",
        lambda dtype, able: cases(dtype, able),
        _repeats,
        share=0.6,
    ),
    Property(
        "layout",
        "conduct",
        "How arrays lie in memory does not matter: Fortran order, strides, reversed.",
        "Kernels read memory; a transposed view is the ordinary way to make heads.",
        lambda dtype, able: cases(dtype, able, layout=True),
        _layout,
        needs=("layouts",),
    ),
)
