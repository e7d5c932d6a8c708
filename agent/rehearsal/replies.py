"""Replies of the candidate: a pure function of the persona, where the conversation stands, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from agent.rehearsal.matching import Asked, nearest, sentences_of
from agent.rehearsal.persona import Gets, Persona, PersonaPauses, PersonaRequest, leaves_answer_open, what_follows
from domain.vocabulary import Intent

CHARACTERS_A_SECOND = 17.0
"""Pace of Piper's English voices, with the spaces; measured over a minute of answers."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words said in one breath, and the silence before them."""

    text: str
    pause_s: float


@dataclass(frozen=True, slots=True)
class CandidateReply:
    """Everything said in one turn."""

    phrases: tuple[Phrase, ...]
    wants: Intent = "answer"
    """What the words are meant to do; of an answer and a request in one breath, the request."""
    answers: bool = True
    """Whether an answer to the open question is in it."""
    gets: Gets = "question"
    """What the candidate waits for after it."""
    think_s: float = 0.0
    """Seconds of silence after which an answer follows unasked."""
    owes: PersonaRequest | None = None
    """A correction that was announced: it comes next."""
    told: int | None = None
    """Which of the persona's `told` it is."""
    confirms: bool = False
    """It only says yes to the interviewer who asked whether the request before was meant."""

    @property
    def is_judged(self) -> bool:
        """Whether some of the words should be judged at once, as an answer or as the correction of one."""
        if self.wants == "answer":
            return True
        if self.wants == "correct_myself":
            return self.owes is None
        return self.answers and not leaves_answer_open(self.wants)

    @property
    def text(self) -> str:
        """The words as written."""
        return " ".join(phrase.text for phrase in self.phrases)

    @property
    def about_s(self) -> float:
        """Roughly how long it takes to say, in seconds."""
        return sum(phrase.pause_s + len(phrase.text) / CHARACTERS_A_SECOND for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the conversation stands."""

    turn: int
    """Counts the candidate's turns from 1, requests among them."""
    answer: int
    """Counts the candidate's answers from 1."""
    answered: Asked | None = None
    """What the last answer was an answer to."""
    begun: bool = False
    """The open question was answered in part, before a request that kept it open."""
    owes: PersonaRequest | None = None
    """The correction that was announced and is to be given now."""
    told: frozenset[int] = frozenset()
    """Which of the persona's `told` were said."""


def plan_reply(persona: Persona, standing: Standing, asked: Asked | None, heard: str = "") -> CandidateReply | None:
    """The reply of this turn; None when the persona says nothing.

    Args:
        persona: who replies.
        standing: where the conversation stands.
        asked: the question of the pack that was asked; None when it is none of them.
        heard: the interviewer's last words.
    """
    if not persona.speaks:
        return None
    if standing.owes is not None:
        return CandidateReply(_paused(_corrected(persona, standing, standing.owes), persona.pauses), answers=False)
    request = persona.request_at(standing.turn)
    if request is None:
        told = _told(persona, standing, heard)
        said = _answer(persona, standing, asked) if told is None else sentences_of(persona.told[told].say)
        return CandidateReply(_paused(said, persona.pauses), told=told)
    before = _answer(persona, standing, asked) if request.after_answer else []
    corrects = request.wants == "correct_myself" and not request.announces
    after = _corrected(persona, standing, request) if corrects else []
    return CandidateReply(
        _paused([*before, request.say, *after], persona.pauses),
        request.wants,
        answers=request.after_answer,
        gets=what_follows(request.wants, after_answer=request.after_answer, announces=request.announces),
        think_s=request.think_s if request.wants == "hold" else 0.0,
        owes=request if request.announces else None,
    )


def confirmation(persona: Persona, standing: Standing, request: CandidateReply) -> CandidateReply:
    """Yes to an interviewer who was not sure of the request; what follows is what would have followed the request.

    Only a correction has to be given once more: it is asked for.
    """
    yes = (Phrase(persona.confirms, persona.pauses.before_s),)
    if request.wants == "correct_myself":
        correction = persona.request_at(standing.turn - 1)
        return replace(request, phrases=yes, confirms=True, gets="reply", owes=correction)
    return replace(request, phrases=yes, answers=False, confirms=True)


def standing_after(standing: Standing, reply: CandidateReply, asked: Asked | None) -> Standing:
    """Where the conversation stands once a reply was said. A yes to "would you like …?" is no turn of its own."""
    if reply.confirms:
        return replace(standing, owes=reply.owes)
    return Standing(
        turn=standing.turn + 1,
        answer=standing.answer + reply.answers,
        answered=(asked if reply.answers else None) or standing.answered,
        begun=_keeps_open(reply) and (reply.answers or standing.begun),
        owes=reply.owes,
        told=standing.told | ({reply.told} if reply.told is not None else set()),
    )


def _keeps_open(reply: CandidateReply) -> bool:
    """Whether an answer to the open question goes on after it."""
    if reply.wants == "answer":
        return False
    return leaves_answer_open(reply.wants) or reply.wants == "correct_myself" or reply.gets == "reply"


def _answer(persona: Persona, standing: Standing, asked: Asked | None) -> list[str]:
    scripted = _scripted(persona, standing, asked)
    return sentences_of(scripted) if scripted else _formed(persona, standing, asked)


def _corrected(persona: Persona, standing: Standing, request: PersonaRequest) -> list[str]:
    """What should have been said to the question that was answered last, whatever the persona's style."""
    if request.correction is not None:
        return sentences_of(request.correction)
    asked = standing.answered
    if asked is None:
        return sentences_of(_in_turn(persona.unsure, standing.answer))
    return [asked.key_point] if asked.key_point else sentences_of(asked.question.model_answer)[: persona.sentences]


def _told(persona: Persona, standing: Standing, heard: str) -> int | None:
    """The answer that asks for most of the words that were heard, of those not given yet; of two the one heard later.

    What an interviewer leaves is named before what they turn to.
    """
    words = heard.lower()
    places = {
        number: [max(words.rfind(one) for one in each.split("|")) for each in told.hears]
        for number, told in enumerate(persona.told)
        if number not in standing.told
    }
    fitting = {number: found for number, found in places.items() if min(found) >= 0}
    return max(fitting, key=lambda number: (len(fitting[number]), fitting[number][0]), default=None)


def _scripted(persona: Persona, standing: Standing, asked: Asked | None) -> str | None:
    by_id = persona.lines.get(asked.question.id) if asked is not None and not asked.follow_up else None
    return by_id or persona.lines.get(str(standing.answer))


def _formed(persona: Persona, standing: Standing, asked: Asked | None) -> list[str]:
    if persona.answers == "vague":
        return [*_opener(persona, standing), *sentences_of(_in_turn(persona.vague_answers, standing.answer))]
    if asked is None:
        return sentences_of(_in_turn(persona.unsure, standing.answer))
    return [*_opener(persona, standing), *_content(persona, standing, asked)]


def _content(persona: Persona, standing: Standing, asked: Asked) -> list[str]:
    question = asked.question
    if persona.answers == "misconceptions":
        wrong = question.misconceptions
        return [nearest(asked.key_point, wrong)] if asked.key_point else list(wrong)
    if asked.follow_up and persona.follow_ups == "key_point":
        # A follow-up asks for what was left out: when its point cannot be told, the whole answer has it.
        return [asked.key_point] if asked.key_point else sentences_of(question.model_answer)
    answer = _part(persona, standing, sentences_of(question.model_answer))
    if persona.answers == "rambling":
        shift = (standing.answer - 1) % len(persona.digressions)
        digressions = [*persona.digressions[shift:], *persona.digressions[:shift]]
        pairs = zip_longest(answer, digressions[: len(answer)], fillvalue="")
        return [sentence for pair in pairs for text in pair for sentence in sentences_of(text)]
    return answer


def _part(persona: Persona, standing: Standing, sentences: list[str]) -> list[str]:
    """As much of the model answer as the persona says at a time; of an answer that was begun, what comes next."""
    if persona.sentences is None:
        return sentences
    rest = sentences[persona.sentences :] if standing.begun else sentences
    return (rest or sentences)[: persona.sentences]


def _opener(persona: Persona, standing: Standing) -> list[str]:
    return [_in_turn(persona.openers, standing.answer)] if persona.openers else []


def _in_turn(lines: Sequence[str], number: int) -> str:
    return lines[(number - 1) % len(lines)]


def _paused(sentences: Sequence[str], pauses: PersonaPauses) -> tuple[Phrase, ...]:
    def pause(index: int) -> float:
        if index == 0:
            return pauses.before_s
        thinks = pauses.thinking_s > 0 and index % pauses.thinking_every == 0
        return pauses.thinking_s if thinks else pauses.between_s

    return tuple(Phrase(sentence, pause(index)) for index, sentence in enumerate(sentences))
