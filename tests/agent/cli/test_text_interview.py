"""`viva interview --text`: scripts, the terminal, and whole interviews over real HTTP."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.text_interview.client import ClientError, LostError, Received, TextClient
from agent.cli.text_interview.script import Script, ScriptedCandidate, ScriptError, load_script
from agent.cli.text_interview.session import GivenText, Held
from agent.cli.text_interview.terminal import Person, Terminal
from agent.http.text.schemas import ProgressOut, QuestionOut, StartRequest, TurnResponse
from tests.agent.text_rig import GOOD, TextRig
from tests.web_server import served

QUESTION = QuestionOut(
    id="caching-why", text="Why?", topic="caching", estimated_time_minutes=3, kind="retrieved", as_asked="So, why?"
)


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process with a scripted judge."""
    return TextRig(tmp_path / "data")


@pytest.fixture
def screen() -> Terminal:
    """A terminal that nobody looks at."""
    return Terminal(Console(file=io.StringIO()), echo=True)


def reply_of(turn: int) -> TurnResponse:
    """What came of a turn."""
    progress = ProgressOut(
        questions_completed=turn, target_questions=7, time_elapsed_minutes=3.5, time_remaining_minutes=26.5
    )
    return TurnResponse(
        session_id="s",
        turn=turn,
        feedback="Well said.",
        replies=[],
        next_question=QUESTION,
        progress=progress,
        continue_interview=True,
        end_reason=None,
    )


# scripts


def test_a_script_says_the_first_turn_that_fits() -> None:
    """In its order, leaving out what is for another question; then `otherwise`, or the end."""
    script = Script.model_validate(
        {
            "turns": ["first", {"response": "for caching", "question": "caching-why", "after_s": 90}, "second"],
            "otherwise": {"response": "I don't know.", "after_s": 5},
            "after_s": 20,
        }
    )
    waited: list[float] = []
    candidate = ScriptedCandidate(script, waited.append)
    other = QUESTION.model_copy(update={"id": "another"})
    said = [candidate.answer(question, None) for question in (other, other, QUESTION, other, QUESTION)]
    assert said == [
        GivenText("first", 20),
        GivenText("second", 20),
        GivenText("for caching", 90),
        GivenText("I don't know.", 5),
        GivenText("I don't know.", 5),
    ]
    assert waited == [20, 20, 90, 5, 5]
    assert ScriptedCandidate(Script(turns=[]), waited.append).answer(QUESTION, None) is None


