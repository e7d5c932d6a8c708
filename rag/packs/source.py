"""Source of a pack: its file as the author wrote it, and on which line everything stands.

JSON is read as well: but for tabs between its parts, it is YAML.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Place = tuple[int | str, ...]
"""Where something is in a pack: keys, and indexes of list items from 0, from the outside in."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, and where."""

    sentence: str
    line: int | None = None
    """From 1; None when it is about the file as a whole."""
    name: str = ""
    """The place in an author's words."""

    def __str__(self) -> str:
        where = [part for part in (f"line {self.line}" if self.line else "", self.name) if part]
        return f"{', '.join(where)}: {self.sentence}" if where else self.sentence


class PackError(ValueError):
    """A pack cannot be used. `faults` holds one sentence each, with its place; `found` the same in parts."""

    def __init__(self, path: Path, faults: Sequence[str | Fault]) -> None:
        self.path = path
        self.found = [fault if isinstance(fault, Fault) else Fault(fault) for fault in faults]
        self.faults = [str(fault) for fault in self.found]
        super().__init__(f"{path.name} was not loaded: " + "; ".join(self.faults))


class _SaysWhere:
    """Says where a value stands that looks like a date or a number and is none; PyYAML does not."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 (PyYAML's signature)
        try:
            return super().construct_object(node, deep=deep)  # type: ignore[misc] # of the loader beside it
        except ValueError as error:
            raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from None


class _Loader(_SaysWhere, yaml.SafeLoader):
    """Explains faults well, and takes a tenth of a second for a pack."""


_Fast = type("_Fast", (_SaysWhere, getattr(yaml, "CSafeLoader", yaml.SafeLoader)), {})
"""The same in C where PyYAML has it, ten times as fast. What it refuses is read again, to be explained."""


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file that holds a mapping."""

    raw: bytes
    """As it was read, once: what is copied is what was checked."""
    root: yaml.Node
    data: dict[str, Any]

    def fault(self, place: Place, sentence: str) -> Fault:
        """A sentence about a place."""
        return Fault(sentence, self.line(place), self.name(place))

    def line(self, place: Place) -> int:
        """Line, from 1, of the innermost part of the place that is in the file."""
        node, line = self.root, self.root.start_mark.line + 1
        for part in place:
            if isinstance(node, yaml.MappingNode):
                found = next(((key, value) for key, value in node.value if key.value == part), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                found = (node.value[part], node.value[part])
            else:
                found = None
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        return line

    def name(self, place: Place) -> str:
        """The place in an author's words: `question bias-variance, key_points, item 2`."""
        if len(place) > 1 and isinstance(index := place[1], int):
            part = str(place[0])
            item = self.data[part][index]
            own_name = item.get("id") if isinstance(item, dict) else None
            named = own_name if isinstance(own_name, str) else index + 1
            start, rest = [f"{part.removesuffix('s')} {named}"], place[2:]
        else:
            start, rest = [], place
        names = [f"item {part + 1}" if isinstance(part, int) else str(part) for part in rest]
        return ", ".join([*start, *names]) or "the pack"


def source_of(path: Path, raw: bytes) -> Source:
    """The content of a file that holds one mapping of keys to values.

    Args:
        path: named in errors.
        raw: what is in it.

    Raises:
        PackError: it is empty, not text, not YAML, or holds something else.
    """
    text = _text(path, raw)
    try:
        root, data, faults = _parsed(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        sentence = f"it is not text (character {error.position} is a control character)"
        raise PackError(path, [Fault(sentence, line)]) from None
    except yaml.MarkedYAMLError as error:
        # What is never closed is found at the end; where it was opened is of more use.
        is_open = "<stream end>" in str(error.problem) and error.context_mark
        mark = error.context_mark if is_open else error.problem_mark
        line = mark.line + 1 if mark else 1
        raise PackError(path, [Fault(f"it is not YAML ({error.problem})", line)]) from None
    except RecursionError:
        raise PackError(path, [Fault("it is nested too deeply", 1)]) from None
    if root is None or not isinstance(data, dict):
        sentence = "it is empty or not a mapping of keys to values; a pack begins with its id and title"
        raise PackError(path, [Fault(sentence, 1)])
    if faults:
        raise PackError(path, faults)
    return Source(raw, root, data)


def _parsed(text: str) -> tuple[yaml.Node | None, Any, list[Fault]]:
    """Nodes, content, and faults of form of a text."""
    try:
        return _parsed_by(_Fast, text)
    except (yaml.YAMLError, RecursionError):
        return _parsed_by(_Loader, text)


def _parsed_by(kind: Any, text: str) -> tuple[yaml.Node | None, Any, list[Fault]]:
    loader = kind(text)
    root = loader.get_single_node()
    data = loader.construct_document(root) if root else None
    return root, data, list(_faults_of_form(root)) if root else []


def read_bytes(path: Path) -> bytes:
    """What is in a file.

    Raises:
        PackError: it is missing or cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PackError(path, ["there is no such file"]) from None
    except OSError as error:
        raise PackError(path, [f"it cannot be read ({error.strerror})"]) from None


def _text(path: Path, raw: bytes) -> str:
    try:
        # Line ends as a text file gives them, so that lines are counted as an editor does.
        text = raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        sentence = f"it is not UTF-8 text (byte {error.start}); save it as UTF-8"
        raise PackError(path, [Fault(sentence, line)]) from None
    # JSON may be indented by tabs, YAML may not; inside of its strings JSON has none.
    return text.replace("\t", " ") if text.lstrip().startswith("{") else text


def _faults_of_form(
    node: yaml.Node, within: tuple[yaml.Node, ...] = (), seen: set[yaml.Node] | None = None
) -> Iterator[Fault]:
    """What YAML lets pass and no pack has.

    Of two equal keys YAML keeps the last: that is how a forgotten hyphen makes a question vanish. And an alias may
    stand inside of what it names. What aliases name is looked at once, however often they name it.
    """
    seen = set() if seen is None else seen
    if node in within:
        yield Fault("it contains itself", node.start_mark.line + 1)
    if node in seen or isinstance(node, yaml.ScalarNode):
        return
    seen.add(node)
    if isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, _ in node.value:
            if key.value in keys:
                sentence = f"{key.value!r} is given twice; is the hyphen of an item missing?"
                yield Fault(sentence, key.start_mark.line + 1)
            keys.add(key.value)
    for part in node.value:
        yield from _faults_of_form(part[1] if isinstance(part, tuple) else part, (*within, node), seen)
