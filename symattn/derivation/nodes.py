"""Trees as JSON and back: `["Add", ["Symbol", "a"], ["Number", "1/2"]]`.

The kinds are a fixed list, so that what a certificate holds can be anything but code.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, TypeAlias

from symattn.errors import InputError
from symattn.exact import tree
from symattn.exact.tree import Array, Node, Number
from symattn.exact.writing import number

__all__ = ["KINDS", "decode", "encode"]

Json: TypeAlias = Any

#: Kind -> what its arguments are: t a text, w a whole number, n a tree, N any number of trees.
KINDS = {
    "Constant": "t",
    "Symbol": "t",
    "Neg": "n",
    "Add": "N",
    "Mul": "N",
    "Div": "nn",
    "Pow": "nn",
    "Root": "nw",
    "Call": "tn",
    "Indexed": "tN",
    "Sum": "ntnn",
    "Delta": "nn",
    "Limit": "ntt",
    "Derivative": "nn",
    "Expectation": "n",
    "Array": "N",
    "Apply": "tN",
}
_TEXTS = {
    "Constant": {0: {"e", "pi"}},
    "Call": {0: {"exp", "cos", "sin"}},
    "Limit": {2: {"oo", "-oo", "0+"}},
    "Apply": {0: {"matmul", "transpose", "softmax"}},
}
MAX_DEPTH = 60
_RATIONAL = re.compile(r"-?[0-9]{1,200}(/0*[1-9][0-9]{0,200})?")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def encode(node: Node) -> Json:
    """A tree as lists and texts.

    >>> encode(tree.Neg(tree.Symbol("a")))
    ['Neg', ['Symbol', 'a']]

    Raises: `InputError` for a kind that certificates do not have.
    """
    kind = type(node).__name__
    if isinstance(node, Number):
        return [kind, str(node.value)]
    if kind not in KINDS:
        raise InputError(f"a certificate holds no {kind}")
    if isinstance(node, Array):
        return [kind, *map(encode, node.entries)]
    encoded: list[Json] = [kind]
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if isinstance(value, tuple):
            encoded += map(encode, value)
        else:
            encoded.append(value if isinstance(value, str | int) else encode(value))
    return encoded


def decode(data: Json, depth: int = 0) -> Node:
    """The tree of lists and texts.

    >>> decode(["Neg", ["Symbol", "a"]])
    Neg(body=Symbol(name='a'))

    Raises: `InputError` for anything else.
    """
    if (
        depth > MAX_DEPTH
        or not isinstance(data, list)
        or not data
        or data[0] not in ("Number", *KINDS)
    ):
        raise InputError(f"{str(data)[:60]} is no tree of a certificate")
    kind, *arguments = data
    if kind == "Number":
        return _number(arguments)
    wanted, no_more = KINDS[kind], tuple[tuple[Node, ...], ...]()
    if wanted.endswith("N"):
        wanted = wanted[:-1]
        heads, rest = arguments[: len(wanted)], arguments[len(wanted) :]
        many: tuple[tuple[Node, ...], ...] = (tuple(decode(part, depth + 1) for part in rest),)
        if kind in ("Add", "Mul") and len(rest) < 2:
            raise InputError(f"{kind} has two parts or more")
    else:
        heads, many = arguments, no_more
    if len(heads) != len(wanted):
        raise InputError(f"{kind} has {len(wanted)} arguments, not {len(heads)}")
    values = [_argument(kind, i, sort, heads[i], depth) for i, sort in enumerate(wanted)]
    node: Node = getattr(tree, kind)(*values, *many)
    return node


def _number(arguments: list[Json]) -> Node:
    text = arguments[0] if len(arguments) == 1 else None
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise InputError(f"{str(arguments)[:60]} is no number of a certificate")
    value = Fraction(text)
    return Number(value, str(value)) if value >= 0 else number(value)


def _argument(kind: str, place: int, sort: str, value: Json, depth: int) -> Any:
    if sort == "n":
        return decode(value, depth + 1)
    if not isinstance(value, str if sort == "t" else int):
        raise InputError(f"{kind} has a {type(value).__name__} where none can stand")
    allowed = _TEXTS.get(kind, {}).get(place)
    if allowed is not None and value not in allowed:
        raise InputError(f"{kind} of {value!r} is unknown; known are {', '.join(sorted(allowed))}")
    if sort == "t" and allowed is None and not _NAME.fullmatch(str(value)):
        raise InputError(f"{value!r} is no name: letters, digits and underscores make one")
    return value
