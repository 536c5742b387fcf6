"""The exact core: parse, exact numbers, equality, enclosures, rounding."""
