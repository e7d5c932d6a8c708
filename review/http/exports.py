"""Exports of transcript and report for other programs: WebVTT and Markdown."""

from __future__ import annotations

import html

from domain.metrics import AnswerMetrics
from domain.verdict import Scores
from review.record.call_words import line_quality
from review.record.summary import Summary
from review.report.models import (
    Finding,
    FirstJudgement,
    HumanReview,
    PlacedVerdict,
    Practice,
    Report,
    ReportedAnswer,
    ReportedCall,
    ReportedNote,
)
from review.transcript.models import Entry, Transcript

_MARKS = {"covered": "✓", "partly": "~", "missing": "○", "contradicted": "✗"}
_SHORTEST_CUE_S = 0.001


def webvtt(transcript: Transcript) -> str:
    """The transcript as captions for the recording (https://www.w3.org/TR/webvtt1/), a voice per speaker."""
    cues = ["WEBVTT"]
    for entry in transcript.entries:
        end_s = max(entry.end_s, entry.start_s + _SHORTEST_CUE_S)
        text = html.escape(" ".join(entry.text.split()), quote=False)
        voice = entry.speaker.capitalize()
        cues.append(f"{timestamp(entry.start_s)} --> {timestamp(end_s)}\n<v {voice}>{text}</v>")
    return "\n\n".join(cues) + "\n"


def transcript_markdown(transcript: Transcript, summary: Summary) -> str:
    """The conversation as a Markdown page, with the notes where they belong."""
    blocks = [f"# Interview: {plain(summary.pack_title)}"]
    notes = list(transcript.notes)
    for number, entry in enumerate(transcript.entries):
        while notes and notes[0].before_entry <= number:
            blocks.append(f"_{plain(notes.pop(0).text)}_")
        blocks.append(_said(entry, transcript, summary.candidate_name))
    blocks += [f"_{plain(note.text)}_" for note in notes]
    return "\n\n".join(blocks) + "\n"


