r"""Rules for cosine and sine.

* **addition theorem**: \cos(a+b) = \cos a \cos b - \sin a \sin b, and
  \sin(a+b) = \sin a \cos b + \cos a \sin b; \cos(-a) = \cos a, \sin(-a) = -\sin a, \cos 0 = 1.
* **Pythagoras**: \sin^2 a + \cos^2 a = 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symattn.derivation.rules.atoms import Meaning, Table, frozen, monomial
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.terms import UNIT

if TYPE_CHECKING:
    from symattn.derivation.rules.normal import Form

__all__ = ["Angle", "call", "reduced"]


@dataclass(frozen=True)
class Angle(Meaning):
    """The cosine or the sine of an angle that no rule takes apart."""

    function: str
    angle: Exact

    @property
    def parts(self) -> tuple[Exact, ...]:
        """The angle."""
        return (self.angle,)

    @property
    def key(self) -> Hashable:
        """Function and angle."""
        return (self.function, frozen(self.angle))

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The same function of another angle."""
        return table.atom(Angle(self.function, table.replace(self.angle, mapping)))


def call(form: Form, function: str, angle: Exact) -> Exact:
    """cos or sin of an angle."""
    if not form.allows("addition theorem"):
        return form.atom(Angle(function, angle))
    if angle.denominator != UNIT:
        raise StepError("addition theorem: the angle is a quotient of sums")
    cosine, sine = Exact(UNIT), Exact({})
    for key, value in angle.numerator.items():
        if value.q != 1:
            raise StepError("addition theorem: an angle with a broken coefficient")
        c, s = (form.atom(Angle(name, monomial(key))) for name in ("cos", "sin"))
        s = s if value > 0 else -s
        for _ in range(abs(int(value.p))):
            cosine, sine = cosine * c - sine * s, sine * c + cosine * s
    return cosine if function == "cos" else sine


def reduced(form: Form, x: Exact) -> Exact:
    """A sum with every square of a sine written as 1 less the square of the cosine."""
    if not form.allows("Pythagoras"):
        return x
    for _, _, atoms in x.numerator:
        for atom, power in atoms:
            meaning = form.meanings.get(str(atom.payload))
            if isinstance(meaning, Angle) and meaning.function == "sin" and power >= 2:
                sine = symbol(atom.payload)
                cosine = form.atom(Angle("cos", meaning.angle))
                return reduced(form, _reduced_in(x, sine, 1 - cosine * cosine))
    return x


def _reduced_in(x: Exact, sine: Exact, square: Exact) -> Exact:
    (((_, _, ((atom, _),)), _),) = sine.numerator.items()
    total = Exact({})
    for key, value in x.numerator.items():
        power = dict(key[2]).get(atom, 0)
        term = Exact({key: value})
        half = power // 2 if power >= 2 else 0
        total = total + term / sine ** (2 * half) * square**half
    return total
