"""`viva judge`: a file of answers, an explanation, and a verdict that is contested."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.cli.judge import batch, contest
from agent.cli.judge.answers import find_answer
from agent.cli.judge.contest import Objection, judged_again, question_of
from agent.cli.judge.explain import explanation, told
from domain.events import AnswerJudged, Event, QuestionSelected, VerdictContested
from domain.question import Question
from domain.verdict import Counts, Verdict
from domain.vocabulary import VerdictStatus
from graph.exploration.aspects import aspect_sheets
from graph.judging import JudgePanel
from rag import load_packs
from review import RecordStore, build_report, markdown
from tests.review.sample_requests import requests_by_text, requests_by_voice

EVENTS = requests_by_voice(1_700_000_000.0)


class SaysAll:
    """Finds every key point in this way."""

    name = "scripted"

    def __init__(self, status: VerdictStatus = "covered") -> None:
        self.status = status
        self.seen: list[tuple[Question, list[str]]] = []

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        self.seen.append((question, list(words)))
        return tuple(Verdict(point=p, status=self.status, probability=0.9, rule="r") for p in question.targets.points)


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> SaysAll:
    """A judge in place of those that the commands would load."""
    judge = SaysAll()

    async def scripted(name: str, settings: object) -> JudgePanel:
        return JudgePanel(judge)

    monkeypatch.setattr(batch, "make_named_panel", scripted)
    monkeypatch.setattr(contest, "make_named_panel", scripted)
    return judge


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with an interview by voice, one by text, and one that still runs."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path))
    store = RecordStore(tmp_path / "record.sqlite")
    by_voice = requests_by_voice(1_700_000_000.0)
    running = [event for event in by_voice if event.kind != "interview_ended"]
    for name, events in (("voice", by_voice), ("text", requests_by_text(1_700_000_000.0)), ("running", running)):
        for event in events:
            store.append(name, event)
    store.close()
    return tmp_path


def viva(*arguments: str, given: bytes = b"") -> Result:
    """What the command line does."""
    return CliRunner().invoke(app, ["judge", *arguments], input=given)


def recorded(data: Path, interview: str) -> list[Event]:
    """The events that are in the record now."""
    store = RecordStore(data / "record.sqlite")
    events = [stored.event for stored in store.events(interview)]
    store.close()
    return events


LINE = {"id": "a", "question": "q", "answer": "one two three", "key_points": ["One.", "Two."]}


@pytest.mark.usefixtures("panel")
def test_a_file_becomes_a_file_in_the_same_order(tmp_path: Path) -> None:
    """Each line in has a line out, with the bar on standard error; a short written answer is judged too."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({**LINE, "id": n, "answer": "yes"}) + "\n" for n in range(3)))
    result = viva("batch", str(source), str(target))
    assert result.exit_code == 0, result.output
    out = [json.loads(line) for line in target.read_text().splitlines()]
    assert [(each["id"], each["label"], each["score"]) for each in out] == [(n, "correct", 10.0) for n in range(3)]
    assert result.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir() if "jsonl" in path.name) == ["in.jsonl", "out.jsonl"]


@pytest.mark.usefixtures("panel")
def test_standard_input_and_output() -> None:
    """A dash stands for both, and standard output holds nothing but the lines."""
    result = viva("batch", "-", "-", given=json.dumps(LINE).encode())
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 1)
    assert json.loads(result.stdout)["judge"] == "scripted"


def test_a_bad_line_leaves_the_result_as_it_was(tmp_path: Path, panel: SaysAll) -> None:
    """A bad line is named, nothing is judged, and what stood in the file stays."""
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(LINE) + '\n{"id": 2}\n')
    target.write_text("earlier")
    result = viva("batch", str(source), str(target))
    assert result.exit_code == 1
    assert "in.jsonl, line 2: question: field required; answer: field required" in result.stderr
    assert (target.read_text(), panel.seen) == ("earlier", [])


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("nowhere.jsonl", "-", "cannot be read"),
        ("in.jsonl", "no/out.jsonl", "does not exist"),
        ("in.jsonl", ".", "folder"),
    ],
)
def test_files_that_cannot_be_used_are_told_before_judging(
    tmp_path: Path, panel: SaysAll, source: str, target: str, told: str
) -> None:
    """Nobody waits for a judge and learns then that the result has no place."""
    (tmp_path / "in.jsonl").write_text(json.dumps(LINE))
    result = viva("batch", str(tmp_path / source), target if target == "-" else str(tmp_path / target))
    assert result.exit_code == 1
    assert told in result.stderr
    assert panel.seen == []


