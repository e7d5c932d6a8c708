"""Retrieval: the next question. `session` keeps what was found, `graph` corrects a poor search."""
