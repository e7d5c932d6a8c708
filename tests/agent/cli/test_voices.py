"""Voices as folders, and `viva voices` and `viva say`."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from agent.cli import synthesize
from agent.cli.app import app
from agent.model_files.prepare import ModelError, ensure_model
from agent.model_files.voices import VOICES_DIR, VoiceError, find_voice, usual_pace, voices
from agent.settings import Settings
from tests.rag.fakes import KITCHEN
from tests.speech.fakes import ToneVoice

DESCRIBED = "model: ann.onnx\nlanguage: en-GB\nlicence: CC0-1.0\nsource: mine\nsample: Good day to you.\npace: 0.8\n"
Viva = Callable[..., Result]


@pytest.fixture
def tone(monkeypatch: pytest.MonkeyPatch) -> ToneVoice:
    """Every model is this voice."""
    voice = ToneVoice()
    monkeypatch.setattr(synthesize.Voice, "load", staticmethod(lambda _: voice))
    return voice


@pytest.fixture
def viva(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Viva:
    """Runs a command of `viva` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIVA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("PATH", "")
    return lambda *words, text=None: CliRunner().invoke(app, [str(word) for word in words], input=text)


def a_voice(folder: Path, described: str = DESCRIBED) -> Path:
    """A folder with a voice whose model is an empty file."""
    folder.mkdir()
    (folder / "voice.yaml").write_text(described, encoding="utf-8")
    (folder / "ann.onnx").touch()
    return folder


def length_s(path: Path) -> float:
    """How long a WAV file lasts."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return file.getnframes() / file.getframerate()


def test_the_voices_that_come_with_viva_are_described() -> None:
    """Every folder of assets/voices, the default one among them."""
    assert {path.name for path in VOICES_DIR.iterdir() if path.is_dir()} == {voice.name for voice in voices()}
    assert Settings().voice in {voice.name for voice in voices()}


def test_a_folder_is_a_voice(tmp_path: Path) -> None:
    """Its model is looked for beside its description."""
    folder = a_voice(tmp_path / "ann")
    assert find_voice(str(folder)).model == str(folder / "ann.onnx")
    assert ensure_model(folder, tmp_path / "cache", kind="voice") == folder / "ann.onnx"


def test_a_path_to_a_model_is_a_voice_as_before(tmp_path: Path) -> None:
    """Settings that were written for it stay good."""
    path = a_voice(tmp_path / "ann") / "ann.onnx"
    assert find_voice(str(path)).pace == 1.0
    assert ensure_model(path, tmp_path / "cache", kind="voice") == path


@pytest.mark.parametrize(
    ("described", "sentence"),
    [
        (DESCRIBED + "gender: none\n", "does not describe a voice: gender"),
        (DESCRIBED.replace("0.8", "3"), "does not describe a voice: pace"),
        ("", "does not describe a voice: it"),
        ("model: [", "cannot be read"),
    ],
)
def test_a_broken_description_is_refused(tmp_path: Path, described: str, sentence: str) -> None:
    """Saying what is wrong, also where a model is wanted."""
    folder = a_voice(tmp_path / "ann", described)
    with pytest.raises(VoiceError, match=sentence):
        find_voice(str(folder))
    with pytest.raises(ModelError, match=sentence):
        ensure_model(folder, tmp_path / "cache", kind="voice")


def test_a_folder_without_a_description_is_no_voice(tmp_path: Path) -> None:
    """The sentence says what is missing."""
    with pytest.raises(VoiceError, match=r"it has no voice\.yaml"):
        find_voice(str(tmp_path))


def test_the_pace_of_voice_and_settings_multiply(tmp_path: Path) -> None:
    """Inside what a voice can do."""
    folder = str(a_voice(tmp_path / "ann"))
    assert usual_pace(Settings(voice=folder, pace=1.25)) == pytest.approx(1.0)
    assert usual_pace(Settings(voice=folder, pace=0.5)) == 0.5


def test_voices_are_listed_with_the_one_in_force(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it is none of Viva's own."""
    monkeypatch.setenv("VIVA_VOICE", str(a_voice(tmp_path / "ann")))
    lines = viva("voices", "list").stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["joe", "en-US"], ["*", "ann"]]


