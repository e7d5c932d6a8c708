"""Conversations of both sides, turn about: answers, what was heard after each, and what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.rehearsal.client import VivaApiError
from bench.voice.caller import JoinError, NoReplyError, Reply, calling
from bench.voice.figures import SIDES, Side
from bench.voice.sounds import Sound
from bench.voice.venue import Venue

ANSWERS = 5
"""Answers in a conversation."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Named:
    """A recording's sound with its name."""

    id: str
    sound: Sound


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer."""

    side: Side
    conversation: str
    recording: str
    snr_db: float | None
    reply: Reply


@dataclass(frozen=True, slots=True)
class Failure:
    """A conversation that did not go to its end."""

    side: Side
    conversation: str
    what: str


@dataclass(slots=True)
class Talks:
    """What conversations brought."""

    samples: list[Sample] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Talks) -> None:
        """Take in others."""
        self.samples += other.samples
        self.failures += other.failures

    def clean(self, side: Side) -> list[Reply]:
        """Replies of a side to answers that were let finish."""
        return [each.reply for each in self.samples if each.side == side and not each.reply.talked_into]

    def first_audio(self, side: Side) -> list[float]:
        """Seconds to the first sound."""
        return [each.first_audio_s for each in self.clean(side)]

    def talked_into(self, side: Side) -> tuple[int, int]:
        """How many answers were talked into, of how many."""
        of_side = [each.reply.talked_into for each in self.samples if each.side == side]
        return sum(of_side), len(of_side)


AnswerTo = Callable[[str], Named]
"""What is said to a question."""


async def take_turns(
    venue: Venue,
    answers: Sequence[AnswerTo],
    count: int,
    *,
    snrs_db: Sequence[float | None],
    folder: Path,
    tell: Tell,
    sides: Sequence[Side] = SIDES,
) -> Talks:
    """Conversations of one side after the other, until each has been given so many answers.

    Both sides hear the same recordings with the same noise, or the same answers to the same questions. A conversation
    that fails is told of and counted, and the answers that were left in it are not given.
    """
    talks = Talks()
    for number, first in enumerate(range(0, count, ANSWERS)):
        said = [answers[(first + place) % len(answers)] for place in range(min(ANSWERS, count - first))]
        snr_db = snrs_db[number % len(snrs_db)]
        # Whoever is first finds a cooler machine: that changes as well.
        for side in sides if number % 2 == 0 else tuple(reversed(sides)):
            name = f"{folder.name}-{side}-{number + 1}"
            talk = await hold(venue, side, said, snr_db=snr_db, name=name, folder=folder)
            talks.add(talk)
            tell(progress(talk, name, snr_db))
    return talks


async def hold(
    venue: Venue, side: Side, answers: Sequence[AnswerTo], *, snr_db: float | None, name: str, folder: Path
) -> Talks:
    """One conversation."""
    talks = Talks()
    try:
        async with calling(venue, side, folder / f"{name}.wav", snr_db) as caller:
            for answer_to in answers:
                answer = answer_to(caller.asked)
                reply = await caller.answer(answer.sound)
                talks.samples.append(Sample(side, name, answer.id, snr_db, reply))
    except (NoReplyError, JoinError, VivaApiError) as error:
        said = f" after {len(talks.samples)} answers" if talks.samples else ""
        talks.failures.append(Failure(side, name, f"{error}{said}"))
    return talks


def whatever_is_asked(answer: Named) -> AnswerTo:
    """The same answer to every question."""
    return lambda _: answer


def progress(talk: Talks, name: str, snr_db: float | None) -> str:
    """A line about a conversation."""
    noise = "no noise" if snr_db is None else f"{snr_db:g} dB"
    heard = ", ".join(f"{s.reply.first_audio_s:.2f}{'!' * s.reply.talked_into}" for s in talk.samples)
    failed = "".join(f"; FAILED: {failure.what}" for failure in talk.failures)
    return f"{name} ({noise}): first audio after {heard or '-'} s{failed}"
