"""Profile store: what is kept of each person, in one database that the worker and the web process share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from domain.candidate import CandidateProfile
from domain.person import Achievement, Evidence, InterviewOutcome, Person, ProfileEdit
from rag.profiles.database import ProfileDatabase
from rag.profiles.errors import UnknownPersonError
from rag.profiles.merging import achieved, corrected, imported_again, shown, union
from rag.profiles.tables import academic_summary, counted_interviews, evidence, forgotten_interviews, users

Changed = Callable[[str], None]
"""Told of whom something has changed, after it was kept."""


NO_CORRECTIONS: Mapping[str, object] = MappingProxyType({})


def nobody_told(_: str) -> None:
    """The listener where nobody listens."""


class ProfileStore:
    """Everything that is kept of people between interviews. Any thread may use it.

    Args:
        where: path of an SQLite file, or the address of a PostgreSQL database; see `ProfileDatabase`.
        changed: told of each change after it was kept; what it raises leaves the change as it is.

    Raises:
        ProfileError: it cannot be opened. Every other call raises it when the database fails, and then nothing was
            changed.
    """

    def __init__(self, where: str | Path, *, changed: Changed = nobody_told) -> None:
        self.database = ProfileDatabase(where)
        self._changed = changed

    def people(self) -> list[Person]:
        """Everybody, by name."""
        with self.database.reading() as connection:
            ids = connection.execute(sa.select(users.c.user_id).order_by(users.c.name, users.c.user_id)).scalars().all()
            return [person for each in ids if (person := _person(connection, each))]

    def person(self, user_id: str) -> Person | None:
        """What is kept of somebody; None when nothing is."""
        with self.database.reading() as connection:
            return _person(connection, user_id)

    def bring_in(
        self, user_id: str, profile: CandidateProfile, *, at: float, corrected: Mapping[str, object] = NO_CORRECTIONS
    ) -> Person:
        """Add what a résumé says. What the person corrected, now or before, stays as they corrected it.

        Args:
            user_id: whose it is.
            profile: what it says.
            at: seconds since the epoch.
            corrected: what they changed in it, by field; see `corrections`.
        """
        with self.database.writing() as connection:
            row = _row(connection, user_id)
            before = CandidateProfile.model_validate(row["imported"]) if row else None
            merged = imported_again(before, profile)
            edited = {**(row["edited"] if row else {}), **corrected}
            _keep(connection, user_id, imported=merged, edited=edited, at=at)
            person = _known(connection, user_id)
        self._changed(user_id)
        return person

    def edit(self, user_id: str, edit: ProfileEdit, *, at: float) -> Person:
        """Keep what the person corrected; it wins over every résumé from then on.

        Raises:
            UnknownPersonError: nothing is kept of them.
        """
        with self.database.writing() as connection:
            row = _known_row(connection, user_id)
            imported = CandidateProfile.model_validate(row["imported"])
            _keep(connection, user_id, imported=imported, edited={**row["edited"], **edit.changes()}, at=at)
            person = _known(connection, user_id)
        self._changed(user_id)
        return person

    def count(self, outcome: InterviewOutcome) -> bool:
        """Add what an interview showed, once; False when it was counted before, or deleted.

        All of it is kept or nothing: who died on the way is followed by somebody who counts it anew.
        """
        with self.database.writing() as connection:
            if _is_settled(connection, outcome.interview_id):
                return False
            row = _row(connection, outcome.user_id)
            if row is None:
                new = CandidateProfile(name=outcome.name)
                _keep(connection, outcome.user_id, imported=new, edited={}, at=outcome.at)
            values = outcome.model_dump(exclude={"name", "evidence"})
            connection.execute(counted_interviews.insert().values(values))
            for each in outcome.evidence:
                proof = {**each.model_dump(exclude={"id"}), "interview_id": outcome.interview_id}
                connection.execute(evidence.insert().values({**proof, "user_id": outcome.user_id}))
            _derive(connection, outcome.user_id, at=outcome.at)
        self._changed(outcome.user_id)
        return True

    def settled(self) -> set[str]:
        """Ids of the interviews that need not be counted: they were, or were deleted."""
        with self.database.reading() as connection:
            return {
                interview_id
                for table in (counted_interviews, forgotten_interviews)
                for interview_id in connection.execute(sa.select(table.c.interview_id)).scalars()
            }

    def remove_evidence(self, user_id: str, evidence_id: int, *, at: float) -> bool:
        """Remove one proof; False when the person has none of that id. Their means stay."""
        with self.database.writing() as connection:
            there = sa.and_(evidence.c.id == evidence_id, evidence.c.user_id == user_id)
            if not connection.execute(sa.delete(evidence).where(there)).rowcount:
                return False
            _derive(connection, user_id, at=at)
        self.database.scrub()
        self._changed(user_id)
        return True

    def forget_interview(self, interview_id: str, *, at: float) -> None:
        """Remove what an interview showed, its proofs and its part in the means, and never count it again."""
        with self.database.writing() as connection:
            counted = counted_interviews.c.interview_id == interview_id
            owner = connection.execute(sa.select(counted_interviews.c.user_id).where(counted)).scalar()
            connection.execute(sa.delete(evidence).where(evidence.c.interview_id == interview_id))
            connection.execute(sa.delete(counted_interviews).where(counted))
            forgotten = forgotten_interviews.c.interview_id == interview_id
            connection.execute(sa.delete(forgotten_interviews).where(forgotten))
            connection.execute(forgotten_interviews.insert().values(interview_id=interview_id))
            if owner is not None:
                _derive(connection, owner, at=at)
        if owner is not None:
            self.database.scrub()
            self._changed(owner)

    def delete(self, user_id: str) -> bool:
        """Remove everything that is kept of a person; False when nothing was. Their interviews are the record's."""
        with self.database.writing() as connection:
            mine = counted_interviews.c.user_id == user_id
            interviews = connection.execute(sa.select(counted_interviews.c.interview_id).where(mine)).scalars().all()
            for each in interviews:
                connection.execute(forgotten_interviews.insert().values(interview_id=each))
            for table in (evidence, counted_interviews, academic_summary, users):
                gone = connection.execute(sa.delete(table).where(table.c.user_id == user_id)).rowcount
        self.database.scrub()
        # Also when there was no row: an earlier deletion may have been cut off before all listeners were told.
        self._changed(user_id)
        return bool(gone)

    def close(self) -> None:
        """Close what is open."""
        self.database.close()


