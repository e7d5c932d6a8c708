"""Interviews by text over HTTP, below `/api/v1`: the same graph and the same record as by voice, without a room.

`routes` says what can be called, `schemas` what goes over the wire. `sessions` keeps the interviews that are going on;
`session` is one of them. Everything about a session can be had from the
record and its checkpoints, so that a killed process loses none.
"""
