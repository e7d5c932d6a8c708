"""Lines of a document: headings, bullets and the rest, of text that was written plainly, as Markdown or by a machine.

Marks of Markdown are taken off, what stands apart (three spaces or more, a tab, cells of a table) is kept apart by a
tab, and a line that goes on the one before is joined to it: behind a bullet when it stands further in, begins with a
small letter or ends the sentence, anywhere when it begins with a small letter or the line before ends with a comma. A
word that was parted at the end of a line is one again; its hyphen stays where the document writes it so elsewhere, or
where both parts are known words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["heading", "bullet", "plain", "blank", "columns"]
"""What a line is; "columns" are the headings of a table."""

_ROUND = (
    "\N{BULLET}\u25aa\u25ab\u25cf\u25cb\u25e6\u2023\u25a0\u25a1\u25b8\u25ba\u25b6\u2043"
    "\u27a2\u2713\u2714\u2756\u25c6\uf0b7\uf0a7"
)
_BULLET = re.compile(rf"(?:[{_ROUND}][ \t]{{0,8}}|[*+·\N{{EN DASH}}\N{{EM DASH}}-][ \t]{{1,8}})(?=\S)")
_HEADING = re.compile(r"(#{1,6})[ \t]{1,8}(\S.{0,120})")
_RULE = re.compile(r"[-=_~*\N{EM DASH}\N{BOX DRAWINGS LIGHT HORIZONTAL}]{3,300}")
_ROW_OF_TABLE = re.compile(r"\|.{1,1000}\|")
_EDGE_OF_TABLE = re.compile(r"[|:\s-]{3,300}")
_BREAK_IN_CELL = re.compile(r"<br\s{0,2}/?>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\]\[]{1,200})\]\([^()\s]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=[\w.,;)])[*_](?!\w))")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_\n]{1,120}?)\1(?!\w)")
_LETTER_SPACED = re.compile(r"(?:[A-ZÀ-Þ&'\u2019]{1,3}[ \t]{1,6}){3,60}[A-ZÀ-Þ&'\u2019]{1,4}:?")
_MOST_LETTERS = 1.8
"""Letters of a part of a letter-spaced line on the average; a font's kerning may draw two or three together."""
_APART = re.compile(r"[ \xa0]{3,200}|[ \xa0]{0,20}\t[ \t\xa0]{0,200}")
_PARTED = re.compile(r"([^\W\d_]{2,40})[-\N{HYPHEN}]\n[ \t]{0,60}([^\W\d_]{2,40})")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u2060\ufeff"))
_MOST_UNDERLINE = 3
"""Characters by which a rule may be longer or shorter than the heading it underlines."""
_LONGEST_HEADING = 60
_SHORTEST_FULL_LINE = 30
"""Characters below which a line had room for the next word."""
_LONGEST_PARAGRAPH = 2_000
"""Characters; what is longer is not made longer still, line by line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document, without its marks."""

    text: str
    kind: Kind = "plain"
    level: int = 0
    """Of a heading that is marked as one, from 1; 0 for what is not marked."""
    indent: int = 0
    """Characters before the text, or before its bullet."""
    strong: int = 0
    """Characters at its beginning that are bold."""

    @property
    def is_strong(self) -> bool:
        """All of its first cell is bold."""
        return bool(self.strong) and self.strong >= len(self.text.split("\t")[0].rstrip(" :"))


