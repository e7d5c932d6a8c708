"""What the candidate says next: a pure function of the persona, where the conversation stands, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from agent.rehearsal.matching import Asked, nearest
from agent.rehearsal.persona import Pauses, Persona
from agent.rehearsal.words import sentences_of

CHARACTERS_A_SECOND = 17.0
"""Pace of Piper's English voices, with the spaces; measured over a minute of answers."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words said in one breath, and the silence before them."""

    text: str
    pause_s: float


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything said in one turn."""

    phrases: tuple[Phrase, ...]
    wants: Literal["answer", "repeat", "skip", "hold", "stop"] = "answer"
    think_s: float = 0.0
    """Seconds of silence after which an answer follows unasked."""

    @property
    def text(self) -> str:
        """The words as written."""
        return " ".join(phrase.text for phrase in self.phrases)

    @property
    def about_s(self) -> float:
        """Roughly how long it takes to say, in seconds."""
        return sum(phrase.pause_s + len(phrase.text) / CHARACTERS_A_SECOND for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the conversation stands."""

    turn: int
    """Counts the candidate's turns from 1, requests among them."""
    answer: int
    """Counts the candidate's answers from 1."""


def plan_reply(persona: Persona, standing: Standing, asked: Asked | None) -> Reply | None:
    """The reply of this turn; None when the persona says nothing."""
    if not persona.speaks:
        return None
    request = persona.request_at(standing.turn)
    if request is not None:
        think_s = request.think_s if request.wants == "hold" else 0.0
        return Reply((Phrase(request.say, persona.pauses.before_s),), request.wants, think_s)
    scripted = _scripted(persona, standing, asked)
    sentences = sentences_of(scripted) if scripted else _formed(persona, standing, asked)
    return Reply(_paused(sentences, persona.pauses))


def _scripted(persona: Persona, standing: Standing, asked: Asked | None) -> str | None:
    by_id = persona.lines.get(asked.question.id) if asked is not None and not asked.follow_up else None
    return by_id or persona.lines.get(str(standing.answer))


def _formed(persona: Persona, standing: Standing, asked: Asked | None) -> list[str]:
    if persona.answers == "vague":
        return [*_opener(persona, standing), *sentences_of(_in_turn(persona.vague_answers, standing.answer))]
    if asked is None:
        return sentences_of(_in_turn(persona.unsure, standing.answer))
    return [*_opener(persona, standing), *_content(persona, standing, asked)]


def _content(persona: Persona, standing: Standing, asked: Asked) -> list[str]:
    question = asked.question
    if persona.answers == "misconceptions":
        wrong = question.misconceptions
        return [nearest(asked.key_point, wrong)] if asked.key_point else list(wrong)
    if asked.follow_up and persona.follow_ups == "key_point":
        # A follow-up asks for what was left out: when its point cannot be told, the whole answer has it.
        return [asked.key_point] if asked.key_point else sentences_of(question.model_answer)
    answer = sentences_of(question.model_answer)[: persona.sentences]
    if persona.answers == "rambling":
        shift = (standing.answer - 1) % len(persona.digressions)
        digressions = [*persona.digressions[shift:], *persona.digressions[:shift]]
        pairs = zip_longest(answer, digressions[: len(answer)], fillvalue="")
        return [sentence for pair in pairs for text in pair for sentence in sentences_of(text)]
    return answer


def _opener(persona: Persona, standing: Standing) -> list[str]:
    return [_in_turn(persona.openers, standing.answer)] if persona.openers else []


def _in_turn(lines: Sequence[str], number: int) -> str:
    return lines[(number - 1) % len(lines)]


def _paused(sentences: Sequence[str], pauses: Pauses) -> tuple[Phrase, ...]:
    def pause(index: int) -> float:
        if index == 0:
            return pauses.before_s
        thinks = pauses.thinking_s > 0 and index % pauses.thinking_every == 0
        return pauses.thinking_s if thinks else pauses.between_s

    return tuple(Phrase(sentence, pause(index)) for index, sentence in enumerate(sentences))
