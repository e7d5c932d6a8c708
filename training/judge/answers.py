"""Answers that were written for Viva as they are spoken, labelled point by point, with the words behind each verdict.

A file `answers-<pack>.jsonl`, or `answers-<pack>-2.jsonl` and so on for further rounds of writing, holds one answer a
line: `question`, `answer`, `verdicts` (a status and a quote for each key point) and `misconceptions` (a quote for each,
empty when it is not stated). In the fourth round each answer stands in three versions that share most of their words:
as it was given, with some claims turned round, and with some of them talked around. Those in `skilled` are of people
who know what they speak of, those in `realistic` of people who know two thirds, and in `realistic/beyond`
likewise, to questions that no pack has: those of a file `answers-<name>.jsonl` are in `questions-<name>.jsonl`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from domain.question import Question
from domain.vocabulary import VerdictStatus
from graph.judging.offline import batch
from graph.judging.pair_labels import LABELS, PairLabel, pair_texts
from graph.judging.quote_matching import locate
from rag import Pack
from training.encoders.fine_tune import Example
from training.judge.synthetic_answers import Composed, Span
from training.judge.viva_pairs import PAIRS_DIR

SKILLED_DIR = PAIRS_DIR / "skilled"
REALISTIC_DIR = PAIRS_DIR / "realistic"
BEYOND_DIR = REALISTIC_DIR / "beyond"

_NOT_STATED: tuple[PairLabel, ...] = ("partly", "contradicted", "unrelated")
_NOT_STATED_WEIGHT = 0.5
"""That it is not stated is all that is known."""
_MODEL_ANSWER_WEIGHT = 0.35
"""Nobody speaks like them."""
_LABEL_OF: Mapping[VerdictStatus, PairLabel] = {
    "covered": "covered",
    "partly": "partly",
    "contradicted": "contradicted",
    "missing": "unrelated",
}


def read_answers(path: Path, pack: Pack) -> list[Composed]:
    """All answers of a file; a quote that is not in its answer leaves its point out."""
    questions = {question.id: question for question in pack.questions}
    return [_answer(row, pack.id) for row in _rows(path) if row["question"] in questions]


def all_answers(packs: Mapping[str, Pack], folder: Path = PAIRS_DIR) -> list[Composed]:
    """The answers of every pack that has some, in the order of the packs."""
    files = [
        (pack, path) for pack_id, pack in packs.items() for path in sorted(folder.glob(f"answers-{pack_id}*.jsonl"))
    ]
    return [answer for pack, path in files for answer in read_answers(path, pack)]


def answers_beyond(folder: Path = BEYOND_DIR, every: int = 1) -> list[tuple[Composed, Question]]:
    """The answers to questions of no pack, each with its question.

    Args:
        folder: with files of questions and of answers.
        every: take one question in so many.
    """
    found = []
    for path in sorted(folder.glob("questions-*.jsonl")):
        asked = {row["id"]: row for row in [*_rows(path)][::every]}
        said = _rows(path.with_name(path.name.replace("questions-", "answers-")))
        questions = {each: batch.question_of(batch.BatchLine(answer="", **row)) for each, row in asked.items()}
        found += [
            (_answer(row, f"beyond/{asked[row['question']]['field']}"), questions[row["question"]])
            for row in said
            if row["question"] in asked
        ]
    return found


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _answer(row: Mapping[str, Sequence[Sequence[str]] | str], pack: str) -> Composed:
    words = tuple(str(row["answer"]).split())
    points: dict[str, VerdictStatus] = {}
    stated: dict[str, bool] = {}
    spans: dict[str, Span] = {}
    for number, (status, quote) in enumerate(row["verdicts"], start=1):
        place = locate(quote, words) if quote else None
        if place or status == "missing":
            points[str(number)] = status  # type: ignore[assignment] # the files hold statuses
        if place:
            spans[str(number)] = (place.first_word, place.last_word)
    for number, words_said in enumerate(row.get("misconceptions", ()), start=1):
        place = locate(str(words_said), words) if words_said else None
        stated[f"m{number}"] = bool(words_said)
        if place:
            spans[f"m{number}"] = (place.first_word, place.last_word)
    return Composed(pack, str(row["question"]), words, points, stated, spans)


def examples_of(answer: Composed, question: Question, choice: random.Random) -> list[Example]:
    """An answer beside each point of its question and some misconceptions, with the words that do something about it.

    Words that state a misconception cover it. Of one that is not stated it is only known that it is not covered; that
    teaches little, so only one of them is read.

    Args:
        answer: written or composed.
        question: of the answer.
        choice: draws that one.
    """
    points, wrong = question.targets.points, question.targets.misconceptions
    numbers = [*(str(n) for n in range(1, len(points) + 1)), *(f"m{n}" for n in range(1, len(wrong) + 1))]
    silent = [number for number in numbers if answer.stated.get(number) is False]
    left_out = set(silent) - {choice.choice(silent)} if silent else set()
    said = " ".join(answer.words)
    examples = []
    for number, point in zip(numbers, (*points, *wrong), strict=True):
        if number in left_out:
            continue
        allowed, weight = _does(answer, number)
        if allowed:
            classes = tuple(LABELS.index(each) for each in allowed)
            examples.append(Example(pair_texts(said, point), classes, weight, _marked(answer, number, allowed)))
    return examples


def _does(answer: Composed, number: str) -> tuple[tuple[PairLabel, ...], float]:
    """The labels that an answer may have for a point, and their weight; none when nothing is known."""
    if number in answer.stated:
        return (("covered",), 1.0) if answer.stated[number] else (_NOT_STATED, _NOT_STATED_WEIGHT)
    if number in answer.points:
        return (_LABEL_OF[answer.points[number]],), 1.0
    return (), 0.0


def _marked(answer: Composed, number: str, allowed: tuple[PairLabel, ...]) -> tuple[Span, ...] | None:
    """The characters of the words that carry the verdict; none where nothing was said about the point."""
    if allowed == ("unrelated",):
        return ()
    if number not in answer.spans:
        return None
    first, last = answer.spans[number]
    start = len(" ".join(answer.words[:first])) + bool(first)
    return ((start, start + len(" ".join(answer.words[first : last + 1]))),)


def quotes_of(answer: Composed, question: Question, choice: random.Random) -> list[Example]:
    """The words that carry each verdict, by themselves; of a missing point, what was said about another one.

    Args:
        answer: a written one.
        question: of the answer.
        choice: draws the words for missing points: none of the answer makes them.
    """
    quotes = {number: " ".join(answer.words[first : last + 1]) for number, (first, last) in answer.spans.items()}
    of_points = [quote for number, quote in quotes.items() if number in answer.points]
    examples = []
    for number, status in answer.points.items():
        point = question.targets.points[int(number) - 1]
        said = choice.choice(of_points) if status == "missing" and of_points else quotes.get(number)
        if said:
            examples.append(Example(pair_texts(said, point), (LABELS.index(_LABEL_OF[status]),)))
    return examples


def model_answers(question: Question) -> list[Example]:
    """The question's own model answer, which makes every point; of a story there is none that could be read out."""
    if question.targets.parts:
        return []
    covered = (LABELS.index("covered"),)
    return [
        Example(pair_texts(question.expected_answer, point), covered, _MODEL_ANSWER_WEIGHT)
        for point in question.targets.points
    ]