def test_a_voice_is_checked_by_letting_it_speak(viva: Viva, tone: ToneVoice, tmp_path: Path) -> None:
    """At its own pace; a voice that cannot speak is told with its reason."""
    folder = a_voice(tmp_path / "ann")
    result = viva("voices", "check", folder)
    assert result.exit_code == 0
    assert "ann: says its sample in 0.5 s at 22050 Hz" in result.stdout
    assert tone.said == ["Good day to you."]
    (folder / "ann.onnx").unlink()
    result = viva("voices", "check", folder)
    assert result.exit_code == 1
    assert "neither a model that comes with Viva (joe) nor a path" in result.stdout


def test_without_a_player_a_sample_is_written(viva: Viva, tone: ToneVoice, tmp_path: Path) -> None:
    """And the command says so."""
    result = viva("voices", "play", a_voice(tmp_path / "ann"))
    assert "There is no player on this system; wrote ann.wav." in result.stdout
    assert length_s(tmp_path / "ann.wav") == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("ends_with", "told"), [(0, "Played by aplay."), (3, "aplay could not play it: no sound")])
@pytest.mark.usefixtures("tone")
def test_a_player_of_the_system_plays_it(
    viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends_with: int, told: str
) -> None:
    """What it complains of is told."""
    player = tmp_path / "aplay"
    player.write_text(f"#!/bin/sh\ntest -s $2 || exit 9\necho no sound card >&2\nexit {ends_with}\n")
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    result = viva("voices", "play", a_voice(tmp_path / "ann"))
    assert (result.exit_code == 0) == (ends_with == 0)
    assert told in result.output
    assert not list(tmp_path.glob("*.wav"))


def test_a_text_is_said_as_the_interviewer_would(viva: Viva, tone: ToneVoice, tmp_path: Path) -> None:
    """The words that were said are printed, and what was said is in the file."""
    result = viva("say", "SQL uses 10GB (e.g.).", "--out", "out.wav", "--pace", "2")
    assert result.exit_code == 0
    assert "Said: sequel uses 10 gigabytes, for example." in result.stdout
    assert length_s(tmp_path / "out.wav") == pytest.approx(6 * 0.05, abs=0.01)


def test_a_text_comes_from_standard_input(viva: Viva, tone: ToneVoice, tmp_path: Path) -> None:
    """With a pack's pronunciations."""
    pack = KITCHEN.read_text(encoding="utf-8").replace("\ntopics:", "\npronunciations: {wok: W O K}\ntopics:", 1)
    (tmp_path / "data" / "packs").mkdir(parents=True)
    (tmp_path / "data" / "packs" / "kitchen.yaml").write_text(pack, encoding="utf-8")
    result = viva("say", "-", "--out", "out.wav", "--pack", "kitchen", text="Use two woks.")
    assert result.exit_code == 0, result.output
    assert tone.said == ["Use two W O Ks."]


@pytest.mark.usefixtures("tone")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("say", "***", "--out", "o.wav"), "There is nothing in this text that can be said."),
        (("say", "Hi.", "--out", "o.wav", "--pace", "9"), "choose 0.5 (slow) to 2.0 (fast)"),
        (("say", "Hi.", "--out", "o.wav", "--pack", "none"), "There is no question pack 'none'"),
        (
            ("say", "Hi.", "--out", "o.wav", "--voice", "nobody"),
            "neither a model that comes with Viva (joe) nor a path",
        ),
    ],
)
def test_what_cannot_be_said_is_told(viva: Viva, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    """And nothing is written."""
    result = viva(*words)
    assert result.exit_code == 1
    assert sentence in result.output
    assert not (tmp_path / "o.wav").exists()
