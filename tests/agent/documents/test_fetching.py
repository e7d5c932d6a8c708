"""Fetching documents: public addresses only, at every redirect, bounded in size and time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from agent.documents.document import DocumentError, Limits
from agent.documents.fetching import fetch, is_public, read_from

PUBLIC = "93.184.215.14"
LIMITS = Limits(most_bytes=1_000, longest_s=5)


def resolve(host: str, port: int) -> list[str]:
    """A host's addresses: those of its name's first label, or a public one."""
    known = {"internal": ["10.0.0.5"], "both": [PUBLIC, "127.0.0.1"], "none": []}
    if host[0].isdigit() or ":" in host:
        return [host]
    return known.get(host.partition(".")[0], [PUBLIC])


def get(url: str, answer: Callable[[httpx.Request], httpx.Response], **options: object) -> tuple[bytes, str]:
    """Fetch with a server that answers so."""
    return fetch(url, LIMITS, resolve=resolve, transport=httpx.MockTransport(answer), **options)  # type: ignore[arg-type]


def found(content: bytes) -> httpx.Response:
    """A server's answer that is still to be read."""
    return httpx.Response(200, stream=httpx.ByteStream(content))


def never(request: httpx.Request) -> httpx.Response:
    """A server that must not be asked."""
    raise AssertionError(request.url)


def test_the_checked_address_is_connected_to() -> None:
    """The request goes to the address that was looked up, and names the host it is for."""
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return found(b"Ada Sample")

    assert get("https://files.example/cv/ada%20sample.txt?x=1", answer) == (b"Ada Sample", "ada sample.txt")
    assert seen[0].url.host == PUBLIC
    assert seen[0].headers["Host"] == "files.example"
    assert seen[0].extensions["sni_hostname"] == "files.example"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/cv.pdf", "http://internal.example/cv", "http://both.example/cv", "http://[::1]/cv",
        "http://169.254.169.254/latest/meta-data", "http://none.example/", "http://[::ffff:10.0.0.1]/",
        "http://user:secret@files.example/", "ftp://files.example/", "http://", "https:///x",
    ],
)  # fmt: skip
def test_what_is_not_public_is_not_asked(url: str) -> None:
    """No address of this machine or its network is spoken to, whatever its name."""
    with pytest.raises(DocumentError) as refused:
        get(url, never)
    assert refused.value.reason == "not_reachable"


def test_a_redirect_is_checked_like_an_address() -> None:
    """A public address cannot lead to a private one."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(302, headers={"Location": "http://internal.example/secret"})

    with pytest.raises(DocumentError, match="no public address"):
        get("http://files.example/", answer)
    assert asked == [PUBLIC]


def test_three_redirects_are_followed_and_no_more() -> None:
    """The third leads to a document, a fourth to a sentence."""

    def answer(request: httpx.Request) -> httpx.Response:
        left = int(request.url.path[1:])
        return httpx.Response(302, headers={"Location": f"/{left - 1}"}) if left else found(b"x")

    assert get("http://files.example/3", answer)[0] == b"x"
    with pytest.raises(DocumentError, match="more than 3 times"):
        get("http://files.example/4", answer)


def test_too_much_is_not_read_to_its_end() -> None:
    """Reading stops with the first part that goes over the limit."""
    sent: list[int] = []

    def parts() -> Iterator[bytes]:
        for number in range(100):
            sent.append(number)
            yield bytes(500)

    with pytest.raises(DocumentError) as refused:
        get("http://files.example/", lambda _: httpx.Response(200, content=parts()))
    assert refused.value.reason == "too_large"
    assert len(sent) == 3


def test_a_server_that_drips_is_given_up() -> None:
    """The time counts from the first request to the last byte."""
    now = iter(range(0, 1_000, 2))

    def parts() -> Iterator[bytes]:
        while True:
            yield b"x"

    with pytest.raises(DocumentError) as refused:
        get("http://files.example/", lambda _: httpx.Response(200, content=parts()), clock=lambda: next(now))
    assert refused.value.reason == "too_slow"


@pytest.mark.parametrize(
    "response",
    [httpx.Response(404), httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"x"))],
    ids=["missing", "packed"],
)
def test_an_answer_of_no_use_gets_a_sentence(response: httpx.Response) -> None:
    """What is missing, or sent packed against the request, is not a document."""
    with pytest.raises(DocumentError) as refused:
        get("http://files.example/", lambda _: response)
    assert refused.value.reason == "not_reachable"


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255",
     "::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "nonsense"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    """Loopback, private, link-local, shared, multicast and whatever stands for one of them."""
    assert not is_public(address)


def test_public_addresses() -> None:
    """What everybody can reach is public."""
    assert is_public(PUBLIC)
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


def test_paths_and_file_addresses_are_read(tmp_path: Path) -> None:
    """On the command line a path and a file:// address are the same."""
    path = tmp_path / "my cv.txt"
    path.write_text("Ada Sample", encoding="utf-8")
    assert read_from(str(path)).text == read_from(path.as_uri()).text == "Ada Sample"
    with pytest.raises(DocumentError, match="three slashes"):
        read_from("file://server/share/cv.txt")
