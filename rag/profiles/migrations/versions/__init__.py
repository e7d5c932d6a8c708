"""Versions of the profile tables, the oldest first."""
