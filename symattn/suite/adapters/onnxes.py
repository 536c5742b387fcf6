"""ONNX: the operator Attention (opset 23) in onnx's reference evaluator and in onnxruntime.

The operator multiplies q and k by sqrt(scale), so there is no negative scale; its text promises
zeros for a row without a key, and counts causal keys from the upper left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.properties.base import Unsupported
from symattn.suite.target import Target

__all__ = ["inference_session", "reference_evaluator"]

_OPSET = 23
_TYPES = ("float32", "float64")
_DECLARED = Declarations(causal="upper-left", value_at_masked="any")


def reference_evaluator(spec: str) -> Target:
    """The Python evaluator that defines the operator's meaning."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    attention = _operator(ReferenceEvaluator)
    version = f"onnx {onnx.__version__}"
    return Target(spec, attention, _DECLARED, _TYPES, layouts=False, version=version)


def inference_session(spec: str) -> Target:
    """onnxruntime's kernel on the CPU; it has none for float64."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4

    def session(model: Any) -> Any:
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    operator = _operator(session)

    @wraps(operator)
    def attention(*arrays: Array, **given: Any) -> Array:
        try:
            return operator(*arrays, **given)
        except Unsupported:
            raise
        except Exception as error:  # its exceptions have no class in common
            raise ValueError(str(error)) from error

    version = f"onnxruntime {onnxruntime.__version__}"
    return Target(spec, attention, _DECLARED, ("float32",), layouts=False, version=version)


def _operator(run: Callable[[Any], Any]) -> Callable[..., Array]:
    """The operator as a function; one model for each set of attributes."""
    sessions: dict[tuple[Any, ...], Any] = {}

    def attention(
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Array:
        if scale is not None and float(np.float32(scale)) != scale:
            raise Unsupported("the operator's scale is a float32")
        if scale is not None and scale < 0:
            raise ValueError("the operator multiplies q and k by sqrt(scale)")
        kind = None if mask is None else "bool" if mask.dtype == bool else q.dtype.name
        key = (q.dtype.name, kind, causal, scale)
        if key not in sessions:
            sessions[key] = run(_model(*key))
        feed = {n: np.ascontiguousarray(x)[None, None] for n, x in (("q", q), ("k", k), ("v", v))}
        if mask is not None:
            feed["mask"] = np.ascontiguousarray(mask)
        output: Array = np.asarray(sessions[key].run(None, feed)[0])[0, 0]
        return output

    return attention


def _model(dtype: str, mask: str | None, causal: bool, scale: float | None) -> Any:
    from onnx import TensorProto, helper

    kind = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE}[dtype]
    inputs = [
        helper.make_tensor_value_info(name, kind, [1, 1, f"{name}_rows", f"{name}_columns"])
        for name in ("q", "k", "v")
    ]
    names = ["q", "k", "v"]
    if mask is not None:
        mask_kind = TensorProto.BOOL if mask == "bool" else kind
        inputs.append(helper.make_tensor_value_info("mask", mask_kind, ["n", "m"]))
        names.append("mask")
    attributes: dict[str, Any] = {"is_causal": int(causal)}
    if scale is not None:
        attributes["scale"] = float(scale)
    node = helper.make_node("Attention", names, ["output"], **attributes)
    outputs = [helper.make_tensor_value_info("output", kind, None)]
    graph = helper.make_graph([node], "attention", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=11)
