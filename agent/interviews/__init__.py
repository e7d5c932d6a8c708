"""Interviews: what every driver of an interview shares, by voice, by phone or by text.

`run` is the life of one interview in one process, whoever drives it; `life` has its states and `steps` what words of
the candidate's lead to. `host` opens a run: `resources` are the models that all interviews of a process share,
`context` is made of them for one.
"""
