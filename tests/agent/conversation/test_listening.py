"""Listening signals, as they are given in a conversation."""

from __future__ import annotations

import numpy as np
from livekit import rtc

from agent.conversation.listening import ListeningSignals, SignalPlayer, Sound
from domain.events import Event, ListeningSignalled
from speech import SynthesizedText, Voice


class Speaker(SignalPlayer):
    """A player without a room; it notes what it plays."""

    def __init__(self, *names: str) -> None:
        self.sounds = [Sound(name, []) for name in names]
        self.played: list[str] = []

    def play(self, sound: Sound) -> None:
        self.played.append(sound.name)


class Scene:
    """Signals, a clock, and an interviewer that may be speaking."""

    def __init__(self, *names: str) -> None:
        self.now = 100.0
        self.speaks = False
        self.events: list[Event] = []
        self.speaker = Speaker(*names)
        self.signals = ListeningSignals(self.speaker, lambda: self.speaks, self.events.append, lambda: self.now)


def test_no_two_signals_in_a_row_sound_alike() -> None:
    """And each is on the record, as what it was."""
    scene = Scene("mm-hm", "uh-huh", "mm")
    for _ in range(5):
        scene.signals.give()
    assert scene.speaker.played == ["mm-hm", "uh-huh", "mm", "mm-hm", "uh-huh"]
    assert [event.sound for event in scene.events if isinstance(event, ListeningSignalled)] == scene.speaker.played


def test_the_interviewer_does_not_murmur_while_it_speaks_nor_before_it_can() -> None:
    """Nothing is played, and nothing recorded that nobody heard."""
    for scene in (Scene("mm-hm"), Scene()):
        scene.speaks = bool(scene.speaker.sounds)
        scene.signals.give()
        assert scene.speaker.played == []
        assert scene.events == []
        assert not scene.signals.lingers()


def test_an_echo_of_a_signal_is_expected_for_a_moment() -> None:
    """Not for longer: later "mm-hm" is the candidate's."""
    scene = Scene("mm-hm")
    scene.signals.give()
    scene.now += 1.0
    assert scene.signals.lingers()
    scene.now += 1.0
    assert not scene.signals.lingers()


class Hummer(Voice):
    """A voice that says everything as one tone, and notes what it was to say."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @property
    def sample_rate(self) -> int:
        return 22_050

    def speak(self, text: str, *, pace: float = 1.0) -> SynthesizedText:
        self.asked.append(text)
        return SynthesizedText((8000 * np.sin(np.arange(22_050) / 20)).astype(np.int16))


async def test_signals_are_made_of_phonemes_at_the_rate_of_the_room() -> None:
    """Letters would be read aloud ("em em"), and a rate that is not the room's would change the pitch."""
    voice = Hummer()
    player = SignalPlayer(voice)
    await player.make()
    assert all(text.startswith("[[") and text.endswith("]]") for text in voice.asked)
    assert len({sound.name for sound in player.sounds}) > 1
    for sound in player.sounds:
        assert isinstance(sound.frames[0], rtc.AudioFrame)
        assert {frame.sample_rate for frame in sound.frames} == {48_000}
        assert abs(sum(frame.duration for frame in sound.frames) - 1.0) < 0.02
