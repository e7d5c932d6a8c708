"""Structures of feedback: which parts it has, in which order, by what the verdicts carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.verdict import Evaluation, NoAnswer, Unjudged
from domain.vocabulary import StoryPart
from graph.feedback.guardrails import Band, band_of

STRUCTURES: dict[str, tuple[str, ...]] = {
    "high": (
        "strength", "strength transition", "assent strength", "strength gap", "assent transition", "strength helped",
        "strength gap transition", "assent strength gap", "gap strength",
    ),
    "medium": (
        "strength gap", "gap strength", "strength transition", "gap transition", "strength gap transition",
        "strength gap helped", "transition gap", "effort gap",
    ),
    "low": (
        "effort gap", "noted gap", "transition gap", "effort noted gap", "gap effort", "noted gap transition",
        "gap transition", "helped noted gap", "helped gap",
    ),
    "unknown": ("honest pointer", "honest comfort pointer", "honest pointer comfort", "helped honest pointer"),
    "unsure": ("honest gap", "honest comfort gap", "honest gap comfort"),
    "unscored": ("unscored", "unscored room", "room unscored"),
    "unclear": ("unclear", "effort unclear", "unclear transition", "unclear effort"),
    "language": ("language",),
    "asked back": (
        "transition", "effort", "transition gap", "effort gap", "gap transition",
    ),
}  # fmt: skip
"""Parts in the order in which they are spoken, by the band of the score. Or for who does not know, for who does not
know and guessed what is not so, for what was too little to judge, for what the judge is not sure of, for another
language, and for who was asked back about what is not so."""
NO_ANSWERS: dict[NoAnswer, str] = {
    NoAnswer.QUESTION_BACK: "echo",
    NoAnswer.TO_THE_JUDGE: "judge",
}
"""The part that says why words were no answer."""
_LAST_RESORT = ("transition", "effort")
"""Where nothing else can be said truly: thanks."""
_NOTED_ONLY = ("noted transition", "effort noted", "noted")
"""Where something was told, and nobody can be sure that anything was left out."""


def structure_for(
    evaluation: Evaluation,
    turn: int,
    previous: Sequence[str],
    *,
    knows: bool = True,
    done: bool = False,
    asked_next: bool = False,
    own_work: bool = False,
) -> str:
    """The parts of the feedback on an answer, whoever words it: what must be said, in another order than lately.

    Args:
        evaluation: the verdicts it rests on.
        turn: chooses among structures that are equally fresh.
        previous: structures used so far, oldest first.
        knows: False when the candidate said that they do not know.
        done: the candidate said that they have no more to tell.
        asked_next: what is open is asked for in a moment.
        own_work: it was about something in the résumé.
    """
    has_told = not done or bool(evaluation.credited or evaluation.halves)
    if asked_next and has_told and evaluation.scores and not evaluation.doubts and not evaluation.no_answer:
        return vary(_before_asking(evaluation), turn, previous)
    return vary(supported(evaluation, knows=knows, done=done, own_work=own_work), turn, previous)


def _before_asking(evaluation: Evaluation) -> list[str]:
    """Structures that leave what is open to the question that follows."""
    assert evaluation.scores is not None
    if not evaluation.praised:
        return ["transition", "effort"]
    good = "noted" if band_of(evaluation.scores.overall) == "low" else "strength"
    return [good, f"{good} transition", f"effort {good}"]


def unjudged_part(evaluation: Evaluation) -> str:
    """The part that says why an answer without scores was not judged."""
    parts = {Unjudged.TOO_LITTLE: "unscored", Unjudged.OTHER_LANGUAGE: "language"}
    return parts.get(evaluation.unjudged, "unclear") if evaluation.unjudged else "unclear"


def vary(structures: Sequence[str], turn: int, previous: Sequence[str]) -> str:
    """A structure that was not used in the last two turns, if there is one; else not in the last."""
    fresh = (
        [structure for structure in structures if structure not in previous[-2:]]
        or [structure for structure in structures if structure not in previous[-1:]]
        or list(structures)
    )
    return fresh[turn % len(fresh)]


def open_points(evaluation: Evaluation, parts: Mapping[str, StoryPart] | None = None) -> tuple[str, ...]:
    """Key points that feedback may point at, the best to name first: surely missed, then made in part.

    Where there are none and the score is not high all the same, the judge is not sure: then the least sure point.
    Of a story, a part that was told in no way comes before one of which something was told.
    """
    told = {(parts or {}).get(verdict.point) for verdict in evaluation.credited} - {None}
    missed = sorted(evaluation.left_out, key=lambda point: (parts or {}).get(point) in told)
    open_ = (*missed, *(verdict.point for verdict in evaluation.halves))
    if open_ or evaluation.scores is None or band_of(evaluation.scores.overall) == "high":
        return open_
    return tuple(verdict.point for verdict in evaluation.credited[-1:])


def supported(evaluation: Evaluation, *, knows: bool, done: bool = False, own_work: bool = False) -> list[str]:
    """Structures for which there is something to say, and that leave out nothing which must be said."""
    good, wrong = bool(evaluation.credited or evaluation.halves), bool(evaluation.doubts)
    if evaluation.no_answer:
        return [NO_ANSWERS[evaluation.no_answer]]
    if done and not good and not wrong:
        return ["done"]
    if evaluation.scores is None and not evaluation.asked_back:
        return _without_scores(evaluation)
    unsupported = (set() if evaluation.hints else {"helped"}) | ({"assent"} if wrong else set())
    if not knows and not good:
        return [each for each in STRUCTURES["unsure" if wrong else "unknown"] if not unsupported & set(each.split())]
    if evaluation.scores is None:
        return [each for each in STRUCTURES["asked back"] if ("gap" in each.split()) == wrong]
    return _of_band(band_of(evaluation.scores.overall), evaluation, unsupported, own_work=own_work)


def _without_scores(evaluation: Evaluation) -> list[str]:
    """What was made of it all the same, or why nobody judged it."""
    if not evaluation.credited or evaluation.doubts:
        return list(STRUCTURES[unjudged_part(evaluation)])
    said = "noted" if evaluation.praised else "heard"
    return [said, f"{said} transition"]


def _of_band(band: Band, evaluation: Evaluation, unsupported: set[str], *, own_work: bool) -> list[str]:
    wrong = bool(evaluation.doubts)
    if not evaluation.praised:
        unsupported |= {"strength", "noted"}
    if not wrong and not (evaluation.left_out if own_work else open_points(evaluation)):
        unsupported.add("gap")
    if evaluation.credited and not (evaluation.praised or wrong or own_work):
        # Nothing is sure enough to be praised: what was said is said back, and not only thanked for.
        open_ = "" if "gap" in unsupported else " gap"
        return [f"heard{open_}", f"heard{open_} transition"]
    required = {"gap"} if wrong else set()
    if evaluation.praised and (evaluation.credited or band == "low"):
        # Whoever made a point hears so, except that a high score may also be met with a plain yes.
        required |= {"low": {"noted"}, "medium": {"strength"}, "high": set()}[band]
    used = {each: set(each.split()) for each in STRUCTURES[band]}
    if band == "high" and not wrong:
        # What little is left to say comes after what was good; only a doubt may come first.
        del used["gap strength"]
    fitting = [each for each, parts in used.items() if required <= parts and not unsupported & parts]
    return fitting or [*(_NOTED_ONLY if evaluation.praised else _LAST_RESORT)]
