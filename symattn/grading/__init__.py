"""Grading: verdicts on answers, the mistakes that made them, scores, and batches of them."""
