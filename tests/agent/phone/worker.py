"""A real worker for calls, with PINs that are kept in a file: `python -m tests.agent.phone.worker`."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agent.interviews.creation import Wish
from agent.interviews.resources import load_voice_resources
from agent.observability import configure_logging
from agent.phone.reception.pins import Refused
from agent.settings import load_settings
from agent.worker.server import _serve, hold_job, make_server

PIN = "482913"
NAME = "Robin"
PINS_VARIABLE = "TEST_PINS"
"""Environment variable that names the file."""
WISH = Wish(candidate_name=NAME, pack="backend", minutes=6, feedback="practice", difficulty="medium", focus_topics=())


@dataclass(frozen=True)
class OneGrant:
    """What the only PIN stands for."""

    interview_id: str | None
    id: str = "grant"
    wish: Wish = WISH


class OnePin:
    """Knows one PIN, and the interview that was begun with it."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept

    def check(self, pin: str, *, caller: str, address: str, now: float) -> OneGrant | Refused:
        """Any number of tries."""
        return self._grant() if pin == PIN else Refused()

    def used(self, grant_id: str, interview_id: str, now: float) -> None:
        """Kept over a crash."""
        self._kept.write_text(json.dumps(interview_id))

    def booked(self, booking_id: str) -> OneGrant | None:
        """The same grant."""
        return self._grant() if booking_id == "booked" else None

    def _grant(self) -> OneGrant:
        return OneGrant(json.loads(self._kept.read_text()) if self._kept.exists() else None)


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
