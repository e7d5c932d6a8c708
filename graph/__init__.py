"""The interview: state, wiring, one module a node, judging and planning. It knows nothing of rooms, voices or screens.

Read `wiring` first: it is the whole interview in one picture. Whoever drives it uses `Interview`.
"""

from graph.checkpoints.errors import CheckpointError
from graph.checkpoints.opening import open_checkpointer, sqlite_checkpointer
from graph.checkpoints.speculation import HeadMovedError, Speculation, SpeculationError
from graph.context import InterviewContext
from graph.interview import Interview, InterviewOverError
from graph.wiring import InterviewGraph, build_graph

__all__ = [
    "CheckpointError",
    "HeadMovedError",
    "Interview",
    "InterviewContext",
    "InterviewGraph",
    "InterviewOverError",
    "Speculation",
    "SpeculationError",
    "build_graph",
    "open_checkpointer",
    "sqlite_checkpointer",
]