@pytest.mark.parametrize("content", ['["one", "two"]', "- one\n- response: two\n", '{"turns": ["one", "two"]}'])
def test_a_script_is_yaml_or_json(tmp_path: Path, content: str) -> None:
    """A list of turns is enough."""
    path = tmp_path / "script.yaml"
    path.write_text(content, encoding="utf-8")
    assert [turn.response for turn in load_script(path).turns] == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"turns: [{after_s: 3}]", "turns.0.response"),
        (b"turns: [{response: x, after: 3}]", "turns.0.after"),
        (b"turns: [{response: x, after_s: -3}]", "turns.0.after_s"),
        (b"turns: [", "neither YAML nor JSON"),
        (b"7", "script"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_broken_script_is_refused_with_its_fault(tmp_path: Path, content: bytes, says: str) -> None:
    """The sentence has the file and the place."""
    path = tmp_path / "script.yaml"
    path.write_bytes(content)
    with pytest.raises(ScriptError, match=r"script\.yaml") as refused:
        load_script(path)
    assert says in str(refused.value)


# a person at the keyboard


def person(*lines: str | type[BaseException]) -> tuple[Person, io.StringIO]:
    """Somebody who types these lines, and presses what is no line."""
    waiting = iter(lines)
    shown = io.StringIO()

    def read(_: str) -> str:
        line = next(waiting)
        if isinstance(line, str):
            return line
        raise line

    return Person(Console(file=shown), read, iter(range(100)).__next__), shown


def test_an_answer_may_have_several_lines() -> None:
    """A backslash at a line's end goes on in the next; the time it took is counted."""
    someone, _ = person("first line\\", "second line")
    assert someone.answer(QUESTION, None) == GivenText("first line\nsecond line", 1)


def test_commands_are_carried_out_and_not_sent() -> None:
    """Help, the question and the time are shown; an empty line is not an answer."""
    someone, shown = person("/help", "/what", "/question", "/time", "", "an answer")
    answered = someone.answer(QUESTION, reply_of(1))
    assert answered is not None
    assert answered.response == "an answer"
    for part in ("Ctrl-D", "So, why?", "1 of 7 questions done, 26.5 minutes left", "Nothing to send"):
        assert part in shown.getvalue()


@pytest.mark.parametrize("ends", ["/end", EOFError])
def test_a_person_can_end_it(ends: str | type[BaseException]) -> None:
    """By command or with Ctrl-D."""
    assert person(ends)[0].answer(QUESTION, None) is None


def test_ctrl_c_asks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """No goes on, yes ends, and Ctrl-C once more is a yes."""
    monkeypatch.setattr("rich.prompt.Confirm.ask", lambda *_, **__: False)
    answered = person(KeyboardInterrupt, "an answer")[0].answer(QUESTION, None)
    assert answered is not None
    monkeypatch.setattr("rich.prompt.Confirm.ask", lambda *_, **__: True)
    assert person(KeyboardInterrupt)[0].answer(QUESTION, None) is None
    monkeypatch.setattr("rich.prompt.Confirm.ask", _interrupt)
    assert person(KeyboardInterrupt)[0].answer(QUESTION, None) is None


def _interrupt(*_: object, **__: object) -> bool:
    raise KeyboardInterrupt


# whole interviews


def virtual(rig: TextRig, url: str, script: Script, screen: Terminal) -> Held:
    """A scripted interview in virtual time."""
    assert rig
    return Held(TextClient(url), ScriptedCandidate(script, lambda _: None), screen, virtual=True, pause=lambda _: None)


def test_a_script_holds_a_whole_interview(rig: TextRig, screen: Terminal) -> None:
    """In virtual time, with every event and its time; feedback comes before the question is chosen."""
    rig.overrides["slow_selector_s"] = 0.05
    script = Script.model_validate(
        {"turns": ["#hold", "half of what green leaves need"], "otherwise": GOOD, "after_s": 120}
    )
    with served(rig.app()) as url:
        held = virtual(rig, url, script, screen)
        outcome = held.hold(StartRequest(candidate_name="Ada", time_budget_minutes=20, time="virtual"))
        held.client.__exit__()
    assert outcome.report.end_reason in ("completed", "time_up")
    assert outcome.report.time_taken_minutes == 2 * len(outcome.turns)
    assert outcome.closing
    for turn in outcome.turns[1:-1]:
        at = {event.name: event.at_s for event in turn.events}
        names = [event.name for event in turn.events]
        assert names.index("feedback_token") < names.index("question_selected")
        assert at["feedback_token"] <= at["question_selected"] <= at["question"] <= at["turn_complete"]
    assert "token" not in json.loads(outcome.model_dump_json())


class Unreliable(TextClient):
    """Its connection breaks: before the first answer arrives, and in the middle of the second one's events."""

    sent = 0

    def submit(self, response: str, elapsed_s: float | None) -> Iterator[Received]:
        self.sent += 1
        if self.sent == 1:
            raise LostError("The connection broke.")
        for event in super().submit(response, elapsed_s):
            yield event
            if self.sent == 3:
                raise LostError("The connection broke.")


def test_a_broken_connection_loses_nothing(rig: TextRig, screen: Terminal) -> None:
    """What did not arrive is sent again, and what was missed is asked for."""
    script = Script.model_validate({"turns": [GOOD, GOOD, "#stop"], "after_s": 10})
    with served(rig.app()) as url, Unreliable(url, pause=lambda _: time.sleep(0.05)) as client:
        candidate = ScriptedCandidate(script, lambda _: None)
        held = Held(client, candidate, screen, virtual=True, pause=lambda _: None)
        outcome = held.hold(StartRequest(candidate_name="Ada", time="virtual"))
    assert [turn.reply.turn for turn in outcome.turns] == [1, 2, 3]
    assert [turn.resumed for turn in outcome.turns] == [True, True, False]
    assert all(turn.reply.feedback for turn in outcome.turns[:2])
    assert [text for _, text in rig.judge.judged] == [GOOD, GOOD]


def test_an_interview_that_waits_for_a_person_goes_on_when_they_are_done(rig: TextRig, screen: Terminal) -> None:
    """The client asks until the turn is released."""
    rig.overrides["human_review"] = "all"
    script = Script.model_validate({"turns": [GOOD]})
    released: list[float] = []
    with served(rig.app()) as url, TextClient(url) as client:

        def release(seconds: float) -> None:
            if not released:
                waiting = client._http.get("/api/v1/reviews").json()[0]
                path = f"/api/v1/reviews/{waiting['session_id']}/{waiting['turn']}/release"
                assert client._http.post(path, json={"by": "Grace"}).is_success
            released.append(seconds)

        held = Held(client, ScriptedCandidate(script, lambda _: None), screen, virtual=False, pause=release)
        outcome = held.hold(StartRequest(candidate_name="Ada"))
    assert released
    assert outcome.turns[0].reply.next_question is not None


def test_viva_that_is_not_there_is_said_so() -> None:
    """With its address."""
    with (
        TextClient("http://127.0.0.1:9", pause=lambda _: None) as client,
        pytest.raises(ClientError, match=r"127\.0\.0\.1:9"),
    ):
        client.start(StartRequest(candidate_name="Ada"))


# the command


def run(*options: str) -> tuple[int, str]:
    """The command's exit code and all it printed."""
    result = CliRunner().invoke(app, ["interview", *options], env={"COLUMNS": "200"})
    return result.exit_code, result.output


def test_the_command_writes_everything_into_a_file(rig: TextRig, tmp_path: Path) -> None:
    """Exit code 0, the conversation in the terminal, and the whole of it as JSON."""
    script, out = tmp_path / "script.yaml", tmp_path / "out.json"
    script.write_text(f"turns: ['#hold', '{GOOD}']\n", encoding="utf-8")
    with served(rig.app()) as url:
        options = ("--text", "--virtual", "--name", "Ada", "--pack", "tea", "--minutes", "20", "--url", url)
        code, output = run(*options, "--script", str(script), "--json", str(out))
    assert code == 0, output
    assert "Ada" in output
    assert f"> {GOOD}" in output
    assert "Overall 10.0 of 10" in output
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written["wanted"]["pack"] == "tea"
    assert [turn["response"] for turn in written["turns"]] == ["#hold", GOOD]
    assert written["turns"][1]["events"][0]["name"] == "feedback_token"
    assert written["report"]["overall_score"] == 10.0


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ((), 2, "--text"),
        (("--text",), 2, "no terminal"),
        (("--text", "--script", "nowhere.yaml"), 2, "nowhere.yaml"),
        (("--text", "--script", "{script}", "--json", "{script}/no/out.json"), 2, "no folder"),
        (("--text", "--script", "{script}", "--minutes", "1"), 2, "minutes"),
        (("--text", "--script", "{script}", "--name", ""), 2, "candidate_name"),
        (("--text", "--script", "{script}", "--resume", "{script}.txt"), 2, "does not exist"),
        (("--text", "--script", "{script}", "--url", "http://127.0.0.1:9"), 1, "Does Viva run there?"),
    ],
)
def test_the_command_says_what_is_wrong(tmp_path: Path, options: tuple[str, ...], code: int, says: str) -> None:
    """2 for a wrong use, 1 for what failed, and a sentence for both."""
    script = tmp_path / "script.yaml"
    script.write_text("[one]", encoding="utf-8")
    got, output = run(*(option.format(script=script) for option in options))
    assert (got, says in output) == (code, True), output


def test_what_viva_refuses_is_told(rig: TextRig, tmp_path: Path) -> None:
    """In Viva's own words."""
    script = tmp_path / "script.yaml"
    script.write_text("[one]", encoding="utf-8")
    with served(rig.app()) as url:
        code, output = run("--text", "--script", str(script), "--url", url, "--pack", "cooking")
    assert code == 1
    assert "There is no question pack 'cooking'; there is: tea." in output
