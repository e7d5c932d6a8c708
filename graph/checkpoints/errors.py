"""Errors of the checkpoints' storage."""


class CheckpointError(RuntimeError):
    """The checkpoints cannot be reached; the message says why and what to do, and never holds a password."""
