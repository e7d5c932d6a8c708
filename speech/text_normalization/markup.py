"""Markup: what remains of Markdown and HTML, and addresses: URLs, e-mail, IP, paths."""

from __future__ import annotations

import re

from speech.text_normalization.rules import RewriteRule

_PORT = r"(?::(?P<port>[0-9]{2,5}))?"


def markup_rules() -> list[RewriteRule]:
    """What remains of Markdown and HTML is not said."""
    return [
        RewriteRule(re.compile(r"```(?:[a-z]+\n)?|`"), lambda _: ""),
        RewriteRule(re.compile(r"!?\[([^\]\n]*)\]\([^\s()]+\)"), lambda match: match[1], again=True),
        RewriteRule(re.compile(r"^[ \t]*(?:#{1,6}|>|[*•+]|-(?!\s*[0-9]))[ \t]+", re.MULTILINE), lambda _: ""),
        RewriteRule(
            re.compile(r"(?<![\w*~])(\*\*\*|\*\*|\*|~~|_|__(?=[^_\n]*\s))(?=[^\s*_~])([^*_~\n]+?)(?<=\S)\1(?![\w*~])"),
            lambda match: match[2],
            again=True,
        ),
        RewriteRule(re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?<!\w<)(?:\s[^<>\n]*)?/?>"), _tag, again=True),
    ]


def _tag(match: re.Match[str]) -> str:
    """`<div>` is "div"; in `List<String>` it is what the list is of."""
    before = match.string[: match.start()][-1:]
    return f"of {match[1]}" if before.isalnum() else match[1]


def address_rules() -> list[RewriteRule]:
    """URLs, e-mail addresses, IP addresses, paths: as somebody would dictate them."""
    return [
        RewriteRule(
            re.compile(r"(?<!\w)[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+(?<!-)"),
            lambda match: _dictated(match[0].replace("@", " at ")),
            again=True,
        ),
        RewriteRule(
            re.compile(r"(?<!\w)(?:[a-z]{2,6}://|www\.)(?P<rest>[^\s<>\"'()]*[^\s<>\"'().,;:!?])"),
            lambda match: _dictated(re.sub(r"^www\.", "", match["rest"])),
            again=True,
        ),
        RewriteRule(
            re.compile(
                rf"(?<![\w.])(?P<host>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}){_PORT}(?:/(?P<bits>[0-9]{{1,2}}))?(?![\w.]\w)"
            ),
            _ip_address,
        ),
        RewriteRule(
            re.compile(r"(?<!\w)(?P<host>localhost|[A-Za-z0-9-]{1,63}(?:\.[a-z]{2,63})+):(?P<port>[0-9]{2,5})(?!\w)"),
            lambda match: f"{match['host']} port {match['port']}",
            again=True,
        ),
        RewriteRule(
            re.compile(r"(?<![\w./<])(?:~|\.{1,2})?(?:/[\w.@{}:*-]*[\w}*])+/?"),
            lambda match: _dictated(match[0]),
            again=True,
        ),
        RewriteRule(
            re.compile(r"(?<![\w./])[\w.-]{1,80}(?:/[\w.-]{1,80})+\.[a-z][a-z0-9]{0,4}(?![\w/])"),
            lambda match: _dictated(match[0]),
            again=True,
        ),
    ]


_DICTATED = {
    "/": " slash ",
    ".": " dot ",
    "-": " dash ",
    "_": " underscore ",
    "?": " question mark ",
    "~": " tilde ",
    ":": " colon ",
    "+": " plus ",
    "#": " hash ",
}


def _dictated(address: str) -> str:
    address = re.sub(r":([0-9]{2,5})(?=/|$)", r" port \1 ", address)
    address = re.sub(r"[{}]", " ", address.rstrip("/") or address)
    return " ".join("".join(_DICTATED.get(sign, sign) for sign in address).split())


def _ip_address(match: re.Match[str]) -> str:
    said = match["host"].replace(".", " dot ")
    if match["port"]:
        said += f" port {match['port']}"
    return f"{said} slash {match['bits']}" if match["bits"] else said
