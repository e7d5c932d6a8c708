"""Prompts: Markdown files with a `## system` and a `## human` part, as LangChain's templates.

`{name}` is filled in; a brace that is meant is written twice. What comes from a candidate stands between tags, as in
`<answer>{answer}</answer>`: the tags that a prompt uses are taken out of everything that is filled in, so that no text
can end its own quotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.prompts import ChatPromptTemplate, HumanMessagePromptTemplate, MessagesPlaceholder
from langchain_core.prompts.chat import MessageLikeRepresentation

from graph.templates import WordingError, load_prompt

AGAIN = "again"
"""Where the messages go that ask for a better reply: the refused one, and why it was refused."""

_PART = re.compile(r"^## +(system|human)[ \t]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
COPIED_FROM = 6
"""Words from which on saying the same as the prompt is no coincidence; less is, unless it is a whole line of it."""
_TAG = re.compile(r"<([a-z_]+)>")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that can be filled in."""

    template: ChatPromptTemplate
    tags: frozenset[str]
    """Names of the tags that candidates' texts stand between."""
    own_lines: tuple[str, ...]
    """The lines of the system part, as plain words."""

    def is_copied(self, text: str) -> bool:
        """True for the prompt's own words, such as its example: what small models say for want of anything else."""
        said = _plain(text)
        if len(said.split()) < COPIED_FROM:
            return said in self.own_lines
        return f" {said} " in f" {' '.join(self.own_lines)} "

    def values(self, values: Mapping[str, str]) -> dict[str, str]:
        """Values that cannot step out of the tags they are put between."""
        if not self.tags:
            return dict(values)
        names = "|".join(sorted(self.tags))
        tag = re.compile(rf"<\s*(?:/\s*)?(?:{names})\b[^<>]*>?", re.IGNORECASE)
        return {name: _without(tag, value) for name, value in values.items()}


@cache
def chat_prompt(name: str) -> Prompt:
    """The prompt of `graph/prompts/<name>.md`.

    Raises:
        WordingError: the file is missing or has not exactly one `## system` and one `## human` part.
    """
    parts = [(role, body.strip()) for role, body in _PART.findall(load_prompt(name))]
    if [role for role, _ in parts] != ["system", "human"]:
        raise WordingError(f"{name}.md must have a heading '## system' and then a heading '## human', and nothing else")
    messages: list[MessageLikeRepresentation] = [*parts, MessagesPlaceholder(AGAIN, optional=True)]
    tags = frozenset(_TAG.findall(parts[1][1]))
    own_lines = tuple(filter(None, map(_plain, parts[0][1].splitlines())))
    return Prompt(ChatPromptTemplate.from_messages(messages), tags, own_lines)


def refusal(raw: AIMessage, why: str) -> list[BaseMessage]:
    """The messages that ask for a better reply: the refused one, and the reason of `graph/prompts/again.md`."""
    ask = HumanMessagePromptTemplate.from_template(load_prompt("again")).format(why=why)
    return [AIMessage(raw.text or "-"), ask]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _without(tag: re.Pattern[str], value: str) -> str:
    """Take tags out until none is left: taking one out can put the parts of another together."""
    while (shorter := tag.sub("", value)) != value:
        value = shorter
    return value
