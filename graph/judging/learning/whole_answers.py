"""Whole spoken answers that were written for Viva, labelled point by point, with the words that carry each verdict.

A file `answers-<pack>.jsonl`, or `answers-<pack>-2.jsonl`, holds one answer a line: `question`, `answer`, `verdicts` (a
status and a quote for each key point) and `misconceptions` (a quote for each, empty when it is not stated).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from graph.encoders.fine_tuning import Example
from graph.judging.builtin import EACH_MISCONCEPTION, EACH_POINT
from graph.judging.clauses import Clause
from graph.judging.evidence import Embedder, Evidence, find, tiles
from graph.judging.learning.compositions import Composed, Span
from graph.judging.learning.own_pairs import PAIRS_DIR
from graph.judging.pair import LABELS, PairLabel, pair_texts
from graph.judging.quotes import locate
from graph.judging.verdicts import VerdictStatus
from graph.questions import Question
from rag import Pack

_CARRIES = 0.75
"""Share of a quote that a stretch must hold to carry its verdict."""
_NOT_STATED: tuple[PairLabel, ...] = ("partly", "contradicted", "unrelated")
_BESIDE_WEIGHT = 0.7
"""Of a stretch that is not the quote: it may say a little of the same."""
_LABEL_OF: Mapping[VerdictStatus, PairLabel] = {
    "covered": "covered",
    "partly": "partly",
    "contradicted": "contradicted",
    "missing": "unrelated",
}


def read_answers(path: Path, pack: Pack) -> list[Composed]:
    """All answers of a file; a quote that is not in its answer leaves its point out."""
    questions = {question.id: question for question in pack.questions}
    return [
        _answer(json.loads(line), pack.id)
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip() and json.loads(line)["question"] in questions
    ]


def all_answers(packs: Mapping[str, Pack], folder: Path = PAIRS_DIR) -> list[Composed]:
    """The answers of every pack that has some, in the order of the packs."""
    files = [
        (pack, path) for pack_id, pack in packs.items() for path in sorted(folder.glob(f"answers-{pack_id}*.jsonl"))
    ]
    return [answer for pack, path in files for answer in read_answers(path, pack)]


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


def windows_of(answer: Composed, question: Question, embedder: Embedder) -> list[Example]:
    """What the judge will read of an answer, as examples: the stretches nearest to each point, and what each does.

    A stretch that holds a verdict's words carries the verdict; one that holds none of them is nothing to the point; one
    that holds some of them teaches nothing.
    """
    points, wrong = question.targets.points, question.targets.misconceptions
    numbers = [*(str(n) for n in range(1, len(points) + 1)), *(f"m{n}" for n in range(1, len(wrong) + 1))]
    examples = []
    for number, point, found in zip(numbers, (*points, *wrong), _evidence(answer, question, embedder), strict=True):
        for evidence in found:
            allowed, weight = _does(answer, number, evidence.clause)
            if allowed:
                classes = tuple(LABELS.index(each) for each in allowed)
                examples.append(Example(pair_texts(evidence.clause.text, point), classes, weight))
    return examples


def _evidence(answer: Composed, question: Question, embedder: Embedder) -> list[list[Evidence]]:
    points, wrong = question.targets.points, question.targets.misconceptions
    if question.targets.parts:
        return [
            *(tiles(point, answer.words) for point in points),
            *find(wrong, answer.words, question=question.text, embedder=embedder, each=EACH_MISCONCEPTION),
        ]
    return find([*points, *wrong], answer.words, question=question.text, embedder=embedder, each=EACH_POINT)


def _does(answer: Composed, number: str, clause: Clause) -> tuple[tuple[PairLabel, ...], float]:
    """The labels a stretch may have for a point, and their weight; none when nothing can be said."""
    span = answer.spans.get(number)
    is_misconception = number.startswith("m")
    if is_misconception:
        status: PairLabel = "covered" if answer.stated.get(number) else "unrelated"
    elif number in answer.points:
        status = _LABEL_OF[answer.points[number]]
    else:
        return (), 0.0
    none_of_it: tuple[PairLabel, ...] = _NOT_STATED if is_misconception else ("unrelated",)
    if status == "unrelated":
        return none_of_it, 1.0
    if span is None:
        return (), 0.0
    held = min(span[1], clause.last_word) - max(span[0], clause.first_word) + 1
    share = max(0, held) / (span[1] - span[0] + 1)
    if share >= _CARRIES:
        return (status,), 1.0
    return (none_of_it, _BESIDE_WEIGHT) if share == 0 else ((), 0.0)
