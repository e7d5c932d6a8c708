"""Panel of judges: which one judges an answer, what happens when it fails, and when there is nothing to judge."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from domain.question import Question
from domain.verdict import Evaluation, NoAnswer, Unjudged, Verdict
from graph.encoders import EncoderError
from graph.in_time import OutOfTimeError, in_time
from graph.judging.llm_judge import JudgingError, ModelJudge
from graph.judging.no_answer import is_other_language, no_answer
from graph.judging.scoring import evaluation_of
from graph.judging.text.stems import content_stems
from graph.judging.validators import drifted, evaluator_gate
from graph.language_models.deadline import models_within, seconds_left

_log = logging.getLogger(__name__)

_MIN_CONTENT_WORDS = 3
"""An answer with fewer words that carry meaning cannot be told from a misheard cough, unless it is about the matter."""
_TALK = content_stems(
    "yes yeah yep yup no not nope nah okay ok right sure hmm hm mm mhm ah oh eh er erm uhm huh hello hi hey please "
    "sorry thanks thank know think guess mean see say said tell believe suppose question good great nice fine "
    "interesting actually basically maybe perhaps probably hard again wait hold moment second minute back yet still "
    "got going go it's that's i'm i'd i'll i've let's you're there's don't isn't"
)
"""Words by which alone nothing is said, however narrow the question was."""

_MOST_WORDS_UNKNOWN = 30
"""In a longer answer, "I wasn't sure" is part of what is told."""
_DOES_NOT_KNOW = re.compile(
    r"\b(i (do not|don't|dont) (really )?(know|remember)|no idea|not sure|can'?t remember|i'?d have to (guess|pass)|"
    r"never (used|heard of|worked with)|(have|need|would|i'd) (to )?look (that|it|this) up|"
    r"(can ?not|can'?t|could not|couldn'?t) (really )?explain)\b",
    re.IGNORECASE,
)
_HAS_DONE = re.compile(
    r"\b(that('?s| is| was) ((about|basically|pretty much|more or less|really) )?(it|all|everything)|"
    r"nothing (else|more|to add)|i('?m| am) (done|finished)|"
    r"i('?ve| have) (said|told)( you)? (all|everything|what))\b",
    re.IGNORECASE,
)

_LATE_S = 1.0
"""Seconds behind its deadline in which a model that keeps to it has been given up."""

_MODEL_FAULTS = (TimeoutError, JudgingError)
"""How a model judge fails. What its models can do wrong is caught where they are asked; anything else is our fault."""


class Judge(Protocol):
    """Whoever gives verdicts."""

    @property
    def name(self) -> str:
        """As the record calls it."""
        ...

    def verdicts(self, question: Question, words: Sequence[str]) -> Coroutine[Any, Any, tuple[Verdict, ...]]:
        """A verdict for each key point of the question."""
        ...


@dataclass(frozen=True, slots=True)
class JudgePanel:
    """The judges of an interview: the built-in one, and a model in front of it when there is one."""

    built_in: Judge
    model: Judge | None = None
    model_timeout_s: float = 15.0
    built_in_timeout_s: float = 12.0
    """Seconds for the built-in judge, which needs tenths of one; what takes longer is not scored."""
    stands_in: bool = False
    """A model was to judge, and had no time: the built-in judge took over, and says so."""

    @property
    def name(self) -> str:
        """The judge that is asked first, and is there."""
        return self.model.name if self.model and _is_expected(self.model) else self.built_in.name

    def with_note(self, note: str) -> JudgePanel:
        """The same judges, of whom a model reads a person's note on an earlier verdict; the built-in judge cannot."""
        return replace(self, model=replace(self.model, note=note)) if isinstance(self.model, ModelJudge) else self

    def without_model(self, timeout_s: float) -> JudgePanel:
        """The built-in judge alone, and for so many seconds at most."""
        expected = self.model is not None and _is_expected(self.model)
        return JudgePanel(self.built_in, built_in_timeout_s=min(timeout_s, self.built_in_timeout_s), stands_in=expected)

    async def evaluate(
        self, question: Question, words: Sequence[str], *, turn: int = 0, hints: int = 0, however_short: bool = False
    ) -> Evaluation:
        """Judge one answer. A model that fails is replaced by the built-in judge, as it then says.

        The built-in judge runs beside a model. Where the two differ on more than half of the key points, the evaluation
        is flagged and keeps the verdicts of both.

        Args:
            question: what was asked.
            words: the answer.
            turn: the candidate's turn, by which a model judge counts its tries.
            hints: how many were given before the answer.
            however_short: a few words are judged too, because they were not heard but written.
        """
        if (unread := self._unread(question, words, hints, however_short=however_short)) is not None:
            return unread
        if self.model is None:
            evaluation = await self._by_built_in(question, words, hints)
            return _instead(evaluation) if self.stands_in else evaluation
        beside = asyncio.ensure_future(self._by_built_in(question, words, hints))
        try:
            first = await self._by_model(self.model, question, words, turn=turn, hints=hints)
            second = await beside
        finally:
            beside.cancel()
        if first is None:
            return _instead(second) if _is_expected(self.model) else second
        if not drifted(first.verdicts, second.verdicts):
            return first
        _log.info("%s and %s differ on most of the key points of %s", first.judge, second.judge, question.id)
        return first.model_copy(
            update={"drift": True, "second_judge": second.judge, "second_verdicts": second.verdicts}
        )

    def _unread(
        self, question: Question, words: Sequence[str], hints: int, *, however_short: bool
    ) -> Evaluation | None:
        """What is known of words that no judge need read; None for an answer."""
        if is_other_language(words):
            return _unscored(question, self.name, Unjudged.OTHER_LANGUAGE)
        if question.targets.points and (why := no_answer(question, words)):
            return evaluation_of(self.name, question, _nothing_made(question, why), hints)
        if not words or (too_little(words, question) and not however_short):
            return _unscored(question, self.name, Unjudged.TOO_LITTLE)
        return None

    async def touched(self, question: Question, words: Sequence[str]) -> float | None:
        """How much of what was asked an answer has touched so far, rightly or not, 0 to 1, by the built-in judge.

        None when nothing in particular was asked for, or the judge cannot judge.
        """
        try:
            verdicts = await self.built_in.verdicts(question, words)
        except EncoderError as error:
            _log.error("%s", error)
            return None
        missing = [verdict.weighed.missing for verdict in verdicts if verdict.kind == "key_point"]
        return 1.0 - sum(missing) / len(missing) if missing else None

    async def _by_model(
        self, model: Judge, question: Question, words: Sequence[str], *, turn: int, hints: int
    ) -> Evaluation | None:
        """None when the model failed, or what it gave does not pass the gate."""
        judge = model.of_turn(turn) if isinstance(model, ModelJudge) else model
        try:
            with models_within(self.model_timeout_s):
                left_s = seconds_left(self.model_timeout_s) + _LATE_S
                verdicts = await in_time(judge.verdicts(question, words), left_s)
            evaluation = evaluation_of(judge.name, question, verdicts, hints)
        except _MODEL_FAULTS as error:
            if _is_expected(judge):
                _log.warning("%s failed (%s); the built-in judge judges this answer", judge.name, type(error).__name__)
            return None
        if refused := evaluator_gate(question, evaluation):
            _log.warning("%s did not pass (%s); the built-in judge judges this answer", judge.name, refused[0])
            return None
        return evaluation

    async def _by_built_in(self, question: Question, words: Sequence[str], hints: int) -> Evaluation:
        """Without scores when even the built-in judge cannot judge."""
        judge = self.built_in
        try:
            verdicts = await in_time(judge.verdicts(question, words), self.built_in_timeout_s)
        except OutOfTimeError:
            _log.warning("%s took longer than %g s; the answer is not scored", judge.name, self.built_in_timeout_s)
            return _unscored(question, judge.name, Unjudged.NO_TIME)
        except EncoderError as error:
            _log.error("%s", error)
            return _unscored(question, judge.name, Unjudged.NO_JUDGE)
        evaluation = evaluation_of(judge.name, question, verdicts, hints)
        if refused := evaluator_gate(question, evaluation):
            return _unscored(question, judge.name, f"Nobody could judge it ({refused[0]}).")
        return evaluation


