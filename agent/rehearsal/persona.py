"""Personas: who the synthetic candidate is, and how it answers. `docs/personas.md` explains the format to authors."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from domain.vocabulary import EndReason
from domain.vocabulary import Request as Wish
from graph.dialogue.policy import STAY, TELL

PERSONAS_DIR = Path(__file__).parent / "personas"

AnswerStyle = Literal["model_answer", "vague", "misconceptions", "rambling", "silence"]
FollowUpStyle = Literal["key_point", "same"]
Moment = Literal["feedback", "question"]

Spoken = Annotated[str, Field(min_length=2)]
Turn = Annotated[int, Field(ge=1)]


class PersonaError(ValueError):
    """A persona cannot be used. `faults` holds one sentence each, naming the field and what is accepted."""

    def __init__(self, name: str, faults: list[str]) -> None:
        self.name = name
        self.faults = faults
        super().__init__(f"the persona {name} was not loaded: " + "; ".join(faults))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class VoiceStyle(_Data):
    """How the voice differs from the interviewer's, which has 1 and 1."""

    pitch: Annotated[float, Field(ge=0.75, le=1.35)] = 1.18
    """Factor of every frequency of the voice."""
    pace: Annotated[float, Field(ge=0.6, le=1.6)] = 1.0
    """Factor of the speed of speech."""


class PersonaPauses(_Data):
    """Silences, in seconds."""

    before_s: Annotated[float, Field(ge=0, le=10)] = 0.4
    """Before the first word."""
    between_s: Annotated[float, Field(ge=0, le=5)] = 0.2
    """Between sentences."""
    thinking_s: Annotated[float, Field(ge=0, le=10)] = 0.0
    """A longer silence inside an answer, in place of the one between sentences."""
    thinking_every: Annotated[int, Field(ge=1)] = 2
    """After how many sentences the candidate thinks."""


class Told(_Data):
    """An answer to a question that no pack has, such as one about a résumé; each is given once."""

    hears: Annotated[list[Spoken], Field(min_length=1)]
    """Words that are all in the question, in small letters, with | between those of which one is enough. Where several
    answers fit, the one that asks for most is given."""
    say: Spoken


class PersonaRequest(_Data):
    """Something the candidate asks for, instead of an answer or at the end of one."""

    turn: Turn
    """In which turn: each time that the interviewer waits for the candidate is one, from 1."""
    wants: Wish
    say: Spoken
    after_answer: bool = False
    """The answer comes first, and the request in the same breath."""
    think_s: Annotated[float, Field(ge=0, le=60)] = 5.0
    """Only for `hold`: the seconds of silence before the answer follows."""
    correction: Spoken | None = None
    """Only for `correct_myself`: what should have been said; without it the model answer."""
    announces: bool = False
    """Only for `correct_myself`: the correction waits until the interviewer asks for it."""

    @model_validator(mode="after")
    def _fits_together(self) -> PersonaRequest:
        corrects = self.wants == "correct_myself"
        if not corrects and (self.correction is not None or self.announces):
            raise ValueError("correction and announces are for correct_myself only")
        if corrects and self.after_answer:
            raise ValueError("correct_myself is about an earlier answer; after_answer must be left out")
        return self

    @property
    def answers(self) -> bool:
        """Whether the turn holds an answer to the open question that is judged at once."""
        return self.after_answer and not leaves_answer_open(self.wants)


class Interruption(_Data):
    """The candidate speaks before the interviewer has finished."""

    turn: Turn
    """Before which turn of the candidate."""
    during: Moment = "feedback"
    """Into the feedback on the last answer, or into the question."""
    after_s: Annotated[float, Field(ge=0, le=30)] = 1.0
    """Seconds after the first sound of what is interrupted."""
    say: Spoken | None = None
    """The words; without them the candidate answers what it has heard of the question."""


