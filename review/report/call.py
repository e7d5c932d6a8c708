"""Call of a report: what is known of the line, and the keys that were pressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.events import CallBegan, CallEnded, Event, HoldBegan, HoldEnded, InterviewStarted, KeyPressed
from review.record.timeline import medium_of
from review.report.models import ReportedCall


def reported_call(events: Sequence[Event]) -> ReportedCall | None:
    """What the report says of the phone; None for an interview that was not held by phone.

    Of several calls the number and the codec are the last one's, loss and jitter the worst.
    """
    if medium_of(events) != "phone":
        return None
    began = [event for event in events if isinstance(event, CallBegan)]
    ended = [event for event in events if isinstance(event, CallEnded)]
    keys = Counter(event.key for event in events if isinstance(event, KeyPressed))
    return ReportedCall(
        calls=len(began),
        number=began[-1].number if began else "",
        codec=began[-1].codec if began else "",
        loss=max((event.loss for event in ended if event.loss is not None), default=None),
        jitter_ms=max((event.jitter_ms for event in ended if event.jitter_ms is not None), default=None),
        keys=dict(sorted(keys.items())),
        on_hold_s=_on_hold_s(events),
    )


def resumed_after_crash(events: Sequence[Event]) -> int:
    """How often an interview was taken up again other than by a new call."""
    resumed = sum(isinstance(event, InterviewStarted) and event.resumed for event in events)
    return max(0, resumed - sum(isinstance(event, CallBegan) and event.again for event in events))


def _on_hold_s(events: Sequence[Event]) -> float:
    held_s, since = 0.0, None
    for event in events:
        if isinstance(event, HoldBegan):
            since = event.at if since is None else since
        elif isinstance(event, HoldEnded | CallEnded) and since is not None:
            held_s, since = held_s + max(0.0, event.at - since), None
    return round(held_s, 1)
