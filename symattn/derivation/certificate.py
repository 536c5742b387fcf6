"""A proof as JSON, schema `symattn.certificate/1`: all that a replay needs, nothing to be trusted.

It holds the declarations, definitions and assumptions, each line with the reasons of its links, the
lines that say what is claimed, the models under which everything was written out, and the witnesses
of the near misses. Trees are lists headed by their kind (`nodes.KINDS`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from symattn.derivation.instances import Entries, Model
from symattn.derivation.nodes import decode, encode
from symattn.derivation.rules.lines import Claim
from symattn.derivation.rules.theory import Definition, Fact, Range, Relation, Theory
from symattn.errors import InputError
from symattn.exact.tree import Node

__all__ = ["SCHEMA", "Certificate", "Statement", "dumps", "from_json", "to_json"]

SCHEMA = "symattn.certificate/1"
_RELATIONS = ("=", "<", ">", "<=", ">=", "!=")


@dataclass(frozen=True)
class Statement:
    """A relation between two trees of numbers: the witness of a near miss."""

    title: str
    left: Node
    relation: Relation
    right: Node


@dataclass(frozen=True)
class Certificate:
    """What a proof says and how, as data."""

    name: str
    title: str
    theory: Theory
    steps: tuple[tuple[str, tuple[Claim, ...]], ...]
    goals: Mapping[str, Fact]
    models: tuple[Model, ...]
    near_misses: tuple[Statement, ...]


def to_json(certificate: Certificate) -> dict[str, Any]:
    """The certificate as what JSON holds."""
    theory = certificate.theory
    return {
        "schema": SCHEMA,
        "name": certificate.name,
        "title": certificate.title,
        "sizes": list(theory.sizes),
        "permutations": {name: encode(size) for name, size in theory.permutations},
        "random": list(theory.random),
        "definitions": {
            name: {"parameters": list(d.parameters), "body": encode(d.body)}
            for name, d in theory.definitions.items()
        },
        "assumptions": {label: _fact(fact) for label, fact in theory.assumptions.items()},
        "claims": {label: _fact(fact) for label, fact in certificate.goals.items()},
        "steps": [
            {"title": title, "lines": [_claim(claim) for claim in claims]}
            for title, claims in certificate.steps
        ],
        "near_misses": [
            {
                "title": miss.title,
                "left": encode(miss.left),
                "relation": miss.relation,
                "right": encode(miss.right),
            }
            for miss in certificate.near_misses
        ],
        "models": [
            {name: _entries(value) for name, value in model.items()} for model in certificate.models
        ],
    }


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "left": encode(fact.left),
        "relation": fact.relation,
        "right": encode(fact.right),
        "ranges": [_range(r) for r in fact.ranges],
        "distinct": [list(pair) for pair in fact.distinct],
    }


def _range(r: Range) -> list[Any]:
    return [r.index, encode(r.lower), encode(r.upper)]


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "label": claim.label,
        "method": claim.method,
        "sides": [encode(node) for node in claim.nodes],
        "relations": list(claim.relations),
        "by": [list(by) for by in claim.by],
        "ranges": [_range(r) for r in claim.ranges],
        "distinct": [list(pair) for pair in claim.distinct],
        "hypothesis": None if claim.hypothesis is None else _fact(claim.hypothesis),
    }


def _entries(value: Entries) -> Any:
    if isinstance(value, tuple):
        return {"entries": [_entries(entry) for entry in value]}
    return encode(value)


def dumps(certificate: Certificate) -> str:
    """The certificate as text: one line for each part that fits into it."""
    return _laid_out(to_json(certificate), 0) + "\n"


def _laid_out(data: Any, depth: int) -> str:
    """JSON in which trees, and whatever is short, stand on one line."""
    flat = json.dumps(data, ensure_ascii=False)
    is_tree = isinstance(data, list) and bool(data) and isinstance(data[0], str)
    if is_tree or len(flat) + 2 * depth <= 100 or not isinstance(data, list | dict):
        return flat
    margin = "  " * (depth + 1)
    if isinstance(data, dict):
        parts = [
            f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, depth + 1)}"
            for k, v in data.items()
        ]
        opening, closing = "{", "}"
    else:
        parts = [_laid_out(part, depth + 1) for part in data]
        opening, closing = "[", "]"
    body = f",\n{margin}".join(parts)
    return f"{opening}\n{margin}{body}\n{'  ' * depth}{closing}"


def from_json(data: Any) -> Certificate:
    """The certificate that JSON holds.

    Raises: `InputError` where a part is missing, or is not what it should be.
    """
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(f"this is no certificate: its schema should be {SCHEMA!r}")
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the certificate is damaged: {type(error).__name__}: {error}") from None


def _read(data: dict[str, Any]) -> Certificate:
    theory = Theory(
        sizes=_texts(data["sizes"]),
        permutations=tuple((name, decode(size)) for name, size in data["permutations"].items()),
        random=_texts(data["random"]),
        definitions={
            name: Definition(_texts(d["parameters"]), decode(d["body"]))
            for name, d in data["definitions"].items()
        },
        assumptions={label: _read_fact(fact) for label, fact in data["assumptions"].items()},
    )
    return Certificate(
        name=str(data["name"]),
        title=str(data["title"]),
        theory=theory,
        steps=tuple(
            (str(step["title"]), tuple(_read_claim(claim) for claim in step["lines"]))
            for step in data["steps"]
        ),
        goals={label: _read_fact(fact) for label, fact in data["claims"].items()},
        models=tuple(
            {name: _read_entries(value) for name, value in model.items()}
            for model in data["models"]
        ),
        near_misses=tuple(
            Statement(
                str(miss["title"]),
                decode(miss["left"]),
                _relation(miss["relation"]),
                decode(miss["right"]),
            )
            for miss in data["near_misses"]
        ),
    )


def _texts(data: Any) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise InputError(f"{data!r} is no list of names")
    return tuple(data)


def _relation(data: Any) -> Relation:
    if data not in _RELATIONS:
        raise InputError(f"{data!r} is no relation; known are {' '.join(_RELATIONS)}")
    return cast(Relation, data)


def _read_range(data: Any) -> Range:
    index, lower, upper = data
    if not isinstance(index, str) or not index.isidentifier():
        raise InputError(f"{index!r} is no index")
    return Range(index, decode(lower), decode(upper))


def _read_pairs(data: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(left), str(right)) for left, right in data)


def _read_fact(data: Any) -> Fact:
    return Fact(
        decode(data["left"]),
        _relation(data["relation"]),
        decode(data["right"]),
        tuple(_read_range(r) for r in data["ranges"]),
        _read_pairs(data["distinct"]),
    )


def _read_claim(data: Any) -> Claim:
    if data["method"] not in ("chain", "induction", "cases"):
        raise InputError(f"method={data['method']!r} is no way to prove a line")
    return Claim(
        label=str(data["label"]),
        nodes=tuple(decode(side) for side in data["sides"]),
        relations=tuple(_relation(relation) for relation in data["relations"]),
        by=tuple(_texts(by) for by in data["by"]),
        ranges=tuple(_read_range(r) for r in data["ranges"]),
        distinct=_read_pairs(data["distinct"]),
        hypothesis=None if data["hypothesis"] is None else _read_fact(data["hypothesis"]),
        method=data["method"],
    )


def _read_entries(data: Any) -> Entries:
    if isinstance(data, dict):
        return tuple(_read_entries(entry) for entry in data["entries"])
    return decode(data)
