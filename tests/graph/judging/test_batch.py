"""Many answers at once: the lines, their alternatives, the label, and that a bad line stops everything."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.verdict import Quote, Verdict
from domain.vocabulary import VerdictStatus
from graph.judging.offline.batch import (
    BatchError,
    BatchLine,
    as_json,
    claims_of,
    judged,
    label_of,
    question_of,
    read_lines,
)
from graph.judging.scoring import score

STATUSES = st.sampled_from(["covered", "partly", "missing", "contradicted"])


def line(**fields: object) -> BatchLine:
    """A line with two alternatives, of which the second has two claims."""
    given_fields = {
        "id": "a",
        "question": "Why do leaves darken?",
        "answer": "Because they oxidise in the air.",
        "references": ["They oxidise.", "Enzymes react with air. That is oxidation."],
        **fields,
    }
    return BatchLine.model_validate(given_fields)


def verdicts(of: BatchLine, status: Callable[[str], VerdictStatus]) -> list[Verdict]:
    """A verdict on every claim of a line."""
    points = question_of(of).targets.points
    return [Verdict(point=point, status=status(point), probability=1, rule="scripted") for point in points]


def raw(*lines: object) -> list[bytes]:
    """Lines as they are in a file."""
    return [each if isinstance(each, bytes) else json.dumps(each).encode() for each in lines]


GOOD = {"id": 7, "question": "q", "answer": "a", "key_points": ["p"]}


def test_a_line_says_what_it_is_judged_by() -> None:
    """Key points are taken as they are; of model answers every sentence is a claim."""
    points, references = read_lines(
        raw(GOOD, {**GOOD, "key_points": [], "references": ["One is so. Two is not!"]}), "x"
    )
    assert points.alternatives == [("p",)]
    assert references.alternatives == [("One is so.", "Two is not!")]
    assert read_lines(raw({**GOOD, "references": ["Not this."]}), "x")[0].alternatives == [("p",)]


def test_abbreviations_end_no_claim() -> None:
    """A sentence is cut where it ends, and one that is said twice is one claim."""
    assert claims_of("It needs air, e.g. oxygen. It darkens.\nIt darkens.") == (
        "It needs air, e.g. oxygen.",
        "It darkens.",
    )


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (b"nonsense", "this is not JSON"),
        (b"\xff\xfe{}", "this is not UTF-8 text"),
        ([1], "the line: "),
        ({"question": "q", "answer": "a", "key_points": ["p"]}, "id: field required"),
        ({**GOOD, "answer": None}, "answer: "),
        ({**GOOD, "key_points": []}, "there is nothing to judge by"),
        ({**GOOD, "key_points": ["  "], "references": [" "]}, "there is nothing to judge by"),
        ({**GOOD, "key_points": "p"}, "key_points: "),
    ],
)
def test_a_bad_line_is_named(bad: object, told: str) -> None:
    """The message has the line's number and says what is wrong; nothing is judged."""
    with pytest.raises(BatchError) as caught:
        read_lines(raw(GOOD, b"", bad), "in.jsonl")
    assert "in.jsonl, line 3: " in str(caught.value)
    assert told in str(caught.value)
    assert "Nothing was judged" in str(caught.value)


def test_of_many_bad_lines_the_first_ten_are_named() -> None:
    """A wrong file is not told of line by line; an empty one is told of as well."""
    with pytest.raises(BatchError, match="and 4 more lines"):
        read_lines([b"x"] * 14, "in.jsonl")
    with pytest.raises(BatchError, match="no line"):
        read_lines([b"", b"  "], "in.jsonl")


def test_the_best_alternative_counts() -> None:
    """An answer that makes one model answer wholly is not held to another one."""
    found = judged(line(), verdicts(line(), lambda p: "covered" if "They" in p else "missing"), "scripted")
    assert [verdict.point for verdict in found.verdicts] == ["They oxidise."]
    assert (found.label, found.scores.overall if found.scores else None) == ("correct", 10.0)


@given(st.lists(STATUSES, min_size=3, max_size=3), st.booleans())
def test_no_alternative_is_better_than_the_one_that_counts(statuses: list[VerdictStatus], wrong: bool) -> None:
    """Whatever the verdicts, the score is the best of all alternatives; a stated misconception is in each."""
    one = line(misconceptions=["Air does nothing."])
    given_verdicts = [
        Verdict(point=point, status=status, probability=0.8, rule="r")
        for point, status in zip(question_of(one).targets.points, statuses, strict=True)
    ]
    stated = [Verdict(point="Air does nothing.", kind="misconception", status="contradicted", probability=1, rule="r")]
    found = judged(one, [*given_verdicts, *(stated if wrong else [])], "scripted")
    tries = [score([*part, *(stated if wrong else [])]) for part in (given_verdicts[:1], given_verdicts[1:])]
    assert found.scores is not None
    assert found.scores.overall == max(each.overall for each in tries if each)
    assert sum(verdict.kind == "misconception" for verdict in found.verdicts) == wrong


@pytest.mark.parametrize(
    ("statuses", "label"),
    [
        (["covered"], "correct"),
        (["covered", "covered", "partly"], "correct"),
        (["partly"], "incorrect"),
        (["covered", "missing"], "incorrect"),
        (["missing"], "incorrect"),
        (["covered", "contradicted"], "contradictory"),
        ([], "incorrect"),
    ],
)
def test_labels(statuses: list[VerdictStatus], label: str) -> None:
    """What is contradicted outweighs the rest, and half an answer is not correct."""
    given_verdicts = [Verdict(point=str(n), status=s, probability=1, rule="r") for n, s in enumerate(statuses)]
    assert label_of(given_verdicts) == label


def test_a_line_out_holds_quote_span_and_rule() -> None:
    """The span counts the words of the answer, both ends included; the id comes back as it was given."""
    one = line(id=12, references=["They oxidise."])
    quote = Quote(text="they oxidise", first_word=1, last_word=2)
    found = judged(
        one, [Verdict(point="They oxidise.", status="covered", quote=quote, probability=0.9, rule="said")], "x"
    )
    out = json.loads(as_json(found))
    assert (out["id"], out["label"], out["score"], out["judge"]) == (12, "correct", 10.0, "x")
    assert out["interval"][0] <= out["score"] <= out["interval"][1]
    assert out["verdicts"][0]["span"] == [1, 2]
    assert " ".join(one.words[1:3]) == out["verdicts"][0]["quote"]
    assert (out["verdicts"][0]["probability"], out["verdicts"][0]["rule"]) == (0.9, "said")


def test_nothing_said_is_not_scored() -> None:
    """Without an answer there is no score, which is not the same as zero."""
    out = json.loads(as_json(judged(line(answer="  "), (), "x")))
    assert (out["score"], out["interval"], out["verdicts"], out["label"]) == (None, None, [], "incorrect")
