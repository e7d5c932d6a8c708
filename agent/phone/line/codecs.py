"""Codecs: PCMU, PCMA and G.722, those of aiortp. Its PCMA has the sign of each sample the wrong way round; not here."""

from __future__ import annotations

from aiortp.codecs import Codec, get_codec

from agent.phone.line.setting_values import CodecName

PAYLOAD_TYPES: dict[CodecName, int] = {"PCMU": 0, "PCMA": 8, "G722": 9}
"""Static payload types (RFC 3551, table 4)."""
_OTHER_SIGN = bytes(code ^ 0x80 for code in range(256))


class TrueSign(Codec):
    """A-law with the sign bit as ITU-T G.711 has it: set for what is above zero."""

    def __init__(self, inner: Codec) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """As in SDP."""
        return self._inner.name

    @property
    def sample_rate(self) -> int:
        """In Hz."""
        return self._inner.sample_rate

    @property
    def samples_per_frame(self) -> int:
        """Of 20 ms."""
        return self._inner.samples_per_frame

    def encode(self, pcm: bytes) -> bytes:
        """Samples to a payload."""
        return self._inner.encode(pcm).translate(_OTHER_SIGN)

    def decode(self, payload: bytes) -> bytes:
        """A payload to samples."""
        return self._inner.decode(payload.translate(_OTHER_SIGN))


def codec_named(name: CodecName) -> Codec:
    """A codec of its own for one call: G.722 remembers what went before."""
    codec = get_codec(PAYLOAD_TYPES[name])
    return TrueSign(codec) if name == "PCMA" else codec
