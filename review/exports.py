"""The transcript and the report as files for other programs: WebVTT and Markdown."""

from __future__ import annotations

import html

from review.events import Scores
from review.report_models import Judgement, Report, ReportedAnswer
from review.transcript import Transcript

_MARKS = {"covered": "✓", "partly": "~", "missing": "-", "contradicted": "✗"}
_SHORTEST_CUE_S = 0.001
_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


def webvtt(transcript: Transcript) -> str:
    """The transcript as captions for the recording (https://www.w3.org/TR/webvtt1/), a voice per speaker."""
    cues = ["WEBVTT"]
    for entry in transcript.entries:
        end_s = max(entry.end_s, entry.start_s + _SHORTEST_CUE_S)
        text = html.escape(" ".join(entry.text.split()), quote=False)
        voice = entry.speaker.capitalize()
        cues.append(f"{_timestamp(entry.start_s)} --> {_timestamp(end_s)}\n<v {voice}>{text}</v>")
    return "\n\n".join(cues) + "\n"


def markdown(report: Report) -> str:
    """The report as a Markdown page that can be kept, printed or sent."""
    to_practise = [(practice.topic, missed.point) for practice in report.practise_next for missed in practice.points]
    blocks = [
        f"# Interview: {_plain(report.pack_title)}",
        f"{_plain(report.candidate_name)}, {report.time_taken_minutes} minutes, {report.questions_asked} questions.",
        _overall(report),
        _list("Topics", [f"{_plain(topic)}: {score}" for topic, score in report.topic_scores.items()]),
        _list("Notes", [_plain(note) for note in report.performance_notes]),
        _list("Practise next", [f"{_plain(topic)}: {_plain(point)}" for topic, point in to_practise]),
        "## Answers",
        *[_answer(number, answer) for number, answer in enumerate(report.answers, 1)],
        _list("How to read the scores", [_plain(caveat) for caveat in report.caveats]),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _overall(report: Report) -> str:
    if report.overall_score is None:
        return "**Overall: not scored.**"
    return (
        f"**Overall: {_score(report.overall_score)}** "
        f"(between {_score(report.overall_low)} and {_score(report.overall_high)}, {report.answers_scored} scored); "
        f"weighted by difficulty: {_score(report.adjusted_score)}."
    )


def _answer(number: int, answer: ReportedAnswer) -> str:
    parts = [
        f"### {number}. {_plain(answer.question)}",
        f"> {_plain(answer.answer)}" if answer.answer else "",
        _scores(answer.scores) if answer.scores else f"Not scored: {_plain(answer.not_scored)}",
        "\n".join(_verdict(verdict) for verdict in answer.verdicts),
        f"Feedback: {_plain(answer.feedback)}" if answer.feedback else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _scores(scores: Scores) -> str:
    parts = {
        "technical accuracy": scores.technical_accuracy,
        "completeness": scores.completeness,
        "depth": scores.depth,
        "clarity": scores.clarity,
    }
    detail = ", ".join(f"{name} {_score(score)}" for name, score in parts.items())
    return f"**{_score(scores.overall)}** (between {_score(scores.low)} and {_score(scores.high)}); {detail}"


def _verdict(verdict: Judgement) -> str:
    place = f" at {_timestamp(verdict.start_s)}" if verdict.start_s is not None else ""
    quote = f": “{_plain(verdict.quote)}”{place}" if verdict.quote else ""
    finding = "misconception" if verdict.kind == "misconception" else verdict.status
    return f"- {_MARKS[verdict.status]} {_plain(verdict.point)} ({finding}){quote}"


def _list(title: str, items: list[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {item}" for item in items) if items else ""


def _score(score: float | None) -> str:
    return "not scored" if score is None else f"{score:.1f}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return " ".join(text.split()).translate(_MARKDOWN_SIGNS)


def _timestamp(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
