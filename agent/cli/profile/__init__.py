"""Profiles on the command line, `viva profile`. Nothing is imported here: import what you mean."""
