"""Ends of answers in whole interviews, decided offline: how often personas that pause would be talked into.

Recordings have no question and no interview around them. Here the answers of personas to questions of the packs are
followed sentence by sentence, with what the built-in judge says was touched up to there and the pauses that the
persona makes, as one interview after the other: what is learned of a candidate in an answer is known in the next one.
Words are known a while after the voice; the sound is what synthetic voices get at every sentence: over.
"""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.table import Table

from agent.endpointing.listening import granted, signal_in_s
from agent.endpointing.melody import Melody
from agent.endpointing.pauses import SHORTEST_S, Pauses
from agent.endpointing.policy import RISKS, Signals, wait
from agent.rehearsal.matching import Asked
from agent.rehearsal.persona import Persona, load_persona
from agent.rehearsal.replies import CandidateReply, Standing, plan_reply
from bench.voice.figures import percentile
from domain.question import Question
from graph.judging import BuiltInJudge
from graph.judging.panel import JudgePanel
from graph.planning.questions import from_bank
from rag import load_packs

PERSONAS = ("thinking", "rambling")
INTERVIEWS, ANSWERS = 120, 5
FLUENT_S = 0.2
KNOWN_S = (0.6, 0.9)
"""When the words are known after the voice; docs/voice.md."""
SOUNDS_OVER = (0.93, 0.99)
"""What Smart Turn says of the sentences of synthetic voices, in pauses and at ends alike."""
UNSTOPPED = 0.15
"""Share of the sentences whose full stop is not heard."""
MISHEARD_S = 0.1
"""Up to so much longer or shorter than it is a pause seems by the times of the words."""
RISK = RISKS["relaxed"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, and what follows it."""

    text: str
    """All of the answer up to its end."""
    expected_words: int
    touched: float | None
    """How much of what was asked the answer has touched by then."""
    pause_s: float | None
    """The silence after it; None after the last one."""


Answer = Sequence[Sentence]


@dataclass(frozen=True, slots=True)
class Followed:
    """What the policy did with one answer."""

    interruptions: int
    """Pauses in which the answer was taken as over."""
    dead_air_s: float
    """From the end of the answer to the decision."""


async def main() -> None:
    """Measure and print."""
    table = Table("answers", "which", "interrupted, times an answer", "dead air p50", "p90", "number")
    for name in PERSONAS:
        answers = [answer async for answer in spoken(load_persona(name))]
        _tell(table, name, answers)
        if name == PERSONAS[0]:
            _tell(table, "the same, said fluently", [fluent(answer) for answer in answers])
    Console().print(table)


def _tell(table: Table, name: str, answers: Sequence[Answer]) -> None:
    interviews = [interview(drawn(answers, seed), random.Random(seed)) for seed in range(INTERVIEWS)]
    first = [each[0] for each in interviews]
    later = [each for one in interviews for each in one[1:]]
    for which, some in (("first", first), ("later", later), ("all", [*first, *later])):
        dead_air_s = [each.dead_air_s for each in some]
        table.add_row(
            name,
            which,
            f"{sum(each.interruptions for each in some) / len(some):.3f}",
            f"{percentile(dead_air_s, 0.5):.2f} s",
            f"{percentile(dead_air_s, 0.9):.2f} s",
            str(len(some)),
        )


def fluent(answer: Answer) -> Answer:
    """The same answer without a pause that could be taken for its end."""
    return [replace(each, pause_s=None if each.pause_s is None else FLUENT_S) for each in answer]


async def spoken(persona: Persona) -> AsyncIterator[Answer]:
    """The persona's answers to every third question of the packs, with what they touch."""
    panel = JudgePanel(BuiltInJudge())
    number = 0
    for pack in load_packs().values():
        for asked in pack.questions[::3]:
            number += 1
            reply = plan_reply(persona, Standing(number, number), Asked(asked, None, follow_up=False, score=1.0))
            assert reply is not None
            question = from_bank(asked, topic_title="", concepts=(), grade="high", attempts=1)
            yield [each async for each in _sentences(panel, question, reply)]


async def _sentences(panel: JudgePanel, question: Question, reply: CandidateReply) -> AsyncIterator[Sentence]:
    pauses_s = [*(phrase.pause_s for phrase in reply.phrases[1:]), None]
    words: list[str] = []
    for phrase, pause_s in zip(reply.phrases, pauses_s, strict=True):
        words += phrase.text.split()
        touched = await panel.touched(question, words)
        yield Sentence(" ".join(words), question.expected_words, touched, pause_s)


def drawn(answers: Sequence[Answer], seed: int) -> list[Answer]:
    """The answers of one interview."""
    return random.Random(seed).sample(list(answers), ANSWERS)


@dataclass(slots=True)
class _Known:
    """What an interviewer has learned of a candidate."""

    pauses: Pauses = field(default_factory=Pauses)
    melody: Melody = field(default_factory=Melody)
    cut_offs: int = 0


def interview(answers: Sequence[Answer], rng: random.Random) -> list[Followed]:
    """Follow the answers of one candidate."""
    known = _Known()
    return [_follow(answer, known, rng) for answer in answers]


def _follow(answer: Answer, known: _Known, rng: random.Random) -> Followed:
    interruptions, signalled_words = 0, 0
    for sentence in answer:
        by_sound, known_s = rng.uniform(*SOUNDS_OVER), rng.uniform(*KNOWN_S)
        signals = Signals(
            sentence.text.rstrip(".") if rng.random() < UNSTOPPED else sentence.text,
            sentence.expected_words,
            known.pauses,
            end_of_turn=by_sound,
            touched=sentence.touched,
            cut_offs=known.cut_offs,
            melody=known.melody,
        )
        decided = wait(signals, risk=RISK)
        words = len(sentence.text.split())
        at_s = signal_in_s(decided, silent_s=known_s, new_words=words - signalled_words)
        if at_s is not None and known_s + at_s < (sentence.pause_s or math.inf):
            decided, signalled_words = granted(decided, signals, risk=RISK), words
        over_s = max(known_s, decided.seconds)
        if sentence.pause_s is None:
            return Followed(interruptions, over_s)
        if over_s < sentence.pause_s:
            interruptions += 1
            known.cut_offs += 1
        if sentence.pause_s >= SHORTEST_S:
            known.pauses = known.pauses.heard([sentence.pause_s + rng.uniform(-MISHEARD_S, MISHEARD_S)])
            known.melody = known.melody.heard([by_sound] if sentence.pause_s > known_s else [])
    raise ValueError("the last sentence of an answer has no pause")
