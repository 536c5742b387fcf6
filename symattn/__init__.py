"""symattn, the exact companion to the attention mechanism."""

__version__ = "0.1.0"
