"""Checks of a rehearsal: it ended as the persona asks, was recorded and judged, and each request was understood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.rehearsal.alignment import placed
from agent.rehearsal.conversation import SaidLine
from agent.rehearsal.persona import Persona
from domain.events import (
    AnswerJudged,
    Event,
    InterviewEnded,
    InterviewStarted,
    RecordingFinished,
    RecordingStarted,
)
from review.report.answers import GivenAnswer

SHORTER_S = 2.0
"""How much a recording may be shorter than what it is a recording of: more of it was lost."""
LONGER_S = 15.0
"""How much it may be longer: it goes on until the room is left, which on a busy machine takes its time."""


class UnplayableError(ValueError):
    """A recording cannot be played; the message says why."""


def recording_length_s(path: Path) -> float:
    """Length of a recording, by decoding all of it.

    Raises:
        UnplayableError: the file is missing, is no sound, or breaks off.

    """
    import av  # noqa: PLC0415 (FFmpeg's libraries take a moment to load)

    try:
        with av.open(str(path)) as container:
            stream = container.streams.audio[0]
            samples = sum(frame.samples for frame in container.decode(stream))
            return float(samples / stream.rate)
    except (OSError, IndexError) as error:
        raise UnplayableError(f"the recording {path} cannot be decoded: {error}") from None
    except av.FFmpegError as error:
        raise UnplayableError(f"the recording {path} cannot be decoded: {error}") from None


def interview_length_s(events: Sequence[Event]) -> float | None:
    """From the interviewer's arrival to the end; None while one of them is not in the record."""
    started = next((event.at for event in events if isinstance(event, InterviewStarted)), None)
    ended = _end(events)
    return ended.at - started if ended is not None and started is not None else None


def recorded_length_s(events: Sequence[Event]) -> float | None:
    """How long the recording should be: the interview and what came before it, while the interviewer got ready.

    A recording begins when the room is entered. How long after that the interview begins depends on the machine, so
    that time is in what the recording is compared with; a recording that begins late or breaks off is still too short.
    """
    ended = _end(events)
    begun = [event.at for event in events if isinstance(event, InterviewStarted | RecordingStarted)]
    return ended.at - min(begun) if ended is not None and begun else None


def faults_of(
    persona: Persona, events: Sequence[Event], recording_s: float | None, said: Sequence[SaidLine] = ()
) -> list[str]:
    """Why the rehearsal failed, one sentence each; none when it went well.

    Args:
        persona: who was interviewed.
        events: the record.
        recording_s: length of the decoded recording; None when it could not be decoded, which is said elsewhere.
        said: the candidate's words.

    """
    return [
        *_end_faults(persona, events),
        *_recording_faults(events, recording_s),
        *_judging_faults(persona, events),
        *_request_faults(events, said),
    ]


def _end_faults(persona: Persona, events: Sequence[Event]) -> list[str]:
    ended = _end(events)
    if ended is None:
        return ["the interview did not end: its record has no end of the interview"]
    if ended.reason not in persona.ends_with:
        wanted = " or ".join(persona.ends_with)
        return [f"the interview ended with {ended.reason}; the persona {persona.name} asks for {wanted}"]
    return []


def _recording_faults(events: Sequence[Event], recording_s: float | None) -> list[str]:
    if not any(isinstance(event, RecordingFinished) for event in events):
        return ["the interview was not recorded: its record has no finished recording"]
    length_s = recorded_length_s(events)
    if recording_s is None or length_s is None or -SHORTER_S <= recording_s - length_s <= LONGER_S:
        return []
    return [f"the recording is {recording_s:.1f} s long, and should be {length_s:.1f} s"]


def _judging_faults(persona: Persona, events: Sequence[Event]) -> list[str]:
    scored = any(isinstance(event, AnswerJudged) and event.scores is not None for event in events)
    if scored or not persona.answers_questions:
        return []
    return ["no answer was judged: the record has no scores"]


def _request_faults(events: Sequence[Event], said: Sequence[SaidLine]) -> list[str]:
    """One sentence for each request that was not understood, however often it was said."""
    tries: dict[tuple[int, str], list[str]] = {}
    for item, turn in placed(events, said):
        if item.whole and item.kind not in ("answer", "barge_in"):
            tries.setdefault((item.turn, item.kind), []).append(_misunderstanding(item, turn))
    return [faults[-1] for faults in tries.values() if all(faults)]


def _misunderstanding(said: SaidLine, turn: GivenAnswer | None) -> str:
    """How a request was misunderstood; empty when it was not."""
    meant = f'"{said.text}" was meant as {said.kind}'
    if turn is None:
        return f"{meant} and is in no turn of the record"
    if turn.intent != said.kind:
        return f"{meant} and understood as {turn.intent or 'nothing'}"
    if not turn.honoured:
        return f"{meant}, and the interviewer was not sure that it was"
    if said.is_judged and turn.judged is None:
        return f"{meant} and understood, but the answer in it was not judged"
    if said.kind == "correct_myself" and said.is_judged and turn.judged and turn.judged.replaces_turn is None:
        return f"{meant} and understood, but it replaced no earlier answer"
    return ""


def _end(events: Sequence[Event]) -> InterviewEnded | None:
    return next((event for event in reversed(events) if isinstance(event, InterviewEnded)), None)
