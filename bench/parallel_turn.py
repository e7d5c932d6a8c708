"""What running feedback and the choice of the next question side by side is worth, with models of a known speed.

The models are scripted: they take the time that a 14B and a 7B model take for each kind of call on one graphics card
(2.5 s for a judgement or a follow-up, 1.25 s for a review or a choice, feedback at 25 words a second after 0.4 s). All
else is real: prompts, structured output, gates, bank, checkpoints on disk. The alternative is the same nodes one after
the other. Turns of both take turns, in one run.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections import defaultdict
from itertools import count, pairwise
from pathlib import Path

import numpy as np
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from rich.console import Console
from rich.table import Table

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from bench.asked_questions import questions_of
from bench.scripted_chat import Says, Script, ScriptedChat
from domain.events import nobody
from domain.progress import Setup
from graph import Interview, InterviewContext, build_graph, nodes, sqlite_checkpointer
from graph.intents import RuleDetector
from graph.judging import BuiltInJudge, JudgePanel, ModelJudge
from graph.language_models import LanguageModels
from graph.language_models.circuit_breaker import ChatTier
from graph.language_models.pool import TieredModels
from graph.language_models.session import InterviewModels
from graph.state import InterviewState
from graph.wiring import InterviewGraph
from rag import Embedder, MiniLM, Pack, SessionQuestions, load_packs

TURNS = 8
JUDGED_S, FOLLOWED_UP_S, REVIEWED_S, CHOSEN_S, FIRST_WORD_S, A_WORD_S = 2.5, 2.5, 1.25, 1.25, 0.4, 0.04
ANSWER = "I would put it behind a cache and set a time to live so that what is read often does not hit the database"
FEEDBACK = (
    "In part {n} you brought out that what is read often is cached. "
    "For part {n}, think about the moment at which that data is updated."
)
"""Numbered, because no sentence is spoken twice in an interview."""
MEASURED = ("first clause of feedback", "feedback complete", "question")


async def main() -> None:
    """Measure and print."""
    embedder = MiniLM.load(ensure_models(load_settings()).embedder)
    pack = load_packs()["backend"]
    waited: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        questions = questions_of(pack, embedder, Path(folder))
        async with sqlite_checkpointer(Path(folder) / "checkpoints.sqlite") as saver:
            interviews = {
                "side by side": _interview("side-by-side", build_graph(saver), pack, questions, embedder),
                "one after the other": _interview("in-sequence", in_sequence(saver), pack, questions, embedder),
            }
            for interview in interviews.values():
                await _all_of(interview, 0)
            for turn in range(1, TURNS + 1):
                for way, interview in interviews.items():
                    for what, seconds in zip(MEASURED, await _all_of(interview, turn), strict=True):
                        waited[way, what].append(seconds)
    _print(waited)


def in_sequence(checkpointer: BaseCheckpointSaver[str]) -> InterviewGraph:
    """The nodes of a judged turn, one after the other."""
    graph = StateGraph(InterviewState, InterviewContext)
    opening = ("create_plan", "greet", "select_question")
    turn = ("detect_intent", "evaluate", "give_feedback", "select_question")
    for name in dict.fromkeys((*opening, *turn, "validate_question", "supervise", "ask_question")):
        graph.add_node(name, getattr(nodes, name))
    graph.add_conditional_edges(
        START, lambda state: turn[0] if state.get("interview_plan") else opening[0], [turn[0], opening[0]]
    )
    for one, other in (*pairwise(opening), *pairwise(turn), ("select_question", "validate_question")):
        graph.add_edge(one, other)
    graph.add_conditional_edges(
        "validate_question",
        lambda state: "supervise" if state.get("questions_asked") else "ask_question",
        ["supervise", "ask_question"],
    )
    graph.add_edge("supervise", "ask_question")
    graph.add_edge("ask_question", END)
    return graph.compile(checkpointer=checkpointer)


def _interview(
    name: str, graph: InterviewGraph, pack: Pack, questions: SessionQuestions, embedder: Embedder
) -> Interview:
    chats = {tier: ScriptedChat(script=_script(pack), name=tier) for tier in ("complex", "fast")}
    tiers = {tier: ChatTier(chat, chat.name) for tier, chat in chats.items()}
    models: LanguageModels = InterviewModels(TieredModels(tiers), nobody, time.time)  # type: ignore[arg-type]
    context = InterviewContext(
        pack=pack,
        questions=questions,
        embedder=embedder,
        detector=RuleDetector(),
        judges=JudgePanel(BuiltInJudge(), ModelJudge(models, lambda: "scripted")),
        clock=time.time,
        models=models,
        model_feedback=True,
    )
    return Interview(graph, context, Setup(name, "Ada", 90))


def _script(pack: Pack) -> Script:
    """Each agent's reply and how long it takes. Half the points are covered, so there are follow-ups as well."""

    def verdicts(prompt: str) -> Says:
        count = max(1, sum(line[:1].isdigit() for line in prompt.splitlines()))
        quoted = [
            {"point": n, "quote": ANSWER[:40] if n % 2 else "", "status": "covered" if n % 2 else "missing"}
            for n in range(1, count + 1)
        ]
        return Says({"verdicts": quoted}, after_s=JUDGED_S)

    def first_candidate(prompt: str) -> Says:
        known = {question.id for question in pack.questions}
        chosen = next(
            (word for line in prompt.splitlines() if (word := line.strip("- ").partition(":")[0]) in known), ""
        )
        return Says({"selected_id": chosen}, after_s=CHOSEN_S)

    numbers = count(1)
    return {
        "planner": json.dumps({"reason": "", "topics": []}),
        "evaluator": verdicts,
        "reflection": Says({"reviews": []}, after_s=REVIEWED_S),
        "feedback": lambda _: Says(FEEDBACK.format(n=next(numbers)), after_s=FIRST_WORD_S, a_word_s=A_WORD_S),
        "selection": first_candidate,
        "follow_up": Says({"question": "And what would you do when the data changes?"}, after_s=FOLLOWED_UP_S),
        "clarification": Says({"question": "Would that always hold?"}, after_s=FOLLOWED_UP_S),
        "summary": Says({"summary": "They talked about caching."}, after_s=JUDGED_S),
        "metrics_feedback": Says("no JSON", after_s=CHOSEN_S),
        "retrieval_grader": Says({"feedback": "They fit.", "grade": "medium"}, after_s=CHOSEN_S),
        "query_refiner": Says({"query": "another way to ask for it"}, after_s=CHOSEN_S),
    }


async def _all_of(interview: Interview, turn: int) -> tuple[float, float, float]:
    """Seconds until the first and the last words of feedback, and until the question."""
    started, feedback, question = time.perf_counter(), [0.0], 0.0
    async for say in interview.answer(f"{ANSWER} number {turn}", turn) if turn else interview.begin():
        spent = time.perf_counter() - started
        if say.kind == "feedback":
            feedback = [*(feedback if feedback != [0.0] else []), spent]
        if say.kind == "question":
            question = spent
    return feedback[0], feedback[-1], question


def _print(waited: dict[tuple[str, str], list[float]]) -> None:
    table = Table("seconds after the answer, p50 / p95", "side by side", "one after the other", "ratio of p50")
    for what in MEASURED:
        cells = [np.percentile(waited[way, what], (50, 95)) for way in ("side by side", "one after the other")]
        ratio = cells[0][0] / cells[1][0]
        table.add_row(what, *(f"{p50:.2f} / {p95:.2f}" for p50, p95 in cells), f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
