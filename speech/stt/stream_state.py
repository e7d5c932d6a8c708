"""Stream state: what is known of a stream's audio, and what of it to decode next. No model, no clock, no event loop.

Speech is decoded while it goes on (`INTERIM`), when the speaker pauses (`PAUSE`) and when it is over (`FINAL`). A pause
often turns out to be the end: then everything has been decoded already, and the words are final without another decode.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from livekit.agents import vad

from speech.audio import SAMPLE_RATE, Audio, quietest_place
from speech.stt.audio_buffer import AudioBuffer
from speech.stt.local_agreement import REACH_S, Window
from speech.stt.recognizer import CUT_WITHIN_S, MAX_PIECE_S
from speech.stt.scheduler import Urgency
from speech.stt.segments import Segmenter, SpeechSegment
from speech.stt.word_times import HeardWord

KEPT_S = 10.0
"""Audio that is kept in any case: speech is detected after it has begun, and is heard with what preceded it."""

PAST_WORDS = 40
"""So many final words are kept, as context of the next ones."""

FIRST_S = 2.0
"""After so much speech without a pause it is decoded for the first time, …"""

STEP_S = 3.0
"""… and then whenever so much more was said; later when the model is busy: see `next_interim_s`."""

SHARE = 3.0
"""So many times as long as a decode and the wait for it took, none follows in mid-speech."""

SILENCE_S = 0.15
"""After so much silence the speech so far is decoded, in case that it is over."""

COVERED_S = 0.1
"""A decode that goes on so long after the last voice has heard all of it."""

A_VOICE_S = 0.05
"""A sound shorter than this does not make one pause two."""

ROUNDS = 2
"""How often it is tried to get final words, each time twice: at the end of the speech, and after the next speech."""


@dataclass(slots=True)
class PendingSegment:
    """A stretch of speech and what is known of its words."""

    window: Window
    voice_s: float
    """Until when there is a voice in it."""
    end_s: float | None = None
    """Where it ends; None while it goes on."""
    tried_to_s: float = 0.0
    """Until where the last decode reached, whether or not anything came of it."""
    is_new: bool = True
    """No decode was tried yet."""
    used_to_s: float = 0.0
    """Until where its audio has been reported as used."""
    next_interim_s: float = 0.0
    """When it is decoded next if it goes on without a pause."""
    rounds: int = 0
    """How often it was given up for the time being."""
    shown: str = ""
    """The text that was sent last as an interim transcript."""

    @property
    def is_heard(self) -> bool:
        """True if it is over and a decode has heard all of it."""
        if self.end_s is None or self.is_new:
            return False
        return self.window.heard_to_s >= min(self.end_s, self.voice_s + COVERED_S)


@dataclass(frozen=True, slots=True)
class DecodeJob:
    """What is to be decoded next."""

    segment: PendingSegment
    urgency: Urgency
    end_s: float
    """It reaches from the window's start to here."""
    cut: bool = False
    """The window is longer than Whisper's: the words up to `end_s` are taken as they are, and the rest comes next."""


