"""Traces, `viva traces INTERVIEW`: what an interview's turns took, node by node, and what its models did."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.observability.metrics import VOICE_STAGES
from agent.settings import Settings
from domain.events import Event, FellBack, GateFailed, InterviewCreated, ModelCalled, Retrieved, StageTimed
from domain.vocabulary import Tier
from review.record.store import RecordError, RecordStore

_TURNS_A_TABLE = 12
_MS = 1000


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing that was done, or went wrong, in a turn."""

    interview_id: str
    turn: int
    kind: Literal["node", "model", "retrieval", "gate", "fallback"]
    name: str
    """The node, or the agent that a model was asked by."""
    started_at: float
    """Seconds since the epoch, by the interview's clock."""
    seconds: float
    ok: bool = True
    tier: Tier | Literal[""] = ""
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    why: str = ""
    """Why it was of no use, or what came of it, in a few words."""


def print_traces(settings: Settings, interview_id: str, *, as_json: bool) -> int:
    """Print an interview's traces; 1 when there are none or they cannot be read."""
    try:
        events = _events(settings, interview_id)
    except RecordError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    traces = traces_of(interview_id, events)
    if not traces:
        sys.stderr.write(f"There are no traces of interview {interview_id!r} in {settings.record_path}.\n")
        return 1
    if as_json:
        sys.stdout.write(json.dumps([asdict(trace) for trace in traces], ensure_ascii=False, indent=2) + "\n")
        return 0
    console = Console(highlight=False)
    for part in (*_node_tables(traces, whole=not _is_virtual(events)), _model_table(traces), _trouble_table(traces)):
        if part.row_count:
            console.print(part)
    return 0


def traces_of(interview_id: str, events: Sequence[Event]) -> list[Trace]:
    """What the events say of nodes, models and retrievals, in the order in which things began."""
    traces = [trace for event in events if (trace := _trace(interview_id, event)) is not None]
    return sorted(traces, key=lambda trace: trace.started_at)


def _trace(of: str, event: Event) -> Trace | None:
    match event:
        case StageTimed() if event.stage not in VOICE_STAGES:
            return Trace(of, event.turn, "node", event.stage, event.at - event.seconds, event.seconds)
        case Retrieved():
            came_of_it = f"{event.grade}, {'from the cache' if event.cached else f'{event.attempts} attempts'}"
            began_at = event.at - event.seconds
            return Trace(of, event.turn, "retrieval", "retrieval", began_at, event.seconds, why=came_of_it)
        case ModelCalled():
            about = event.model_dump(
                include={"turn", "seconds", "ok", "tier", "model", "tokens_in", "tokens_out", "why"}
            )
            return Trace(of, kind="model", name=event.agent, started_at=event.at - event.seconds, **about)
        case GateFailed():
            return Trace(of, event.turn, "gate", event.agent, event.at, 0.0, ok=False, why=event.check)
        case FellBack():
            return Trace(of, event.turn, "fallback", event.agent, event.at, 0.0, ok=False, why=event.why)
        case _:
            return None


def _events(settings: Settings, interview_id: str) -> list[Event]:
    if not settings.record_path.exists():
        return []
    store = RecordStore(settings.record_path)
    try:
        return [stored.event for stored in store.events(interview_id)]
    finally:
        store.close()


def _is_virtual(events: Sequence[Event]) -> bool:
    """True when the interview's time stands still while nodes run: then nobody knows how they overlap."""
    return any(isinstance(event, InterviewCreated) and event.time == "virtual" for event in events)


def _node_tables(traces: Sequence[Trace], *, whole: bool) -> Iterator[Table]:
    """Milliseconds of each node in each turn, as many turns a table as fit a terminal."""
    spent: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for trace in traces:
        if trace.kind in {"node", "retrieval"}:
            spent[trace.name][trace.turn] += trace.seconds * _MS
    turns = sorted({turn for of_node in spent.values() for turn in of_node})
    for first in range(0, len(turns), _TURNS_A_TABLE):
        shown = turns[first : first + _TURNS_A_TABLE]
        table = Table("node", title="milliseconds by turn", title_justify="left", box=None, pad_edge=False)
        for turn in shown:
            table.add_column(str(turn), justify="right")
        for name, of_node in spent.items():
            table.add_row(name, *(f"{of_node[turn]:.0f}" if turn in of_node else "" for turn in shown))
        if whole:
            table.add_row(Text("whole turn", "bold"), *(f"{_whole_ms(traces, turn):.0f}" for turn in shown))
        yield table


def _whole_ms(traces: Sequence[Trace], turn: int) -> float:
    """From the beginning of a turn's first node to the end of its last; nodes may run side by side."""
    nodes = [trace for trace in traces if trace.kind == "node" and trace.turn == turn]
    if not nodes:
        return 0.0
    ended_at = max(node.started_at + node.seconds for node in nodes)
    return (ended_at - min(node.started_at for node in nodes)) * _MS


def _model_table(traces: Sequence[Trace]) -> Table:
    """Calls of each agent to each model."""
    calls: dict[tuple[str, str, str], list[Trace]] = defaultdict(list)
    for trace in traces:
        if trace.kind == "model":
            calls[trace.name, trace.tier, trace.model].append(trace)
    table = Table(title="model calls", title_justify="left", box=None, pad_edge=False)
    for column in ("agent", "tier", "model"):
        table.add_column(column)
    for column in ("calls", "failed", "slowest ms", "tokens in", "tokens out"):
        table.add_column(column, justify="right")
    for of, made in sorted(calls.items()):
        table.add_row(
            *of,
            str(len(made)),
            str(sum(not call.ok for call in made)),
            f"{max(call.seconds for call in made) * _MS:.0f}",
            str(sum(call.tokens_in for call in made)),
            str(sum(call.tokens_out for call in made)),
        )
    return table


def _trouble_table(traces: Sequence[Trace]) -> Table:
    """What did not work, and why."""
    table = Table("turn", "what", "who", title="what did not work", title_justify="left", box=None, pad_edge=False)
    table.add_column("why", overflow="fold")
    for trace in traces:
        if not trace.ok:
            table.add_row(str(trace.turn), trace.kind, trace.name, Text(trace.why))
    return table
