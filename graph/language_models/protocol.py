"""Protocol of language models: what is asked of them and what they promise, without anything that loads one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from domain.vocabulary import Tier

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class TextTask:
    """Something a model is asked to word as plain text."""

    name: str
    """The agent it is done for, as events call it."""
    tier: Tier
    """Which model does it when both are well."""
    prompt: str
    """Name of the file in `graph/prompts/`, with a `## system` and a `## human` part."""


@dataclass(frozen=True, slots=True)
class Task(Generic[Reply]):
    """Something a model is asked to answer in a form."""

    name: str
    """The agent it is done for, as events call it."""
    tier: Tier
    """Which model does it when both are well."""
    prompt: str
    """Name of the file in `graph/prompts/`, with a `## system` and a `## human` part."""
    reply: type[Reply]
    """The form. What is needed must not be optional: small models leave out what they may."""


class LanguageModels(Protocol):
    """The models of one interview. They take no longer than `models_within` allows where they are asked."""

    def available(self, tier: Tier) -> bool:
        """True when this tier has a model that was well when it was last seen."""
        ...

    def ever_there(self) -> bool:
        """True when one of them was ever seen to be there; until then nobody waits for them, and none has failed."""
        ...

    async def ask(
        self,
        task: Task[Reply],
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[Reply], str] | None = None,
    ) -> Reply | None:
        """A reply in the task's form that passed the check, or None: then the caller goes on without a model.

        Args:
            task: what is asked.
            values: what the prompt's placeholders are filled with.
            turn: the candidate's turn; an agent may word a reply anew once in each.
            check: the gate: an empty text, or a sentence that says why the reply is refused. The model is told it.
        """
        ...

    def sentences(
        self,
        task: TextTask,
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[str], str] | None = None,
    ) -> AsyncIterator[str]:
        """The sentences of a text, each as soon as it is complete and passed the check.

        The text ends at the first fault and at the first sentence that is refused; when that is the very first one, the
        model is told why and writes once more.
        """
        ...
