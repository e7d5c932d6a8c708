"""Composing feedback from verdicts: what was good, in the words of the pack; one gap, without giving it away.

It claims nothing that a verdict does not carry, tells no score, and changes its structure from turn to turn so that it
does not sound like a form being filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graph.judging.verdicts import Evaluation, Verdict
from graph.wording import Wording, in_mid_sentence, to_the_candidate

Band = Literal["high", "medium", "low"]

HIGH_FROM = 8.0
MEDIUM_FROM = 5.0
_MAX_QUOTE_WORDS = 16

STRUCTURES: dict[Band, tuple[str, ...]] = {
    "high": ("strength", "strength transition", "strength gap"),
    "medium": ("strength gap", "gap strength", "strength gap transition"),
    "low": ("strength gap", "nothing", "nothing transition"),
}
"""Parts in the order in which they are spoken. A part that nothing supports is left out."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is said about an answer, and the structure it really used."""

    text: str
    structure: str


def compose(
    evaluation: Evaluation, *, hint: str, turn: int, previous: Sequence[str], wording: Wording, knows: bool = True
) -> Feedback:
    """Feedback on one answer.

    Args:
        evaluation: the verdicts it rests on.
        hint: spoken name of the idea to point at when something is missing.
        turn: chooses among ways to say the same.
        previous: structures used so far, oldest first; the last two are avoided.
        wording: the parts.
        knows: False when the candidate said that they do not know.
    """
    if evaluation.scores is None:
        return Feedback(wording.say("unscored", turn), "unscored")
    if not knows and not evaluation.credited:
        return Feedback(wording.say("unknown", turn, concept=hint), "unknown")
    band = band_of(evaluation.scores.overall)
    structure = vary(STRUCTURES[band], turn, previous)
    parts = _parts(evaluation, band, hint=hint, turn=turn, wording=wording)
    # A structure that nothing supports gives way to one that says what there was: "nothing" is not said of something.
    used = next(
        (
            used
            for each in (structure, *STRUCTURES[band])
            if (used := _supported(each, parts)) not in ([], ["transition"])
        ),
        ["nothing"],
    )
    if used == ["nothing"]:
        parts.setdefault("nothing", wording.say("nothing", turn, concept=hint))
    return Feedback(" ".join(parts[part] for part in used), " ".join(used))


_SCORE = re.compile(r"\b\d+(\.\d+)?\s*(/|out of)\s*10\b|\bscored?\s+\d|\brating\W+\d", re.IGNORECASE)
_FORBIDDEN = ("you failed", "wrong answer", "incorrect", "you don't understand", "completely wrong", "you missed")
_PRAISE = (
    "great job", "excellent", "perfect", "well done", "amazing", "fantastic", "wonderful", "brilliant", "impressive",
    "outstanding",
)  # fmt: skip
_MOST_WORDS_A_SENTENCE = 40


def feedback_gate(sentence: str, band: Band) -> str:
    """Why a sentence of a model must not be spoken as feedback; empty when it may.

    No score leaks, nobody is told that they failed, there is no praise for an answer that earned none, and a sentence
    can be taken in by ear.
    """
    said = sentence.lower()
    if _SCORE.search(said):
        return "do not tell a score"
    if phrase := next((each for each in _FORBIDDEN if each in said), ""):
        return f"do not say {phrase!r}"
    if band != "high" and (phrase := next((each for each in _PRAISE if each in said), "")):
        return f"do not say {phrase!r} about this answer"
    return "" if len(sentence.split()) <= _MOST_WORDS_A_SENTENCE else "use shorter sentences"


def band_of(overall: float) -> Band:
    """The band of a score: high from 8, medium from 5."""
    if overall >= HIGH_FROM:
        return "high"
    return "medium" if overall >= MEDIUM_FROM else "low"


def vary(structures: Sequence[str], turn: int, previous: Sequence[str]) -> str:
    """A structure that was not used in the last two turns, if there is one."""
    fresh = [structure for structure in structures if structure not in previous[-2:]] or list(structures)
    return fresh[turn % len(fresh)]


def _supported(structure: str, parts: Mapping[str, str]) -> list[str]:
    return [part for part in structure.split() if part in parts]


def _parts(evaluation: Evaluation, band: Band, *, hint: str, turn: int, wording: Wording) -> dict[str, str]:
    """The words of each part that this evaluation supports."""
    parts = {"transition": wording.say("transition", turn)}
    if evaluation.credited:
        parts["strength"] = wording.say(f"strength.{band}", turn, point=_as_said(evaluation.credited[0]))
    elif evaluation.halves:
        parts["strength"] = wording.say("half", turn, point=_as_said(evaluation.halves[0]))
    if evaluation.contradictions:
        parts["gap"] = parts["nothing"] = wording.say("wrong", turn, quote=spoken_quote(evaluation.contradictions[0]))
    elif evaluation.missed:
        parts["gap"] = wording.say("gap", turn, concept=hint)
    if "strength" not in parts and not evaluation.contradictions:
        parts["nothing"] = wording.say("nothing", turn, concept=hint)
    return parts


def spoken_quote(verdict: Verdict) -> str:
    """The candidate's words, short enough to be said back to them."""
    words = verdict.quote.text.split() if verdict.quote else []
    return in_mid_sentence(" ".join(words[:_MAX_QUOTE_WORDS]))


def _as_said(verdict: Verdict) -> str:
    return f"{to_the_candidate(in_mid_sentence(verdict.point))}."
