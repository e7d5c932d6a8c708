"""Audio: both voices recorded as they happen, and made into one file at the end."""
