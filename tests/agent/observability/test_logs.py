"""Logs: one object a line, the interview a line belongs to, and nothing of what candidates say."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import sqlite3
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agent.observability import bind, configure_job_logging, configure_logging, words
from agent.observability.logs import bound_fields, json_line
from agent.observability.redaction import ROOMS, message_of
from agent.processes.stack import print_json_line
from agent.settings import Settings
from domain.events import nobody
from graph import sqlite_checkpointer
from review import RecordError
from tests.agent.observability.watched import MARKER, hold, own_logging, quoting_models

Lines = Callable[[], list[dict[str, object]]]


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    with own_logging():
        yield


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """The lines that were logged as JSON since the last look."""

    def read() -> list[dict[str, object]]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    return read


def as_json(**values: object) -> Settings:
    """Settings for JSON lines."""
    return Settings(log_format="json", **values)  # type: ignore[arg-type]


def test_a_json_line_says_when_where_how_bad_and_what(lines: Lines) -> None:
    """The fields are those that the documentation names, and extra ones of the call."""
    configure_logging(as_json(), "worker")

    logging.getLogger("agent.worker.job").warning("lost %d of %s", 3, "them", extra={"status": 503, "request_id": ""})

    (line,) = lines()
    assert str(line.pop("ts")).endswith("Z")
    assert line == {
        "level": "warning",
        "logger": "agent.worker.job",
        "message": "lost 3 of them",
        "process": "worker",
        "status": 503,
    }


@given(message=st.text(), extra=st.text())
def test_whatever_is_logged_stays_one_json_object_on_one_line(message: str, extra: str) -> None:
    """No line break, quote or strange character breaks the line."""
    from agent.observability.logs import _JsonLines  # noqa: PLC0415

    record = logging.LogRecord("agent", logging.INFO, "", 0, "%s", (message,), None)
    record.what = extra
    text = _JsonLines().format(record)

    assert "\n" not in text
    assert "\r" not in text
    assert json.loads(text)["message"] == message


async def test_lines_say_which_interview_turn_and_request_they_belong_to(lines: Lines) -> None:
    """What is bound is on every line of the task, of tasks and threads it starts, and on no other."""
    configure_logging(as_json(), "web")
    log = logging.getLogger("agent.http.app")

    async def inner() -> None:
        log.info("task")
        await asyncio.to_thread(log.info, "thread")

    with bind(interview_id="9f2c", request_id="r1"):
        with bind(turn=3):
            await asyncio.create_task(inner())
        log.info("after")
    log.info("outside")

    told = {line["message"]: (line.get("interview_id"), line.get("turn"), line.get("request_id")) for line in lines()}
    assert told == {
        "task": ("9f2c", 3, "r1"),
        "thread": ("9f2c", 3, "r1"),
        "after": ("9f2c", None, "r1"),
        "outside": (None, None, None),
    }


async def test_what_is_bound_ends_with_a_generator_that_is_closed_elsewhere() -> None:
    """An interview's stream that nobody reads to its end leaves nothing behind and raises nothing."""

    async def stream() -> object:  # type: ignore[misc]
        with bind(turn=1):
            yield 1
            yield 2

    generator = stream()
    await anext(generator)  # type: ignore[call-overload]
    await asyncio.create_task(generator.aclose())  # type: ignore[attr-defined]

    with bind(turn=2):
        assert bound_fields()["turn"] == 2


def test_text_lines_name_the_interview_at_their_end(capsys: pytest.CaptureFixture[str]) -> None:
    """For people: the logger, the sentence, and what it is about."""
    configure_logging(Settings(), "worker")

    with bind(interview_id="9f2c", turn=2):
        logging.getLogger("agent.worker.job").info("the recording stopped")

    assert capsys.readouterr().err == "agent.worker.job: the recording stopped (interview 9f2c, turn 2)\n"


def test_nothing_that_was_sent_can_look_like_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """A line break in a path or an id is shown as what it is."""
    configure_logging(Settings(), "web")

    logging.getLogger("agent.http.rooms").info("GET %s", "/x\nagent.api: all is well")

    assert capsys.readouterr().err == "agent.http.rooms: GET /x\\nagent.api: all is well\n"


