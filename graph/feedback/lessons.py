"""Lessons: the one thing that a coach adds to an answer: what was left out, or what holds instead of what was said.

Whoever wants to practise learns little from hearing where they could look. The judge is often unsure, so that a lesson
is chosen to stay true when it was mistaken: it says what belongs into the whole answer, not what somebody forgot. It
follows from the verdicts alone. Feedback says it, and the choice of the next question, made at the same time, leaves it
out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from domain.question import KeyPoints, Question
from domain.verdict import Evaluation, Verdict
from domain.vocabulary import StoryPart
from graph.feedback.doubtful import is_nearer_the_truth, says_the_same
from graph.feedback.guardrails import band_of, tells
from graph.feedback.quoting import to_second_person
from graph.feedback.telling import Tip, tip_on
from graph.judging.text.stems import content_stems, overlap
from rag.packs.pack import Concept

LONGEST_TRUTH = 40
"""Words of what is said outright. What is longer is not said: half a sentence teaches nothing."""
LONGEST_LEAD = 15
"""Words that lead to it; together they are no more than all feedback may have."""
_SEVERAL = 2
"""Points that were made, so that one is praised and another, the least sure, can be told."""

_MORE_LIKELY_THAN_NOT = 0.5
"""Probability. Of the least sure points below it, in answers that are complete by their verdicts and score high, 21
of 40 were said in full by the labels of 500 answers; the others are just what such an answer still lacks."""

LessonKind = Literal["correction", "doubt", "point", "recap", "in full", "gist", "after all", "advice", "case"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is said outright about one answer."""

    kind: LessonKind
    """What holds instead of what was said; a doubt without knowing that, and a point; a point that was left out; one
    that was half said, or perhaps all of it, and what holds where perhaps something else was said; one that was perhaps
    said right; what the question is about, for who does not know it; its first point, where nobody could judge; how to
    tell a part, or all of it better; a case of what was said, where nothing is left to tell.
    """
    truth: str = ""
    """As it is said: whole sentences. Empty for a part of which no pack says how to tell it: then there is advice."""
    example: str = ""
    """A case of it."""
    told: tuple[str, ...] = ()
    """The points and the misconceptions that it settles; of a case, and of a tip, that as well."""
    doubt: Verdict | None = None
    """What was said that does not hold."""
    part: StoryPart | None = None
    """The part of a story, or of an account of one's own work, that it is about."""
    tip: Tip | None = None
    """How the whole of it could be told better."""


def lesson_on(
    evaluation: Evaluation,
    question: Question,
    *,
    concept: Concept | None = None,
    knows: bool = True,
    told: Collection[str] = (),
    words: Sequence[str] = (),
) -> Lesson | None:
    """The one thing to add to an answer; None when there is nothing, or nobody can say it.

    Args:
        evaluation: the verdicts on it.
        question: what was asked.
        concept: the idea behind the question, for who does not know anything about it, or all of it.
        knows: False when the candidate said that they do not know.
        told: points and misconceptions of which the candidate was told before what holds; cases and tips they heard.
        words: of the answer, in order.
    """
    targets = question.targets
    if doubts := [doubt for doubt in evaluation.doubts if doubt.point not in told]:
        return _on_doubts(doubts, evaluation, question, told)
    if evaluation.scores is None and evaluation.asked_back:
        return None
    gave_up = not knows and not (evaluation.credited or evaluation.halves)
    if gave_up or evaluation.scores is None:
        if targets.parts:
            return (
                None if gave_up else _part(open_in_order(evaluation, question, told) or targets.points, targets, told)
            )
        # A follow-up asks for one thing, and that is what its answer is.
        gist = _gist(concept, targets) if gave_up and question.kind == "retrieved" else None
        made = {each.point for each in evaluation.credited}
        fresh = [point for point in targets.points if point not in told and point not in made]
        return gist or _point(targets, fresh, "point" if gave_up else "recap" if made else "after all")
    lesson = _on_perhaps_wrong(evaluation, question, told) or _on_open(evaluation, question, told)
    beyond = _beyond(evaluation, question, concept, told, words)
    # Of points that count as made, and are told because nothing else is open, every other one was said in full.
    perhaps_said = lesson is not None and lesson.told[0] in {each.point for each in evaluation.credited}
    return beyond if lesson is None or (perhaps_said and beyond and beyond.kind == "case") else lesson


def open_in_order(evaluation: Evaluation, question: Question, told: Collection[str] = ()) -> tuple[str, ...]:
    """Key points that can be told, the most important first.

    What was surely left out (`Evaluation.left_out`) comes before what perhaps was, and that before what was half said;
    of a story, a part that was told in no way comes before one of which something was told; and what was less likely
    said before what was likelier, because the judge is often unsure. Among equals the order of the pack counts, whose
    author puts first what matters most. Where none is open it is the least sure of several points that were made; where
    the score is high only if that one is as likely as not unsaid: praise alone helps nobody to say it better.
    """
    verdicts = {each.point: each for each in evaluation.verdicts if each.kind == "key_point"}
    surely = evaluation.left_out
    parts = dict(zip(question.targets.points, question.targets.parts, strict=False))
    heard = {parts.get(each.point) for each in evaluation.credited} - {None}

    def rank(point: str) -> tuple[int, bool, float]:
        verdict, counts = verdicts[point], verdicts[point].weighed
        unsure = (point not in surely) + (verdict.status == "partly")
        return unsure, parts.get(point) in heard, counts.covered + counts.partly

    missing = [each for each in verdicts.values() if each.status in ("missing", "partly") and each.point not in told]
    there = [each.point for each in missing]
    in_order = [point for point in question.targets.points if point in there] or there
    if in_order:
        return tuple(sorted(in_order, key=rank))
    if evaluation.scores is None or len(evaluation.credited) < _SEVERAL:
        return ()
    least = evaluation.credited[-1]
    if band_of(evaluation.scores.overall) == "high" and least.probability >= _MORE_LIKELY_THAN_NOT:
        return ()
    return (least.point,) if least.point not in told else ()


