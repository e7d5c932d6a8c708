"""What is played, what was heard of it, and what never began."""

from __future__ import annotations

from livekit import rtc
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities

from agent.stage import Line, Stage
from graph import Say
from review import Event, SpeechEnded, SpeechStarted

FEEDBACK = Say("feedback", "That covers it well.", "q1")
QUESTION = Say("question", "What is an index?", "q2")


class Loudspeaker(AudioOutput):
    """An output whose playback the test begins and ends."""

    def __init__(self) -> None:
        super().__init__(label="test", capabilities=AudioOutputCapabilities(pause=True))

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)

    def flush(self) -> None:
        super().flush()

    def clear_buffer(self) -> None:
        pass

    async def play(self, *, heard: str | None = None) -> None:
        """Play one segment, cut off after the words in `heard` if they are given."""
        await self.capture_frame(rtc.AudioFrame(b"\0\0" * 10, 24_000, 1, 10))
        self.flush()
        self.on_playback_started(created_at=5.0)
        self.on_playback_finished(playback_position=1.0, interrupted=heard is not None, synchronized_transcript=heard)


def make_stage() -> tuple[Stage, Loudspeaker, list[Event], list[Line]]:
    """A stage that listens to a loudspeaker, with what it recorded and finished."""
    events: list[Event] = []
    finished: list[Line] = []
    stage = Stage(events.append, finished.append, lambda: 9.0)
    speaker = Loudspeaker()
    stage.attach(speaker)
    return stage, speaker, events, finished


async def test_each_say_is_recorded_when_it_is_played() -> None:
    """Feedback and question begin and end in the order in which they were handed over."""
    stage, speaker, events, finished = make_stage()
    stage.expect(FEEDBACK, 1)
    stage.expect(QUESTION, 1)
    await speaker.play()
    assert stage.has_begun(1, "feedback")
    assert not stage.has_begun(1, "question")
    await speaker.play()
    assert [type(event) for event in events] == [SpeechStarted, SpeechEnded] * 2
    assert [line.say for line in finished] == [FEEDBACK, QUESTION]
    assert stage.any_begun("question")


async def test_an_interruption_keeps_what_was_really_heard() -> None:
    """The record holds the words that were played, not those that were planned, and the rest never begins."""
    stage, speaker, events, _ = make_stage()
    stage.expect(FEEDBACK, 1)
    stage.expect(QUESTION, 1)
    await speaker.play(heard="That covers")
    stage.clear()
    ended = events[-1]
    assert isinstance(ended, SpeechEnded)
    assert (ended.interrupted, ended.heard) == (True, "That covers")
    assert not stage.has_begun(1, "question")


async def test_sound_that_nobody_announced_is_not_recorded() -> None:
    """Playback without a line is not guessed at."""
    _, speaker, events, finished = make_stage()
    await speaker.play()
    assert events == []
    assert finished == []
