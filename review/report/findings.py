"""Findings: what the verdicts say about the candidate: strengths, gaps, and what to practise, each with the words for
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from review.report.models import Finding, PlacedVerdict, Practice, ReportedAnswer

_GRAVITY = {"contradicted": 0, "partly": 1, "missing": 2}
"""The order of gaps: what is wrong is worse than what is half right, and a point that was not made is the least."""


def best_points(answers: Iterable[ReportedAnswer]) -> list[Finding]:
    """Key points that the candidate made in so many words, the surest first; each once."""
    made = [finding for finding in _findings(answers) if finding.status == "covered" and finding.kind == "key_point"]
    surest: dict[tuple[str, str], Finding] = {}
    for finding in sorted(made, key=lambda finding: -finding.probability):
        if finding.quote:
            surest.setdefault(_matter(finding), finding)
    return list(surest.values())


def gaps(answers: Iterable[ReportedAnswer]) -> list[Finding]:
    """Key points that were not fully made, nor in another answer, and misconceptions that were stated; each once.

    What is wrong comes first, then what was half said, then what was not said at all; the surest first.
    """
    found = list(_findings(answers))
    made = {_matter(finding) for finding in found if finding.status == "covered" and finding.kind == "key_point"}
    missed = {
        _matter(finding): finding
        for finding in found
        if _is_missed(finding) and (finding.kind == "misconception" or _matter(finding) not in made)
    }
    return sorted(missed.values(), key=lambda finding: (_GRAVITY.get(finding.status, 0), -finding.probability))


def practise_next(
    missed: Sequence[Finding], answers: Sequence[ReportedAnswer], topic_scores: Mapping[str, float]
) -> list[Practice]:
    """What to practise, the weakest topic first; topics of which nothing was scored, because it was skipped, last."""
    topics = list(dict.fromkeys([finding.topic for finding in missed] + [one.topic for one in answers if one.skipped]))
    topics.sort(key=lambda topic: topic_scores.get(topic, float("inf")))
    return [
        Practice(
            topic=topic,
            score=topic_scores.get(topic),
            points=[finding for finding in missed if finding.topic == topic],
            skipped=[one.question for one in answers if one.skipped and one.topic == topic and one.question],
        )
        for topic in topics
    ]


def _matter(finding: Finding) -> tuple[str, str]:
    """What it is about. Questions about a résumé ask for the same parts of different pieces of work."""
    return finding.topic, finding.point


def _findings(answers: Iterable[ReportedAnswer]) -> Iterator[Finding]:
    for answer in answers:
        if answer.scores is not None:
            yield from (_finding(verdict, answer) for verdict in answer.verdicts)


def _finding(verdict: PlacedVerdict, answer: ReportedAnswer) -> Finding:
    return Finding(
        **dict(verdict), topic=answer.topic, turn=answer.turn, question_id=answer.question_id, question=answer.question
    )


def _is_missed(finding: Finding) -> bool:
    """A key point that was not fully made, or a misconception that was stated: its verdict is `contradicted`."""
    return finding.status != ("missing" if finding.kind == "misconception" else "covered")