@pytest.mark.parametrize("question", ["2", "ds-search"])
def test_an_explanation_has_all_that_led_to_the_score(data: Path, question: str) -> None:
    """Quote, words with their times, probability, rule, and the steps from the verdicts to the scores."""
    result = viva("explain", "voice", question, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    first = told["verdicts"][0]
    assert (first["quote"], first["span"]) == ("It takes logarithmic time", [0, 3])
    assert [word["text"] for word in first["words"]] == ["It", "takes", "logarithmic", "time,"]
    assert all(word["start_s"] <= word["end_s"] for word in first["words"])
    assert [step["name"] for step in told["steps"]][-3:] == ["spread", "low", "high"]
    people = viva("explain", "voice", question).stdout
    assert "evidence: “It takes logarithmic time” (words 0 to 3)" in people
    assert "completeness = 10 · credit / n = 10 · 2 / 2 = 10" in people
    assert data.exists()


@pytest.mark.parametrize(("status", "words"), [("contradicted", "stated"), ("missing", "not stated")])
def test_an_explanation_says_whether_a_misconception_was_stated(status: str, words: str) -> None:
    """Nobody reads "misconception, contradicted" of somebody who stated one; the JSON keeps the record's status."""
    counts = Counts(covered=0.0, partly=0.0, missing=0.25, contradicted=0.75)
    about = {"kind": "misconception", "status": status, "counts": counts}
    events = [
        event.model_copy(update={"verdicts": [*event.verdicts, event.verdicts[0].model_copy(update=about)]})
        if isinstance(event, AnswerJudged)
        else event
        for event in EVENTS
    ]
    explained = explanation("voice", events, "2")
    assert explained["verdicts"][-1]["status"] == status
    people = "\n".join(told(explained))
    assert f"   misconception, {words}, probability 0.86" in people
    assert "counts as 0.25 not stated, 0.75 stated" in people


def test_an_explanation_prints_what_hints_took_off() -> None:
    """The step stands before completeness, which is what is left."""
    told = explanation("voice", EVENTS, "1")
    steps = {step["name"]: step for step in told["steps"]}
    assert (told["hints"], steps["left after hints"]["value"]) == (1, 0.9)
    assert steps["completeness"]["numbers"] == "10 · 2 / 3 · 0.9"
    assert steps["completeness"]["value"] == 6.0


async def test_a_contested_answer_keeps_its_hints() -> None:
    """Whoever decides, a person or a judge, the scores follow by the same rule: three of three points after a hint."""
    judged = find_answer(EVENTS, "1").answer.judged
    assert judged is not None
    assert judged.hints == 1
    by_person = contest.decided(judged, Objection("said so", point=3, status="covered"), 1.0)
    by_judge = await judged_again(
        JudgePanel(SaysAll()),
        question_of(EVENTS, judged, None),
        ["some", "words"],
        judged=judged,
        objection=Objection("look again"),
        at=1.0,
    )
    for event in (by_person, by_judge):
        assert event.scores is not None
        assert event.scores.completeness == 9.0


def test_an_explanation_by_text_has_no_times() -> None:
    """Nothing sounds in an interview by text, so its words have no times."""
    told = explanation("text", requests_by_text(0.0), "1")
    assert {word["start_s"] for verdict in told["verdicts"] for word in verdict["words"]} == {None}


def test_a_skipped_question_is_said_to_be_not_scored() -> None:
    """Where nothing was judged there are no steps, and the reason is given."""
    told = explanation("voice", EVENTS, "ds-consensus")
    assert (told["scores"], told["steps"], told["verdicts"]) == (None, [], [])
    assert told["not_scored"]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("explain", "nobody", "1"), "There is no interview 'nobody'"),
        (("explain", "voice", "9"), "The answers are 1 (ds-caching), 2 (ds-search)"),
        (("contest", "running", "1", "--note", "n"), "not over yet"),
        (("contest", "voice", "1", "--note", " "), "The note is empty"),
        (("contest", "voice", "1", "--note", "n", "--status", "covered"), "name it with --point"),
        (("contest", "voice", "1", "--note", "n", "--point", "9"), "There is no verdict 9"),
        (("contest", "voice", "ds-consensus", "--note", "n"), "There is no verdict on answer 3"),
    ],
)
def test_what_cannot_be_done_is_told(panel: SaysAll, arguments: tuple[str, ...], told: str) -> None:
    """The sentence says what is wrong and what there is; nobody judges."""
    result = viva(*arguments)
    assert result.exit_code == 1
    assert told in result.stderr.replace("\n", " ")
    assert panel.seen == []


