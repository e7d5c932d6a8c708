"""Public sets of sentence pairs and graded answers, as examples for the judge. They are not part of the project.

Where they come from, for whoever trains or measures (`VIVA_JUDGING_DATA` names a folder with the two folders below):

- `entailment/train.jsonl`: SNLI (Bowman and others 2015) by way of e-SNLI, counterfactually revised SNLI (Kaushik and
  others 2020), ConjNLI (Saha and others 2020), the negation benchmarks of Hossain and others 2020.
  Lines of `premise`, `hypothesis`, `label` (entailment, contradiction, neutral).
- `entailment/further/*.jsonl`: more sets of this form, which `python -m training.judge.entailment_folder` makes out of
  public repositories; some of each are learned from, where they are there.
- `short-answers/train.jsonl`: the training part of SemEval-2013 task 7 (Dzikovska and others, aclanthology S13-2045),
  Beetle and SciEntsBank. Lines of `set`, `question_id`, `question`, `references` (texts), `answer`, `label`.
- `short-answers/networks-train.jsonl`: the training part of SAF v2 (Filighera and others 2022, 2022.acl-long.587).
  Lines of `question_id`, `question`, `references`, `answer`, `score`, `label`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ThreeWay = Literal["correct", "contradictory", "incorrect"]
EntailmentLabel = Literal["entailment", "contradiction", "neutral"]

ENTAILMENT = "entailment/train.jsonl"
FURTHER = "entailment/further"
GRADED = "short-answers/train.jsonl"
NETWORKS = "short-answers/networks-train.jsonl"

_SAF_LABELS: dict[str, ThreeWay] = {"Correct": "correct", "Partially correct": "incorrect", "Incorrect": "incorrect"}


class MissingSetError(RuntimeError):
    """A public set is not where it was looked for; the message says which and where it comes from."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A sentence and what may follow from it."""

    premise: str
    hypothesis: str
    label: EntailmentLabel


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer that people graded."""

    set_name: str
    question_id: str
    question: str
    references: tuple[str, ...]
    """Right answers, alternatives of each other."""
    answer: str
    label: ThreeWay
    score: float | None = None
    """The tutors' points, where there are any."""


def sentence_pairs(folder: Path) -> list[SentencePair]:
    """The entailment set.

    Raises:
        MissingSetError: it is not there.
    """
    return list(_pairs(folder / ENTAILMENT))


def further_pairs(folder: Path, most: int) -> list[SentencePair]:
    """Pairs of the further entailment sets, as far as they are there.

    Args:
        folder: of the public sets.
        most: pairs of each set, divided among its labels; which ones is decided by their texts.
    """
    found: list[SentencePair] = []
    for path in sorted((folder / FURTHER).glob("*.jsonl")):
        by_label: dict[str, list[SentencePair]] = {}
        for pair in _pairs(path):
            by_label.setdefault(pair.label, []).append(pair)
        for pairs in by_label.values():
            found += sorted(pairs, key=_hash)[: most // len(by_label)]
    return found


def _pairs(path: Path) -> Iterator[SentencePair]:
    return (SentencePair(row["premise"], row["hypothesis"], row["label"]) for row in _rows(path))


def _hash(pair: SentencePair) -> str:
    return hashlib.sha256(f"{pair.premise}|{pair.hypothesis}".encode()).hexdigest()


def graded_answers(folder: Path) -> list[GradedAnswer]:
    """Beetle and SciEntsBank.

    Raises:
        MissingSetError: they are not there.
    """
    return [
        GradedAnswer(
            set_name=row["set"],
            question_id=f"{row['set']}/{row['question_id']}",
            question=row["question"],
            references=tuple(each["text"] for each in row["references"]),
            answer=row["answer"],
            label=row["label"],
        )
        for row in _rows(folder / GRADED)
    ]


def networks_answers(folder: Path) -> list[GradedAnswer]:
    """The networks set, with the tutors' scores.

    Raises:
        MissingSetError: it is not there.
    """
    return [
        GradedAnswer(
            set_name="networks",
            question_id=f"networks/{row['question_id']}",
            question=row["question"],
            references=tuple(row["references"]),
            answer=row["answer"],
            label=_SAF_LABELS[row["label"]],
            score=float(row["score"]),
        )
        for row in _rows(folder / NETWORKS)
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingSetError(
            f"The public set {path} cannot be read ({error.strerror}). It is not part of Viva; "
            "docs/judging.md says where it comes from. Name the folder with VIVA_JUDGING_DATA."
        ) from error
    return (json.loads(line) for line in lines if line.strip())
