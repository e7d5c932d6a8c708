"""Snapshot of a person for the monitor: their profile, its vector, and the interview that is watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.http.monitor.coaching import askable_topics
from agent.http.monitor.schemas import AskableTopic, GraphDrawing, GraphEdge, MonitorSnapshot, VectorProfile
from agent.http.problems import ProblemError
from agent.interviews.profiles import opened_profiles, profile_embedder
from agent.settings import Settings
from domain.events import InterviewCreated
from domain.person import Person
from rag import Pack
from rag.profiles.admission import admitted
from rag.profiles.errors import ProfileError
from review import RecordStore, Stored, Summary
from review.monitor.activity import activity_line
from review.monitor.runtime import monitored

MOST_LINES = 300
"""Of the activity before the monitor was opened."""
MOST_INTERVIEWS = 20


def graph_drawing() -> GraphDrawing:
    """The interview graph. The first call takes about a second: it loads what runs the graph."""
    from graph.diagram import interview_drawing  # noqa: PLC0415 - see above

    drawn = interview_drawing()
    edges = (GraphEdge(source=e.source, target=e.target, conditional=e.conditional) for e in drawn.edges)
    return GraphDrawing(nodes=drawn.nodes, edges=tuple(edges))


def graph_nodes() -> frozenset[str]:
    """Names of the graph's nodes."""
    return frozenset(graph_drawing().nodes)


def interviews_of(store: RecordStore, user_id: str) -> list[Summary]:
    """The interviews of a person that can be read, newest first."""
    return [each for each in store.interviews() if each.user_id == user_id and each.status != "unreadable"]


def watched_interview(settings: Settings, store: RecordStore, user_id: str, interview_id: str | None) -> str | None:
    """Id of the interview to show of a person; None when they have none.

    Args:
        settings: the settings in force.
        store: the record.
        user_id: the person.
        interview_id: the one that is asked for; None for the one that is running, else the newest.

    Raises:
        ProblemError: nobody knows this person, or the interview is not theirs.
    """
    theirs = interviews_of(store, user_id)
    if interview_id is not None:
        if all(each.id != interview_id for each in theirs):
            raise ProblemError("unknown-session", f"{user_id!r} has no interview {interview_id!r} here.")
        return interview_id
    if theirs:
        return next((each for each in theirs if each.status == "running"), theirs[0]).id
    if _profile(settings, user_id)[0] is None:
        raise ProblemError(
            "unknown-person",
            f"Nobody here is known as {user_id!r}: nothing is kept of them, and there is no interview of theirs. "
            "GET /api/interviews and GET /api/v1/profiles list who is.",
        )
    return None


def monitor_snapshot(
    settings: Settings,
    store: RecordStore,
    packs: Mapping[str, Pack],
    user_id: str,
    interview_id: str | None = None,
) -> MonitorSnapshot:
    """All that is known of a person now. It reads disks, and belongs into a thread.

    Raises:
        ProblemError: as for `watched_interview`.
        RecordError: the record cannot be read.
    """
    shown = watched_interview(settings, store, user_id, interview_id)
    person, vector, problem = _profile(settings, user_id)
    drawing = graph_drawing()
    stored = store.events(shown) if shown else []
    return MonitorSnapshot(
        user_id=user_id,
        person=person,
        vector=vector,
        profile_problem=problem,
        interviews=tuple(interviews_of(store, user_id)[:MOST_INTERVIEWS]),
        interview=monitored(shown, stored, nodes=frozenset(drawing.nodes)) if shown else None,
        activity=tuple(activity_line(one) for one in stored[-MOST_LINES:]),
        topics=tuple(_topics(stored, packs)),
        to_ask=admitted(person).to_ask,
        graph=drawing,
    )


def _topics(stored: Sequence[Stored], packs: Mapping[str, Pack]) -> list[AskableTopic]:
    created = next((one.event for one in stored if isinstance(one.event, InterviewCreated)), None)
    return askable_topics(created, packs) if created else []


def _profile(settings: Settings, user_id: str) -> tuple[Person | None, VectorProfile | None, str]:
    """What is kept of a person, its vector, and why not where it cannot be read: an interview is shown in any case."""
    if not settings.profile_url and not (settings.data_dir / "profiles.sqlite").exists():
        return None, None, ""
    from rag.profiles.vectors import ProfileVectors  # noqa: PLC0415 - it loads what few need

    person, vector = None, None
    try:
        with opened_profiles(settings) as profiles:
            person = profiles.person(user_id)
        if person is not None:
            vectors = ProfileVectors(settings.profile_vectors_dir, lambda: profile_embedder(settings))
            if kept := vectors.get(user_id):
                vector = VectorProfile(id=kept.id, dimensions=len(kept.embedding), metadata=kept.metadata)
    except ProfileError as error:
        return person, None, str(error)
    return person, vector, ""
