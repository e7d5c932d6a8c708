"""`viva interview --text`: a client of the interview API, in a terminal or from a script."""
