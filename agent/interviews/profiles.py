"""Profiles of candidates: opened with their vectors, and filled with what interviews showed when they end.

The database library takes a third of a second to import, so it is loaded when there is something to keep.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agent.interviews.outcome import outcome_of
from agent.model_files.prepare import ModelError, ensure_models
from agent.settings import Settings
from rag.profiles.errors import ProfileError
from review import RecordError, RecordStore, UnreadableError

if TYPE_CHECKING:
    from rag import Embedder
    from rag.profiles.store import ProfileStore

_log = logging.getLogger(__name__)


@contextmanager
def opened_profiles(settings: Settings, *, vectors_later: bool = False) -> Iterator[ProfileStore]:
    """The profiles, for a while. Each change brings the person's vector up to date.

    Args:
        settings: the settings in force.
        vectors_later: leave vectors to the next change: making one loads a model, for which nobody is to wait.

    Raises:
        ProfileError: they cannot be opened.
    """
    from rag.profiles.store import ProfileStore, nobody_told  # noqa: PLC0415 - see above
    from rag.profiles.vectors import ProfileVectors  # noqa: PLC0415 - see above

    vectors = ProfileVectors(settings.profile_vectors_dir, lambda: profile_embedder(settings))

    def refresh(user_id: str) -> None:
        try:
            vectors.refresh(user_id, store.person)
        except (ProfileError, ModelError, RuntimeError) as error:
            if store.person(user_id) is None:
                raise  # Whoever is deleted has to be gone.
            _log.error("the vector of a profile is made with its next change: %s", error)

    store = ProfileStore(settings.profiles, changed=nobody_told if vectors_later else refresh)
    try:
        yield store
    finally:
        store.close()


def profile_embedder(settings: Settings) -> Embedder:
    """What embeds the summaries: the embedder of the question bank.

    Raises:
        ModelError, EmbedderError: it is not there.
    """
    from rag import MiniLM  # noqa: PLC0415 - see above

    return MiniLM.load(ensure_models(settings).embedder)


def keep_outcome(settings: Settings, record: RecordStore, interview_id: str) -> bool:
    """Add what an ended interview showed to its candidate's profile, once; whether anything was added.

    A fault is logged: `keep_outcomes` tries again.
    """
    return _guarded(lambda: _keep(settings, record, [interview_id]), of=interview_id) > 0


def keep_outcomes(settings: Settings, record: RecordStore) -> int:
    """Add what is missing of all ended interviews; how many there were.

    It finds those whose process died between their end and the profile, and those that were held before there were
    profiles. A fault is logged, and tried again with the next call.
    """

    def keep_all() -> int:
        return _keep(settings, record, record.ended())

    return _guarded(keep_all, of="some interviews")


def forget_outcome(settings: Settings) -> Callable[[str], None]:
    """What has to be called with an interview's id when it is deleted.

    The function raises RecordError when the profile cannot be changed: then the interview is not to be deleted either.
    """

    def forget(interview_id: str) -> None:
        try:
            with opened_profiles(settings) as profiles:
                profiles.forget_interview(interview_id, at=time.time())
        except ProfileError as error:
            raise RecordError(f"{error} The interview stays in the list: mend that, and delete it again.") from error

    return forget


def _keep(settings: Settings, record: RecordStore, interviews: list[str]) -> int:
    if not interviews:
        return 0
    with opened_profiles(settings) as profiles:
        settled, kept = profiles.settled(), 0
        for interview_id in interviews:
            if interview_id in settled:
                continue
            try:
                outcome = outcome_of(interview_id, [stored.event for stored in record.events(interview_id)])
            except UnreadableError as error:
                _log.warning("nothing of it gets into a profile: %s", error)
                continue
            kept += outcome is not None and profiles.count(outcome)
        return kept


def _guarded(keep: Callable[[], int], *, of: str) -> int:
    try:
        return keep()
    except (ProfileError, RecordError) as error:
        _log.error("what %s showed is added to the profile later: %s", of, error)
        return 0
