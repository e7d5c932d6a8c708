"""Duplicates: whether a question was asked before, in the same or in other words."""
