"""Recorder: both voices of an interview on one time line, written to disk while they speak."""

from __future__ import annotations

import contextlib
import logging
import math
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from review.audio.mixing import RATE, Samples, SideTrack
from review.audio.ogg import MEDIA_ERRORS, PACKET, OggOpusWriter, advice

Side = Literal["candidate", "interviewer"]

QUEUE_FRAMES = 4_000
"""20 s of both voices in frames of 10 ms: more than any disk makes us wait."""
HOLD_S = 0.8
"""How long a frame waits for the ones behind it before it is placed and encoded."""
STALL_S = 0.5
"""When no frame came for this long, nobody was silent: the event loop stood still, and frames pile up behind it."""
SETTLE_S = 0.3
"""How long a pile of frames may take to arrive."""
LONGEST_STALL_S = 5.0
"""After this long without a frame what is held back is written."""
BLOCK = RATE // PACKET * PACKET
"""Samples that are written at once at most: a second."""
_STEP = 5 * PACKET
"""Samples that are written at once at least, but for the last."""

_logger = logging.getLogger(__name__)


class _Heard(NamedTuple):
    side: Side
    source: str
    pcm: Samples
    at: float
    now: float


class _Close(NamedTuple):
    now: float


class Horizon:
    """Up to where the sound is complete: a hold behind the clock, and further behind while a stall resolves."""

    def __init__(self) -> None:
        self._last_at = math.inf
        self._resumed_at = -math.inf
        self._complete_until = -math.inf

    def moved(self, now: float) -> float:
        """A frame came at `now`; the time before which no other is expected (both in seconds since the epoch)."""
        if now - self._last_at > STALL_S:
            self._resumed_at = now
        self._last_at = now
        if now - self._resumed_at >= SETTLE_S:
            self._complete_until = max(self._complete_until, now - HOLD_S)
        return max(self._complete_until, now - LONGEST_STALL_S)


class StereoRecorder:
    """Records the candidate on the left and the interviewer on the right channel of an OGG/Opus file.

    Sound is placed by the wall clock (`review.audio.mixing`), encoded in a thread of its own, and on disk 1.3 s after
    it was heard, so that a killed process loses no more than that. A side that says nothing is silent. When the file
    cannot be written, `on_problem` is called once with a sentence, and everything after that is ignored: an interview
    does not fail with its recording.

    Args:
        path: The file to write; its folder is created.
        clock: Seconds since the epoch. Its reading at construction is second 0 of the file: `started_at`.
        on_problem: Called from the recorder's thread or from the one that writes. Without it the sentence is logged as
            a warning.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float], on_problem: Callable[[str], None] | None = None
    ) -> None:
        self.path = path
        self.started_at = clock()
        """Time of the file's first sample, in seconds since the epoch."""
        self._clock = clock
        self._on_problem = on_problem or _logger.warning
        self._tracks: dict[tuple[Side, str], SideTrack] = {}
        self._queue: queue.Queue[_Heard | _Close] = queue.Queue(QUEUE_FRAMES)
        self._failing = threading.Lock()
        self._failed = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"recorder {path.name}", daemon=True)
        self._thread.start()

    def write(self, side: Side, pcm: Samples, at: float, *, source: str = "") -> None:
        """Hand over sound as it is heard. Never blocks.

        Args:
            side: Who is speaking.
            pcm: int16 samples, mono, 48 kHz; they are copied. Frames of 10 or 20 ms are best.
            at: When the first of them is heard, in seconds since the epoch: for the interviewer the time of playing,
                not of synthesis.
            source: Which of a side's sources it comes from: those that sound at once are added up.

        Raises:
            ValueError: `pcm` is not a one-dimensional array of int16.
        """
        if pcm.dtype != np.int16 or pcm.ndim != 1:
            raise ValueError(f"A recorder takes int16 samples of one channel, not {pcm.dtype} of shape {pcm.shape}.")
        if self._closed or self._failed.is_set() or not len(pcm):
            return
        try:
            self._queue.put_nowait(_Heard(side, source, pcm.copy(), at, self._clock()))
        except queue.Full:
            self._fail(
                f"The interview goes on without a recording: {self.path.name} stops here, because the disk or the "
                "processor is too slow. Choose a data folder on a faster disk (setting data_dir)."
            )

    @property
    def waiting(self) -> int:
        """Frames that were handed over and not taken up yet; at `QUEUE_FRAMES` the recorder gives up."""
        return self._queue.qsize()

    def close(self) -> None:
        """Write what is left up to now, end the file, and wait for it. May be called more than once."""
        if not self._closed:
            self._closed = True
            self._end(_Close(self._clock()))
        self._thread.join()

    def _end(self, close: _Close) -> None:
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._queue.put(close, timeout=1.0)
                return

    def _run(self) -> None:
        try:
            with OggOpusWriter(self.path) as writer:
                self._record(writer)
        except MEDIA_ERRORS as error:
            self._fail(f"The interview goes on without a recording: {advice(error, self.path)}")
            while not isinstance(self._queue.get(), _Close):
                pass

    def _record(self, writer: OggOpusWriter) -> None:
        horizon = Horizon()
        while True:
            try:
                item = self._queue.get(timeout=LONGEST_STALL_S)
            except queue.Empty:
                self._write_until(writer, self._samples(self._clock() - HOLD_S))
                continue
            if isinstance(item, _Close):
                self._finish(writer, item.now)
                return
            self._track(item.side, item.source, writer.samples).add(item.pcm, self._samples(item.at))
            self._write_until(writer, self._samples(horizon.moved(item.now)))

    def _write_until(self, writer: OggOpusWriter, position: int, step: int = _STEP) -> None:
        end = position // step * step
        while writer.samples < end:
            until = min(end, writer.samples + BLOCK)
            writer.write(
                self._mixed("candidate", writer.samples, until), self._mixed("interviewer", writer.samples, until)
            )

    def _track(self, side: Side, source: str, begins: int) -> SideTrack:
        """The track of a source; one that is new begins where the file ends."""
        if (side, source) not in self._tracks:
            self._tracks[side, source] = SideTrack(begins)
        return self._tracks[side, source]

    def _mixed(self, side: Side, begins: int, until: int) -> Samples:
        """What a side's sources sound like together."""
        parts = [track.take(until) for (of, _), track in self._tracks.items() if of == side]
        if len(parts) == 1:
            return parts[0]
        limits = np.iinfo(np.int16)
        mixed = sum((part.astype(np.int32) for part in parts), np.zeros(until - begins, np.int32))
        return np.clip(mixed, limits.min, limits.max).astype(np.int16)

    def _finish(self, writer: OggOpusWriter, now: float) -> None:
        end = max([self._samples(now), *(track.received_until for track in self._tracks.values())])
        self._write_until(writer, end + PACKET - 1, PACKET)

    def _samples(self, at: float) -> int:
        return round((at - self.started_at) * RATE)

    def _fail(self, sentence: str) -> None:
        with self._failing:
            first = not self._failed.is_set()
            self._failed.set()
        if first:
            self._on_problem(sentence)
