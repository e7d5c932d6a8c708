"""Candidate: what a résumé says of a person and a job description of a job, read from their text by rule or by a model.

Everything here is a pure function of a text; `agent/documents/` makes the text out of files. Nothing is imported here:
import what you mean.
"""
