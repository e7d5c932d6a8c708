"""Media: the sound of one call, RTP both ways, on aiortp.

aiortp's own session follows any stranger, hands keys over late, steps the timestamps of G.722 wrongly and plays packets
of 20 ms only; this one does with its parts what the telephones of the world need. It has no clock: `tick_in` and the
sender are called every 20 ms by the call.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from aiortp.base_session import BaseRTPSession
from aiortp.packet import RtcpPacket, RtcpSrPacket, RtpPacket
from aiortp.playout import AdaptivePlayout
from aiortp.port_allocator import PortAllocator

from agent.phone.line.codecs import PAYLOAD_TYPES, codec_named
from agent.phone.line.frames import FRAME, FrameCutter
from agent.phone.line.keys import KeyReceiver
from agent.phone.line.setting_values import CodecName
from agent.phone.line.sound_offer import SoundAgreement
from agent.phone.line.source_lock import SourceLock
from agent.phone.line.transactions import Address

FRAME_S = 0.02
"""Length of the frames that are sent and played, in seconds."""
_CLOCK_HZ = 8000
_LONGEST_DELAY_MS = 200
_COMFORT_NOISE = 13
"""Payload type (RFC 3389)."""
_RTCP_EVERY_S = 5.0
_TRIES = 4
"""So many ports are tried: another program may have some of the range."""


class RtpPorts(PortAllocator):
    """Hands out the ports of a range in an order that nobody can guess.

    aiortp's own begins with the lowest each time: the last packets of one call would arrive in the next.
    """

    def __init__(self, ports: range, rng: random.Random) -> None:
        super().__init__((ports.start, ports.stop))
        self._ports = ports
        self._rng = rng

    @property
    def in_use(self) -> int:
        """How many pairs are handed out."""
        return len(self._allocated)

    async def allocate(self) -> tuple[int, int]:
        """A pair of ports that is free. Raises `RuntimeError` if there is none."""
        free = [port for port in self._ports if port not in self._allocated]
        if not free:
            raise RuntimeError("all RTP ports are in use")
        port = self._rng.choice(free)
        self._allocated.add(port)
        return port, port + 1


@dataclass(frozen=True, slots=True)
class Quality:
    """How well a call's packets arrive."""

    loss: float
    """Share of the packets that did not, 0 to 1."""
    jitter_ms: float
    """As of RFC 3550, section 6.4.1."""


