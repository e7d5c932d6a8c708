"""`viva judge`: judge the answers of a file, explain a score, put a person's verdict beside it."""
