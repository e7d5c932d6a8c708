"""The model judge in `make bench-judging`."""

from __future__ import annotations

from collections.abc import Sequence

from bench.judging.beside_model import EVERY, figures
from bench.judging.data import spoken_answers
from bench.judging.spoken import Judged
from domain.question import Question
from domain.verdict import Verdict
from graph.judging import JudgePanel
from graph.judging.llm_judge import JudgingError
from tests.graph.fakes import ScriptedJudge


class KnowsTheLabels(ScriptedJudge):
    """Says what the authors say; of some answers nothing."""

    def __init__(self, silent_from: int) -> None:
        super().__init__("knowing")
        self._silent_from = silent_from
        self._labels = {answer.words: answer.labels for answer in spoken_answers()}

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        given = await super().verdicts(question, words)
        if len(self.judged) > self._silent_from:
            raise JudgingError("silent")
        labels = self._labels[tuple(words)]
        return tuple(verdict.model_copy(update={"status": label}) for verdict, label in zip(given, labels, strict=True))


async def _all_missing() -> Judged:
    answers = spoken_answers()
    judge = ScriptedJudge(script=lambda _: "missing")
    return Judged(answers, [await judge.verdicts(answer.question, answer.words) for answer in answers])


async def test_both_judges_are_measured_on_the_answers_that_the_model_judged() -> None:
    """Who says what the authors say is right in all of them; answers without its verdicts are counted, not guessed."""
    made = await _all_missing()
    panel = JudgePanel(ScriptedJudge("built-in", lambda _: "missing"), KnowsTheLabels(silent_from=6))
    rows = {figure.what: figure for figure in await figures(panel, made)}
    accuracy = rows["6 spoken answers that knowing judged: four-way accuracy"]
    labels = [label for answer in made.answers[: 6 * EVERY : EVERY] for label in answer.labels]
    assert (accuracy.viva, accuracy.model) == (labels.count("missing") / len(labels), 1.0)
    assert rows["- missing points given credit"].model == 0.0
    assert rows["- answers it could not judge"].model == 1 - 6 / len(made.answers[::EVERY])


async def test_where_no_model_answers_there_is_no_row() -> None:
    """And it is not asked again and again."""
    model = KnowsTheLabels(silent_from=0)
    assert await figures(JudgePanel(ScriptedJudge("built-in"), model), await _all_missing()) == []
    assert len(model.judged) == 1