def _on_doubts(
    doubts: Sequence[Verdict], evaluation: Evaluation, question: Question, told: Collection[str]
) -> Lesson | None:
    """The surest that can be corrected; without any, the doubt, and beside it a point that is open."""
    targets = question.targets
    for doubt in doubts:
        if truth := _truth(doubt, targets):
            settled = (other.point for other in doubts if _of_one_claim(doubt, other))
            told_now = tuple(dict.fromkeys((doubt.point, *settled, *_given_away(truth, targets))))
            if says_the_same(doubt):
                return Lesson("in full", truth, told=told_now)
            return Lesson("correction", truth, told=told_now, doubt=doubt)
    beside = _on_open(evaluation, question, told) if evaluation.scores else None
    if beside is None:
        return Lesson("doubt", doubt=doubts[0])
    return Lesson("doubt", beside.truth, told=beside.told, doubt=doubts[0], part=beside.part)


def _on_perhaps_wrong(evaluation: Evaluation, question: Question, told: Collection[str]) -> Lesson | None:
    """What holds, where something else was said, as far as anybody can tell: nobody is told that they were wrong.

    It is true whoever is right, and helps nobody more than whoever was wrong. Of 145 such key points and misconceptions
    in 740 answers to questions that the encoder never saw 106 were wrong, and another 24 left out or half said.
    """
    for each in evaluation.contradictions:
        if each.point in told or is_nearer_the_truth(each, question.targets) or says_the_same(each):
            continue
        if truth := _truth(each, question.targets):
            return Lesson(
                "recap", truth, told=tuple(dict.fromkeys((each.point, *_given_away(truth, question.targets))))
            )
    return None


def _of_one_claim(one: Verdict, other: Verdict) -> bool:
    """True when two verdicts rest on the same words: who is corrected on one has been corrected on both."""
    return one.quote is not None and other.quote is not None and one.quote.overlaps(other.quote)


def _truth(doubt: Verdict, targets: KeyPoints) -> str:
    if doubt.kind == "misconception":
        return _sayable(targets.correction(doubt.point))
    # The points of a story say what to tell; that one of them is so is nothing to be told.
    return "" if targets.parts else _as_said(doubt.point, targets)


def _on_open(evaluation: Evaluation, question: Question, told: Collection[str]) -> Lesson | None:
    targets = question.targets
    if question.source == "resume":
        # Who was asked for a part a moment ago need not hear that it was left out.
        surely = evaluation.left_out if question.kind == "retrieved" else ()
        points: Sequence[str] = [point for point in surely if point not in told]
    else:
        points = open_in_order(evaluation, question, told)
    if targets.parts:
        return _part(points, targets, told)
    lesson = _point(targets, points, "point")
    return lesson if lesson is None or lesson.told[0] in evaluation.left_out else replace(lesson, kind="recap")


def _part(points: Sequence[str], targets: KeyPoints, told: Collection[str]) -> Lesson | None:
    """How to tell the first of these points of a story, as the part that it is."""
    parts = dict(zip(targets.points, targets.parts, strict=False))
    point = next((point for point in points if point in parts and point not in told), None)
    if point is None:
        return None
    return Lesson("advice", _sayable(targets.spoken_as(point)), told=(point,), part=parts[point])


def _point(targets: KeyPoints, points: Sequence[str], kind: LessonKind) -> Lesson | None:
    said = ((point, _as_said(point, targets)) for point in points)
    return next((Lesson(kind, truth, told=(point,)) for point, truth in said if truth), None)


def _gist(concept: Concept | None, targets: KeyPoints) -> Lesson | None:
    truth = _sayable(concept.simple_explanation) if concept else ""
    if concept is None or not truth:
        return None
    example = _sayable(concept.examples[0]) if concept.examples else ""
    return Lesson("gist", truth, example, told=_given_away(f"{truth} {example}", targets))


def _beyond(
    evaluation: Evaluation, question: Question, concept: Concept | None, told: Collection[str], words: Sequence[str]
) -> Lesson | None:
    """What still helps where no point is open: a case to have ready, or how to tell a story better."""
    if question.kind != "retrieved" or not evaluation.credited:
        return None
    if question.targets.parts:
        tip = tip_on(words)
        return Lesson("advice", told=(tip,), tip=tip) if tip and tip not in told else None
    return _case(question, concept, told, words)


def _case(question: Question, concept: Concept | None, told: Collection[str], words: Sequence[str]) -> Lesson | None:
    """The one that is newest to the candidate: it says none of the points, and nothing that they have just said."""
    examples = map(_sayable, concept.examples if concept else ())
    fresh = [case for case in examples if case and case not in told]
    if not fresh:
        return None
    given_away = {case: _given_away(case, question.targets) for case in fresh}
    said = content_stems(" ".join(words))
    case = min(fresh, key=lambda each: (len(given_away[each]), overlap(content_stems(each), said)))
    return Lesson("case", case, told=(case, *given_away[case]))


def _given_away(said: str, targets: KeyPoints) -> tuple[str, ...]:
    """The key points that are told by what is said."""
    return tuple(point for point in targets.points if tells(said, point))


def _as_said(point: str, targets: KeyPoints) -> str:
    return _sayable(targets.spoken_as(point) or to_second_person(point))


def _sayable(text: str) -> str:
    """A sentence with its capital and its stop; empty when it is too long to be said."""
    text = text.strip()
    if not text or len(text.split()) > LONGEST_TRUTH:
        return ""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
