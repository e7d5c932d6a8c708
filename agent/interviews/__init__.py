"""Interviews: what every driver of an interview shares, by voice or by text.

`resources` are the models that all interviews of a process share, `context` is made of them for one.
"""
