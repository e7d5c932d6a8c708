"""The transcript: who said what and when, derived from the record."""