@dataclass(slots=True)
class StreamState:
    """The audio of one stream, and the speech on it whose words are not final yet, oldest first.

    Args:
        step_s: how much the detector hears at a time.
    """

    step_s: float
    buffer: AudioBuffer = field(default_factory=AudioBuffer, init=False)
    segments: deque[PendingSegment] = field(default_factory=deque, init=False)
    past: deque[HeardWord] = field(default_factory=lambda: deque(maxlen=PAST_WORDS), init=False)
    """The words that became final last."""
    detected_s: float = field(default=0.0, init=False)
    """How much the detector has heard; the buffer may be longer."""
    _segmenter: Segmenter = field(default_factory=Segmenter, init=False)
    _flushes: deque[float] = field(default_factory=deque, init=False)
    _paused_s: float = field(default=0.0, init=False)
    """Until when there was a voice before the pause that was told of last."""
    is_finished: bool = field(default=False, init=False)
    """True when no more audio comes."""

    @property
    def is_speech(self) -> bool:
        """True while somebody speaks."""
        return self._segmenter.start_s is not None

    @property
    def is_busy(self) -> bool:
        """True while somebody speaks, or words are not final; those that could not be decoded are not waited for."""
        return self.is_speech or any(not segment.rounds for segment in self.segments)

    @property
    def has_detected_all(self) -> bool:
        """True if the detector can hear no more before more audio comes."""
        return self.buffer.end_s - self.detected_s < self.step_s

    def hear(self, event: vad.VADEvent) -> None:
        """Take what the detector says; it may be behind the buffer."""
        at_s = self.detected_s = event.timestamp
        if event.type == vad.VADEventType.START_OF_SPEECH:
            self._segmenter.started(at_s, event.speech_duration)
            self._open()
        elif event.type == vad.VADEventType.END_OF_SPEECH:
            self._close(self._segmenter.ended(at_s, event.silence_duration))
        else:
            self._segmenter.went_on(at_s, event.raw_accumulated_silence)
            if self.is_speech:
                self.segments[-1].voice_s = self._segmenter.voice_s
        self._answer_flushes()
        needed_s = self.segments[0].window.start_s if self.segments else at_s
        self.buffer.forget(min(needed_s, at_s) - KEPT_S)

    def new_pause(self, after_s: float) -> float | None:
        """The place in the stream where a pause has lasted so long, told once for each; None when there is no other."""
        voice_s = self._segmenter.voice_s
        if not self.is_speech or voice_s < self._paused_s + A_VOICE_S or self.detected_s - voice_s < after_s:
            return None
        self._paused_s = voice_s
        return voice_s + after_s

    def flush(self) -> None:
        """Someone wants the words up to here, as soon as the detector has heard it."""
        self._flushes.append(self.buffer.end_s)
        self._answer_flushes()

    def finish(self) -> None:
        """No more audio comes: what is left of the speech is over."""
        self.is_finished = True
        self._close(self._segmenter.ended(self.buffer.end_s, self.buffer.end_s - self._segmenter.voice_s))

    def next_decode(self) -> DecodeJob | None:
        """What is to be decoded now; the oldest segment comes first."""
        if not self.segments:
            return None
        segment = self.segments[0]
        if segment.end_s is None:
            return self._job_in_speech(segment)
        if segment.rounds and not self.is_finished and not any(each.end_s for each in tuple(self.segments)[1:]):
            return None
        return self._fitting(DecodeJob(segment, Urgency.FINAL, segment.end_s))

    def has_overtaken(self, job: DecodeJob) -> bool:
        """True if something more urgent is due than this, or if it was for a pause that was none.

        A decode for a pause that turns out to be the end has all of it, and is what is waited for.
        """
        segment = job.segment
        if job.urgency is Urgency.PAUSE:
            return segment.voice_s + COVERED_S > job.end_s
        now = self.next_decode()
        return now is not None and now.urgency < job.urgency

    def audio(self, job: DecodeJob) -> Audio:
        """The sound of what is to be decoded, with some of what was said before it."""
        if job.segment.is_new:
            job.segment.is_new = False
            job.segment.window.reach_back(self.past)
        return self.buffer.cut(job.segment.window.start_s, job.end_s)

    def silence_s(self, segment: PendingSegment) -> float:
        """How long there has been no voice."""
        return self.detected_s - segment.voice_s

    def _job_in_speech(self, segment: PendingSegment) -> DecodeJob | None:
        at_s = self.detected_s
        if segment.voice_s <= segment.window.final_to_s or segment.tried_to_s >= segment.voice_s + COVERED_S:
            return None
        if self.silence_s(segment) >= SILENCE_S:
            return self._fitting(DecodeJob(segment, Urgency.PAUSE, at_s))
        if at_s >= segment.next_interim_s:
            return self._fitting(DecodeJob(segment, Urgency.INTERIM, at_s))
        return None

    def _fitting(self, job: DecodeJob) -> DecodeJob:
        """The same, or as much of it as Whisper can hear at once: up to the quietest place."""
        start_s = job.segment.window.start_s
        if job.end_s - start_s + REACH_S * job.segment.is_new <= MAX_PIECE_S:
            return job
        pcm = self.buffer.cut(start_s, start_s + MAX_PIECE_S - REACH_S * job.segment.is_new)
        cut_s = start_s + quietest_place(pcm, len(pcm) / SAMPLE_RATE - CUT_WITHIN_S, len(pcm) / SAMPLE_RATE)
        return DecodeJob(job.segment, Urgency.FINAL, cut_s, cut=True)

    def _open(self) -> None:
        start_s = self._segmenter.start_s
        assert start_s is not None
        self.segments.append(
            PendingSegment(
                Window(start_s),
                self._segmenter.voice_s,
                used_to_s=start_s,
                next_interim_s=self.detected_s + FIRST_S,
            )
        )

    def _close(self, stretch: SpeechSegment | None) -> None:
        """End the segment that goes on; without a voice in it, it was none."""
        if not self.segments or self.segments[-1].end_s is not None:
            return
        if stretch is None:
            self.segments.pop()
        else:
            self.segments[-1].end_s = stretch.end_s

    def _answer_flushes(self) -> None:
        while self._flushes and self.detected_s > self._flushes[0] - self.step_s:
            if (stretch := self._segmenter.flushed(self._flushes.popleft())) is not None:
                self._close(stretch)
                self._open()


def next_interim_s(heard_to_s: float, took_s: float) -> float:
    """When speech that was decoded up to `heard_to_s` is decoded again if it goes on; `took_s` with the wait for it.

    When several interviews want the model, each waits longer for it and asks for it less often: mid-speech decodes
    then take at most about one part in `1 + SHARE` of each interview's share of the processor.
    """
    return heard_to_s + max(STEP_S, SHARE * took_s)
