"""Model files: which there are (`manifest`), found and checked before use (`prepare`), and the voices among them."""
