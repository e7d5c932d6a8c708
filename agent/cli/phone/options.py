"""Options of the commands that make an interview for the phone."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from agent.cli.options import FEEDBACK_HELP, DifficultyOption, FeedbackOption, read_document
from agent.interviews.creation import Wish
from agent.settings import Settings
from domain.vocabulary import FASTEST_PACE, SLOWEST_PACE

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


class WishOptionsError(ValueError):
    """Options that no interview can be made of; the sentence says which."""


@dataclass(frozen=True, slots=True)
class WishOptions:
    """What is said of the interview on the command line."""

    name: Annotated[str, typer.Option(help="What the interviewer calls the candidate.")] = "Candidate"
    pack: Annotated[str, typer.Option(help="Id of the question pack; without it the first one.")] = ""
    minutes: Annotated[int, typer.Option(min=3, max=90, help="Time budget.")] = 20
    difficulty: Annotated[DifficultyOption, typer.Option(help="Where the difficulty starts.")] = DifficultyOption.MEDIUM
    pace: Annotated[
        float,
        typer.Option(
            min=SLOWEST_PACE, max=FASTEST_PACE, help="How fast the interviewer speaks at first; 1 is its usual pace."
        ),
    ] = 1.0
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about first; can be given again.")] = None
    resume: Annotated[Path | None, typer.Option(help="The candidate's résumé: PDF, DOCX, Markdown or text.")] = None
    job: Annotated[Path | None, typer.Option(help="The job's description, likewise.")] = None
    about_resume: Annotated[
        bool, typer.Option("--about-resume", help="Questions about the résumé, not about the topics.")
    ] = False
    feedback: Annotated[FeedbackOption | None, typer.Option(help=FEEDBACK_HELP)] = None
    exam: Annotated[bool, typer.Option("--exam", help="The same as --feedback exam.")] = False
    user_id: Annotated[
        str, typer.Option("--user-id", help="Whose profile it belongs to; without it, of whoever bears the name.")
    ] = ""

    def wish(self, settings: Settings) -> Wish:
        """The wish, held against the question packs there are.

        Raises:
            WishOptionsError, DocumentError, WishError, PackError: it cannot be granted.
        """
        from agent.http.wishes import NewInterview  # noqa: PLC0415 - see the commands
        from agent.packs import packs_in_force  # noqa: PLC0415
        from agent.phone.issuing import settled  # noqa: PLC0415

        try:
            wanted = NewInterview(
                name=self.name,
                user_id=self.user_id,
                pack=self.pack,
                minutes=self.minutes,
                difficulty=self.difficulty.value,
                pace=self.pace,
                focus_topics=self.topic or [],
                feedback="exam" if self.exam else self.feedback and self.feedback.value,
                mode="resume" if self.about_resume else None,
                resume=read_document(self.resume),
                job_description=read_document(self.job),
            )
        except ValidationError as error:
            raise WishOptionsError(
                "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            ) from None
        return settled(wanted.wish(), packs_in_force(settings), settings, is_host=True, now=time.time())


def with_wish_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `WishOptions`; it gets them together, as its parameter `asked`."""
    wishes = inspect.signature(WishOptions, eval_str=True).parameters
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for each in signature.parameters.values():
        options = [wish.replace(kind=each.KEYWORD_ONLY) for wish in wishes.values()]
        parameters += options if each.name == "asked" else [each]

    @wraps(command)
    def run(**given: Any) -> None:
        asked = WishOptions(**{name: given.pop(name) for name in wishes})
        command(asked=asked, **given)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # typer reads it
    return run