def test_an_exception_is_fields_of_the_line_with_its_place(lines: Lines) -> None:
    """Type, message and stack are there, without breaking the line."""
    configure_logging(as_json(), "worker")
    try:
        open("/nowhere/at/all")  # noqa: PTH123, SIM115
    except OSError:
        logging.getLogger("agent.worker.job").exception("no file")

    (line,) = lines()
    assert line["error_type"] == "FileNotFoundError"
    assert "/nowhere/at/all" in str(line["error"])
    assert "test_logs.py" in str(line["stack"])
    assert "exc_info" not in line


class Form(BaseModel):
    """Something with a field."""

    number: int


def error_that_quotes(kind: str) -> BaseException:
    """An exception as it comes out of some code, with the marker in its message."""
    try:
        match kind:
            case "value":
                raise ValueError(f"{MARKER!r} is no topic")  # noqa: TRY301
            case "key":
                {}[MARKER]
            case "pydantic":
                Form.model_validate({"number": MARKER})
            case "cause":
                try:
                    int(MARKER)
                except ValueError as error:
                    raise RecordError("it cannot be read") from error
            case _:
                raise ExceptionGroup(MARKER, [LookupError(MARKER)])  # noqa: TRY301
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError


@pytest.mark.parametrize("kind", ["value", "key", "pydantic", "cause", "group"])
@pytest.mark.parametrize("log_format", ["json", "text"])
def test_exceptions_that_quote_what_was_said_are_logged_without_the_quote(
    kind: str, log_format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The type and the place are enough to find the fault; the message is shown with log_words."""
    error = error_that_quotes(kind)
    for log_words in (False, True):
        configure_logging(Settings(log_format=log_format, log_words=log_words), "worker")  # type: ignore[arg-type]
        logging.getLogger("agent.conversation.interviewer").error("turn 3 failed: %s", error, exc_info=error)

        told = capsys.readouterr().err
        assert (MARKER in told) is log_words
        assert type(error).__name__ in told
        assert "test_logs.py" in told


def test_errors_that_quote_nothing_keep_their_sentence() -> None:
    """What a host needs to know is not hidden: disks, networks, and our own sentences."""
    assert message_of(RecordError("the disk is full"), log_words=False) == "the disk is full"
    assert message_of(sqlite3.OperationalError("disk I/O error"), log_words=False) == "disk I/O error"
    assert message_of(PermissionError(13, "denied"), log_words=False) == "[Errno 13] denied"


def test_our_own_code_passes_words_by_number_only(lines: Lines) -> None:
    """`words` shows how many there were, and the words only where the host asked for them."""
    for log_words, shown in ((False, "<3 words>"), (True, "one two three")):
        configure_logging(as_json(log_words=log_words), "worker")
        logging.getLogger("agent.worker.job").info(
            "heard %s", words("one two three"), extra={"said": words("one two three")}
        )

        (line,) = lines()
        assert line["message"] == f"heard {shown}"
        assert line["said"] == shown
    assert str(words("one two three")) == repr(words("one two three")) == "<3 words>"


def test_fields_that_livekit_marks_as_personal_are_dropped(lines: Lines) -> None:
    """LiveKit puts transcripts into fields with `pii` in their name; its other fields stay."""
    configure_logging(as_json(), "worker")

    extra = {"lk.pii.user_input": MARKER, "language": "en"}
    logging.getLogger("livekit.agents").warning("skipping reply to user input", extra=extra)

    (line,) = lines()
    assert line["language"] == "en"
    assert MARKER not in json.dumps(line)


def test_warnings_of_python_are_logged_without_the_value_they_are_about(lines: Lines) -> None:
    """Pydantic's warnings quote the value; the place and the category are enough."""
    configure_logging(as_json(), "worker")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn(f"serialised value may not be as expected [input_value='{MARKER}']", UserWarning, stacklevel=1)

    (line,) = lines()
    assert line["logger"] == "py.warnings"
    assert str(line["message"]).endswith("UserWarning")
    assert MARKER not in json.dumps(line)


def test_debug_shows_our_own_lines_and_no_librarys(lines: Lines) -> None:
    """Libraries log requests and statements at debug level, with all that was said in them."""
    configure_logging(as_json(log_level="debug"), "worker")
    for name in ("agent.worker.job", "aiosqlite", "langchain", "livekit.agents"):
        logging.getLogger(name).setLevel(logging.DEBUG)
        logging.getLogger(name).debug("of %s", name)

    assert [line["message"] for line in lines()] == ["of agent.worker.job"]


def test_a_jobs_process_says_which_interview_its_lines_belong_to(lines: Lines) -> None:
    """LiveKit hands records of a job's process to the worker; they arrive with their fields and without words."""
    configure_logging(as_json(), "worker")
    sent: list[bytes] = []

    class Queue(logging.Handler):
        """Does what LiveKit's handler does in a job's process."""

        def emit(self, record: logging.LogRecord) -> None:
            record.msg = record.message = self.format(record)
            record.args = record.exc_info = None
            sent.append(pickle.dumps(record))

    worker, root = logging.getLogger().handlers[:], logging.getLogger()
    root.handlers[:] = [Queue()]
    configure_job_logging(as_json())
    with bind(interview_id="9f2c"):
        logging.getLogger("agent.worker.job").error("it failed", exc_info=error_that_quotes("value"))
    root.handlers[:] = worker
    logging.getLogger("agent.worker.job").callHandlers(pickle.loads(sent[0]))

    (line,) = lines()
    assert line["interview_id"] == "9f2c"
    assert line["error_type"] == "ValueError"
    assert MARKER not in json.dumps(line)


def test_in_threads_job_logging_changes_nothing() -> None:
    """An executor that is a thread shares the worker's handler, which is set up once."""
    configure_logging(as_json(), "worker")
    before = [list(handler.filters) for handler in logging.getLogger().handlers]

    configure_job_logging(as_json())

    assert [list(handler.filters) for handler in logging.getLogger().handlers] == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_ends_a_process_or_thread_is_logged_like_everything_else(lines: Lines) -> None:
    """The last words of a crash are JSON too, and do not quote anybody."""
    configure_logging(as_json(), "worker")
    error = error_that_quotes("value")

    sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=lambda: int(MARKER), name="joiner")
    thread.start()
    thread.join()

    ended, failed = lines()
    assert (ended["level"], ended["error_type"]) == ("critical", "ValueError")
    assert "the thread joiner ended" in str(failed["message"])
    assert MARKER not in json.dumps([ended, failed])


