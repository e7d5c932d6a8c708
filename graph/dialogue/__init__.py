"""Dialogue: what a candidate's turn means for the interview, and what is likely to be said next."""
