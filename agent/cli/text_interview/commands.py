"""Commands of `viva interview`: its options and its exit code."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from agent.cli.errors import FAILED, WRONG_USE, sentence_of
from agent.cli.options import FEEDBACK_HELP, DifficultyOption, DocumentError, FeedbackOption, read_document

if TYPE_CHECKING:
    from agent.cli.text_interview.script import Script
    from agent.http.text.schemas import StartRequest

# What takes long to import is imported when an interview begins: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def interview(
    *,
    text: Annotated[
        bool, typer.Option("--text", help="By text, in this terminal; by voice it begins on the start page.")
    ] = False,
    script: Annotated[Path | None, typer.Option(help="A YAML or JSON file of what the candidate says.")] = None,
    json: Annotated[Path | None, typer.Option(help="File for everything that happened, for machines.")] = None,
    url: Annotated[
        str | None, typer.Option(help="A running Viva, such as http://127.0.0.1:8080; without it one is started.")
    ] = None,
    pack: Annotated[str, typer.Option(help="Id of the question pack; without it the first one.")] = "",
    minutes: Annotated[int, typer.Option(min=3, max=90, help="Time budget.")] = 30,
    name: Annotated[str, typer.Option(help="What the interviewer calls you.")] = "Candidate",
    difficulty: Annotated[
        DifficultyOption, typer.Option(help="Where the difficulty starts.")
    ] = DifficultyOption.MEDIUM,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about first; can be given again.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Your résumé: PDF, DOCX, Markdown or text.")] = None,
    job: Annotated[Path | None, typer.Option(help="The job's description, likewise.")] = None,
    about_resume: Annotated[
        bool, typer.Option("--about-resume", help="Questions about your résumé, not about the topics.")
    ] = False,
    feedback: Annotated[FeedbackOption | None, typer.Option(help=FEEDBACK_HELP)] = None,
    exam: Annotated[bool, typer.Option("--exam", help="The same as --feedback exam.")] = False,
    virtual: Annotated[
        bool, typer.Option("--virtual", help="Virtual time: a script's pauses are counted and not waited for.")
    ] = False,
) -> None:
    """Hold an interview by text: in the terminal, or from a script.

    The exit code is 0 when the interview was held, 1 when it could not be, and 2 when the command was used wrongly.
    """
    if not text:
        _leave(WRONG_USE, "Say --text. An interview by voice begins on the start page: run 'viva up' and open it.")
    if script is None and not sys.stdin.isatty():
        _leave(WRONG_USE, "There is no terminal to answer in. Give the answers with --script FILE.")
    if json is not None and not json.parent.is_dir():
        _leave(WRONG_USE, f"There is no folder {json.parent} to write {json.name} into.")
    from pydantic import ValidationError

    from agent.cli.text_interview.client import ClientError
    from agent.cli.text_interview.script import ScriptError, load_script
    from agent.http.text.schemas import StartRequest
    from agent.settings import SettingsError

    try:
        answers = load_script(script) if script else None
        wanted = StartRequest(
            candidate_name=name,
            pack=pack,
            difficulty=difficulty.value,
            focus_topics=topic or [],
            time_budget_minutes=minutes,
            feedback="exam" if exam else feedback and feedback.value,
            mode="resume" if about_resume else None,
            resume=read_document(resume),
            job_description=read_document(job),
            time="virtual" if virtual else "real",
        )
    except (ScriptError, DocumentError) as error:
        _leave(WRONG_USE, str(error))
    except ValidationError as error:
        _leave(
            WRONG_USE,
            "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'interview'}: {fault['msg']}" for fault in error.errors()),
        )
    try:
        _hold(wanted, answers, url, json)
    except SettingsError as error:
        _leave(WRONG_USE, str(error))
    except ClientError as error:
        _leave(FAILED, f"The interview failed: {error}")
    except OSError as error:
        _leave(FAILED, f"The interview failed: {sentence_of(error)}")
    except KeyboardInterrupt:
        _leave(FAILED, "The interview was stopped.")


def _hold(wanted: StartRequest, script: Script | None, url: str | None, json: Path | None) -> None:
    from rich.console import Console

    from agent.cli.text_interview.client import TextClient
    from agent.cli.text_interview.script import ScriptedCandidate
    from agent.cli.text_interview.serving import own_viva
    from agent.cli.text_interview.session import Answerer, Held
    from agent.cli.text_interview.terminal import Person, Terminal, show_report
    from agent.settings import load_settings

    console = Console(highlight=False)
    virtual = wanted.time == "virtual"
    wait = _do_not_wait if virtual else time.sleep
    candidate: Answerer = ScriptedCandidate(script, wait) if script else Person(console)
    with nullcontext(url) if url else own_viva(load_settings()) as address, TextClient(address) as client:
        screen = Terminal(console, echo=script is not None)
        outcome = Held(client, candidate, screen, virtual, time.sleep).hold(wanted)
    show_report(console, outcome)
    if json is not None:
        json.write_text(outcome.model_dump_json(indent=2) + "\n", encoding="utf-8")
    where = outcome.replay_url if url else f"/replay/{outcome.session_id} of your Viva ('viva up')"
    console.print(f"Replay: {where}", soft_wrap=True)


def _do_not_wait(_seconds: float) -> None:
    """In virtual time a pause is counted by the interview and waited for by nobody."""


def _leave(code: int, sentence: str) -> NoReturn:
    sys.stderr.write(f"{sentence}\n")
    raise typer.Exit(code)


if __name__ == "__main__":
    app()
