"""The model judge on some of the spoken answers, where a language model answers; the built-in judge on the same."""

from __future__ import annotations

from bench.judging.figures import Figure
from bench.judging.spoken import Judged, measured
from domain.verdict import Evaluation
from graph.judging import JudgePanel

EVERY = 4
"""One answer in so many: a model takes seconds, on a processor minutes."""

_MEASURES = (
    ("four-way accuracy", "accuracy"),
    ("- contradictions found", "contradictions"),
    ("- missing points given credit", "false credit"),
)


async def figures(panel: JudgePanel, made: Judged) -> list[Figure]:
    """What the model judge makes of these answers; nothing, when no model judges the first of them.

    Args:
        panel: with a model in front of the built-in judge.
        made: all answers, as the built-in judge judged them.
    """
    some = Judged(made.answers[::EVERY], made.verdicts[::EVERY])
    found: list[Evaluation] = []
    for turn, answer in enumerate(some.answers, start=1):
        found.append(await panel.evaluate(answer.question, answer.words, turn=turn, however_short=True))
        if all(each.fallback for each in found):
            return []
    places = [place for place, evaluation in enumerate(found) if not evaluation.fallback]
    labels = [label for place in places for label in some.answers[place].labels]
    built_in, model = (
        [verdict.status for place in places for verdict in verdicts[place] if verdict.kind == "key_point"]
        for verdicts in (some.verdicts, [evaluation.verdicts for evaluation in found])
    )
    of = f"{len(places)} spoken answers that {found[places[0]].judge} judged"
    return [
        *(
            Figure(
                what if what.startswith("-") else f"{of}: {what}",
                measured(measure, labels, built_in),
                model=measured(measure, labels, model),
            )
            for what, measure in _MEASURES
        ),
        Figure("- answers it could not judge", 0.0, model=1 - len(places) / len(found)),
    ]
