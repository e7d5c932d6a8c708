"""`viva traces INTERVIEW`: what an interview's turns took, node by node, and what its models did."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.observability.trace_store import Trace, TraceError, TraceStore
from agent.settings import Settings

_TURNS_A_TABLE = 12
_MS = 1000


def print_traces(settings: Settings, interview_id: str, *, as_json: bool) -> int:
    """Print an interview's traces; 1 when there are none or they cannot be read."""
    try:
        traces = TraceStore(settings.traces_path).of_interview(interview_id)
    except TraceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not traces:
        sys.stderr.write(
            f"There are no traces of interview {interview_id!r} in {settings.traces_path}. They are kept for 30 days, "
            "and an interview's are deleted with it.\n"
        )
        return 1
    if as_json:
        sys.stdout.write(json.dumps([asdict(trace) for trace in traces], ensure_ascii=False, indent=2) + "\n")
        return 0
    console = Console(highlight=False)
    for part in (*_node_tables(traces), _model_table(traces), _trouble_table(traces)):
        if part.row_count:
            console.print(part)
    return 0


def _node_tables(traces: Sequence[Trace]) -> Iterator[Table]:
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
