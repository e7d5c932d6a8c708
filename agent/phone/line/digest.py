"""Digest authentication of those who call (RFC 7616 with MD5, which is what phones can; RFC 3261, section 22).

Nonces are signed and not stored: an address that asks for challenges fills no memory. Each nonce counts up (`nc`), and
a count that was seen is not taken again, so that a call that was overheard cannot be repeated.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping

from aiosipua.header_codec import parse_auth

REALM = "viva"
NONCE_LIFE_S = 60.0
_MOST_SEEN = 4096
_SIGNATURE_CHARS = 32


class DigestCheck:
    """Challenges callers and checks what they answer."""

    def __init__(self, users: Mapping[str, str], *, secret: bytes | None = None) -> None:
        self._users = dict(users)
        self._secret = secret or secrets.token_bytes(32)
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()

    @property
    def wanted(self) -> bool:
        """Whether callers have to have a password."""
        return bool(self._users)

    def challenge(self, address: str, now: float, *, stale: bool = False) -> str:
        """Value of a `WWW-Authenticate` header for somebody at an address; `now` in seconds."""
        nonce = self._nonce(address, now)
        again = ", stale=true" if stale else ""
        return f'Digest realm="{REALM}", nonce="{nonce}", algorithm=MD5, qop="auth"{again}'

    def is_right(self, authorization: str, method: str, address: str, now: float) -> bool:
        """Whether an `Authorization` header proves the password of one of the users."""
        try:
            params = parse_auth(authorization).params
            user, nonce, uri = params["username"], params["nonce"], params["uri"]
            count, cnonce, response = params["nc"], params["cnonce"], params["response"]
        except (KeyError, ValueError, IndexError):
            return False
        if not self._is_ours(nonce, address, now) or (nonce, count) in self._seen or params.get("qop") != "auth":
            return False
        password = self._users.get(user)
        ours = _md5(f"{user}:{REALM}:{password if password is not None else secrets.token_hex()}")
        expected = _md5(f"{ours}:{nonce}:{count}:{cnonce}:auth:{_md5(f'{method}:{uri}')}")
        if not hmac.compare_digest(expected.encode(), response.lower().encode()):
            return False
        self._seen[(nonce, count)] = None
        if len(self._seen) > _MOST_SEEN:
            self._seen.popitem(last=False)
        return password is not None

    def is_old(self, authorization: str, address: str, now: float) -> bool:
        """Whether a header fails only because its nonce was made too long ago: the phone need not ask its user."""
        try:
            nonce = parse_auth(authorization).params["nonce"]
        except (KeyError, ValueError, IndexError):
            return False
        made = self._made_at(nonce, address)
        return made is not None and now - made > NONCE_LIFE_S

    def _nonce(self, address: str, now: float) -> str:
        text = f"{now:.3f}-{secrets.token_hex(4)}"
        return f"{text}-{self._signature(text, address)}"

    def _signature(self, text: str, address: str) -> str:
        return hmac.new(self._secret, f"{text} {address}".encode(), hashlib.sha256).hexdigest()[:_SIGNATURE_CHARS]

    def _made_at(self, nonce: str, address: str) -> float | None:
        text, _, signature = nonce.rpartition("-")
        if not hmac.compare_digest(signature.encode(), self._signature(text, address).encode()):
            return None
        return float(text.partition("-")[0])

    def _is_ours(self, nonce: str, address: str, now: float) -> bool:
        made = self._made_at(nonce, address)
        return made is not None and now - made <= NONCE_LIFE_S


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
