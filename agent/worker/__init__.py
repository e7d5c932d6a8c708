"""The worker: `server` registers at LiveKit, `job` holds one interview in one room.

A caller on the phone is received by `agent.phone` first, and then has a job of the same kind. `recovery` saves
interviews whose worker died, `recording` hears the room as the candidate does, `pipeline` has what hears and speaks.
"""
