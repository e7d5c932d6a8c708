"""The synthetic candidate in a real room, against a toy interviewer.

Needs livekit-server (on PATH or built by the set-up) and the Piper voice. The scenes take as long as it is talked; they
are held once, side by side.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import yaml
from livekit import api

from agent.model_files.prepare import ensure_model
from agent.rehearsal.candidate import SyntheticCandidate
from agent.rehearsal.conversation import Conversation
from agent.rehearsal.hearing import HeardAudio, HeardFile
from agent.rehearsal.matching import QuestionFinder
from agent.rehearsal.persona import Persona, VoiceStyle, load_persona
from agent.rehearsal.voice import CandidateVoice
from agent.settings import PROJECT_DIR, Settings
from tests.agent.rehearsal.pieces import bread_pack
from tests.agent.rehearsal.toy import ToyInterviewer, toy_web

pytestmark = [pytest.mark.slow, pytest.mark.spoken]

PACK = bread_pack()
KNEADING, PROVING = PACK.questions
AT_ONCE = 2
"""Scenes held side by side: they mostly wait for somebody to finish speaking."""
PATIENCE_S = 60.0
"""How long a toy waits for a candidate who will speak."""


@pytest.fixture(scope="module")
def voice() -> CandidateVoice:
    """One voice for both sides: who hears only loud and quiet cannot tell them apart anyway."""
    settings = Settings()
    return CandidateVoice.load(ensure_model(settings.voice, settings.cache_dir, kind="voice"), VoiceStyle())


def candidate_token(settings: Settings, room: str) -> str:
    """What the web would give to the candidate."""
    token = api.AccessToken(settings.livekit_key, settings.livekit_secret).with_identity("candidate")
    return token.with_grants(api.VideoGrants(room_join=True, room=room)).to_jwt()


def persona(**fields: Any) -> Persona:
    """A persona that says short things."""
    base: dict[str, Any] = {
        "name": "mine",
        "description": "Somebody for a test.",
        "answers": "model_answer",
        "sentences": 1,
        "unsure": ["Yes."],
        "pauses": {"before_s": 0.2},
    }
    return Persona.model_validate(base | fields)


class Scene:
    """A toy interviewer and a candidate in one room."""

    def __init__(self, settings: Settings, voice: CandidateVoice, folder: Path, mine: Persona) -> None:
        self.toy = ToyInterviewer(settings, folder.name, voice, folder)
        self.candidate = SyntheticCandidate(HeardAudio(HeardFile(folder / "heard.wav")), time.time)
        self.answering: list[int] = []
        self.conversation = Conversation(
            mine,
            finder=QuestionFinder(PACK),
            voice=voice,
            candidate=self.candidate,
            clock=time.time,
            in_mid_answer=self.answering.append,
        )
        self._url = settings.livekit_ws_url
        self._token = candidate_token(settings, folder.name)

    async def play(self, script: Coroutine[Any, Any, None]) -> None:
        """Let both run until the room is closed."""
        await self.candidate.join(self._url, self._token)
        talk = asyncio.create_task(self.conversation.run())
        try:
            await asyncio.wait_for(script, 200)
            await asyncio.wait_for(talk, 60)
        finally:
            talk.cancel()
            await self.candidate.leave()

    def said(self) -> list[tuple[int, str, str]]:
        """Turn, kind and words of all that was said."""
        return [(said.turn, said.kind, said.text) for said in self.conversation.said]


# What the toys do, each with one persona.


async def two_questions(toy: ToyInterviewer) -> None:
    """Silent for two seconds between feedback and question."""
    await toy.interview([KNEADING.text, PROVING.text], thinks_s=2.0)


async def three_requests(toy: ToyInterviewer) -> None:
    """Does what is asked for, and then waits for the answer."""
    await toy.enter()
    await toy.say("question", KNEADING.text)
    assert await toy.listen(PATIENCE_S)
    await toy.say("reply", f"Of course. {KNEADING.text}")
    assert await toy.listen(PATIENCE_S)
    await toy.say("reply", "Take your time.")
    assert await toy.listen(PATIENCE_S)
    await toy.say("reply", "Think about gluten.")
    assert await toy.listen(PATIENCE_S)
    await toy.end("completed")


async def interrupted_feedback(toy: ToyInterviewer) -> None:
    """Stops its feedback when the candidate speaks into it, and begins again."""
    await toy.enter()
    await toy.say("question", KNEADING.text)
    assert await toy.listen(PATIENCE_S)
    assert not await toy.say("feedback", "I noted that kneading builds the gluten network, and a good deal more.")
    assert await toy.listen(PATIENCE_S)
    assert await toy.say("feedback", "Thank you.", then="thinking")
    await toy.say("question", PROVING.text)
    assert await toy.listen(PATIENCE_S)
    await toy.end("completed")


async def murmured_at(toy: ToyInterviewer) -> None:
    """Says "okay" before its feedback, and asks its second question to the end whatever the candidate says."""
    await toy.enter()
    await toy.say("question", KNEADING.text)
    assert await toy.listen(PATIENCE_S)
    await toy.say("acknowledgement", "Okay.", then="thinking")
    assert await toy.say("feedback", "I noted that kneading builds the gluten network.", then="thinking")
    assert not await toy.say("question", PROVING.text, stops=False)
    assert await toy.listen(PATIENCE_S)
    await toy.end("completed")


async def interrupted_question(toy: ToyInterviewer) -> None:
    """Stops its second question when the candidate answers it."""
    await toy.enter()
    await toy.say("question", KNEADING.text)
    assert await toy.listen(PATIENCE_S)
    await toy.say("feedback", "Thank you for that answer.", then="thinking")
    assert not await toy.say("question", PROVING.text)
    assert await toy.listen(PATIENCE_S)
    await toy.end("completed")


async def hears_nothing(toy: ToyInterviewer) -> None:
    """Gives up soon."""
    await toy.interview([KNEADING.text], gives_up_s=4.0)


async def left_alone(toy: ToyInterviewer) -> None:
    """Ends when the candidate is gone."""
    await toy.interview([KNEADING.text, PROVING.text], gives_up_s=PATIENCE_S)


async def deaf(toy: ToyInterviewer) -> None:
    """Says nothing to an answer."""
    await toy.enter()
    await toy.say("question", KNEADING.text)
    assert await toy.listen(PATIENCE_S)
    assert await toy.listen(PATIENCE_S)
    await toy.end("completed")


SCENES: dict[str, tuple[Persona, Callable[[ToyInterviewer], Coroutine[Any, Any, None]]]] = {
    "answering": (persona(), two_questions),
    "requesting": (
        persona(
            requests=[
                {"turn": 1, "wants": "repeat", "say": "Could you repeat that?"},
                {"turn": 2, "wants": "hold", "say": "Let me think.", "think_s": 2},
                {"turn": 3, "wants": "hint", "say": "A hint, please."},
            ]
        ),
        three_requests,
    ),
    "interrupting": (
        persona(interruptions=[{"turn": 2, "during": "feedback", "after_s": 0.5, "say": "And another thing."}]),
        interrupted_feedback,
    ),
    "murmuring": (
        persona(interruptions=[{"turn": 2, "during": "question", "after_s": 0.3, "say": "Uh-huh."}]),
        murmured_at,
    ),
    "early": (persona(interruptions=[{"turn": 2, "during": "question", "after_s": 0.3}]), interrupted_question),
    "silent": (load_persona("silent"), hears_nothing),
    "leaving": (persona(sentences=None, leaves={"turn": 1, "after_s": 1.0}), left_alone),
    "patient": (persona(patience_s=5), deaf),
}


@pytest.fixture(scope="module")
def scenes(
    livekit: Settings, voice: CandidateVoice, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Scene | BaseException]:
    """All scenes, held once; in place of one that did not come to its end, why."""
    places = asyncio.Semaphore(AT_ONCE)

    async def hold(name: str) -> Scene:
        mine, script = SCENES[name]
        async with places:
            scene = Scene(livekit, voice, tmp_path_factory.mktemp(name), mine)
            await scene.play(script(scene.toy))
            return scene

    async def hold_all() -> list[Scene | BaseException]:
        return await asyncio.gather(*map(hold, SCENES), return_exceptions=True)

    return dict(zip(SCENES, asyncio.run(hold_all()), strict=True))


@pytest.fixture
def scene(scenes: dict[str, Scene | BaseException], request: pytest.FixtureRequest) -> Scene:
    """The scene that a test names."""
    held = scenes[request.param]
    if isinstance(held, BaseException):
        raise held
    return held


def of(name: str) -> pytest.MarkDecorator:
    """Makes a test about one scene."""
    return pytest.mark.parametrize("scene", [name], indirect=True)


@of("answering")
def test_each_question_gets_its_answer_and_nobody_talks_over_the_interviewer(scene: Scene) -> None:
    """Also when the interviewer is silent for two seconds between feedback and question."""
    assert scene.said() == [
        (1, "answer", "Kneading builds the gluten network."),
        (2, "answer", "The cold slows the yeast down, while acids and flavour go on building."),
    ]
    assert not scene.toy.loud_during_speech
    assert scene.answering == [1, 2]
    assert [caption.text for caption in scene.candidate.captions.interviewer][1] == KNEADING.text
    first, _ = scene.conversation.said
    taken = next(event for event in scene.toy.record.events if event.kind == "answer_taken")
    assert abs(taken.speech_ended_at - first.end) < 1.0


@of("requesting")
def test_requests_come_in_their_turns_and_a_thinking_candidate_goes_on_by_itself(scene: Scene) -> None:
    """After `hold`, and after a request that gets only a reply, the open question is answered without being asked."""
    assert [(turn, kind) for turn, kind, _ in scene.said()] == [(1, "repeat"), (2, "hold"), (3, "hint"), (4, "answer")]
    assert scene.said()[3][2] == "Kneading builds the gluten network."


@of("interrupting")
def test_an_interrupting_candidate_speaks_into_the_feedback(scene: Scene) -> None:
    """Then it listens again, and answers the question in its turn."""
    kinds = [(turn, kind) for turn, kind, _ in scene.said()]
    assert kinds == [(1, "answer"), (2, "barge_in"), (2, "answer")]
    assert scene.toy.loud_during_speech


@of("murmuring")
def test_a_murmuring_candidate_hears_the_question_to_its_end_and_answers_it(scene: Scene) -> None:
    """It murmurs into the question, not into what follows an "okay", and need not be asked again."""
    kinds = [(turn, kind) for turn, kind, _ in scene.said()]
    assert kinds == [(1, "answer"), (2, "barge_in"), (2, "answer")]
    assert scene.said()[2][2].startswith("The cold slows the yeast down")


@of("early")
def test_a_question_can_be_answered_before_it_is_over(scene: Scene) -> None:
    """The beginning of a question tells which one it is."""
    assert [text for _, _, text in scene.said()][1].startswith("The cold slows the yeast down")


@of("silent")
def test_the_silent_persona_is_in_the_room_and_says_nothing(scene: Scene) -> None:
    """Its microphone is open and carries silence; the interviewer gives up."""
    assert scene.said() == []
    assert scene.toy.record.events[-2].kind == "interview_ended"


@of("leaving")
def test_a_leaving_persona_is_gone_in_mid_word(scene: Scene) -> None:
    """Only the beginning of its answer was on the line, and the interviewer is left alone."""
    assert scene.conversation.left
    ((_, _, words),) = scene.said()
    assert KNEADING.model_answer.startswith(words)
    assert len(words) < len(KNEADING.model_answer) / 2
    assert scene.toy.record.kinds().count("answer_taken") == 1


@of("patient")
def test_words_that_nobody_answers_are_said_again(scene: Scene) -> None:
    """An interviewer who comes back from a crash may have heard nothing of them."""
    assert [(turn, text) for turn, _, text in scene.said()] == [(1, "Kneading builds the gluten network.")] * 2


def is_kept(path: str) -> bool:
    """Whether a file is there and holds something."""
    return Path(path).stat().st_size > 0


async def test_the_command_goes_through_an_interview_and_writes_its_result(
    livekit: Settings, voice: CandidateVoice, tmp_path: Path
) -> None:
    """`viva rehearse --url` as a process of its own: exit code, JSON, and files."""
    packs, out, keep = tmp_path / "packs", tmp_path / "out.json", tmp_path / "kept"
    room = tmp_path.name
    packs.mkdir()
    (packs / "bread.yaml").write_text(yaml.safe_dump(PACK.model_dump(mode="json")), encoding="utf-8")
    toy = ToyInterviewer(livekit, room, voice, tmp_path)
    token = candidate_token(livekit, room)
    with toy_web(livekit, toy, room, token, tmp_path / "recording.ogg") as url:
        arguments = ["--url", url, "--pack", "bread", "--minutes", "2", "--json", str(out), "--keep", str(keep)]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "agent.cli", "rehearse", *arguments),
            cwd=PROJECT_DIR,
            env={**os.environ, "VIVA_PACKS_DIR": str(packs)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        printed, _ = await asyncio.gather(
            process.communicate(), asyncio.wait_for(toy.interview([KNEADING.text, PROVING.text], thinks_s=1.0), 150)
        )
    text = printed[0].decode()
    assert process.returncode == 0, text
    assert KNEADING.text in text
    result = json.loads(out.read_text(encoding="utf-8"))
    assert (result["ok"], result["end_reason"], len(result["turns"])) == (True, "completed", 2)
    first = result["turns"][0]
    assert first["said"].endswith(KNEADING.model_answer)
    assert first["end_of_speech_s"] < first["first_audio_s"] <= first["feedback_start_s"] + 0.05
    assert first["feedback_start_s"] < first["question_ready_s"] <= first["supervised_s"] < first["question_start_s"]
    assert all(is_kept(result[kept]) for kept in ("record", "recording", "heard"))


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--persona", "nobody"], 2, "it is not one of"),
        (["--pack", "nothing"], 2, "there is no such pack; the packs are"),
        (["--url", "http://127.0.0.1:9", "--kill-worker-at-turn", "1"], 2, "leave out --url"),
        (["--url", "http://127.0.0.1:9"], 1, "http://127.0.0.1:9 does not answer"),
    ],
)
async def test_what_cannot_be_rehearsed_gets_a_sentence_and_an_exit_code(
    tmp_path: Path, arguments: list[str], code: int, sentence: str
) -> None:
    """Wrong use is 2, as everywhere on a command line; what failed is 1."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "agent.rehearsal.commands", *arguments, "--keep", str(tmp_path)),
        cwd=PROJECT_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    assert process.returncode == code, printed.decode()
    assert sentence in " ".join(printed.decode().split())
