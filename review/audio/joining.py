"""Joining of the pieces that crashes leave. Opus packets are copied, not encoded again."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np

from review.audio.mixing import RATE
from review.audio.ogg import BIT_RATE, MEDIA_ERRORS, PACKET, PRE_SKIP, RecordingError, advice

_logger = logging.getLogger(__name__)


def join_recordings(
    pieces: Sequence[tuple[Path, float]], out: Path, *, on_problem: Callable[[str], None] | None = None
) -> tuple[float, float]:
    """Put the pieces of one interview on one time line, with silence where nothing was recorded.

    A piece that a crash cut off in the middle is used as far as it goes; where pieces overlap, the earlier one stands.
    Each piece begins within 10 ms of its time. `out` appears whole or not at all, and may be one of the pieces.

    Args:
        pieces: Path and time of the first sample (seconds since the epoch) of each recording.
        out: The file to write.
        on_problem: Told in a sentence about each piece that cannot be read; the others are joined.
            Without it the sentence is logged as a warning.

    Returns:
        The time of the first sample in seconds since the epoch, and the length in seconds.

    Raises:
        RecordingError: no piece can be read, or `out` cannot be written.
    """
    report = on_problem or _logger.warning
    readable: list[_Piece] = []
    for path, started_at in sorted(pieces, key=lambda piece: piece[1]):
        try:
            readable.append(_read(path, started_at))
        except RecordingError as error:
            report(str(error))
    if not readable:
        names = ", ".join(path.name for path, _ in pieces) or "none was made"
        raise RecordingError(f"There is no recording that can be played: {names}. The transcript is complete without.")
    unfinished = out.with_suffix(".part")
    try:
        duration_s = _write(readable, unfinished)
        unfinished.replace(out)
    except MEDIA_ERRORS as error:
        # Whatever is wrong with the place, the first error says it.
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise RecordingError(advice(error, out)) from error
    return readable[0].started_at, duration_s


@dataclass(frozen=True, slots=True)
class _Piece:
    path: Path
    started_at: float
    packets: Sequence[bytes]


def _read(path: Path, started_at: float) -> _Piece:
    """The packets of a piece, as far as they are whole."""
    packets: list[bytes] = []
    reason = "it holds no sound"
    try:
        with av.open(str(path)) as container:
            stream = _opus_stream(container)
            if stream is None:
                reason = "it is not stereo Opus"
            else:
                packets.extend(bytes(packet) for packet in container.demux(stream) if packet.size)
    except MEDIA_ERRORS as error:
        # What was read before a damaged page is still good.
        reason = getattr(error, "strerror", None) or str(error)
    if not packets:
        raise RecordingError(
            f"{path.name} is left out of the recording: {reason}. It probably ends before its first sound; "
            "keep the file if you want to examine it."
        )
    return _Piece(path, started_at, packets)


def _opus_stream(container: Any) -> Any:
    stream = next(iter(container.streams.audio), None)
    if stream is None or stream.codec_context.name != "opus" or stream.codec_context.layout.name != "stereo":
        return None
    return stream


def _write(pieces: Sequence[_Piece], out: Path) -> float:
    """Write the pieces one behind the other; the length in seconds."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(pieces[0].path)) as source, av.open(str(out), "w", format="ogg") as container:
        first = _opus_stream(source)
        stream = container.add_stream_from_template(first)
        # The decoder throws this much away at the start of the file (RFC 7845, pre-skip).
        skipped = -int(first.start_time or 0) or PRE_SKIP
        position = 0
        for payload in _in_line(pieces):
            packet = av.Packet(payload)
            packet.stream = stream
            packet.time_base = first.time_base
            packet.pts = packet.dts = position - skipped
            packet.duration = PACKET
            container.mux(packet)
            position += PACKET
    return (position - skipped) / RATE


def _in_line(pieces: Sequence[_Piece]) -> Iterator[bytes]:
    """The packets of all pieces with silent ones between them, each piece at the packet nearest to its time."""
    placed = 0
    for piece in pieces:
        begins = round((piece.started_at - pieces[0].started_at) * RATE / PACKET)
        for _ in range(begins - placed):
            yield _silent_packet()
        overlap = max(0, placed - begins)
        yield from piece.packets[overlap:]
        placed = max(placed, begins + len(piece.packets))


@cache
def _silent_packet() -> bytes:
    """20 ms of silence."""
    encoder = av.CodecContext.create("libopus", "w")
    encoder.sample_rate, encoder.layout, encoder.format = RATE, "stereo", "s16"
    encoder.bit_rate = BIT_RATE
    frame = av.AudioFrame.from_ndarray(np.zeros((1, 2 * PACKET), np.int16), format="s16", layout="stereo")
    frame.sample_rate = RATE
    return bytes(next(iter(encoder.encode(frame))))
