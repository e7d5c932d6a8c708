"""What the interview graph costs per turn: end of the answer to feedback, and to the next question.

The graph runs as it does in an interview: real embeddings, real bank, checkpoints on disk written before each next
node. "Instant" detector and judge show the graph alone; the other rows add what tells answers from requests, the
built-in judge, and a question selector that is held back, which feedback must not wait for.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from bench.asked_questions import questions_of
from domain.progress import Setup
from domain.question import Question
from domain.verdict import Verdict
from graph import Interview, InterviewContext, build_graph, sqlite_checkpointer
from graph.intents import IntentDetector, RuleDetector, Understood
from graph.judging import BuiltInJudge, Judge, JudgePanel
from rag import Embedder, MiniLM, Pack, SessionQuestions, load_packs

TURNS = 8
HELD_BACK_S = 0.5


class InstantJudge:
    """Covers every point at once, so that only the graph's own time is left."""

    name = "instant"

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:  # noqa: ARG002
        """Every point covered."""
        return tuple(Verdict(point=p, status="covered", probability=1, rule="") for p in question.targets.points)


class InstantDetector:
    """Takes everything for an answer at once."""

    name = "instant"

    async def understand(self, words: Sequence[str], *, turn: int, question: str = "") -> Understood:  # noqa: ARG002
        """An answer."""
        return Understood(request=None, confidence=1, answer=(0, len(words) - 1), detector=self.name)


@dataclass
class Timings:
    """Milliseconds from the end of the answer."""

    feedback_ms: list[float] = field(default_factory=list)
    question_ms: list[float] = field(default_factory=list)


async def main() -> None:
    """Measure and print."""
    embedder = MiniLM.load(ensure_models(load_settings()).embedder)
    pack = load_packs()["backend"]
    with tempfile.TemporaryDirectory() as folder:
        questions = questions_of(pack, embedder, Path(folder))
        built_in = BuiltInJudge()
        # Each answer once: the embedder remembers sentences, and a second judging would be faster than any real one.
        answers = [question.model_answer for question in pack.questions]
        rules = RuleDetector()
        table = Table("detector", "judge", "selector", "to feedback p50 / p95", "to question p50 / p95")
        for detector, judge, held_back_s in (
            (InstantDetector(), InstantJudge(), 0.0),
            (rules, InstantJudge(), 0.0),
            (rules, built_in, 0.0),
            (rules, built_in, HELD_BACK_S),
        ):
            path = Path(folder) / f"{detector.name}-{judge.name}-{held_back_s}.sqlite"
            timings = await _turns(detector, judge, held_back_s, pack, questions, embedder, path, answers)
            held = f"held back {held_back_s:.1f} s" if held_back_s else "as it is"
            table.add_row(detector.name, judge.name, held, _row(timings.feedback_ms), _row(timings.question_ms))
    Console().print(table)


async def _turns(  # noqa: PLR0917 - each is one of the things the turns are made of
    detector: IntentDetector,
    judge: Judge,
    held_back_s: float,
    pack: Pack,
    questions: SessionQuestions,
    embedder: Embedder,
    path: Path,
    answers: list[str],
) -> Timings:
    context = InterviewContext(
        pack=pack,
        questions=questions,
        embedder=embedder,
        detector=detector,
        judges=JudgePanel(judge),
        clock=time.time,
        slow_selector_s=held_back_s,
    )
    timings = Timings()
    async with sqlite_checkpointer(path) as saver:
        interview = Interview(build_graph(saver), context, Setup(path.stem, "Ada", 90))
        async for _ in interview.begin():
            pass
        await interview.look_ahead()  # while the candidate answers the first question, as in any interview
        for turn in range(1, TURNS):
            answer = answers.pop()
            started = time.perf_counter()
            async for say in interview.answer(answer, turn):
                spent_ms = (time.perf_counter() - started) * 1000
                if say.kind == "feedback":
                    timings.feedback_ms.append(spent_ms)
                if say.kind == "question":
                    timings.question_ms.append(spent_ms)
    return timings


def _row(values_ms: Sequence[float]) -> str:
    return f"{np.percentile(values_ms, 50):.0f} / {np.percentile(values_ms, 95):.0f} ms"


if __name__ == "__main__":
    asyncio.run(main())
