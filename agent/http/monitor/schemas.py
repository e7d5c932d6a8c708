"""Schemas of the monitor: what its calls answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from agent.http.wishes import Name, Text
from domain.frozen_model import FrozenModel
from domain.person import Person
from domain.vocabulary import QuestionSource
from rag.profiles.admission import Asked
from review import Summary
from review.monitor.models import ActivityLine, MonitoredInterview


class GraphEdge(FrozenModel):
    """A way from a node of the graph to another."""

    source: str
    target: str
    conditional: bool
    """Taken by decision, not always."""


class GraphDrawing(FrozenModel):
    """The interview graph, as it is compiled."""

    nodes: tuple[str, ...]
    """With `__start__` and `__end__`."""
    edges: tuple[GraphEdge, ...]


class VectorProfile(FrozenModel):
    """What Chroma keeps of a person."""

    id: str
    """`profile_` and the person's id."""
    dimensions: int
    metadata: dict[str, str | float]


class AskableTopic(FrozenModel):
    """Something that the next question can be about."""

    id: str
    title: str
    source: QuestionSource
    """The pack's plan, or the résumé."""


class MonitorSnapshot(FrozenModel):
    """All that the monitor shows of a person, at a moment."""

    user_id: str
    person: Person | None
    """What is kept of them; None before their first interview has ended."""
    vector: VectorProfile | None
    profile_problem: str
    """Why the profile cannot be shown, as a sentence; empty when it can."""
    interviews: tuple[Summary, ...]
    """Theirs, newest first; at most twenty."""
    interview: MonitoredInterview | None
    """The one that was asked for; else the one that is running, else the newest."""
    activity: tuple[ActivityLine, ...]
    """Its last events, oldest first."""
    topics: tuple[AskableTopic, ...]
    """What the interview can be asked to go on with: those of its pack, then what is in the résumé."""
    to_ask: tuple[Asked, ...]
    """What a new interview of theirs would need to be told first: nothing that is known of them."""
    graph: GraphDrawing


class TopicRequest(BaseModel):
    """A topic that the next question should be about."""

    model_config = ConfigDict(
        extra="forbid", str_strip_whitespace=True, json_schema_extra={"examples": [{"topic": "caching", "by": "Grace"}]}
    )

    topic: Annotated[Text, Field(min_length=1, max_length=200, description="By id or title.")]
    by: Annotated[Text, Field(max_length=80)] = ""


class NoteRequest(BaseModel):
    """A note for the report."""

    model_config = ConfigDict(
        extra="forbid",
        str_strip_whitespace=True,
        json_schema_extra={"examples": [{"by": "Grace", "note": "Explains well under time pressure."}]},
    )

    by: Name
    note: Annotated[Text, Field(min_length=1, max_length=2000)]
    turn: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="The turn that it is about, 0 for the interview as a whole; left out, the last turn."
    )