def test_without_a_record_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong data folder is not filled with an empty record."""
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path / "none"))
    assert "There is no record at" in viva("explain", "x", "1").stderr
    assert not (tmp_path / "none" / "record.sqlite").exists()


def test_a_persons_verdict_counts_and_the_first_one_stays(data: Path, panel: SaysAll) -> None:
    """A status is taken as it is, the scores follow by rule, and the report shows both; nothing was overwritten."""
    before = recorded(data, "voice")
    first = build_report(before).answers[0]
    arguments = ("--note", "I said so.", "--point", "2", "--status", "covered", "--by", "Grace")
    result = viva("contest", "voice", "1", *arguments)
    assert result.exit_code == 0, result.output
    after = recorded(data, "voice")
    assert after[:-1] == before
    report = build_report(after)
    answer = report.answers[0]
    assert answer.verdicts[1].status == "covered"
    assert answer.verdicts[1].rule == "decided by Grace: I said so."
    assert answer.verdicts[0] == first.verdicts[0]
    assert answer.before_contest is not None
    assert (answer.before_contest.verdicts, answer.before_contest.scores) == (first.verdicts, first.scores)
    assert [(each.by, each.note, each.judge) for each in answer.contests] == [("Grace", "I said so.", "person")]
    page = markdown(report)
    assert "Contested by Grace: “I said so.”" in page
    assert "Before it was contested" in page
    assert any("contested" in caveat for caveat in report.caveats)
    assert report.time_taken_minutes == build_report(before).time_taken_minutes
    assert panel.seen == []
    told = viva("explain", "voice", "1").stdout
    assert "Contested by Grace" in told
    assert "Before it was contested" in told


def test_the_judge_in_force_judges_again(data: Path, panel: SaysAll) -> None:
    """Without a status the answer is judged again, with its own words and key points; a second contest builds on it."""
    result = viva("contest", "voice", "ds-search", "--note", "Look at it again.")
    assert result.exit_code == 0, result.output
    (question, words), *_ = panel.seen
    assert words[:4] == ["It", "takes", "logarithmic", "time,"]
    assert question.targets.points == ("The search takes logarithmic time", "Each step halves what is left")
    panel.status = "missing"
    assert viva("contest", "voice", "ds-search", "--note", "And again.", "--point", "1").exit_code == 0
    answer = build_report(recorded(data, "voice")).answers[1]
    assert [verdict.status for verdict in answer.verdicts] == ["missing", "covered"]
    assert answer.judge == "scripted"
    assert [each.note for each in answer.contests] == ["Look at it again.", "And again."]
    assert answer.before_contest is not None
    assert answer.before_contest.judge == "built-in"


async def test_where_nobody_can_judge_again_nothing_is_recorded() -> None:
    """A judge that forgets a key point leaves the first judgement as it is."""

    class Sloppy(SaysAll):
        async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
            return (await super().verdicts(question, words))[:-1]

    judged = find_answer(EVENTS, "2").answer.judged
    assert judged is not None
    with pytest.raises(contest.ContestError, match="nothing was recorded"):
        await judged_again(
            JudgePanel(Sloppy()),
            question_of(EVENTS, judged, None),
            ["some", "words"],
            judged=judged,
            objection=Objection("n"),
            at=0.0,
        )


def test_a_misconception_can_be_contested() -> None:
    """Whoever did not mean it so can have it taken away; it is then no fault any more, and no line of the report."""
    pack = next(iter(load_packs().values()))
    judged = find_answer(EVENTS, "2").answer.judged
    assert judged is not None
    idea = judged.verdicts[0].model_copy(update={"kind": "misconception", "status": "contradicted"})
    with_idea = judged.model_copy(update={"verdicts": [*judged.verdicts, idea]})
    event = contest.decided(with_idea, Objection("not meant", point=3, status="missing"), 1.0)
    assert event.scores is not None
    assert event.scores.overall == 10.0
    assert isinstance(event, VerdictContested)
    assert question_of(EVENTS, with_idea, pack).targets.misconceptions == (idea.point,)


def test_an_answer_about_the_resume_is_judged_again_as_one() -> None:
    """Its parts are known by their points: what was told of one's own work is heard as it was the first time."""
    targets, first = aspect_sheets().targets("challenges"), find_answer(EVENTS, "2").answer.judged
    assert first is not None
    verdicts = [Verdict(point=point, status="missing", probability=0.9, rule="") for point in targets.points]
    judged = first.model_copy(update={"question_id": "resume-project_1-challenges", "verdicts": verdicts})
    selected = QuestionSelected(
        at=0.0, turn=0, question_id=judged.question_id, text="What was hard about it?", question_kind="retrieved",
        topic="project_1", difficulty="medium", source="resume",
    )  # fmt: skip
    question = question_of([selected], judged, None)
    assert (question.source, question.targets) == ("resume", targets)
