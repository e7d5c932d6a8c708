"""Transcript and report for other programs."""

from __future__ import annotations

import re

from domain.events import AnswerJudged, RecordingStarted
from review import build_report, build_transcript, markdown, webvtt
from review.report.models import Report
from review.transcript.build import Entry, Transcript
from tests.review.sample_interview import FIRST_QUESTION, sample_events

EVENTS = sample_events(1_700_000_000.0)
CUE = re.compile(r"(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})\n<v (Interviewer|Candidate)>(.+)</v>")


def test_webvtt_has_a_cue_for_each_entry() -> None:
    """Each entry is a cue with its speaker, and no cue ends before it begins."""
    transcript = build_transcript(EVENTS)
    header, *cues = webvtt(transcript).strip().split("\n\n")
    assert header == "WEBVTT"
    assert len(cues) == len(transcript.entries)
    for cue, entry in zip(cues, transcript.entries, strict=True):
        match = CUE.fullmatch(cue)
        assert match
        hours, minutes, seconds, *end = match.groups()[:6]
        start_s = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        assert start_s < int(end[0]) * 3600 + int(end[1]) * 60 + float(end[2])
        assert abs(start_s - entry.start_s) < 0.001
        assert match[7].lower() == entry.speaker
        assert match[8] == entry.text


def test_webvtt_escapes_what_was_said() -> None:
    """Signs that mean something to WebVTT, and line breaks, cannot break a cue; hours are counted."""
    entry = Entry(
        speaker="candidate",
        kind="answer",
        text="a < b && b --> c\n\nnext",
        start_s=3725.5,
        end_s=3725.5,
        interrupted=False,
        turn=1,
        question_id="q",
        words=[],
    )
    text = webvtt(Transcript(recorded=True, started_at=0.0, duration_s=4000.0, entries=[entry]))
    assert text == ("WEBVTT\n\n01:02:05.500 --> 01:02:05.501\n<v Candidate>a &lt; b &amp;&amp; b --&gt; c next</v>\n")


def test_markdown_holds_what_the_report_holds() -> None:
    """Scores with their interval, questions, quotes with their place, reasons and caveats are on the page."""
    page = markdown(build_report(EVENTS))
    assert page.startswith("# Interview: Machine learning\n")
    assert "**Overall: 6.2** (between 5.3 and 7.1, 3 scored); weighted by difficulty: 6.0." in page
    assert f"### 1. {FIRST_QUESTION}" in page
    assert "(covered): “the validation error rises” at 00:00:23.795" in page
    assert "✗ Balancing makes accuracy a good measure (misconception): “then accuracy is fine”" in page
    assert "Not scored: The answer was too short to judge." in page
    assert "## How to read the scores" in page


def test_markdown_gives_no_wrong_claim_to_practise() -> None:
    """A misconception is among what to practise as something to understand, not as something to say."""
    page = markdown(build_report(EVENTS))
    assert "- Evaluation, why this is not so: Balancing makes accuracy a good measure\n" in page
    assert "- Evaluation: Precision and recall show what accuracy hides\n" in page
    assert "Evaluation: Balancing" not in page


def test_markdown_without_scores_says_so() -> None:
    """Without scores the page says that nothing was scored, not 0."""
    page = markdown(build_report([event for event in EVENTS if not isinstance(event, AnswerJudged)]))
    assert "**Overall: not scored.**" in page
    assert "0.0" not in page


def test_markdown_shows_signs_as_they_are() -> None:
    """A name with Markdown signs and line breaks is shown, not interpreted."""
    report = build_report([RecordingStarted(at=1.0, path="x")])
    page = markdown(Report.model_validate(report.model_dump() | {"candidate_name": "*Ada*\n# <b>"}))
    assert "\\*Ada\\* \\# \\<b\\>, 0.0 minutes" in page