class CallMedia(BaseRTPSession):
    """RTP of one call. Make it with `open`, and `close` it."""

    def __init__(self, agreement: SoundAgreement, signalling_host: str, ports: RtpPorts) -> None:
        super().__init__(
            PAYLOAD_TYPES[agreement.codec],
            clock_rate=_CLOCK_HZ, cname="viva", rtcp_interval=_RTCP_EVERY_S, port_allocator=ports,
        )  # fmt: skip
        self._speak(agreement.codec)
        self._keys_type = agreement.keys_type
        self._lock = SourceLock(agreement.remote, signalling_host=signalling_host)
        self._cutter = FrameCutter()
        self._keys = KeyReceiver()
        self.on_key: Callable[[str], None] = lambda _digit: None
        self.junk = 0
        """Packets of strangers, and such that are no RTP or RTCP."""
        self.heard_at: float | None = None
        """When the last packet came, by `time.monotonic`; None before the first."""
        self.suppresses_silence = False
        """Whether the other end has sent comfort noise, and may then send nothing while nobody speaks (RFC 3389)."""

    @classmethod
    async def open(cls, agreement: SoundAgreement, host: str, signalling_host: str, ports: RtpPorts) -> CallMedia:
        """Bind two ports for a call that was agreed on.

        Raises:
            OSError: the ports cannot be bound, after some tries.
            RuntimeError: there is none left.
        """
        tries_left = _TRIES
        while True:
            media = cls(agreement, signalling_host, ports)
            try:
                await media._bind_transports((host, 0), agreement.remote)
            except OSError:
                await media.close()
                tries_left -= 1
                if not tries_left:
                    raise
            else:
                assert media._sender is not None
                media._sender.timestamp_increment = FRAME
                return media

    @property
    def port(self) -> int:
        """UDP port that sound is received at."""
        assert self._allocated_rtp_port is not None
        return self._allocated_rtp_port

    @property
    def sample_rate(self) -> int:
        """Of what is said and heard here, in Hz: 8000, or 16000 for G.722."""
        return self._codec.sample_rate

    def settle(self, agreement: SoundAgreement) -> None:
        """Take what the other end chose of our offer, before anything was sent."""
        self._speak(agreement.codec)
        assert self._sender is not None
        self._payload_type = PAYLOAD_TYPES[agreement.codec]
        self._sender._payload_type = self._payload_type  # noqa: SLF001 (set at its making only)
        self.agree(agreement)

    def agree(self, agreement: SoundAgreement) -> None:
        """Take what a re-INVITE agreed on: another place, perhaps, but the codec stays."""
        self._keys_type = agreement.keys_type
        if agreement.remote[0] != "0.0.0.0":  # noqa: S104 (the address of a telephone on hold, not one to bind)
            self._lock.announce(agreement.remote)
            if self._lock.source is None:
                self.update_remote(agreement.remote)

    def send(self, pcm: bytes) -> None:
        """Send 20 ms: 16-bit samples at `sample_rate`."""
        if self._sender is not None and not self._closed:
            self._sender.send_frame_auto(self._codec.encode(pcm), addr=self._remote_addr)

    def tick_in(self) -> bytes | None:
        """The next 20 ms that the other end said; None while it sends nothing."""
        frame = self._playout.tick()
        return frame[0] if frame is not None else None

    def quality(self) -> Quality:
        """How well packets have arrived so far."""
        stats = self._stream_stats
        if stats is None or stats.max_seq is None:
            return Quality(0.0, 0.0)
        expected = max(1, stats.packets_expected)
        # Of aiortp's two jitters the one that a timestamp which begins again at 0 does not spoil.
        jitter_ms = self._playout._jitter_ms  # noqa: SLF001 (it is shown nowhere else)
        return Quality(min(1.0, max(0, stats.packets_lost) / expected), jitter_ms)

    def _speak(self, codec: CodecName) -> None:
        self.codec_name = codec
        self._codec = codec_named(codec)
        self._playout = AdaptivePlayout(self._codec, max_delay_ms=_LONGEST_DELAY_MS, clock_rate=_CLOCK_HZ)

    def _handle_rtp(self, data: bytes, addr: Address) -> None:
        try:
            packet = RtpPacket.parse(data)
        except ValueError:
            self.junk += 1
            return
        if self._lock.takes(addr):
            self._take(packet, addr)
        else:
            self.junk += 1

    def _take(self, packet: RtpPacket, addr: Address) -> None:
        self.heard_at = time.monotonic()
        if addr != self._remote_addr:
            self.update_remote(addr)
        if packet.ssrc != self._remote_ssrc:
            self._remote_ssrc_changed(packet.ssrc)
            self._playout.reset()
            self._cutter, self._keys = FrameCutter(), KeyReceiver()
        assert self._stream_stats is not None
        self._stream_stats.add(packet)
        if packet.payload_type == self._keys_type:
            self._playout.suppress()
            if digit := self._keys.take(packet.payload, packet.timestamp):
                self.on_key(digit)
        elif packet.payload_type == _COMFORT_NOISE:
            self.suppresses_silence = True
            if packet.payload:
                self._playout.set_cn(packet.payload[0] & 0x7F, packet.timestamp)
        elif packet.payload_type == self._payload_type:
            for timestamp, frame in self._cutter.cut(packet.timestamp, packet.payload):
                self._playout.put(timestamp, frame)

    def _handle_rtcp(self, data: bytes, addr: Address) -> None:
        source = self._lock.source
        if source is None or addr[0] != source[0]:
            return
        try:
            packets = RtcpPacket.parse(data)
        except ValueError:
            self.junk += 1
            return
        for packet in packets:
            if isinstance(packet, RtcpSrPacket):
                self._record_incoming_sr(packet.sender_info.ntp_timestamp)
