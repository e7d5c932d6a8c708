import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.rehearsal.matching import word_accuracy
from bench.__main__ import main
from bench.scripted_chat import Says
from bench.voice import others
from bench.voice.figures import Row
from bench.voice.listening import _Frame, last_voice_s, silences_in
from bench.voice.scripted_ollama import MODEL, make_app, reply_to
from bench.voice.turns import Listened
from graph.judging.llm_judge import EVALUATOR, REFLECTION
from graph.language_models.tasks import (
    CLARIFICATION,
    CONTEXT,
    FOLLOW_UP,
    PLAN,
    QUERY_REFINER,
    RETRIEVAL_GRADER,
    SELECTION,
    SUMMARY,
)

TASKS = (
    EVALUATOR,
    REFLECTION,
    CLARIFICATION,
    CONTEXT,
    FOLLOW_UP,
    PLAN,
    QUERY_REFINER,
    RETRIEVAL_GRADER,
    SELECTION,
    SUMMARY,
)


def frames(*spans: tuple[float, bool]) -> list[_Frame]:
    """What the detector says every 32 ms, of stretches with a length and whether there is a voice."""
    made, at, silence, spoken = [], 0.0, 0.0, 0.0
    for length, voice in spans:
        for _ in range(round(length / 0.032)):
            at += 0.032
            silence, spoken = (0.0, spoken + 0.032) if voice else (silence + 0.032, 0.0)
            made.append(_Frame(at, silence, spoken))
    return made


def test_silences_are_found_where_the_voice_stops_long_enough() -> None:
    """Not before the first voice, and not between two sounds of a word."""
    heard = frames((0.5, False), (1.0, True), (0.1, False), (1.0, True), (0.8, False), (0.5, True), (2.0, False))
    found = silences_in(heard, length_s=5.9)
    assert [(round(start, 1), round(end, 1)) for start, end in found] == [(2.6, 3.4), (3.9, 5.9)]


@pytest.mark.parametrize(
    ("silences", "end_s"),
    [
        ([(4.0, 5.0)], 4.0),
        ([(1.0, 2.0), (4.0, 5.0)], 4.0),
        ([(1.0, 2.0), (4.0, 4.9), (5.0, 6.0)], 4.0),
        ([(4.0, 4.4), (4.5, 4.9), (5.0, 6.0)], 4.0),
    ],
)
def test_the_last_voice_is_that_of_a_word(silences: list[tuple[float, float]], end_s: float) -> None:
    """A sound at the very end of a recording, shorter than any word, is not its last word."""
    assert last_voice_s(silences) == end_s


def request(task_reply: type, prompt: str) -> Mapping[str, Any]:
    """What ChatOllama asks for a structured reply."""
    return {"messages": [{"content": prompt}], "format": task_reply.model_json_schema()}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_scripted_models_answer_every_task_in_its_form(task: Any) -> None:
    """Whoever asks gets a reply that its form takes."""
    reply = reply_to(request(task.reply, "Key points:\n1. One.\n2. Two.\nCandidates:\nq-1: One?\n"))
    task.reply.model_validate_json(reply.text)


def test_quotes_are_the_candidates_own_words() -> None:
    """Words that were not said would void the verdict, and nothing would be followed up."""
    prompt = "Key points:\n1. One.\n2. Two.\n<answer>we would put that into a cache first</answer>"
    verdicts = json.loads(reply_to(request(EVALUATOR.reply, prompt)).text)["verdicts"]
    assert [(each["quote"], each["status"]) for each in verdicts] == [
        ("we would put that into a", "covered"),
        ("", "missing"),
    ]


def test_feedback_is_about_what_the_prompt_lists() -> None:
    """The claim and the gap; not the candidate's words behind it, which no gate would let be read out."""
    prompt = "Good:\n- A cache saves reads. (in their words: so it saves reads)\nGap: the cost of writes\nWhat: x"
    said = reply_to({"messages": [{"content": prompt}]})
    assert said.text == (
        "You brought out that a cache saves reads. It is worth another thought how the cost of writes fits in."
    )
    assert said.a_word_s > 0


def test_a_form_without_a_reply_is_no_silent_success() -> None:
    """It fails loudly."""
    with pytest.raises(LookupError, match="Unknown"):
        reply_to({"messages": [{"content": ""}], "format": {"title": "Unknown"}})


async def test_they_speak_as_ollama_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of models, and a reply line by line that ends with `done`."""
    monkeypatch.setattr("bench.voice.scripted_ollama.reply_to", lambda _: Says("One two three.", a_word_s=0.001))
    transport = httpx.ASGITransport(make_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://models") as client:
        tags = (await client.get("/api/tags")).json()
        lines = (await client.post("/api/chat", json={"messages": []})).text.splitlines()
    assert tags["models"][0]["name"] == f"{MODEL}:latest"
    pieces = [json.loads(line) for line in lines]
    assert "".join(piece["message"]["content"] for piece in pieces) == "One two three."
    assert [piece["done"] for piece in pieces] == [False, False, False, True]


async def test_a_measurement_that_is_not_there_is_left_out_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured in its place."""
    monkeypatch.setattr(others, "MODULES", {"hearing": "bench.there_is_none"})
    told: list[str] = []
    assert await others.rows_of("hearing", told.append) == []
    assert told == ["hearing: left out, there is no bench.there_is_none"]


async def test_a_measurement_that_is_there_gives_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its function `voice_rows`."""
    monkeypatch.setattr(others, "MODULES", {"hearing": "bench.retrieval_speed"})
    monkeypatch.setattr("bench.retrieval_speed.voice_rows", lambda: [Row("words", 1.0)], raising=False)
    assert [each.what for each in await others.rows_of("hearing", print)] == ["words"]


@pytest.mark.parametrize("arguments", [["judging", "voice"], ["none"]])
def test_what_cannot_be_run_gets_a_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The time that the voice takes is never spent by accident."""
    assert main(arguments) == 2
    assert arguments[-1] in capsys.readouterr().out


@pytest.mark.slow
def test_a_manifest_that_cannot_be_used_is_told_before_anything_starts() -> None:
    """With a sentence and an exit code, and without a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "voice", "--manifest", "none.yaml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "none.yaml cannot be used: it cannot be read" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_one_recording_goes_all_the_way_to_the_table_and_the_picture(tmp_path: Path) -> None:
    """The real detector and the real hearing; what was heard is kept for the next run."""
    command = [sys.executable, "-m", "bench", "voice", "--only", "turns", "--recordings", "1", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["failures"] == results["unheard"] == []
    assert {"Viva", "silence alone", "LiveKit v1-mini"} == set(results["turns"]["curves"])
    assert all(point["recordings"] == 1 for points in results["turns"]["curves"].values() for point in points)
    assert (tmp_path / "turns.svg").read_text(encoding="utf-8").startswith("<svg")
    (kept,) = (tmp_path / "heard").iterdir()
    heard = Listened.model_validate_json(kept.read_bytes())
    assert word_accuracy(heard.said, " ".join(each.text for each in heard.words)) == pytest.approx(1, abs=0.3)
    assert heard.silences[-1].start_s == pytest.approx(heard.speech_end_s, abs=0.3)
