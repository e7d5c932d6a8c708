"""Feedback that is true, varied, and tells no score."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from graph.feedback import compose
from graph.judging import Evaluation, Quote, Verdict
from graph.judging.scoring import score
from graph.wording import feedback_wording

WORDING = feedback_wording()
POINTS = ["Hot water makes it bitter", "Leaves keep best in the dark", "L2 shrinks weights", "An index costs space."]
statuses = st.lists(st.sampled_from(["covered", "partly", "missing", "contradicted"]), min_size=1, max_size=4)
PRAISE = ("great job", "excellent", "perfect", "well done", "amazing", "fantastic", "brilliant", "outstanding")
FORBIDDEN = ("you failed", "wrong answer", "incorrect", "you don't understand", "you missed")


def evaluation(given_statuses: list[str]) -> Evaluation:
    """An evaluation with these statuses for the first points."""
    verdicts = tuple(
        Verdict(
            point=point,
            status=status,  # type: ignore[arg-type]
            probability=1,
            rule="test",
            quote=None if status == "missing" else Quote(text="cold water is always best", first_word=0, last_word=4),
        )
        for point, status in zip(POINTS, given_statuses, strict=False)
    )
    return Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="test", verdicts=verdicts, scores=score(verdicts)
    )


@given(st.lists(statuses, min_size=1, max_size=60))
def test_sixty_feedbacks_in_a_row(answers: list[list[str]]) -> None:
    """No score leaks, no forbidden phrase, no empty praise, nothing unfilled; short enough to be spoken."""
    structures: list[str] = []
    for turn, given_statuses in enumerate(answers):
        feedback = compose(evaluation(given_statuses), hint="steeping", turn=turn, previous=structures, wording=WORDING)
        structures.append(feedback.structure)
        text = feedback.text.lower()
        assert not re.search(r"\d+\s*(/|out of)|score|[{}]", text)
        assert not any(phrase in text for phrase in (*FORBIDDEN, *PRAISE))
        assert 1 <= len(re.findall(r"[.!?](?:\s|$)", feedback.text)) <= 5
        if not {"covered", "partly"} & set(given_statuses):
            assert "strength" not in feedback.structure
        elif "contradicted" not in given_statuses:
            assert "nothing" not in feedback.structure, "something was said, and it is not denied"


def test_praise_names_only_what_was_covered() -> None:
    """The point that is named is one the verdicts carry."""
    feedback = compose(evaluation(["missing", "covered"]), hint="storage", turn=0, previous=[], wording=WORDING)
    assert "leaves keep best in the dark" in feedback.text
    assert "hot water" not in feedback.text.lower()


def test_acronyms_keep_their_case_in_mid_sentence() -> None:
    """A word in capitals is not put in lower case; an ordinary first word is."""
    ordinary = compose(evaluation(["covered"]), hint="x", turn=0, previous=[], wording=WORDING)
    acronym = compose(evaluation(["missing", "missing", "covered"]), hint="x", turn=0, previous=[], wording=WORDING)
    assert "hot water makes it bitter." in ordinary.text
    assert "L2 shrinks weights." in acronym.text


def test_what_was_said_wrong_is_quoted() -> None:
    """A contradiction is named in the candidate's own words."""
    feedback = compose(evaluation(["contradicted", "missing"]), hint="x", turn=0, previous=[], wording=WORDING)
    assert "cold water is always best" in feedback.text


def test_not_knowing_is_honoured() -> None:
    """Somebody who says that they do not know is not told off, and gets a pointer."""
    feedback = compose(
        evaluation(["missing", "missing"]), hint="steeping", turn=0, previous=[], wording=WORDING, knows=False
    )
    assert feedback.structure == "unknown"
    assert "steeping" in feedback.text


def test_an_unscored_answer_gets_no_verdict_in_words() -> None:
    """Where nothing was judged, nothing is claimed."""
    unscored = Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="test", verdicts=(), scores=None, not_scored="Too short."
    )
    assert compose(unscored, hint="x", turn=0, previous=[], wording=WORDING).structure == "unscored"
