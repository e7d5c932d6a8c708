"""Profiles over HTTP: what is kept of people, corrected and deleted; only for whoever hosts Viva.

Calls do their work in threads: the database library is loaded with the first of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from agent.http.auth import HostBearer, check_host
from agent.http.problems import PREFIX, ProblemError, documented
from agent.http.request_context import Utf8Route
from agent.interviews.person_deletion import StillRunningError, delete_person
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.person import Person, ProfileEdit, user_id_of
from rag.profiles.errors import UnknownPersonError
from review import RecordStore

_READ_PROBLEMS = ("missing-token", "host-only", "storage-failed")
_ONE_PROBLEMS = (*_READ_PROBLEMS, "unknown-person")


def profile_routes(settings: Settings, store: RecordStore) -> APIRouter:
    """The routes of the profiles.

    Args:
        settings: the settings in force.
        store: the record, which has the interviews of a person who is deleted.
    """

    def is_host(request: Request, _: HostBearer) -> None:
        check_host(settings, request)

    router = APIRouter(
        prefix=f"{PREFIX}/profiles", tags=["profiles"], route_class=Utf8Route, dependencies=[Depends(is_host)]
    )

    @router.get("", responses=documented(*_READ_PROBLEMS))
    def list_profiles() -> list[Person]:
        """Everybody of whom something is kept, by name."""
        with opened_profiles(settings) as profiles:
            return profiles.people()

    @router.get("/{user_id}", responses=documented(*_ONE_PROBLEMS, "invalid-request"))
    def show_profile(user_id: WhoseId) -> Person:
        """What is kept of a person: profile, means, and the words that prove strengths and weaknesses."""
        with _told_unknown(), opened_profiles(settings) as profiles:
            person = profiles.person(user_id)
            if person is None:
                raise UnknownPersonError(user_id)
            return person

    @router.put(
        "/{user_id}", responses=documented(*_ONE_PROBLEMS, "invalid-request", "not-utf-8", "not-json", "too-long")
    )
    def edit_profile(user_id: WhoseId, edit: ProfileEdit) -> Person:
        """Correct a profile. Fields that are left out stay; what is corrected wins over every later résumé."""
        with _told_unknown(), opened_profiles(settings) as profiles:
            return profiles.edit(user_id, edit, at=time.time())

    @router.delete(
        "/{user_id}", status_code=204, responses=documented(*_ONE_PROBLEMS, "still-running", "invalid-request")
    )
    def delete_profile(user_id: WhoseId) -> None:
        """Delete a person: profile, vector, and all their interviews with recordings."""
        with _told_unknown():
            try:
                delete_person(settings, store, user_id)
            except StillRunningError as error:
                raise ProblemError("still-running", str(error)) from error

    @router.delete(
        "/{user_id}/evidence/{evidence_id}", status_code=204, responses=documented(*_ONE_PROBLEMS, "invalid-request")
    )
    def remove_evidence(user_id: WhoseId, evidence_id: int) -> None:
        """Remove one proof of a strength or weakness."""
        with opened_profiles(settings) as profiles:
            if not profiles.remove_evidence(user_id, evidence_id, at=time.time()):
                raise ProblemError("unknown-person", f"Nothing is kept of {user_id!r} under the number {evidence_id}.")

    return router


def _canonical(user_id: str) -> str:
    return user_id_of(user_id)


WhoseId = Annotated[str, Depends(_canonical)]
"""The person of the path, in any spelling of their name or id."""


@contextmanager
def _told_unknown() -> Iterator[None]:
    try:
        yield
    except UnknownPersonError as error:
        raise ProblemError("unknown-person", str(error)) from error
