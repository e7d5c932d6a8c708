"""Explanation, `viva judge explain`: every verdict on an answer with its evidence, and how the scores follow from the
verdicts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from agent.cli.judge.answers import FoundAnswer, events_of, find_answer, open_record
from agent.settings import Settings
from domain.events import AnswerJudged, Event
from domain.verdict import Verdict
from graph.judging.offline.explain import counts, steps
from review.record.timeline import TimeLine, time_line
from review.report.answer_view import questions_of, quoted_words

Explained = dict[str, Any]
"""What is known about an answer's verdicts, ready to become JSON."""


def explain(interview_id: str, question: str, settings: Settings, *, as_json: bool) -> int:
    """Print why an answer has its scores.

    Raises:
        NoSuchAnswerError: there is no such interview or answer.
        RecordError: the record cannot be read.
    """
    store = open_record(settings)
    try:
        explained = explanation(interview_id, events_of(store, interview_id), question)
    finally:
        store.close()
    if as_json:
        sys.stdout.write(json.dumps(explained, ensure_ascii=False, indent=2) + "\n")
        return 0
    console = Console(highlight=False, markup=False, emoji=False)
    for line in told(explained):
        console.print(line, soft_wrap=True)
    return 0


def explanation(interview_id: str, events: Sequence[Event], question: str) -> Explained:
    """Everything that is known about the verdicts on an answer.

    Args:
        interview_id: the interview.
        events: its record.
        question: the question's id, or its number in the report.

    Raises:
        NoSuchAnswerError: there is no such answer.
    """
    found, line = find_answer(events, question), time_line(events)
    answer, judged, first = found.answer, found.answer.judged, found.answer.first_judged
    asked = questions_of(events).get(answer.question_id)
    verdicts = judged.verdicts if judged else []
    return {
        "interview": interview_id,
        "number": found.number,
        "turn": answer.turn,
        "question_id": answer.question_id,
        "question": asked.text if asked else "",
        "answer": "" if answer.skipped else answer.text,
        "judge": judged.judge if judged else "",
        "fallback": judged.fallback if judged else False,
        "drift": judged.drift if judged else False,
        "verdicts": [_verdict(verdict, found, line) for verdict in verdicts],
        "second_judge": judged.second_judge if judged else "",
        "second_verdicts": [_verdict(verdict, found, line) for verdict in (judged.second_verdicts if judged else [])],
        "hints": judged.hints if judged else 0,
        **_scored(judged),
        "not_scored": (judged.not_scored if judged else "It was not judged.") if answer.scores is None else "",
        "contests": [
            {"note": each.note, "by": each.by, "points": each.points, "judge": each.judge} for each in answer.contests
        ],
        "before_contest": {
            "judge": first.judge,
            "verdicts": [_verdict(verdict, found, line) for verdict in first.verdicts],
            **_scored(first),
        }
        if first
        else None,
    }


def told(explained: Explained) -> Iterator[str]:
    """The same for people, line by line."""
    yield f"Question {explained['number']} ({explained['question_id']}): {explained['question']}"
    yield f"Answer, turn {explained['turn']}: {explained['answer'] or '(none)'}"
    if explained["judge"]:
        stood_in = ", in place of a model that failed: outside every average" if explained["fallback"] else ""
        yield f"Judged by {explained['judge']}{stood_in}."
    for contest in explained["contests"]:
        yield f"Contested by {contest['by'] or 'a person'} (judged again by {contest['judge']}): {contest['note']}"
    yield ""
    yield from _verdict_lines(explained["verdicts"])
    yield from _score_lines(explained)
    if explained["drift"]:
        yield ""
        yield f"{explained['second_judge']} judged more than half of the key points differently:"
        yield from _verdict_lines(explained["second_verdicts"])
    if before := explained["before_contest"]:
        yield ""
        yield f"Before it was contested, judged by {before['judge']}:"
        yield from _verdict_lines(before["verdicts"])
        yield from _score_lines({**before, "not_scored": "It was not scored."})


def _verdict(verdict: Verdict, found: FoundAnswer, line: TimeLine) -> dict[str, Any]:
    quote = verdict.quote
    said = quoted_words(verdict, found.answer.words)
    return {
        **verdict.model_dump(exclude={"quote"}),
        "quote": quote.text if quote else "",
        "span": [quote.first_word, quote.last_word] if quote else None,
        "words": [
            {"text": word.text, "start_s": line.place(word.start_at), "end_s": line.place(word.end_at)} for word in said
        ],
    }


def _scored(judged: AnswerJudged | None) -> dict[str, Any]:
    """The recorded scores, and the steps that lead to them."""
    if judged is None or judged.scores is None:
        return {"scores": None, "counts": "", "steps": []}
    return {
        "scores": judged.scores.model_dump(),
        "counts": counts(judged.verdicts),
        "steps": [asdict(step) for step in steps(judged.verdicts, judged.hints)],
    }


_OF_MISCONCEPTIONS = {"contradicted": "stated", "missing": "not stated"}
"""A stated misconception is recorded as contradicted; read beside it, that word would mean the opposite."""


def _verdict_lines(verdicts: Sequence[dict[str, Any]]) -> Iterator[str]:
    for number, verdict in enumerate(verdicts, start=1):
        kind, words = ("misconception, ", _OF_MISCONCEPTIONS) if verdict["kind"] == "misconception" else ("", {})
        yield f"{number}. {verdict['point']}"
        yield f"   {kind}{words.get(verdict['status'], verdict['status'])}, probability {verdict['probability']:.2f}"
        if verdict["quote"]:
            place = f" (words {verdict['span'][0]} to {verdict['span'][1]})" if verdict["span"] else ""
            yield f"   evidence: “{verdict['quote']}”{place}"
        timed = [word for word in verdict["words"] if word["start_s"] is not None]
        if timed:
            yield "   heard: " + "  ".join(f"{word['text']} {word['start_s']:.2f} s" for word in timed)
        yield f"   rule: {verdict['rule'] or '(none was recorded)'}"
        if counted := verdict["counts"]:
            shares = {words.get(status, status): share for status, share in counted.items() if share}
            yield "   counts as " + ", ".join(f"{share:.2f} {status}" for status, share in shares.items())


def _score_lines(explained: Explained) -> Iterator[str]:
    yield ""
    if explained["scores"] is None:
        yield f"Not scored: {explained['not_scored']}"
        return
    yield f"Scores, from {explained['counts']}:"
    for step in explained["steps"]:
        yield f"   {step['name']} = {step['rule']} = {step['numbers']} = {step['value']:g}"
    overall, low, high = (explained["scores"][name] for name in ("overall", "low", "high"))
    yield f"   recorded: {overall} of 10, between {low} and {high}"
    if any(step["name"] == "overall" and step["value"] != overall for step in explained["steps"]):
        yield "   (Another version of Viva scored it, by other rules.)"
