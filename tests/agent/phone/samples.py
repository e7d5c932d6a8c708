"""PINs for tests: a wish, and a store whose clock and record the test has in hand."""

from __future__ import annotations

from pathlib import Path

from agent.interviews.creation import Wish
from agent.phone.grants import PinGrant
from agent.phone.pins import PinStore
from domain.candidate import CandidateProfile

SECRET = "a-secret-of-the-installation-of-the-tests"
WISH = Wish(
    candidate_name="Ada Example",
    pack="backend",
    minutes=20,
    feedback="coach",
    difficulty="easy",
    focus_topics=["caching"],
    resume="Bred zebra finches.",
    profile=CandidateProfile(name="Ada Example", skills=("Go",)),
    mode="resume",
)


class Pins:
    """A store, and what the record says of interviews."""

    def __init__(self, folder: Path, *, digits: int = 6) -> None:
        self.path = folder / "phone.sqlite"
        self.heard: dict[str, float] = {}
        """When something was last recorded of an interview that goes on."""
        self.store = PinStore(self.path, SECRET, last_heard=self.heard.get, digits=digits)

    def issued(
        self,
        wish: Wish = WISH,
        *,
        once: bool = True,
        start: float | None = None,
        until: float | None = 10_000.0,
        now: float = 0.0,
    ) -> tuple[str, PinGrant]:
        """A new PIN."""
        return self.store.issue(wish, once=once, valid_from=start, valid_until=until, now=now)

    def check(self, pin: str, now: float, *, caller: str = "+4930123", address: str = "192.0.2.1") -> object:
        """What it stands for, or the word why not."""
        found = self.store.check(pin, caller=caller, address=address, now=now)
        return found if isinstance(found, PinGrant) else found.why


def other_than(pin: str, step: int = 1) -> str:
    """A PIN that was not issued."""
    return f"{(int(pin) + step) % 10 ** len(pin):0{len(pin)}}"
