"""A real worker for calls, with PINs that are kept in a file: `python -m tests.agent.phone.worker`."""

from __future__ import annotations

import asyncio
import json
import os
from functools import partial
from pathlib import Path

from agent.interviews.creation import Wish
from agent.interviews.resources import load_voice_resources
from agent.observability import configure_logging
from agent.phone.grants import PinGrant
from agent.phone.pins import PinRefusal, PinStore
from agent.settings import load_settings
from agent.worker.server import _serve, hold_job, make_server

PIN = "482913"
NAME = "Robin"
PINS_VARIABLE = "TEST_PINS"
"""Environment variable that names the file."""
WISH = Wish(candidate_name=NAME, pack="backend", minutes=6, feedback="coach", difficulty="medium", focus_topics=())


class OnePin(PinStore):
    """Knows one PIN, and the interview that was begun with it."""

    def __init__(self, kept: Path) -> None:
        super().__init__(kept.with_suffix(".sqlite"), "", last_heard=lambda _: None)
        self._kept = kept

    def check(self, pin: str, *, caller: str, address: str, now: float) -> PinGrant | PinRefusal:
        """Any number of tries."""
        return self._grant() if pin == PIN else PinRefusal("wrong")

    def take(self, grant_id: str, interview_id: str, now: float) -> bool:
        """Kept over a crash."""
        self._kept.write_text(json.dumps(interview_id))
        return True

    def booked(self, booking_id: str) -> PinGrant | None:
        """The same grant."""
        return self._grant() if booking_id == "booked" else None

    def _grant(self) -> PinGrant:
        before = json.loads(self._kept.read_text()) if self._kept.exists() else None
        return PinGrant("grant", WISH, False, None, None, 0.0, interview_id=before)


def main() -> None:
    """Serve until told to stop."""
    settings = load_settings()
    configure_logging(settings, "worker")
    settings.worker_ready_path.unlink(missing_ok=True)
    load_voice_resources(settings)
    pins = OnePin(Path(os.environ[PINS_VARIABLE]))
    asyncio.run(_serve(make_server(settings, partial(hold_job, pins=pins)), settings))


if __name__ == "__main__":
    main()
