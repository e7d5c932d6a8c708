"""Coaching: feedback that says what was good and then, outright, the one thing that a lesson holds.

Together that is at most `MOST_WORDS` words. What was good gives way first: it is said shorter, then not at all. No
sentence is ever cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from domain.verdict import Evaluation
from graph.feedback.compose import About, Composer, Feedback, Manner, compose
from graph.feedback.doubtful import doubted_words
from graph.feedback.guardrails import MOST_WORDS, band_of, harmless
from graph.feedback.lessons import Lesson
from graph.feedback.structures import NO_ANSWERS, unjudged_part
from graph.feedback.variation import Phrases

_OPENINGS = frozenset("strength noted heard effort honest done unscored unclear language".split()) | set(
    NO_ANSWERS.values()
)
_SHORTER = ".plain"


def coached(evaluation: Evaluation, about: About, lesson: Lesson | None, manner: Manner) -> Feedback:
    """Feedback of a coach on one answer.

    Args:
        evaluation: the verdicts it rests on.
        about: the ideas behind the question, or the parts of a story.
        lesson: what is to be added; None: what was good, and nothing else.
        manner: how it is worded.
    """
    if lesson is None:
        good = bool(evaluation.credited or evaluation.halves)
        if not (manner.knows or good or evaluation.doubts or about.parts):
            phrases = manner.phrases()
            return Feedback((phrases.one("honest"), phrases.one("comfort")), "honest comfort")
        return compose(evaluation, replace(about, asked_next=manner.knows or good), manner)
    coach = coach_on(evaluation, about, lesson, manner)
    parts = coaching_parts(evaluation, lesson, knows=manner.knows, done=manner.done)
    ways = ({part: coach.sentence(part) for part in way} for way in _ever_shorter(parts))
    spoken = next(way for way in ways if sum(len(each.split()) for each in way.values()) <= MOST_WORDS)
    return Feedback(tuple(spoken.values()), " ".join(part.removesuffix(_SHORTER) for part in spoken))


def coach_on(evaluation: Evaluation, about: About, lesson: Lesson, manner: Manner) -> Coach:
    """Who words the parts of what is said about one answer; see `coached`."""
    phrases = manner.phrases()
    return Coach(Composer(evaluation, about, phrases, manner.turn, manner.said), about, lesson, phrases)


def coaching_parts(
    evaluation: Evaluation, lesson: Lesson, *, knows: bool = True, done: bool = False
) -> tuple[str, ...]:
    """What is said, in this order, whoever words it.

    Args:
        evaluation: the verdicts it rests on.
        lesson: what is to be added.
        knows: False when the candidate said that they do not know.
        done: the candidate said that they have no more to tell.
    """
    match lesson.kind:
        case "correction":
            return _before_a_doubt(evaluation, knows=knows, done=done), "doubt", "correct"
        case "doubt":
            said_beside = ("advise",) if lesson.part else ("add",) if lesson.truth else ()
            return _before_a_doubt(evaluation, knows=knows, done=done), "doubt", *said_beside
        case "gist":
            return "honest", "gist", *(("example",) if lesson.example else ())
        case "advice":
            return _opening(evaluation, knows=knows, done=done), "advise"
        case "point" | "recap" | "in full" | "after all":
            return _opening(evaluation, knows=knows, done=done), "add"
        case "case":
            return _opening(evaluation, knows=knows, done=done), "case"


def advice_heading(lesson: Lesson) -> str:
    """Where the ways to say a piece of advice stand."""
    if lesson.truth:
        return "coach.advise"
    return f"coach.tip.{lesson.tip}" if lesson.tip else f"coach.part.{lesson.part}"


def _before_a_doubt(evaluation: Evaluation, *, knows: bool, done: bool) -> str:
    """Who says that one thing does not hold does not say before it that they would rather say nothing.

    Nor do they say back another thing, as if that did hold.
    """
    opening = _opening(evaluation, knows=knows, done=done)
    return "effort" if opening in ("unclear", "heard") else opening


def _opening(evaluation: Evaluation, *, knows: bool, done: bool) -> str:
    good = bool(evaluation.credited or evaluation.halves)
    if evaluation.no_answer:
        return NO_ANSWERS[evaluation.no_answer]
    if not knows and not good:
        return "honest"
    if done and not good:
        return "done"
    if evaluation.scores is None and (evaluation.asked_back or not evaluation.credited):
        return "effort" if evaluation.asked_back else unjudged_part(evaluation)
    if not evaluation.praised:
        # A point was made, as far as anybody can tell: who is only thanked for it was not listened to.
        return "heard" if evaluation.credited else "effort"
    # An answer that is not judged as a whole has a point all the same that surely was made.
    is_low = evaluation.scores is None or band_of(evaluation.scores.overall) == "low"
    return "noted" if is_low else "strength"


def _ever_shorter(parts: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
    """The same without more and more of what matters less; what is said outright is in all of them."""
    opening, *rest = parts
    plain = [(f"{opening}{_SHORTER}", *rest)] if opening in ("strength", "noted") else []
    ways = [parts, *plain, tuple(rest)]
    if "doubt" in rest:
        shorter = tuple("doubt.plain" if part == "doubt" else part for part in rest)
        ways += [shorter, tuple(part for part in rest if part != "doubt") or shorter]
    if "example" in rest:
        ways += [(opening, "gist"), ("gist",)]
    return ways


class Coach:
    """The sentence for each part, the same however often it is asked for."""

    def __init__(self, composer: Composer, about: About, lesson: Lesson, phrases: Phrases) -> None:
        self._composer = composer
        self._about = about
        self._lesson = lesson
        self._phrases = phrases
        self._doubted = doubted_words(lesson.doubt, about.asked) if lesson.doubt else ""
        self._worded: dict[str, str] = {}

    def sentence(self, part: str) -> str:
        """The sentence for a part of what `coaching_parts` says, or for a shorter one of it."""
        if part not in self._worded:
            self._worded[part] = self._one(part)
        return self._worded[part]

    def _one(self, part: str) -> str:
        is_short = part in ("strength.plain", "noted.plain")
        is_good = is_short or part in ("strength", "noted")
        if is_good and self._composer.names_what_is_doubted(only_names=is_short):
            # Not "You were on firm ground with inodes. I'd double-check one thing about inodes."
            return self._composer.say("effort")
        if is_short:
            return self._composer.shorter(part.removesuffix(_SHORTER))
        if part in _OPENINGS:
            return self._composer.say(part)
        return self._phrases.one(
            self._heading(part),
            truth=self._lesson.example if part == "example" else self._lesson.truth,
            said=self._doubted,
            concept=harmless(self._about.gap) or self._phrases.the("gap.idea"),
        )

    def _heading(self, part: str) -> str:
        lesson, story = self._lesson, bool(self._about.parts)
        plain_doubt = "story.wrong.plain" if story else "coach.doubt.plain"
        quoted_doubt = "coach.doubt.story" if story else "coach.doubt"
        return {
            "add": self._adding,
            "case": "coach.case",
            "advise": advice_heading(lesson),
            "correct": "coach.correct.story" if story else "coach.correct",
            "doubt": quoted_doubt if self._doubted else plain_doubt,
            "doubt.plain": plain_doubt,
            "gist": "coach.gist",
            "example": "coach.example",
        }[part]

    @property
    def _adding(self) -> str:
        """What is told of a point: the rest of what was half said, what comes on top, or what to begin with.

        Of a point that was perhaps said nobody says that it comes on top, nor that it comes first when another one was.
        """
        if self._lesson.kind == "after all":
            return "coach.after"
        if self._lesson.kind == "in full" or self._composer.praised in self._lesson.told:
            return "coach.half"
        if self._composer.said_back:
            return "coach.recap"
        if not self._composer.praised:
            return "coach.first"
        return "coach.recap" if self._lesson.kind == "recap" else "coach.add"
