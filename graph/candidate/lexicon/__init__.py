"""Lexicon of skills and fields of work: YAML files, their form, and finding what they name in a text."""
