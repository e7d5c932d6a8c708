"""Model wording: what the metrics of an answer come to, in the words of a language model, held against the rules'.

The model is told what the rules say of each metric, and may say that and no more. What it claims beyond makes all of
its words void, and the rules' stand. Scores are not its business: it sees none and returns none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from domain.metrics import AnswerMetrics, MetricsFeedback, combined
from graph.context import InterviewContext
from graph.feedback.guardrails import band_of, feedback_gate
from graph.judging.text.stems import content_stems
from graph.language_models.deadline import models_within
from graph.language_models.tasks import METRICS_FEEDBACK, MetricsReply
from graph.metrics.feedback import MOST_WORDS
from graph.state import InterviewState
from graph.templates import metrics_wording
from graph.validators import Check, first_fault

WITHIN_S = 5.0
"""Seconds that a model has for it: the candidate hears the question meanwhile, and the next turn waits for its end."""

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+")
_NUMBER = re.compile(
    r"\d+(?:[.,]\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"hundreds?|thousands?|millions?|half|twice|dozens?|percent)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab]([^\"\u201c\u201d\u00bb]+)[\"\u201c\u201d\u00bb]")
_CLAIMS = re.compile(
    r"\b(?:you|your|answer|it)\b[^.!?]*?\b(?:said|say|mention|mentioned|mentioning|named|naming|told|gave|compared|"
    r"comparing|explained|explaining|described|describing|pointed|stated|argued|reasoned|noted|brought|used|talked|"
    r"spoke)\b",
    re.IGNORECASE,
)
_ABOUT_SPEAKING = (
    "said say mention mentioned mentioning named naming told gave compared comparing explained explaining described "
    "describing pointed stated argued reasoned noted brought used talked spoke answer answered reasons points clear "
    "clearly clarity well good also next time would could try add claims claimed makes made through both other others "
    "another instance words"
)
"""Words that speak of an answer and not of its matter: whoever uses them claims nothing of what was said."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A model's feedback, beside what it has to keep to."""

    reply: MetricsReply
    rules: MetricsFeedback
    scores: MetricsFeedback
    """Band of each metric's score: what may be praised."""
    overall: float
    question: str
    answer: str

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Each text of the reply with what the rules say of the same, and the band of its score."""
        all_rules = " ".join(self.rules.model_dump().values())
        for name, band in self.scores.model_dump().items():
            yield getattr(self.reply, name), getattr(self.rules, name), band
        yield self.reply.overall, all_rules, band_of(self.overall)


def _length(drafted: Drafted) -> str:
    if any(not text.strip() for text, _, _ in drafted.texts()):
        return "no field may be empty"
    each = drafted.reply
    together = f"{each.technical_accuracy} {each.reasoning_depth} {each.communication_clarity}"
    fits = max(len(each.overall.split()), len(together.split())) <= MOST_WORDS
    return "" if fits else f"overall has at most {MOST_WORDS} words, and so have the three others together"


def _numbers(drafted: Drafted) -> str:
    for text, rules, _ in drafted.texts():
        known = {each.casefold() for each in _NUMBER.findall(rules)}
        if other := next((each for each in _NUMBER.findall(text) if each.casefold() not in known), None):
            return f"{other!r} is a number that nobody gave you"
    return ""


def _quotes(drafted: Drafted) -> str:
    said = _plain(drafted.answer)
    for text, _, _ in drafted.texts():
        for quote in _QUOTED.findall(text):
            if f" {_plain(quote)} " not in f" {said} ":
                return f"they did not say {quote!r}"
    return ""


def _claims(drafted: Drafted) -> str:
    """What a sentence says that they said has to be of what was said, asked, or told by the rules."""
    for text, rules, _ in drafted.texts():
        known = content_stems(f"{drafted.answer} {drafted.question} {rules}") | _of_speaking()
        for sentence in _SENTENCE_ENDS.split(text.strip()):
            if _CLAIMS.search(sentence) and (unknown := content_stems(_unquoted(sentence)) - known):
                return f"nothing was said about {min(unknown)!r}"
    return ""


def _manners(drafted: Drafted) -> str:
    return next(
        (
            fault
            for text, _, band in drafted.texts()
            for sentence in _SENTENCE_ENDS.split(text.strip())
            if (fault := feedback_gate(sentence, band))  # type: ignore[arg-type]
        ),
        "",
    )


def _facts(drafted: Drafted) -> str:
    """Each text has to be about what the rules say there."""
    strayed = any(not content_stems(text) & content_stems(rules) for text, rules, _ in drafted.texts())
    return "say what the facts say, and nothing else" if strayed else ""


METRICS_CHECKS: tuple[Check[Drafted], ...] = (
    Check("length", _length),
    Check("no new number", _numbers),
    Check("their own words", _quotes),
    Check("as feedback", _manners),
    Check("nothing they did not say", _claims),
    Check("keeps to the facts", _facts),
)
"""What a model's feedback on the metrics must pass, in this order."""


async def worded_by_model(
    metrics: AnswerMetrics, state: InterviewState, context: InterviewContext
) -> AnswerMetrics | None:
    """The same metrics with a model's feedback; None when there is no model, no time, or its words will not do.

    Args:
        metrics: of the answer of this turn, as rules word them.
        state: of the interview.
        context: of the interview.
    """
    evaluation, rules = state["current_evaluation"], metrics.on_each
    if context.models is None or evaluation is None or evaluation.scores is None or rules is None:
        return None
    asked = next((each.text for each in state.get("questions_asked", []) if each.id == evaluation.question_id), "")
    answer = " ".join(state["answer"].words)
    accuracy = evaluation.scores.technical_accuracy
    drafted = partial(
        Drafted,
        rules=rules,
        scores=MetricsFeedback(
            technical_accuracy=band_of(accuracy),
            reasoning_depth=band_of(metrics.reasoning_depth),
            communication_clarity=band_of(metrics.communication_clarity),
        ),
        overall=combined(accuracy, metrics),
        question=asked,
        answer=answer,
    )
    with models_within(WITHIN_S):
        reply = await context.ask(
            METRICS_FEEDBACK,
            {"question": asked, "answer": answer, **rules.model_dump()},
            turn=state["turn"],
            check=lambda reply: first_fault(METRICS_CHECKS, drafted(reply)),
        )
    if reply is None:
        return None
    return metrics.model_copy(
        update={
            "feedback": reply.overall,
            "on_each": MetricsFeedback(
                technical_accuracy=reply.technical_accuracy,
                reasoning_depth=reply.reasoning_depth,
                communication_clarity=reply.communication_clarity,
            ),
            "worded_by": "model",
        }
    )


@cache
def _of_speaking() -> frozenset[str]:
    """Stems of words about answers: those above, and all that the rules ever say."""
    ways = (way for each in metrics_wording().situations.values() for way in each)
    return content_stems(" ".join((_ABOUT_SPEAKING, *ways)))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w']+", text.replace("\u2019", "'").casefold()))


def _unquoted(sentence: str) -> str:
    return _QUOTED.sub(" ", sentence)
