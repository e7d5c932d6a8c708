"""The rehearsal: a synthetic candidate who joins a real room, listens and speaks. `viva rehearse` is its command.

`persona.py` says who the candidate is, `replies.py` what it says, `conversation.py` when, `candidate.py` is its body
in the room; `alignment.py` brings together what it heard and what the record holds. Nothing is imported here, so that
`viva rehearse --help` does not wait for LiveKit: import the module that you mean.
"""
