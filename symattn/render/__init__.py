"""Printers: a derivation as terminal text, Markdown and JSON; trees as Unicode and LaTeX.

Each format is a module with `render(derivation, *, digits, ties, level) -> str`, loaded on demand
by `symattn.derivation.formats`. What a printer shows comes from `derivation.blocks` alone.
"""
