"""Feedback to be read: what a candidate hears on labelled answers, beside what the authors of the answers say of them.

Whether feedback is true, specific and worth hearing can be counted only in part (`python -m bench judging --only met`);
somebody has to read it. `python -m bench feedback --help` names the styles and the answers.
"""

from __future__ import annotations

import argparse
import asyncio
import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from types import SimpleNamespace
from typing import cast

from rich.console import Console

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from bench.judging import data
from domain.question import Question
from domain.verdict import Evaluation
from domain.vocabulary import FeedbackMode
from graph.context import InterviewContext
from graph.feedback.about import about_answer
from graph.feedback.coaching import coached
from graph.feedback.compose import Feedback, Manner, compose
from graph.feedback.lessons import lesson_on
from graph.judging import BuiltInJudge
from graph.judging.entailment import EncoderReader
from graph.judging.panel import has_no_more, says_unknown
from graph.judging.scoring import evaluation_of
from graph.templates import feedback_wording
from rag import MiniLM

ANSWERS: Mapping[str, Callable[[], list[data.SpokenAnswer]]] = {
    "real-rates": data.answers_at_real_rates,
    "spoken": data.spoken_answers,
    "later": data.more_spoken_answers,
    "personas": data.answers_of_personas,
}
_IN_A_ROW = 5
"""Answers of one interview: what was said and told in it is not said again."""
_WIDTH = 120
_STATED = {True: "stated", False: "-", None: "not marked"}


def main(arguments: Sequence[str] = ()) -> None:
    """Print what is said on answers to questions of the packs, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m bench feedback", description=main.__doc__)
    parser.add_argument("--style", choices=("coach", "interviewer"), default="coach")
    parser.add_argument("--of", choices=[*ANSWERS], default="real-rates", help="which answers")
    parser.add_argument("--every", type=int, default=4, help="one answer in so many")
    parser.add_argument("--first", type=int, default=0, help="the first that is read")
    chosen = parser.parse_args(arguments)
    settings = load_settings()
    embedder = MiniLM.load(ensure_models(settings).embedder)
    judge = BuiltInJudge(EncoderReader(), embedder=embedder)
    of_packs = [each for each in ANSWERS[chosen.of]() if data.concept_behind(each.question.text)]
    interview = _Interview(chosen.style, embedder)
    console = Console(width=_WIDTH, highlight=False, markup=False)
    for answer in of_packs[chosen.first :: chosen.every]:
        question = answer.question.model_copy(update={"concepts": data.concept_names(answer.question.text)})
        evaluation = evaluation_of("built-in", question, judge.judge(question, answer.words))
        said = interview.feedback(question, evaluation, answer.words)
        console.print("\n".join(_told(answer, evaluation, said)), end="\n\n")


class _Interview:
    """What was said so far, as an interview remembers it."""

    def __init__(self, style: FeedbackMode, embedder: MiniLM) -> None:
        self._style = style
        # All that finding the nearest idea asks of an interview.
        self._context = cast(
            "InterviewContext", SimpleNamespace(embedder=embedder, topic_title=lambda topic: topic.replace("-", " "))
        )
        self._structures: list[str] = []
        self._said: list[str] = []
        self._told: set[str] = set()
        self._turn = 0

    def feedback(self, question: Question, evaluation: Evaluation, words: Sequence[str]) -> Feedback:
        if self._turn % _IN_A_ROW == 0:
            self._structures, self._said, self._told = [], [], set()
        self._turn += 1
        knows = not says_unknown(words)
        manner = Manner(
            self._turn,
            feedback_wording(),
            previous=self._structures,
            said=self._said,
            knows=knows,
            done=has_no_more(question, words),
        )
        about = asyncio.run(about_answer(evaluation, question, words, self._context))
        if self._style == "interviewer":
            said = compose(evaluation, about, manner)
        else:
            concept = data.concept_behind(question.text)
            lesson = lesson_on(evaluation, question, concept=concept, knows=knows, told=self._told, words=words)
            said = coached(evaluation, about, lesson, manner)
            self._told.update(lesson.told if lesson else ())
        self._structures.append(said.structure)
        self._said += said.sentences
        return said


def _told(answer: data.SpokenAnswer, evaluation: Evaluation, said: Feedback) -> list[str]:
    """An answer, its labels beside the verdicts, and what is said about it."""
    score = f"{evaluation.scores.overall:.1f}" if evaluation.scores else "no score"
    verdicts = {each.point: each for each in evaluation.verdicts}
    labels = [
        f"  {label:12} {verdicts[point].status:12} {verdicts[point].probability:.2f}  {point}"
        for point, label in zip(answer.question.targets.points, answer.labels, strict=True)
    ]
    stated = [
        f"  {_STATED[is_stated]:12} {verdicts[idea].status if idea in verdicts else '-':12}       {idea}"
        for idea, is_stated in zip_longest(answer.question.targets.misconceptions, answer.misconceptions)
        if is_stated or idea in verdicts
    ]
    return [
        f"## {answer.id}: {answer.question.text}",
        *textwrap.wrap(" ".join(answer.words), _WIDTH),
        f"  {'author':12} {'judge':12} ({score})",
        *labels,
        *stated,
        *textwrap.wrap(f">> [{said.structure}] {said.text}", _WIDTH),
    ]


if __name__ == "__main__":
    main()
