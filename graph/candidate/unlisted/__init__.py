"""Unlisted skills: what positions and projects name that the lexicon does not know, told by spelling and place."""
