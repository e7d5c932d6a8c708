"""Dialogue policy: what one turn means for the interview: what is judged, what is asked for, what is kept for later.

An answer may be given in pieces: a candidate who asks for a hint, for the question again, or for time in mid-answer
has not finished, so the words so far are kept and judged together with what follows. Words that were taken back are
judged by nobody. Everything here is a pure function of what was understood and of the turns before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.frozen_model import FrozenModel
from domain.question import Question
from domain.verdict import AnswerSpan
from domain.vocabulary import Request
from graph.dialogue.spoken_words import NOTHING, SpokenWords
from graph.intents import ACTS_ABOVE, ASKS_FROM, DetectedIntent, Understood
from graph.judging.panel import too_little
from graph.judging.quote_matching import plain

STAY: frozenset[Request] = frozenset(
    {"repeat", "rephrase", "clarify", "hint", "hold", "more_patience", "go_on", "distress", "abuse", "unintelligible"}
)
"""Requests within a question: the answer is not over. Who says "let me finish" behind words of an answer has not."""
TELL: frozenset[Request] = frozenset(
    {
        "how_am_i_doing",
        "time_left",
        "slower",
        "faster",
        "less_patience",
        "feedback_now",
        "feedback_later",
        "feedback_coach",
        "feedback_interviewer",
    }
)
"""Requests that are answered in a word or two, and change nothing about the question."""
MOVE: frozenset[Request] = frozenset(
    {"skip", "change_topic", "easier", "harder", "technical_assessment", "about_resume"}
)
"""Requests for another question."""

KEYPAD = "keypad"
"""Detector of requests that were made with a key of a phone."""
_HARMLESS: frozenset[Request] = frozenset({"hold", "go_on", "distress", "abuse", "unintelligible"})
"""Requests that are honoured when they are not sure as well: to ask back would sound odd, and nothing is lost, because
the words are kept as part of the answer."""
_BEFORE_AN_ANSWER: frozenset[Request] = frozenset({"more_patience"})
"""Requests within a question that may also come before an answer, which is then over when the turn is."""
_YES = re.compile(r"^(yes|yeah|yep|yup|sure|please|correct|right|exactly|i did|that's right|go ahead|do that)\b")
_NO = re.compile(r"^(no|nope|nah|not really|i didn't|that was (my|the|part of)|it was (my|the|part of))\b")
_ADDS = re.compile(r"\b(add|adding|also|forgot|forgotten|incomplete|left out|in addition|as well)\b")
"""How somebody comes back to an answer without taking anything of it back."""
_TAKES_BACK = re.compile(
    r"\b(scrap|scratch|strike|disregard|forget|ignore|cancel|delete|erase|withdraw|take (?:that|it|this) back)\b"
)
_LONGEST_REPLY = 6
"""Words that a yes or no to "did you mean …?" may have; a longer turn says more than that."""
_SAID_AGAIN = 0.7
"""Share of different words that two turns have in common from which the second says the first again."""


class PendingRequest(FrozenModel):
    """A request that the interviewer was not sure of and has asked about."""

    request: Request
    detail: str
    words: SpokenWords
    """Everything that was said, in case it was an answer after all. A lone "sorry" or "stop" never was one."""
    answer: SpokenWords = NOTHING
    """The part of it that was an answer in any case."""


class Answered(FrozenModel):
    """An answer that was given and judged, for a candidate who comes back to it."""

    question: Question
    turn: int
    hints: int = 0
    """Hints that were given before it."""
    said: SpokenWords = NOTHING
    adds: bool = False
    """The candidate comes back to add to it: what was said before still counts, and is judged again with the rest."""


class TurnPlan(FrozenModel):
    """What is to be done about one turn."""

    request: DetectedIntent
    """What the candidate wants; `answer` when it is nothing but an answer."""
    asks: bool = False
    """The request is not sure enough: ask whether it was meant."""
    judged: SpokenWords = NOTHING
    """The words to judge; empty when there is nothing to judge in this turn."""
    kept: SpokenWords = NOTHING
    """An answer so far, to be judged with what follows."""
    pending: PendingRequest | None = None
    corrects: Answered | None = None
    """The earlier answer that the judged words replace, or that is about to be corrected."""


def read_turn(
    words: Sequence[str],
    understood: Understood,
    *,
    turn: int,
    kept: SpokenWords = NOTHING,
    pending: PendingRequest | None = None,
    corrects: Answered | None = None,
    last: Answered | None = None,
) -> TurnPlan:
    """Decide what a turn means.

    Args:
        words: everything that was said in it.
        understood: what the detector made of these words.
        turn: its number.
        kept: an unfinished answer from the turns before.
        pending: a request that the interviewer has just asked about.
        corrects: the answer that the candidate has announced to correct.
        last: the answer that was judged last.
    """
    if pending is not None:
        settled, kept = _reply(words, understood, pending, turn=turn, kept=kept, corrects=corrects, last=last)
        if settled is not None:
            return settled
    said = _span(words, understood.answer, turn)
    if understood.withdrawn:
        kept = NOTHING
    if understood.request is None:
        return _answer(said, understood, turn=turn, kept=kept, corrects=corrects)
    if understood.request in STAY and len(words) > _LONGEST_REPLY and _says_again(words, kept.words):
        # Whoever says it all again after a request was seen in it had asked for nothing. It is judged once.
        everything = _span(words, (0, len(words) - 1), turn)
        return _answer(everything, understood, turn=turn, kept=NOTHING, corrects=corrects)
    if understood.confidence < ASKS_FROM or (understood.request == "abuse" and not too_little(said.words)):
        # Strong words at the end of an answer ("we all felt a bit stupid") are a part of it: nobody is called to order.
        everything = _span(words, (0, len(words) - 1), turn)
        return _answer(everything, understood, turn=turn, kept=kept, corrects=corrects)
    if understood.confidence <= ACTS_ABOVE and understood.request not in _HARMLESS:
        everything = _span(words, (0, len(words) - 1), turn)
        unsure = PendingRequest(request=understood.request, detail=understood.detail, words=everything, answer=said)
        return TurnPlan(request=_detected(understood, turn), asks=True, kept=kept, pending=unsure, corrects=corrects)
    if understood.confidence <= ACTS_ABOVE:
        said = _span(words, (0, len(words) - 1), turn)
    return _honour(said, _detected(understood, turn), words=words, kept=kept, corrects=corrects, last=last)


def _reply(
    words: Sequence[str],
    understood: Understood,
    pending: PendingRequest,
    *,
    turn: int,
    kept: SpokenWords,
    corrects: Answered | None,
    last: Answered | None,
) -> tuple[TurnPlan | None, SpokenWords]:
    """What a reply to "did you mean …?" settles, if it does, and the answer so far when it does not."""
    reply = " ".join(words).lower().strip(" .,!?")
    said_again = _says_again(words, pending.words.words)
    is_answer = _answers_anyway(understood, words) and (said_again or understood.request != pending.request)
    if _is(_YES, reply) or (understood.request == pending.request and not is_answer):
        sure = DetectedIntent(intent=pending.request, confidence=1.0, turn=turn, detail=pending.detail)
        asked_about = pending.words.words
        return _honour(pending.answer, sure, words=asked_about, kept=kept, corrects=corrects, last=last), NOTHING
    if not too_little(pending.words.words) and not (is_answer and said_again):
        kept = kept + pending.words
    if _is(_NO, reply):
        # Told that it was an answer, or that nothing is wished for; either way the floor is the candidate's.
        go_on = DetectedIntent(intent="go_on", confidence=1.0, turn=turn)
        return TurnPlan(request=go_on, kept=kept, corrects=corrects), NOTHING
    if is_answer:
        everything = _span(words, (0, len(words) - 1), turn)
        return _answer(everything, understood, turn=turn, kept=kept, corrects=corrects), NOTHING
    return None, kept


def _answers_anyway(understood: Understood, words: Sequence[str]) -> bool:
    """True for a long reply to "did you mean …?" that would have to be asked about as well: nobody is asked for ever.

    An answer of which "wait for a database" was taken for a request was asked about, said again, explained and asked
    about again seven times in a rehearsal.
    """
    is_unsure = ASKS_FROM <= understood.confidence <= ACTS_ABOVE and understood.request not in {None, *_HARMLESS}
    return is_unsure and len(words) > _LONGEST_REPLY


def _says_again(words: Sequence[str], before: Sequence[str]) -> bool:
    now, then = (set(map(plain, each)) for each in (words, before))
    return len(now & then) >= _SAID_AGAIN * len(now | then)


def as_pressed(request: Request, words: Sequence[str]) -> Understood:
    """A request that was made with a key, behind these words: nothing has to be recognised, so it is sure.

    The words before it are part of an answer. Whoever asks with a key for another speed of speech, or for the time,
    has not finished it, other than whoever ends an answer by asking aloud.
    """
    span = (0, len(words) - 1) if words else None
    return Understood(request=request, confidence=1.0, detector=KEYPAD, answer=span)


def as_last(turn: TurnPlan) -> TurnPlan:
    """What a turn means when the time is used up: nothing can wait for a later one any more.

    What there is of an answer is judged as it is. Nothing is asked back: of a turn that was not sure only that part is
    an answer which was one in any case.
    """
    if turn.judged:
        return turn
    so_far, request, corrects = turn.kept, turn.request, turn.corrects
    if turn.pending is not None:
        so_far += turn.pending.answer
        request = request.model_copy(update={"intent": "go_on"})
    if request.intent == "correct_myself":
        corrects = None  # How it should be, nobody has heard; what was kept answers the open question.
    elif corrects is not None and corrects.adds and so_far:
        so_far = corrects.said + so_far
    judged = NOTHING if too_little(so_far.words) else so_far
    return TurnPlan(request=request, judged=judged, corrects=corrects)


def _answer(
    said: SpokenWords, understood: Understood, *, turn: int, kept: SpokenWords, corrects: Answered | None
) -> TurnPlan:
    if not said:
        heard_nothing = DetectedIntent(intent="unintelligible", confidence=1.0, turn=turn, detector=understood.detector)
        return TurnPlan(request=heard_nothing, kept=kept, corrects=corrects)
    answer = DetectedIntent(intent="answer", confidence=1.0, turn=turn, detector=understood.detector)
    before = corrects.said if corrects and corrects.adds else NOTHING
    return TurnPlan(request=answer, judged=before + kept + said, corrects=corrects)


def _honour(
    said: SpokenWords,
    request: DetectedIntent,
    *,
    words: Sequence[str],
    kept: SpokenWords,
    corrects: Answered | None,
    last: Answered | None,
) -> TurnPlan:
    """What a request that is sure means, with the words of an answer that came with it, among all `words`."""
    if request.intent == "correct_myself":
        return _correct(said, request, kept=kept, last=last, adds=_adds(words, said))
    answered = request.intent in _BEFORE_AN_ANSWER and said and said.spans[-1].last_word == len(words) - 1
    in_mid_answer = request.intent in STAY or (request.intent in TELL and request.detector == KEYPAD)
    if in_mid_answer and not answered:
        return TurnPlan(request=request, kept=kept + said, corrects=corrects)
    if said:
        return TurnPlan(request=request, judged=kept + said, corrects=corrects)
    if request.intent in TELL:
        return TurnPlan(request=request, kept=kept, corrects=corrects)
    # Another question, or the end: an answer that was only begun is let go, unjudged.
    return TurnPlan(request=request)


def _correct(
    said: SpokenWords, request: DetectedIntent, *, kept: SpokenWords, last: Answered | None, adds: bool
) -> TurnPlan:
    if last is not None:
        judged = last.said + said if said and adds else said
        return TurnPlan(request=request, judged=judged, kept=kept, corrects=last.model_copy(update={"adds": adds}))
    # Nothing was judged yet, so it can only be about the answer under way.
    if said:
        return TurnPlan(request=request.model_copy(update={"intent": "answer"}), judged=said)
    return TurnPlan(request=request.model_copy(update={"intent": "go_on"}))


def _detected(understood: Understood, turn: int) -> DetectedIntent:
    assert understood.request is not None
    return DetectedIntent(
        intent=understood.request,
        confidence=understood.confidence,
        turn=turn,
        detector=understood.detector,
        detail=understood.detail,
    )


def _span(words: Sequence[str], span: tuple[int, int] | None, turn: int) -> SpokenWords:
    if span is None or not words:
        return NOTHING
    first, last = span
    return SpokenWords(
        words=tuple(words[first : last + 1]), spans=(AnswerSpan(turn=turn, first_word=first, last_word=last),)
    )


def _is(pattern: re.Pattern[str], reply: str) -> bool:
    return len(reply.split()) <= _LONGEST_REPLY and pattern.match(reply) is not None


def _adds(words: Sequence[str], said: SpokenWords) -> bool:
    """By what was said before the answer: "mostly by only adding fields" adds nothing to the one before."""
    announced = " ".join(words[: said.spans[0].first_word] if said else words).lower()
    return _ADDS.search(announced) is not None and _TAKES_BACK.search(announced) is None
