"""OGG/Opus files that are whole at every moment: what a killed process wrote until then can be played."""

from __future__ import annotations

import errno
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import av
import numpy as np
from numpy.typing import NDArray

from review.audio.mixing import RATE, Samples

BIT_RATE = 64_000
"""Bits per second for both voices: transparent for speech, 29 MB an hour."""
PACKET = RATE * 20 // 1000
"""Samples in one Opus packet: 20 ms."""
PRE_SKIP = 312
"""Samples of the encoder's run-up at the start of a file, which players leave out (RFC 7845)."""
PAGE_S = 0.4
"""Seconds of sound in one page, the unit that is written to disk."""

MEDIA_ERRORS = (OSError, av.FFmpegError)
"""What PyAV raises when a file cannot be opened, read or written."""


class RecordingError(Exception):
    """A recording cannot be written or read. The message says what failed and what to do about it."""


class OggOpusWriter:
    """Writes stereo sound into an OGG/Opus file, and each page to the disk as soon as it is full.

    Raises (all methods): one of `MEDIA_ERRORS`.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        options = {"flush_packets": "1", "page_duration": str(round(PAGE_S * 1e6))}
        self._container = av.open(str(path), "w", format="ogg", options=options)
        self._stream = self._container.add_stream("libopus", rate=RATE, layout="stereo")
        self._stream.bit_rate = BIT_RATE
        self.samples = 0
        """How many samples per channel were given to the file."""

    def write(self, left: Samples, right: Samples) -> None:
        """Append sound; both sides have the same number of samples, a multiple of `PACKET`."""
        for begin in range(0, len(left), PACKET):
            part = np.column_stack((left[begin : begin + PACKET], right[begin : begin + PACKET]))
            self._container.mux(self._stream.encode(self._frame(part)))

    def close(self) -> None:
        """Write what the encoder still holds, and the end of the file."""
        try:
            if self.samples:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _frame(self, stereo: NDArray[np.int16]) -> Any:
        frame = av.AudioFrame.from_ndarray(stereo.reshape(1, -1), format="s16", layout="stereo")
        frame.sample_rate = RATE
        frame.pts = self.samples
        self.samples += len(stereo)
        return frame


def advice(error: BaseException, path: Path) -> str:
    """The sentences for a file that cannot be written: what happened and what to do."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{path.name} could not be written: the disk is full. Free some space in {path.parent}."
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{path.name} could not be written: {path.parent} is not writable. Give the user that runs Viva the right."
        )
    reason = getattr(error, "strerror", None) or str(error)
    return f"{path.name} could not be written ({reason}). Check the disk and the folder {path.parent}."