def _row(connection: Connection, user_id: str) -> Mapping[str, Any] | None:
    found = connection.execute(sa.select(users).where(users.c.user_id == user_id)).mappings().first()
    return dict(found) if found else None


def _known_row(connection: Connection, user_id: str) -> Mapping[str, Any]:
    row = _row(connection, user_id)
    if row is None:
        raise UnknownPersonError(user_id)
    return row


def _known(connection: Connection, user_id: str) -> Person:
    person = _person(connection, user_id)
    assert person is not None, "the same transaction has just written it"
    return person


def _is_settled(connection: Connection, interview_id: str) -> bool:
    tables = (counted_interviews, forgotten_interviews)
    return any(
        connection.execute(sa.select(table.c.interview_id).where(table.c.interview_id == interview_id)).first()
        for table in tables
    )


def _keep(
    connection: Connection, user_id: str, *, imported: CandidateProfile, edited: Mapping[str, object], at: float
) -> None:
    """Write a person's profile, and what follows from it."""
    values = {"imported": imported.model_dump(mode="json"), "edited": dict(edited)}
    if _row(connection, user_id):
        connection.execute(sa.update(users).where(users.c.user_id == user_id).values(values))
    else:
        empty = {"name": "", "domain": "", "skills": [], "strengths": [], "weaknesses": [], "categories": []}
        connection.execute(users.insert().values({**empty, **values, "user_id": user_id, "updated_at": at}))
        connection.execute(academic_summary.insert().values(user_id=user_id, question_attempted=0, answers_scored=0))
    _derive(connection, user_id, at=at)


def _derive(connection: Connection, user_id: str, *, at: float) -> None:
    """Write what follows from a person's profile and interviews."""
    row = _known_row(connection, user_id)
    profile, proofs = _profile(row), _evidence(connection, user_id)
    connection.execute(
        sa.update(users)
        .where(users.c.user_id == user_id)
        .values(
            name=profile.name,
            domain=profile.domain,
            skills=list(profile.skills),
            categories=list(profile.categories),
            strengths=list(union(profile.strengths, shown(proofs, "strength"))),
            weaknesses=list(union(profile.weaknesses, shown(proofs, "weakness"))),
            updated_at=at,
        )
    )
    means = _achievement(connection, user_id).model_dump(exclude={"interviews"})
    connection.execute(sa.update(academic_summary).where(academic_summary.c.user_id == user_id).values(means))


def _profile(row: Mapping[str, Any]) -> CandidateProfile:
    return corrected(CandidateProfile.model_validate(row["imported"]), row["edited"])


def _evidence(connection: Connection, user_id: str) -> tuple[Evidence, ...]:
    wanted = sa.select(evidence).where(evidence.c.user_id == user_id).order_by(evidence.c.at, evidence.c.id)
    return tuple(
        Evidence.model_validate({name: value for name, value in row.items() if name != "user_id"})
        for row in connection.execute(wanted).mappings()
    )


def _achievement(connection: Connection, user_id: str) -> Achievement:
    wanted = sa.select(counted_interviews).where(counted_interviews.c.user_id == user_id)
    return achieved(
        InterviewOutcome.model_validate({**row, "name": ""}) for row in connection.execute(wanted).mappings()
    )


def _person(connection: Connection, user_id: str) -> Person | None:
    row = _row(connection, user_id)
    if row is None:
        return None
    return Person(
        user_id=user_id,
        profile=_profile(row),
        edited=tuple(row["edited"]),
        strengths=tuple(row["strengths"]),
        weaknesses=tuple(row["weaknesses"]),
        achievement=_achievement(connection, user_id),
        evidence=_evidence(connection, user_id),
        updated_at=row["updated_at"],
    )
