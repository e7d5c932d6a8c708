"""Failed turn: what became of it, and how each medium tells it. Nothing that fails ever becomes a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.say import Say


@dataclass(frozen=True, slots=True)
class FailedTurn:
    """A turn that failed."""

    turn: int
    error: Exception
    retry: bool = False
    """It is as it was when it failed, and can be tried again."""
    lost: int | None = None
    """Number of the turn that does not count any more; None when no answer is lost."""
    stuck: Exception | None = None
    """Why it could not be taken back either."""
    say: Say | None = None
    """What is said to the candidate: the open question again, or goodbye; None when the interview simply goes on."""


@dataclass(frozen=True, slots=True)
class Account:
    """A failure in words."""

    what: str
    advice: str


def tell_of_spoken(failed: FailedTurn) -> Account:
    """The words for the record of an interview by voice: the candidate heard what was said to it."""
    what = f"Turn {failed.turn} failed: {_named(failed.error)}"
    if failed.stuck is not None:
        what += f"; it could not be taken back: {_named(failed.stuck)}"
    if failed.say is None:
        done = "The interview went on"
    else:
        done = "The interview was ended" if failed.say.kind == "closing" else "The question was asked again"
    kept = "nothing is lost" if failed.lost is None else f"turn {failed.lost} is not scored"
    return Account(what, f"{done}, and {kept}. The worker's log has the details.")


def tell_of_written(failed: FailedTurn, path: str) -> Account:
    """The words for the client of an interview by text, who can try again.

    Args:
        failed: what failed.
        path: of the interview, below which `resume` is.
    """
    what = f"Turn {failed.turn} could not be finished ({_named(failed.error)})."
    if failed.retry:
        return Account(what, f"Nothing is lost: POST {path}/resume tries again.")
    if failed.stuck is not None:
        return Account(
            what,
            f"It could not be taken back either ({_named(failed.stuck)}), so no other answer is taken: "
            f"POST {path}/resume tries again.",
        )
    if failed.lost is None:
        return Account(what, f"Nothing is lost: POST {path}/resume returns what came of it.")
    return Account(what, "Its question is open again: send another answer to go on; this turn is not scored.")


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
