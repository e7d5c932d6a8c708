"""What is played, what was heard of it, and what never began."""

from __future__ import annotations

from livekit import rtc
from livekit.agents.types import TimedString
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities

from agent.conversation.playback import PlaybackTracker, SpokenLine
from domain.events import Event, SpeechEnded, SpeechStarted
from domain.say import Say

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


def make_stage() -> tuple[PlaybackTracker, Loudspeaker, list[Event], list[SpokenLine]]:
    """A stage that listens to a loudspeaker, with what it recorded and finished."""
    events: list[Event] = []
    finished: list[SpokenLine] = []
    stage = PlaybackTracker(events.append, finished.append, lambda: 9.0)
    speaker = Loudspeaker()
    stage.attach(speaker)
    return stage, speaker, events, finished


async def test_each_say_is_recorded_when_it_is_played() -> None:
    """Feedback and question begin and end in the order in which they were handed over."""
    stage, speaker, events, finished = make_stage()
    started: list[SpokenLine] = []
    stage.on_started.append(started.append)
    stage.expect(FEEDBACK, 1)
    stage.expect(QUESTION, 1)
    await speaker.play()
    assert started == [SpokenLine(FEEDBACK, 1)]
    await speaker.play()
    assert [type(event) for event in events] == [SpeechStarted, SpeechEnded] * 2
    assert [line.say for line in finished] == [FEEDBACK, QUESTION]
    assert started == finished


async def test_an_interruption_keeps_what_was_really_heard() -> None:
    """The record holds the words that were played, not those that were planned, and the rest never begins."""
    stage, speaker, events, finished = make_stage()
    stage.expect(FEEDBACK, 1)
    stage.expect(QUESTION, 1)
    await speaker.play(heard="That covers")
    stage.clear()
    ended = events[-1]
    assert isinstance(ended, SpeechEnded)
    assert (ended.interrupted, ended.heard) == (True, "That covers")
    await speaker.play()
    assert [line.say for line in finished] == [FEEDBACK]


async def test_sound_that_nobody_announced_is_not_recorded() -> None:
    """Playback without a line is not guessed at."""
    _, speaker, events, finished = make_stage()
    await speaker.play()
    assert events == []
    assert finished == []


def timed(stage: PlaybackTracker, text: str) -> None:
    """The words of a text are synthesised: one each half second."""
    timing = stage.timing()
    for number, word in enumerate(text.split()):
        timing.words.append(TimedString(f"{word} ", start_time=number * 0.5, end_time=number * 0.5 + 0.4))


def words_of(event: Event) -> list[tuple[str, float]]:
    """What was played, and when each word began."""
    assert isinstance(event, SpeechEnded)
    return [(word.text, word.start_at) for word in event.words]


async def test_the_words_that_were_played_have_their_times() -> None:
    """For the replay: on the clock, from when the sound began."""
    stage, speaker, events, _ = make_stage()
    for say in (FEEDBACK, QUESTION):
        stage.expect(say, 1)
        timed(stage, say.text)
    await speaker.play()
    await speaker.play()
    assert words_of(events[1]) == [("That", 5.0), ("covers", 5.5), ("it", 6.0), ("well.", 6.5)]
    assert words_of(events[3]) == [("What", 5.0), ("is", 5.5), ("an", 6.0), ("index?", 6.5)]


async def test_words_that_were_not_heard_have_no_times() -> None:
    """Of what was interrupted only the words before the interruption, and none of what was never begun."""
    stage, speaker, events, _ = make_stage()
    for say in (FEEDBACK, QUESTION):
        stage.expect(say, 1)
        timed(stage, say.text)
    await speaker.play(heard="That covers")
    stage.clear()
    again = Say("question", "Shall we go on?", "q3")
    stage.expect(again, 2)
    timed(stage, again.text)
    await speaker.play()
    assert words_of(events[1]) == [("That", 5.0), ("covers", 5.5)]
    assert [word for word, _ in words_of(events[3])] == ["Shall", "we", "go", "on?"]


async def test_a_voice_that_tells_no_times_leaves_none() -> None:
    """No time is made up."""
    stage, speaker, events, _ = make_stage()
    stage.expect(FEEDBACK, 1)
    await speaker.play()
    assert words_of(events[1]) == []
