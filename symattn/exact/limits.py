"""The limits on what a text may cost, decided before any work is done.

The first hold for the text: its length, its tokens, the depth of its brackets, the digits of its
numbers. The others hold for the value, which a short text can make huge (`9^9^9^9`); `size.measure`
bounds it from the tree. All are far above what an answer to an attention question needs and far
below what a second of work could do.
"""

from __future__ import annotations

__all__ = [
    "MAX_BITS",
    "MAX_DEGREE",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_EXPONENT",
    "MAX_EXP_ARGUMENT",
    "MAX_HEIGHT",
    "MAX_INDEX",
    "MAX_LENGTH",
    "MAX_SCIENTIFIC",
    "MAX_TERMS",
    "MAX_TOKENS",
    "MAX_TOTAL_DIGITS",
    "MAX_WORK",
    "NODE_WORK",
]

#: Characters of a text: a 64 x 64 matrix at 40 characters an entry.
MAX_LENGTH = 200_000
#: Words, signs and gaps of a text: a 64 x 64 matrix of fractions has 24,576.
MAX_TOKENS = 25_000
#: Brackets, exponents and bare arguments inside one another; each costs a few Python frames.
MAX_DEPTH = 100
#: Operations inside one another; whoever walks a tree may recurse.
MAX_HEIGHT = 150
#: Digits of one number; Python itself refuses to read more than 4300.
MAX_DIGITS = 4_000
#: The exponent of `1e5000`; the smallest double is about 1e-324.
MAX_SCIENTIFIC = 5_000
#: Digits and powers of ten of all numbers together; a fraction's gcd is quadratic in them.
MAX_TOTAL_DIGITS = 200_000
#: A power's exponent, unless its base is e.
MAX_EXPONENT = 10_000
#: A root's index.
MAX_INDEX = 1_000
#: |x| in exp(x), cosh(x) and so on: scores of attention stay below 1000 or so.
MAX_EXP_ARGUMENT = 100_000
#: Bits of a coefficient.
MAX_BITS = 2**18
#: Terms of a numerator and a denominator, multiplied out.
MAX_TERMS = 10_000
#: Degree of the field in which a denominator inside an exponent is made rational.
MAX_DEGREE = 64
#: Terms times bits, added over all nodes, with `NODE_WORK` for each: tenths of a second.
MAX_WORK = 2**26
#: What a node costs whatever its value.
NODE_WORK = 512