class Leaving(_Data):
    """The candidate is gone without a word: a closed page, a lost line."""

    turn: Turn
    after_s: Annotated[float, Field(ge=0, le=60)] = 1.5
    """Seconds after the candidate's first sound in that turn."""


class Persona(_Data):
    """One synthetic candidate."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    description: Annotated[str, Field(min_length=8)]
    candidate_name: Annotated[str, Field(min_length=1)] = "Robin"
    """What the interviewer calls the candidate."""
    answers: AnswerStyle
    sentences: Annotated[int, Field(ge=1)] | None = None
    """At most so many sentences of the model answer; without it all of them."""
    lines: dict[str, Spoken] = {}
    """Answers said word for word: by question id, or by number (a list counts from 1). They go before `answers`."""
    told: list[Told] = []
    """Answers by what is heard in a question. They go before numbered `lines`."""
    openers: list[Spoken] = []
    """First words of an answer, taken in turn."""
    vague_answers: list[Spoken] = []
    """What a vague persona says, taken in turn."""
    digressions: list[Spoken] = []
    """What a rambling persona puts between the sentences of its answer, taken in turn."""
    unsure: list[Spoken] = []
    """What is said when no question of the pack was heard, taken in turn."""
    follow_ups: FollowUpStyle = "key_point"
    """To a follow-up: the key point that it is about, or an answer formed as all others."""
    confirms: Spoken = "Yes, please."
    """What is said when the interviewer asks whether a request was meant."""
    requests: list[PersonaRequest] = []
    interruptions: list[Interruption] = []
    leaves: Leaving | None = None
    voice: VoiceStyle = VoiceStyle()
    pauses: PersonaPauses = PersonaPauses()
    patience_s: Annotated[float, Field(ge=5, le=300)] = 30.0
    """Seconds of silence after which the candidate says its last words again; nobody answered."""
    ends_with: Annotated[list[EndReason], Field(min_length=1)] = ["completed", "time_up"]
    """How an interview with this persona should end."""

    @property
    def speaks(self) -> bool:
        """Whether it ever says anything."""
        return self.answers != "silence"

    @property
    def answers_questions(self) -> bool:
        """Whether the interview must hold a judged answer: it speaks, and not only to ask, stop or leave."""
        return self.speaks and (self._last_turn is None or self._answers_by(self._last_turn))

    @property
    def _last_turn(self) -> int | None:
        """The last turn that it completes; None when it never goes away on its own."""
        stops = [request.turn for request in self.requests if request.wants == "stop"]
        leaves = [self.leaves.turn - 1] if self.leaves else []
        return min([*stops, *leaves], default=None)

    def _answers_by(self, turn: int) -> bool:
        """Whether an answer is given and judged in one of the turns up to this one."""
        requests = (self.request_at(number) for number in range(1, turn + 1))
        return any(request is None or request.answers for request in requests)

    @field_validator("lines", mode="before")
    @classmethod
    def _numbered(cls, lines: Any) -> Any:
        if isinstance(lines, list):
            return {str(number): line for number, line in enumerate(lines, start=1)}
        if isinstance(lines, dict):
            return {str(key): line for key, line in lines.items()}
        raise ValueError("must be a list of answers in order, or a mapping of question ids to answers")

    @model_validator(mode="after")
    def _has_words(self) -> Persona:
        if self.answers == "vague" and not self.vague_answers:
            raise ValueError("answers is vague, so vague_answers must have at least one line")
        if self.answers == "rambling" and not self.digressions:
            raise ValueError("answers is rambling, so digressions must have at least one line")
        if self.speaks and not self.unsure:
            raise ValueError("unsure must have at least one line, for when no question was recognised")
        if not self.speaks and (self.requests or self.interruptions or self.lines or self.leaves):
            raise ValueError("answers is silence, so lines, requests, interruptions and leaves must be left out")
        turns = [request.turn for request in self.requests]
        if len(turns) != len(set(turns)):
            raise ValueError("requests has two entries for the same turn; a turn has room for one")
        for request in self.requests:
            if request.wants == "correct_myself" and not self._answers_by(request.turn - 1):
                raise ValueError(f"turn {request.turn} corrects an answer, so one must be given before it")
            if request.announces and request.turn + 1 in turns:
                raise ValueError(f"turn {request.turn + 1} is for the correction that the turn before it announces")
        return self

    def request_at(self, turn: int) -> PersonaRequest | None:
        """What it asks for in this turn."""
        return next((request for request in self.requests if request.turn == turn), None)

    def interruption_before(self, turn: int) -> Interruption | None:
        """How it interrupts what the interviewer says before this turn."""
        return next((interruption for interruption in self.interruptions if interruption.turn == turn), None)


def persona_names() -> list[str]:
    """Names of the personas that come with Viva."""
    return sorted(path.stem for path in PERSONAS_DIR.glob("*.yaml"))


def load_persona(name_or_file: str) -> Persona:
    """Read a persona by its name, or from a YAML file of your own.

    Raises:
        PersonaError: there is no such persona, or its file does not have the shape of one.

    """
    path = Path(name_or_file)
    if path.suffix not in (".yaml", ".yml"):
        path = PERSONAS_DIR / f"{name_or_file}.yaml"
        if name_or_file not in persona_names():
            raise PersonaError(
                repr(name_or_file), [f"it is not one of {', '.join(persona_names())}, and not a .yaml file"]
            )
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PersonaError(str(path), [f"the file cannot be read ({error.strerror})"]) from None
    except UnicodeDecodeError as error:
        raise PersonaError(str(path), [f"it is not UTF-8 text (byte {error.start})"]) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise PersonaError(str(path), [f"line {line}: it is not YAML ({error.problem})"]) from None
    if not isinstance(data, dict):
        raise PersonaError(str(path), ["it is empty or not a mapping of fields to values"])
    try:
        return Persona.model_validate(data)
    except ValidationError as error:
        faults = [_sentence(fault["loc"], fault["msg"], fault["type"]) for fault in error.errors()]
        raise PersonaError(str(path), faults) from None


_PARTS: dict[str, type[BaseModel]] = {
    "voice": VoiceStyle,
    "pauses": PersonaPauses,
    "requests": PersonaRequest,
    "interruptions": Interruption,
    "leaves": Leaving,
}


def _sentence(place: tuple[int | str, ...], message: str, kind: str) -> str:
    where = ".".join(str(part) for part in place)
    if kind == "extra_forbidden":
        model = _PARTS.get(str(place[0]), Persona) if len(place) > 1 else Persona
        close = difflib.get_close_matches(str(place[-1]), model.model_fields, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        return f"{where}: there is no such field; {hint}the fields are {', '.join(model.model_fields)}"
    said = message.removeprefix("Value error, ")
    return f"{where}: {said[:1].lower()}{said[1:]}" if where else said


Gets = Literal["question", "reply"]
"""What the interviewer is expected to say: a question (the next one, or the open one once more), or only a reply."""

ASKED_AGAIN: frozenset[Wish] = frozenset({"repeat", "rephrase", "go_on"})
"""Requests after which the open question is asked once more."""


def what_follows(wish: Wish, *, after_answer: bool = False, announces: bool = False) -> Gets:
    """What the candidate hears last after a request.

    Args:
        wish: what was asked for.
        after_answer: the request came at the end of an answer.
        announces: a correction was only announced, and the interviewer asks for it.

    """
    if announces:
        return "reply"
    if wish in TELL:
        # At the end of an answer the next question is due; without one, the open question stays as it is.
        return "question" if after_answer else "reply"
    if wish == "go_on":
        # Who has begun an answer gets the floor; who has not, the question.
        return "reply" if after_answer else "question"
    return "reply" if wish in STAY - ASKED_AGAIN else "question"


def leaves_answer_open(wish: Wish) -> bool:
    """Whether an answer before this request is not over: it is judged together with what follows."""
    return wish in STAY
