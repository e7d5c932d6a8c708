"""Feedback: what is said about an answer, composed from its verdicts.

`structures` says which parts it has and `compose` puts the sentences together, `quoting` uses the candidate's own
words, `variation` says nothing twice, `guardrails` refuse what must not be said.
"""
