"""Contradictions: checks on numbers, polarity and negation that lower a verdict."""
