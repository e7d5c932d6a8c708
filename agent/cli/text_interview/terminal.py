"""Terminal: a person who answers, and where the interview is shown."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.prompt import Confirm
from rich.table import Table
from rich.text import Text

from agent.cli.text_interview.client import Received
from agent.cli.text_interview.session import GivenText, SessionOutcome
from agent.http.text.schemas import ProgressOut, QuestionOut, StartResponse, TurnResponse

_HELP = """Type your answer and press Enter; end a line with \\ to go on in the next.
You can also ask: "could you repeat that", "give me a hint", "skip this one", "let's stop here".
  /question  show the open question again
  /time      show how far the interview is
  /end       end it and show the report (Ctrl-D does the same)
  /help      show this"""


class Person:
    """Somebody at the keyboard.

    Args:
        console: where they are asked.
        read: reads a line; EOFError at Ctrl-D, KeyboardInterrupt at Ctrl-C.
        clock: seconds.
    """

    def __init__(
        self, console: Console, read: Callable[[str], str] = input, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console = console
        self._read = read
        self._clock = clock

    def answer(self, question: QuestionOut, reply: TurnResponse | None) -> GivenText | None:
        """Wait for an answer; commands are carried out meanwhile."""
        asked_at = self._clock()
        while True:
            try:
                text = self._lines()
            except EOFError:
                self._console.print()
                return None
            except KeyboardInterrupt:
                if self.wants_to_end():
                    return None
                continue
            match text.strip():
                case "":
                    self._console.print('Nothing to send. Say "I don\'t know" if you do not, or /help.', style="dim")
                case "/end":
                    return None
                case "/question":
                    self._console.print(Text(question.as_asked, style="bold"))
                case "/time":
                    self._console.print(Text(_how_far(reply.progress) if reply else "This is the first question."))
                case command if command.startswith("/"):
                    self._console.print(Text(_HELP, style="dim"))
                case response:
                    return GivenText(response, self._clock() - asked_at)

    def wants_to_end(self) -> bool:
        """Ask whether the interview is to end; a second Ctrl-C says yes."""
        self._console.print()
        try:
            return Confirm.ask("End the interview?", console=self._console, default=False)
        except (KeyboardInterrupt, EOFError):
            return True

    def _lines(self) -> str:
        lines = [self._read("> ")]
        while lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1]
            lines.append(self._read("… "))
        return "\n".join(lines)


class Terminal:
    """Shows an interview as it happens.

    Args:
        console: where.
        echo: show what the candidate says; for a script, because a person has typed it there.
    """

    def __init__(self, console: Console, *, echo: bool) -> None:
        self._console = console
        self._echo = echo
        self._in_feedback = False

    def started(self, started: StartResponse) -> None:
        """Show the greeting and the first question."""
        self._console.print(Text(started.greeting, style="cyan"))
        self._question(started.question)
        minutes, questions = started.time_budget_minutes, started.target_questions
        self._console.print(Text(f"[{minutes} minutes, about {questions} questions; /help for help]", style="dim"))

    def given(self, given: GivenText) -> None:
        """Show what a script says."""
        if self._echo:
            self._console.print(Text(f"> {given.response}", style="green"))

    def event(self, event: Received) -> None:
        """Show what came: feedback in pieces, on one line."""
        match event.name:
            case "feedback_token":
                self._console.print(Text(event.data["text"], style="cyan"), end=" ")
                self._in_feedback = True
            case "feedback_complete":
                self._end_line()
            case "reply":
                self._end_line()
                self._console.print(Text(event.data["text"], style="cyan"))
            case "question":
                self._end_line()
                self._question(QuestionOut.model_validate(event.data))
            case "turn_complete":
                self._end_line()
                self._progress(TurnResponse.model_validate(event.data))
            case "error":
                self._end_line()
                self.note(str(event.data["detail"]))
            case _:
                pass

    def reply(self, reply: TurnResponse) -> None:
        """Show what came of an answer whose events were lost."""
        self._end_line()
        for text in (reply.feedback, *(said.text for said in reply.replies)):
            if text:
                self._console.print(Text(text, style="cyan"))
        if reply.next_question:
            self._question(reply.next_question)
        self._progress(reply)

    def note(self, sentence: str) -> None:
        """Show something to know."""
        self._end_line()
        self._console.print(Text(sentence, style="yellow"))

    def ended(self, closing: str) -> None:
        """Show the goodbye."""
        self._end_line()
        self._console.print(Text(closing, style="cyan"))

    def _question(self, question: QuestionOut) -> None:
        self._console.print(Text(question.as_asked, style="bold"))

    def _progress(self, reply: TurnResponse) -> None:
        if reply.continue_interview:
            self._console.print(Text(f"[{_how_far(reply.progress)}]", style="dim"))

    def _end_line(self) -> None:
        if self._in_feedback:
            self._console.print()
        self._in_feedback = False


def show_report(console: Console, outcome: SessionOutcome) -> None:
    """Print what came out of an interview."""
    report = outcome.report
    titles = report.full.topic_titles
    console.print()
    table = Table("answer", "topic", "difficulty", "score", box=None, pad_edge=False)
    for answer in report.detailed_evaluations:
        score = (
            f"{answer.overall_score:.1f}" if answer.overall_score is not None else f"not scored: {answer.not_scored}"
        )
        table.add_row(str(answer.turn), titles.get(answer.topic, answer.topic), answer.difficulty, Text(score))
    if report.detailed_evaluations:
        console.print(table)
    if report.overall_score is not None:
        adjusted = "" if report.adjusted_score is None else f", weighted by difficulty {report.adjusted_score:.1f}"
        console.print(f"Overall {report.overall_score:.1f} of 10{adjusted}; {report.questions_asked} questions asked.")
    else:
        console.print("No overall score.")
    for title, topics in (("Strengths", report.strengths), ("To practise", report.areas_for_improvement)):
        if topics:
            console.print(f"{title}: {', '.join(titles.get(topic, topic) for topic in topics)}")
    for note in report.performance_notes:
        console.print(Text(note))


def _how_far(progress: ProgressOut) -> str:
    return (
        f"{progress.questions_completed} of {progress.target_questions} questions done, "
        f"{progress.time_remaining_minutes:g} minutes left"
    )
