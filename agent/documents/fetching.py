"""Fetching: a document from an address, which may lead nowhere but to the public internet.

A host is looked up first, and every address that it has must be a public one: no loopback, private, link-local or
reserved address is ever spoken to, whatever name it has. The connection goes to the address that was checked (a second
look-up could answer otherwise), with the host's name in the request and for its certificate. Each redirect is checked
in the same way; there are three at most. Proxies of the environment are not used, because they would look up anew.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import httpx

from agent.documents.document import Document, DocumentError, Limits
from agent.documents.reading import read_document, read_file

MOST_REDIRECTS = 3
_SCHEMES = {"http": 80, "https": 443}

Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a host, as text.

Raises:
    OSError: it has none.
"""


def read_from(place: str, limits: Limits | None = None) -> Document:
    """The text of a document by its path, or its address with http://, https:// or file://.

    For the command line: a path or file:// reads whatever its user may read.

    Raises:
        DocumentError: it cannot be reached, or not be used.
    """
    limits = limits or Limits()
    scheme, colon, _ = place.partition("://")
    if not colon:
        return read_file(Path(place).expanduser(), limits)
    if scheme.lower() == "file":
        parts = urlsplit(place)
        if parts.netloc not in {"", "localhost"}:
            raise DocumentError("not_reachable", "A file:// address has three slashes: file:///home/me/resume.pdf")
        return read_file(Path(url2pathname(parts.path)), limits)
    content, name = fetch(place, limits)
    return read_document(content, name, limits)


def fetch(
    url: str,
    limits: Limits,
    *,
    resolve: Resolve | None = None,
    transport: httpx.BaseTransport | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[bytes, str]:
    """The content of a public address and the name of its file.

    Args:
        url: with http:// or https://.
        limits: how many bytes and seconds it may take in all.
        resolve: looks up a host; the system does without one.
        transport: carries the requests; a connection over the network without one.
        clock: seconds, from any start.

    Raises:
        DocumentError: the address is not public, cannot be reached, or leads to too much.
    """
    over_at = clock() + limits.longest_s
    with httpx.Client(transport=transport, trust_env=False, follow_redirects=False) as client:
        for _ in range(MOST_REDIRECTS + 1):
            target = _target(url)
            address = _public_address(target, resolve or _look_up)
            found = _get(client, target, address, limits, lambda: over_at - clock())
            if isinstance(found, bytes):
                return found, PurePosixPath(unquote(target.path)).name
            url = str(target.join(found))
    raise DocumentError("not_reachable", f"The address redirects more than {MOST_REDIRECTS} times.")


def _target(url: str) -> httpx.URL:
    try:
        target = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise DocumentError("not_reachable", "This is not an address.") from None
    if target.scheme not in _SCHEMES or not target.host:
        raise DocumentError("not_reachable", "An address begins with http:// or https:// and a host.")
    if target.userinfo:
        raise DocumentError("not_reachable", "An address with a user name or a password in it is not opened.")
    return target


def _look_up(host: str, port: int) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _public_address(target: httpx.URL, resolve: Resolve) -> str:
    """The address to connect to: the first of the host's, when all of them are public."""
    try:
        found = resolve(target.host, target.port or _SCHEMES[target.scheme])
    except (OSError, UnicodeError):
        raise DocumentError("not_reachable", f"There is no host {target.host}.") from None
    if not found or not all(map(is_public, found)):
        sentence = f"{target.host} is no public address. Save the file and give its path, or paste its text."
        raise DocumentError("not_reachable", sentence)
    return found[0]


def is_public(address: str) -> bool:
    """True for an address of the public internet; an IPv6 address that stands for an IPv4 one is judged by that."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is None and parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _get(
    client: httpx.Client, target: httpx.URL, address: str, limits: Limits, left: Callable[[], float]
) -> bytes | str:
    """What one request brings: the content, or where it is redirected to."""
    headers = {"Host": target.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "viva"}
    try:
        with client.stream(
            "GET",
            target.copy_with(host=address),
            headers=headers,
            timeout=max(0.1, left()),
            extensions={"sni_hostname": target.host},
        ) as response:
            if response.has_redirect_location:
                return str(response.headers["Location"])
            if not response.is_success:
                sentence = f"{target.host} answered {response.status_code} {response.reason_phrase}.".replace(" .", ".")
                raise DocumentError("not_reachable", sentence)
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise DocumentError(
                    "not_reachable", f"{target.host} sends the file packed, though it was asked not to."
                )
            return _body(response, limits, left)
    except httpx.TimeoutException:
        raise _too_slow(limits) from None
    except httpx.HTTPError:
        raise DocumentError("not_reachable", f"{target.host} cannot be reached.") from None


def _body(response: httpx.Response, limits: Limits, left: Callable[[], float]) -> bytes:
    body = bytearray()
    for part in response.iter_raw():
        body += part
        if len(body) > limits.most_bytes:
            sentence = (
                f"The file is larger than {limits.most_bytes / 1_000_000:g} MB, which is the most that is accepted."
            )
            raise DocumentError("too_large", sentence)
        if left() <= 0:
            raise _too_slow(limits)
    return bytes(body)


def _too_slow(limits: Limits) -> DocumentError:
    return DocumentError("too_slow", f"Fetching the file took longer than {limits.longest_s:g} seconds.")
