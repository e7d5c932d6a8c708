"""Session of an interview in the terminal: asks whoever answers, sends what they say, shows what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from agent.cli.text_interview.client import ClientError, LostError, Received, TextClient
from agent.http.text.schemas import FinalReport, QuestionOut, StartRequest, StartResponse, TurnResponse

_REVIEW_PAUSE_S = 2.0
_SENDS = 3
"""How often an answer is sent that did not arrive."""


@dataclass(frozen=True, slots=True)
class GivenText:
    """What the candidate says."""

    response: str
    after_s: float
    """Seconds since the question."""


class Answerer(Protocol):
    """Whoever answers."""

    def answer(self, question: QuestionOut, reply: TurnResponse | None) -> GivenText | None:
        """What they say to a question; None to end the interview. `reply` is what came of their last answer."""

    def wants_to_end(self) -> bool:
        """They pressed Ctrl-C while an answer was handled: whether the interview is to end."""


class Screen(Protocol):
    """Where the interview is shown."""

    def started(self, started: StartResponse) -> None:
        """The greeting and the first question."""

    def given(self, given: GivenText) -> None:
        """What the candidate says."""

    def event(self, event: Received) -> None:
        """Something came of it."""

    def reply(self, reply: TurnResponse) -> None:
        """What came of it in one, because its events were lost."""

    def note(self, sentence: str) -> None:
        """Something to know."""

    def ended(self, closing: str) -> None:
        """The goodbye, when the candidate ended it."""


@dataclass(frozen=True, slots=True)
class Held:
    """What holds an interview.

    Args:
        client: the connection.
        candidate: who answers.
        screen: where it is shown.
        virtual: time passes by what the candidate says it does.
        pause: waits for so many seconds.
    """

    client: TextClient
    candidate: Answerer
    screen: Screen
    virtual: bool
    pause: Callable[[float], None]

    def hold(self, wanted: StartRequest) -> SessionOutcome:
        """Hold the interview from its start to its report.

        Raises:
            ClientError: it cannot go on.
        """
        started = self.client.start(wanted)
        self.screen.started(started)
        turns: list[LoggedTurn] = []
        question: QuestionOut | None = started.question
        while question is not None:
            reply = turns[-1].reply if turns else None
            given = self.candidate.answer(question, reply)
            if given is None:
                break
            turns.append(self._turn(question, given, before=reply.turn if reply else 0))
            question = turns[-1].reply.next_question
        ended = self.client.end()
        if not turns or turns[-1].reply.continue_interview:
            self.screen.ended(ended.closing)
        return SessionOutcome(
            url=self.client.url,
            session_id=started.session_id,
            wanted=wanted,
            greeting=started.greeting,
            first_question=started.question,
            time_budget_minutes=started.time_budget_minutes,
            target_questions=started.target_questions,
            turns=turns,
            closing=ended.closing,
            report=ended.final_report,
            report_url=self.client.url + started.report_url,
            replay_url=self.client.url + started.replay_url,
        )

    def _turn(self, question: QuestionOut, given: GivenText, *, before: int) -> LoggedTurn:
        self.screen.given(given)
        events: list[LoggedEvent] = []
        reply, resumed = self._sent(given, events, before), False
        if reply is None:
            reply, resumed = self._resumed(given, events, before), True
        while reply.waits_for_review:
            self.screen.note("A person looks at this turn before the interview goes on …")
            self.pause(_REVIEW_PAUSE_S)
            after = self.client.resume()
            if not after.waits_for_review:
                self.screen.reply(after)
            reply = after
        return LoggedTurn(
            question=question,
            response=given.response,
            elapsed_s=given.after_s,
            events=events,
            reply=reply,
            resumed=resumed,
        )

    def _sent(self, given: GivenText, events: list[LoggedEvent], before: int) -> TurnResponse | None:
        """What came of an answer; None when the stream broke, or the candidate did not want to wait."""
        try:
            for event in self.client.submit(given.response, given.after_s if self.virtual else None):
                events.append(LoggedEvent(at_s=event.at_s, name=event.name, id=event.id, data=event.data))
                self.screen.event(event)
                if event.name == "turn_complete":
                    return TurnResponse.model_validate(event.data)
        except LostError as error:
            self.screen.note(f"{error} Asking what came of the answer …")
        except KeyboardInterrupt:
            if self.candidate.wants_to_end():
                # An interview is ended between turns, so this one is waited for.
                ended = self.client.resume()
                return ended.model_copy(update={"next_question": None, "turn": max(ended.turn, before)})
        return None

    def _resumed(self, given: GivenText, events: list[LoggedEvent], before: int) -> TurnResponse:
        for left in reversed(range(_SENDS)):
            reply = self.client.resume()
            if reply.turn > before:
                self.screen.reply(reply)
                return reply
            # It never arrived.
            if left and (sent := self._sent(given, events, before)) is not None:
                return sent
        raise ClientError("The answer could not be sent: the connection broke each time.")


class LoggedEvent(BaseModel):
    """A server-sent event and when it came."""

    at_s: float
    """Seconds since the answer was sent."""
    name: str
    id: str
    data: dict[str, Any]


class LoggedTurn(BaseModel):
    """One thing the candidate said, and what came of it."""

    question: QuestionOut
    """The question that was open."""
    response: str
    elapsed_s: float
    """Seconds the candidate took."""
    events: list[LoggedEvent]
    reply: TurnResponse
    resumed: bool
    """The stream broke, and the reply was fetched with `resume`."""


class SessionOutcome(BaseModel):
    """An interview from its start to its report. Its token is not in it."""

    url: str
    session_id: str
    wanted: StartRequest
    greeting: str
    first_question: QuestionOut
    time_budget_minutes: int
    target_questions: int
    turns: list[LoggedTurn]
    closing: str
    report: FinalReport
    report_url: str
    replay_url: str
