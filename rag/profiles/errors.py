"""Profile errors, in a module of their own: whoever catches them does not load a database library."""

from __future__ import annotations


class ProfileError(Exception):
    """The profiles cannot be read or written. The message says what failed and what to do about it."""


class UnknownPersonError(LookupError):
    """Nothing is kept of this person."""

    def __init__(self, user_id: str) -> None:
        super().__init__(f"Nothing is kept of {user_id!r}. `viva profile list` names everybody there is something of.")