def test_viva_up_passes_json_lines_on_and_makes_json_of_others(capsys: pytest.CaptureFixture[str]) -> None:
    """livekit-server and the supervisor write text; what comes out of `viva up` is JSON all the same."""
    from rich.console import Console  # noqa: PLC0415

    console = Console(width=20)
    own = '{"ts": "2026-01-01T00:00:00.000Z", "message": "a line that is longer than the terminal is wide"}'
    print_json_line(console, "worker", own)
    print_json_line(console, "livekit", 'said "no"\tand [bold]left')

    first, second = capsys.readouterr().out.splitlines()
    assert first == own
    assert json.loads(second)["message"] == 'said "no"\tand [bold]left'
    assert json.loads(second)["process"] == json.loads(json_line("livekit", "x"))["process"] == "livekit"


async def test_no_word_of_a_candidate_is_in_the_logs_of_an_interview(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With every logger of every library at debug level, and models that fail and quote what they were asked."""
    ours: list[str] = []

    class Raw(logging.Handler):
        """Sees what our own code logs before anything is taken out."""

        def emit(self, record: logging.LogRecord) -> None:
            ours.append(record.getMessage())

    for log_words in (False, True):
        configure_logging(as_json(log_level="debug", log_words=log_words), "worker")
        for name in logging.root.manager.loggerDict:
            logging.getLogger(name).setLevel(logging.DEBUG)
        logging.getLogger().setLevel(logging.DEBUG)
        raw = Raw()
        for room in ROOMS:
            logging.getLogger(room).addHandler(raw)
        async with sqlite_checkpointer(tmp_path / f"{log_words}.sqlite") as checkpointer:
            await hold(nobody, checkpointer, models=quoting_models())
        for room in ROOMS:
            logging.getLogger(room).removeHandler(raw)

        told = capsys.readouterr().err
        assert "its message is shown with log_words" in told or log_words
        assert (MARKER in told) is log_words
        assert all(json.loads(line)["message"] for line in told.splitlines())
    assert ours
    assert MARKER not in "\n".join(ours)
