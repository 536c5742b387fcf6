"""symattn, the exact companion to the attention mechanism."""
