"""The conversation: the LiveKit agent that listens and speaks in the room.

`interviewer` is the agent, `session` the LiveKit session around it. `transcript` keeps what the candidate said,
`playback` what the interviewer was really heard to say; `barge_in`, `acknowledgement` and `silence` each hold
one habit of a conversation. What is said is in the interview graph and in `phrases.md`.
"""
