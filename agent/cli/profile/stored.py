"""Stored profiles, `viva profile list`, `show` and `delete`: what is kept of people between interviews."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from agent.cli.errors import FAILED
from agent.interviews.person_deletion import delete_person
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.person import Evidence, Person, user_id_of
from rag.profiles.errors import UnknownPersonError
from review import RecordStore

_MEANS = ("technical_accuracy", "reasoning_depth", "communication_clarity", "score_overall")


def list_people(settings: Settings) -> int:
    """Print everybody of whom something is kept; the exit code.

    Raises:
        ProfileError: the profiles cannot be read.
    """
    with opened_profiles(settings) as profiles:
        people = profiles.people()
    if not people:
        sys.stdout.write("Nothing is kept of anybody yet.\n")
        return 0
    table = Table("id", "name", "field", "interviews", "answers", "overall", box=None, pad_edge=False)
    for person in people:
        done = person.achievement
        table.add_row(
            person.user_id,
            person.profile.name,
            person.profile.domain,
            str(done.interviews),
            str(done.answers_scored),
            _shown(done.score_overall),
        )
    Console(highlight=False, markup=False).print(table)
    return 0


def show_person(name: str, settings: Settings, *, as_json: bool) -> int:
    """Print what is kept of somebody, by name or id; the exit code.

    Raises:
        ProfileError: the profiles cannot be read.
        UnknownPersonError: nothing is kept of them.
    """
    user_id = user_id_of(name)
    with opened_profiles(settings) as profiles:
        person = profiles.person(user_id)
    if person is None:
        raise UnknownPersonError(user_id)
    if as_json:
        sys.stdout.write(person.model_dump_json(indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(lines_of(person)) + "\n")
    return 0


def lines_of(person: Person) -> list[str]:
    """What is kept of somebody, for people to read."""
    profile, done = person.profile, person.achievement
    lists = {
        "skills": profile.skills,
        "categories": profile.categories,
        "strengths": person.strengths,
        "weaknesses": person.weaknesses,
        "corrected by them": person.edited,
    }
    return [
        f"{profile.name or person.user_id} ({person.user_id})",
        *([f"field: {profile.domain}"] if profile.domain else []),
        *([profile.summary] if profile.summary else []),
        *(f"{title}: {', '.join(names)}" for title, names in lists.items() if names),
        f"{done.interviews} interviews, {done.question_attempted} questions attempted, {done.answers_scored} scored",
        *(f"{name.replace('_', ' ')}: {_shown(getattr(done, name))}" for name in _MEANS),
        *(_proof(each) for each in person.evidence),
    ]


def delete(name: str, settings: Settings, *, sure: bool) -> int:
    """Delete a person with all their interviews; the exit code.

    Raises:
        UnknownPersonError: nothing is kept of them.
        StillRunningError: an interview of theirs goes on.
        RecordError, ProfileError: something could not be deleted.
    """
    user_id = user_id_of(name)
    if not sure:
        sys.stderr.write(
            f"This deletes the profile of {user_id!r} and all their interviews, for good. Say --yes if you mean it.\n"
        )
        return FAILED
    record = RecordStore(settings.record_path)
    try:
        deleted = delete_person(settings, record, user_id)
    finally:
        record.close()
    sys.stdout.write(f"Deleted {user_id!r} and {deleted.interviews} interviews.\n")
    return 0


def _shown(mean: float | None) -> str:
    return "not scored" if mean is None else f"{mean:.1f}"


def _proof(evidence: Evidence) -> str:
    place = f" at {evidence.start_s:.0f} s" if evidence.start_s is not None else ""
    sign = "+" if evidence.kind == "strength" else "-"
    return f"{sign} {evidence.subject}: “{evidence.words}” ({evidence.point}; interview {evidence.interview_id}{place})"
