"""Options of the commands that make an interview for the phone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from agent.cli.options import DifficultyOption, read_document
from agent.interviews.creation import Wish
from agent.settings import Settings

Pack = Annotated[str, typer.Option(help="Id of the question pack; without it the first one.")]
Minutes = Annotated[int, typer.Option(min=3, max=90, help="Time budget.")]
Name = Annotated[str, typer.Option(help="What the interviewer calls the candidate.")]
Who = Annotated[
    str, typer.Option("--user-id", help="Whose profile it belongs to; without it, of whoever bears the name.")
]
Difficulty = Annotated[DifficultyOption, typer.Option(help="Where the difficulty starts.")]
Topic = Annotated[list[str] | None, typer.Option(help="A topic to ask about first; can be given again.")]
Resume = Annotated[Path | None, typer.Option(help="The candidate's résumé: PDF, DOCX, Markdown or text.")]
Job = Annotated[Path | None, typer.Option(help="The job's description, likewise.")]
AboutResume = Annotated[bool, typer.Option("--about-resume", help="Questions about the résumé, not about the topics.")]
Exam = Annotated[bool, typer.Option("--exam", help="No feedback before the report.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


class WishOptionsError(ValueError):
    """Options that no interview can be made of; the sentence says which."""


@dataclass(frozen=True, slots=True)
class WishOptions:
    """What was said of the interview on the command line."""

    pack: str
    minutes: int
    name: str
    user_id: str
    difficulty: DifficultyOption
    topics: list[str]
    resume: Path | None
    job: Path | None
    about_resume: bool
    exam: bool

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
                focus_topics=self.topics,
                feedback="exam" if self.exam else "practice",
                mode="resume" if self.about_resume else None,
                resume=read_document(self.resume),
                job_description=read_document(self.job),
            )
        except ValidationError as error:
            raise WishOptionsError(
                "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
            ) from None
        return settled(wanted.wish(), packs_in_force(settings), settings, is_host=True, now=time.time())
