"""Profiles: what is kept of a person between interviews, in a database, and one vector each in Chroma.

`store` is where they are read and changed, `merging` decides what comes of a change, `vectors` keeps the embedding of
each person's summary, `admission` says what is known of whoever begins an interview.
"""