def mend(text: str, known_words: Container[str] = ()) -> str:
    """The same text with whole words: no ligatures, no invisible characters, nothing parted at the end of a line.

    Args:
        text: as it was read.
        known_words: words, in lower case, that keep the hyphen between them.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").translate(_INVISIBLE)
    text = re.sub("[\ufb00-\ufb06]", lambda match: unicodedata.normalize("NFKC", match[0]), text)
    written = frozenset(re.findall(r"[^\W\d_]{2,40}(?:-[^\W\d_]{2,40})?", text.lower()))

    def whole(match: re.Match[str]) -> str:
        first, second = match[1].lower(), match[2].lower()
        both_are_words = first in known_words and second in known_words and first + second not in known_words
        keeps_hyphen = f"{first}-{second}" in written or (both_are_words and first + second not in written)
        return f"{match[1]}-{match[2]}" if keeps_hyphen or not match[2].islower() else match[1] + match[2]

    return "\n".join(map(_unspaced, _PARTED.sub(whole, text).split("\n")))


def _unspaced(line: str) -> str:
    """A heading whose letters stand apart ("S K I L L S") in words; wider gaps are those between its words."""
    body = line.strip().lstrip("#*").rstrip("*").strip()
    if not _LETTER_SPACED.fullmatch(body):
        return line
    parts = body.split()
    if len("".join(parts)) > _MOST_LETTERS * len(parts):
        return line
    words = ("".join(word.split()) for word in re.split(r"[ \t]{2,6}", body))
    return line.replace(body, " ".join(words))


def read_lines(text: str) -> list[Line]:
    """The lines of a document, each whole; between two paragraphs a single blank one."""
    text = _BREAK_IN_CELL.sub(" |\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    found = map(_line, text.split("\n"))
    raw = [line if line.text else Line("", "blank") for line in found]
    lines: list[Line] = []
    for line in _without_rules(raw):
        before = lines[-1] if lines else None
        if line.kind == "blank":
            if before and before.kind != "blank":
                lines.append(line)
        elif before and _goes_on(before, line):
            lines[-1] = replace(before, text=f"{before.text} {line.text}")
        else:
            lines.append(line)
    return lines


def _line(raw: str) -> Line:
    body = raw.replace("\xa0", " ").strip()
    indent = len(raw) - len(raw.lstrip())
    if not body:
        return Line("", "blank")
    if body.startswith(">"):
        body = body.lstrip("> ")
    if match := _HEADING.fullmatch(body):
        return Line(_plain(match[2].rstrip("# ")), "heading", len(match[1]), indent)
    if _RULE.fullmatch(body) or (_EDGE_OF_TABLE.fullmatch(body) and "-" in body):
        return Line(body, "plain", -1, indent)
    if _ROW_OF_TABLE.fullmatch(body):
        return Line("\t".join(_plain(cell) for cell in body.strip("|").split("|") if cell.strip()), indent=indent)
    kind: Kind = "plain"
    if match := _BULLET.match(body):
        kind, body = "bullet", body[match.end() :]
    return Line(_plain(body), kind, indent=indent, strong=_strong(body))


def _strong(body: str) -> int:
    """How many characters of the plain text are bold from its beginning."""
    if not (match := _STRONG.match(body)):
        return 0
    return len(_plain(match[2]))


def _plain(text: str) -> str:
    """Without the marks of Markdown, and with a tab where something stands apart."""
    text = _LINK.sub(r"\1", text)
    return _APART.sub("\t", _EMPHASIS.sub("", text)).strip(" \t<>|")


def _without_rules(lines: list[Line]) -> list[Line]:
    """Rules are dropped; what is as long as the rule below it is a heading; a table's first row names its columns."""
    kept: list[Line] = []
    for line in lines:
        if line.level != -1:
            kept.append(line)
        elif kept and kept[-1].kind == "plain":
            above = kept[-1]
            if "|" in line.text:
                kept[-1] = replace(above, kind="columns")
            elif abs(len(line.text) - len(above.text)) <= _MOST_UNDERLINE and len(above.text) <= _LONGEST_HEADING:
                kept[-1] = replace(above, kind="heading", level=1 if line.text[0] == "=" else 2)
    return kept


def _goes_on(before: Line, line: Line) -> bool:
    if line.kind != "plain" or before.kind not in {"bullet", "plain"} or "\t" in line.text:
        return False
    if len(before.text) > _LONGEST_PARAGRAPH or _begins_in_bold(before, line):
        return False
    if before.is_strong and not line.strong:
        return False
    if before.kind == "bullet" and (line.indent > before.indent or _ends_its_sentence(before, line)):
        return True
    if "\t" in before.text or "@" in line.text:
        return False
    has_room = len(before.text) < _SHORTEST_FULL_LINE and before.kind == "plain"
    return before.text.endswith(",") or (line.text[0].islower() and not has_room)


def _begins_in_bold(before: Line, line: Line) -> bool:
    """True for a line whose bold beginning is a name and no stressed word within a sentence."""
    return bool(line.strong) and (not line.text[0].islower() or before.text.endswith((".", "!", "?", ")")))


def _ends_its_sentence(before: Line, line: Line) -> bool:
    """True when the line before stops in mid-sentence, and this one has the sentence's end."""
    return line.text.endswith(".") and not before.text.endswith((".", "!", "?", ";", ":"))