def markdown(report: Report) -> str:
    """The report as a Markdown page that can be kept, printed or sent."""
    blocks = [
        f"# Interview: {plain(report.pack_title)}",
        _figures(report),
        _overall(report),
        bullets("Topics", [f"{_title(topic, report)}: {score}" for topic, score in report.topic_scores.items()]),
        bullets("Strengths", [*_strong_topics(report), *(_finding(point, report) for point in report.best_points)]),
        bullets("Gaps", [*_weak_topics(report), *(_finding(point, report) for point in report.gaps)]),
        bullets("Notes", [plain(note) for note in report.performance_notes]),
        bullets("From who watched", [_noted(note) for note in report.notes]),
        bullets("Practise next", [line for practice in report.practise_next for line in _practice(practice, report)]),
        "## Answers",
        *[_answer(number, answer) for number, answer in enumerate(report.answers, 1)],
        bullets("How to read the scores", [plain(caveat) for caveat in report.caveats]),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _said(entry: Entry, transcript: Transcript, candidate: str) -> str:
    speaker = plain(candidate) or "Candidate" if entry.speaker == "candidate" else "Interviewer"
    place = "" if transcript.medium == "text" else f" ({timestamp(entry.start_s)})"
    return f"**{speaker}**{place}: {plain(entry.text)}{' …' if entry.interrupted else ''}"


def _figures(report: Report) -> str:
    how = {"voice": "", "text": ", by text", "phone": ", by phone"}[report.medium]
    figures = (
        f"{plain(report.candidate_name)}, {report.time_taken_minutes} minutes, {report.questions_asked} questions{how}."
    )
    return f"{figures} {_call(report.call)}" if report.call else figures


def _call(call: ReportedCall) -> str:
    calls = "" if call.calls == 1 else f"{call.calls} calls"
    keys = ", ".join(f"{key} {times}x" if times > 1 else key for key, times in call.keys.items())
    parts = [
        calls,
        f"from {call.number}" if call.number else "",
        call.codec,
        line_quality(call.loss, call.jitter_ms),
        f"keys pressed: {plain(keys)}" if keys else "no key pressed",
        f"{call.on_hold_s:.0f} s on hold" if call.on_hold_s else "",
    ]
    return f"The line: {', '.join(part for part in parts if part)}."


def _overall(report: Report) -> str:
    if report.overall_score is None:
        return "**Overall: not scored.**"
    return (
        f"**Overall: {_score(report.overall_score)}** "
        f"(between {_score(report.overall_low)} and {_score(report.overall_high)}, {report.answers_scored} scored); "
        f"weighted by difficulty: {_score(report.adjusted_score)}."
    )


def _strong_topics(report: Report) -> list[str]:
    return [f"**{_title(topic, report)}**: {report.topic_scores[topic]}" for topic in report.strengths]


def _weak_topics(report: Report) -> list[str]:
    return [f"**{_title(topic, report)}**: {report.topic_scores[topic]}" for topic in report.areas_for_improvement]


def _title(topic: str, report: Report) -> str:
    return plain(report.topic_titles.get(topic, topic))


def _finding(finding: Finding, report: Report) -> str:
    line = _quoted(finding)
    return f"{line} ({_title(finding.topic, report)})"


def _practice(practice: Practice, report: Report) -> list[str]:
    title = _title(practice.topic, report)
    return [
        *(f"{title}{_to_understand(missed)}: {plain(missed.point)}" for missed in practice.points),
        *(f"{title}, skipped: {plain(question)}" for question in practice.skipped),
    ]


def _to_understand(missed: Finding) -> str:
    """What is to be done about a claim that is wrong: nobody is to practise saying it."""
    return ", why this is not so" if missed.kind == "misconception" else ""


def _answer(number: int, answer: ReportedAnswer) -> str:
    parts = [
        f"### {number}. {plain(answer.question)}",
        f"> {plain(answer.answer)}" if answer.answer else "",
        _circumstances(answer),
        _scores(answer.scores) if answer.scores else f"Not scored: {plain(answer.not_scored)}",
        _metrics(answer.metrics) if answer.scores and answer.metrics else "",
        "\n".join(f"- {_quoted(verdict)}" for verdict in answer.verdicts if _is_told(verdict)),
        _second_judge(answer) if answer.drift else "",
        _contested(answer, answer.before_contest) if answer.before_contest else "",
        f"Feedback: {plain(answer.feedback)}" if answer.feedback else "",
        _before_correction(answer.before_correction) if answer.before_correction else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _circumstances(answer: ReportedAnswer) -> str:
    """How the answer came about, where that is worth a line."""
    turns = len({part.turn for part in answer.parts})
    notes = [
        f"Given over {turns} turns." if turns > 1 else "",
        "After 1 hint." if answer.hints == 1 else f"After {answer.hints} hints." if answer.hints else "",
        "The model judge failed here, and the built-in judge took over: the score is outside every average."
        if answer.fallback
        else "",
        _review(answer.review) if answer.review else "",
    ]
    return " ".join(note for note in notes if note)


def _review(review: HumanReview) -> str:
    why = f" ({plain(review.why)})" if review.why else ""
    if not review.released:
        return f"A person was to look at this answer{why}, and nobody has done so."
    note = f": “{plain(review.note)}”" if review.note else "."
    return f"{plain(review.by) or 'A person'} looked at this answer{why}{note}"


def _noted(note: ReportedNote) -> str:
    about = f" on answer {note.answer}" if note.answer else ""
    return f"{plain(note.by)}{about}: “{plain(note.note)}”"


def _second_judge(answer: ReportedAnswer) -> str:
    verdicts = "\n".join(f"- {_quoted(verdict)}" for verdict in answer.second_verdicts if _is_told(verdict))
    intro = f"{plain(answer.second_judge)} judged most of the key points differently than {plain(answer.judge)}:"
    return f"{intro}\n\n{verdicts}"


def _contested(answer: ReportedAnswer, first: FirstJudgement) -> str:
    notes = [f"Contested by {plain(each.by) or 'a person'}: “{plain(each.note)}”" for each in answer.contests]
    score = _scores(first.scores) if first.scores else f"Not scored: {plain(first.not_scored)}"
    verdicts = "\n".join(f"- {_quoted(verdict)}" for verdict in first.verdicts if _is_told(verdict))
    return "\n\n".join([*notes, f"Before it was contested: {score}", verdicts])


def _before_correction(answer: ReportedAnswer) -> str:
    score = f"{_score(answer.scores.overall)}, outside every average" if answer.scores else "not scored"
    earlier = f"\n\n{_before_correction(answer.before_correction)}" if answer.before_correction else ""
    return f"Before the correction ({score}):\n\n> {plain(answer.answer)}{earlier}"


def _scores(scores: Scores) -> str:
    parts = {
        "technical accuracy": scores.technical_accuracy,
        "completeness": scores.completeness,
        "depth": scores.depth,
        "clarity": scores.clarity,
    }
    detail = ", ".join(f"{name} {_score(score)}" for name, score in parts.items())
    return f"**{_score(scores.overall)}** (between {_score(scores.low)} and {_score(scores.high)}); {detail}"


def _metrics(metrics: AnswerMetrics) -> str:
    figures = {
        "Reasoning depth": metrics.reasoning_depth,
        "communication clarity": metrics.communication_clarity,
    }
    told = ", ".join(f"{name} {_score(score)}" for name, score in figures.items())
    return f"{told}. {plain(metrics.feedback)}".strip()


def _quoted(verdict: PlacedVerdict) -> str:
    place = f" at {timestamp(verdict.start_s)}" if verdict.start_s is not None else ""
    quote = f": “{plain(verdict.quote.text)}”{place}" if verdict.quote else ""
    finding = "misconception" if verdict.kind == "misconception" else verdict.status
    return f"{_MARKS[verdict.status]} {plain(verdict.point)} ({finding}){quote}"


def _is_told(verdict: PlacedVerdict) -> bool:
    """A misconception that nobody fell for, or that was contested with success, is not worth a line."""
    return verdict.kind == "key_point" or verdict.status != "missing"


def _score(score: float | None) -> str:
    return "not scored" if score is None else f"{score:.1f}"


_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return " ".join(text.split()).translate(_MARKDOWN_SIGNS)


def bullets(title: str, items: list[str]) -> str:
    """A list under a heading; nothing for no items."""
    return f"## {title}\n\n" + "\n".join(f"- {item}" for item in items) if items else ""


def timestamp(seconds: float) -> str:
    """`3725.5` as `01:02:05.500`."""
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
