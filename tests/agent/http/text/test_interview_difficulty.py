"""Interviews by text of a weak and of a strong candidate: who gets easier questions, and what the report says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from review.report.build import build_report
from tests.agent.text_rig import GOOD, TextRig, begun

POOR = "I have no firm grip on this one at all, it is all steam to me"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            POOR,
            (
                "went down from medium to easy at question 5, easier, because the answers so far had little of what "
                "was asked for: 0.0 of 10 on average, the latest counting most."
            ),
        ),
        (
            GOOD,
            (
                "went up from medium to hard at question 4, harder, because the answers so far had nearly all of "
                "what was asked for: 10.0 of 10 on average, the latest counting most."
            ),
        ),
    ],
    ids=["weak", "strong"],
)
async def test_the_report_says_why_it_became_easier_or_harder(tmp_path: Path, said: str, told: str) -> None:
    """From the third judged answer on, in plain words; while it goes on, the candidate is not told."""
    rig = TextRig(tmp_path)
    async with rig.serving() as client:
        session = await begun(client)
        for _ in range(4):
            while_it_goes_on = await session.say(said)
            assert "difficulty_reason" not in str(while_it_goes_on)
    report = build_report(rig.events(session.id))
    assert [note for note in report.performance_notes if note.startswith("The difficulty")] == [
        f"The difficulty {told}"
    ]
