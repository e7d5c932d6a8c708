"""What the candidate says in the interview that is killed again and again: together the turns visit every node.

A new intent is in it by itself; a new node that needs other words to be reached gets a line here.
"""

from __future__ import annotations

from typing import get_args

from domain.progress import Setup
from domain.vocabulary import Request
from graph import Interview, InterviewGraph
from tests.graph.fakes import Rig

_MOVES = ("change_topic", "easier", "harder", "technical_assessment")
"""They go the way of `skip`, and each takes a question, of which there are only so many."""
_SHORT = [request for request in get_args(Request) if request not in ("stop", "correct_myself", *_MOVES)]

CONVERSATION = (
    "good answer about oxidation of tea",
    "nothing that helps with this question",
    *(f"#{request}" for request in _SHORT),
    "half of it and no more #time_left",
    "good answer but not yet over #hint",
    "and this is the rest of it",
    "#skip?",
    "no",
    "and therefore it is better",
    "#correct_myself",
    "good answer after all",
    "#harder?",
    "yes please",
    "wrong from the start SCRAP good after all and right",
    "#correct_myself good answer in the end",
    "good answer to the last one #stop",
)
"""Turn 1 and the ones after it, in the words of `ScriptedDetector` and `ScriptedJudge`; turn 0 is the greeting."""


SETUP = Setup(
    interview_id="tea-1",
    candidate_name="Ada",
    minutes=48,
    # so that it has a role to begin with
    job_description="Leafworks is hiring a senior data engineer who knows about serving and milk.",
)


def interview(rig: Rig, graph: InterviewGraph, checkpointer: object) -> Interview:
    """The interview in which this is said, in a graph that was compiled without checkpoints, once for all of them."""
    return Interview(graph.copy({"checkpointer": checkpointer}), rig.context(), SETUP)
