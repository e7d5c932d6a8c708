"""`python -m bench feedback`: what it prints for whoever reads feedback."""

from __future__ import annotations

import pytest

from bench import feedback


@pytest.mark.slow
@pytest.mark.parametrize("style", ["coach", "interviewer"])
def test_feedback_is_printed_beside_the_answer_and_its_labels(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its structure; in one interview no sentence is said twice."""
    feedback.main(["--style", style, "--every", "24"])
    shown = capsys.readouterr().out
    assert shown.count("\n>> [") == shown.count("## ") >= 4
    assert "covered" in shown
    said = [part for line in shown.split("\n\n") if ">> [" in line for part in line.partition(">> [")[2].split(". ")]
    assert len(said) == len(set(said))