def _is_expected(judge: Judge) -> bool:
    """A model that was never there cannot fail, unless somebody insists on it."""
    return not isinstance(judge, ModelJudge) or judge.is_expected


def _nothing_made(question: Question, why: NoAnswer) -> tuple[Verdict, ...]:
    return tuple(
        Verdict(point=point, status="missing", probability=1.0, rule=why.value) for point in question.targets.points
    )


def _instead(evaluation: Evaluation) -> Evaluation:
    """As judged in place of the model that was to judge."""
    return evaluation.model_copy(update={"fallback": evaluation.scores is not None})


def too_little(words: Sequence[str], question: Question | None = None) -> bool:
    """True when an answer has too few words to be judged, and does not say that the candidate does not know.

    A word or two that mean something are an answer to a follow-up or a clarification, which ask for one thing, and to
    any question when one of its key points has them.

    Args:
        words: the answer.
        question: what was asked; None when that is not known.
    """
    said = content_stems(" ".join(words))
    if len(said) >= _MIN_CONTENT_WORDS or says_unknown(words):
        return False
    meant = said - _TALK
    if question is None or not meant:
        return True
    return question.kind == "retrieved" and not meant & content_stems(" ".join(question.targets.points))


def says_unknown(words: Sequence[str]) -> bool:
    """True when the candidate says, in few words, that they do not know. It is an answer, and an honest one."""
    return len(words) <= _MOST_WORDS_UNKNOWN and _DOES_NOT_KNOW.search(" ".join(words)) is not None


def says_done(words: Sequence[str]) -> bool:
    """True when the candidate says, in few words, that they have nothing to add."""
    return len(words) <= _MOST_WORDS_UNKNOWN and _HAS_DONE.search(" ".join(words)) is not None


def has_no_more(question: Question, words: Sequence[str]) -> bool:
    """True when the candidate has told all there is, as they say, where only they can know, or after they were asked
    for more: of their own work, and to a follow-up. Nobody asks on then.
    """
    return says_done(words) and (question.source == "resume" or question.kind != "retrieved")


def says_nothing_more(question: Question, words: Sequence[str]) -> bool:
    """True when the candidate says that they do not know, or have no more to tell."""
    return says_unknown(words) or has_no_more(question, words)


def _unscored(question: Question, judge: str, why: str) -> Evaluation:
    return Evaluation(
        question_id=question.id,
        topic=question.topic,
        difficulty=question.difficulty,
        judge=judge,
        verdicts=(),
        scores=None,
        not_scored=str(why),
    )
