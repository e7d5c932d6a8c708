"""The worker: `server` registers at LiveKit, `job` holds one interview in one room.

`recovery` saves interviews whose worker died, `recording` hears the room as the candidate does.
"""
