"""Profile merging: what becomes of a person's profile when something is added. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.candidate import CandidateProfile
from domain.person import Achievement, Evidence, InterviewOutcome, ProfileEdit
from domain.vocabulary import EvidenceKind

_BROUGHT_TOGETHER = ("skills", "categories", "strengths", "weaknesses", "traits")
"""Lists of names: a later résumé adds to them. What was done and where is the later résumé's own account."""


def union(*lists: Iterable[str]) -> tuple[str, ...]:
    """All names in the order in which they first occur, each once; case and surrounding blanks make no difference."""
    found: dict[str, str] = {}
    for name in (name.strip() for names in lists for name in names):
        if name:
            found.setdefault(name.casefold(), name)
    return tuple(found.values())


def imported_again(before: CandidateProfile | None, later: CandidateProfile) -> CandidateProfile:
    """What several résumés say together: names are brought together, for the rest the later one counts if it says it.

    Args:
        before: what the earlier ones said; None for the first.
        later: what the new one says.
    """
    if before is None:
        return later
    kept = {
        name: getattr(before, name)
        for name in CandidateProfile.model_fields
        if not getattr(later, name) and getattr(later, name) != 0
    }
    together = {name: union(getattr(before, name), getattr(later, name)) for name in _BROUGHT_TOGETHER}
    return later.model_copy(update={**kept, **together})


def corrected(imported: CandidateProfile, edited: Mapping[str, object]) -> CandidateProfile:
    """The profile as the candidate corrected it: what they said of a field wins over every résumé."""
    return CandidateProfile.model_validate({**imported.model_dump(), **edited}) if edited else imported


def corrections(shown: CandidateProfile, given: CandidateProfile) -> dict[str, object]:
    """What somebody changed in a profile that was shown to them, by field, as `corrected` takes it. A name stays."""
    before, after = shown.model_dump(mode="json"), given.model_dump(mode="json")
    changed = {name: after[name] for name in ProfileEdit.model_fields if after[name] != before[name]}
    return {name: value for name, value in changed.items() if value or name != "name"}


def shown(evidence: Sequence[Evidence], kind: EvidenceKind) -> tuple[str, ...]:
    """What a person's interviews showed, in the order in which it first did.

    The latest interview that says something of a subject decides whether it is a strength or a weakness.
    """
    latest = {each.subject.casefold(): each.kind for each in sorted(evidence, key=lambda each: each.at)}
    return union(each.subject for each in evidence if each.kind == kind and latest[each.subject.casefold()] == kind)


def achieved(outcomes: Iterable[InterviewOutcome]) -> Achievement:
    """The means over all interviews; an answer counts as much whichever interview it was in."""
    counted = list(outcomes)
    scored = sum(each.answers_scored for each in counted)

    def mean(name: str) -> float | None:
        return sum(getattr(each, name) for each in counted) / scored if scored else None

    accuracy, depth, clarity = mean("technical_accuracy"), mean("reasoning_depth"), mean("communication_clarity")
    together = [each for each in (accuracy, depth, clarity) if each is not None]
    return Achievement(
        question_attempted=sum(each.question_attempted for each in counted),
        answers_scored=scored,
        interviews=len(counted),
        technical_accuracy=accuracy,
        reasoning_depth=depth,
        communication_clarity=clarity,
        score_overall=sum(together) / len(together) if together else None,
    )
