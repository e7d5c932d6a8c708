"""Silent room: for a caller who only gets to hear a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from agent.phone.line.watch import RoomState


class SilentRoom:
    """A room where nobody is and nothing comes from."""

    state: RoomState = "outside"
    has_interviewer = False
    is_over = False

    async def join(self) -> None:
        """Nothing to go into."""

    async def call_interviewer(self) -> None:
        """Nobody comes."""

    async def leave(self) -> None:
        """Nothing to leave."""

    def put(self, pcm: bytes) -> None:
        """Nobody hears it."""

    def take(self) -> bytes:
        """Nothing is said."""
        return b""

    def press(self, digit: str) -> None:
        """Nobody gets it."""

    async def tell(self, attributes: Mapping[str, str]) -> None:
        """Nobody reads it."""
