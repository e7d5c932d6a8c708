"""A chat model that says what a script has for whoever asks: for measuring with models of a known speed, and for tests.

It is a real `BaseChatModel`, so that prompts, retries, structured output, fallbacks, streaming and callbacks around it
are LangChain's own. Who asks is told by the tags of the call, of which one is the agent's name.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.output_parsers import PydanticOutputParser
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableMap, RunnablePassthrough
from langchain_core.runnables.config import ensure_config
from pydantic import BaseModel, PrivateAttr


@dataclass(frozen=True)
class Says:
    """One reply."""

    what: str | Mapping[str, Any] | BaseModel | BaseException = ""
    """Text; something that becomes JSON; or an error that is raised."""
    after_s: float = 0.0
    """Seconds before it comes, or before its first word when it is streamed."""
    a_word_s: float = 0.0
    """Seconds for each word when it is streamed."""
    breaks_after: int | None = None
    """When it is streamed: the connection breaks after this many words."""
    done_reason: str = "stop"
    """`length` when the model was cut off."""

    @property
    def text(self) -> str:
        """The reply as the model writes it."""
        if isinstance(self.what, BaseModel):
            return self.what.model_dump_json()
        return self.what if isinstance(self.what, str) else json.dumps(self.what)


HANGS = Says(after_s=3600.0)
"""Comes when nobody waits any more."""

Line = Says | str | Mapping[str, Any] | BaseModel | BaseException
Script = Mapping[str, Line | Sequence[Line] | Callable[[str], Line]]
"""What each agent is told: always the same, one reply after the other (the last one again and again), or what a
function makes of the last message."""


@dataclass(frozen=True)
class Asked:
    """One call as the model got it."""

    agent: str
    tags: tuple[str, ...]
    messages: tuple[BaseMessage, ...]
    streamed: bool
    form: Mapping[str, Any] | None
    """The JSON schema that was bound to it."""

    @property
    def last(self) -> str:
        """The text of the last message."""
        return self.messages[-1].text


class NotInTheScriptError(AssertionError):
    """An agent asked that the script has nothing for: a fault of the script, which nothing may hide."""


@dataclass
class _Log:
    asked: list[Asked] = field(default_factory=list)


class ScriptedChat(BaseChatModel):
    """Replies by script, with structured output as ChatOllama does it: JSON in the text of the reply."""

    script: Any
    """A `Script`."""
    name: str = "scripted"
    pause_s: float = 0.0
    """Added to `after_s` of each reply."""
    _log: _Log = PrivateAttr(default_factory=_Log)

    @property
    def asked(self) -> list[Asked]:
        """Every call, in order."""
        return self._log.asked

    @property
    def agents(self) -> list[str]:
        """Who asked, in order."""
        return [each.agent for each in self._log.asked]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """As ChatOllama's `json_schema`: the form is bound, the text is parsed."""
        assert isinstance(schema, type)
        assert issubclass(schema, BaseModel)
        model = self.bind(format=schema.model_json_schema(), **kwargs)
        parser: PydanticOutputParser[BaseModel] = PydanticOutputParser(pydantic_object=schema)
        if not include_raw:
            return model | parser
        parsed = RunnablePassthrough.assign(parsed=lambda got: parser.invoke(got["raw"]), parsing_error=lambda _: None)
        unparsed = RunnablePassthrough.assign(parsed=lambda _: None)
        return RunnableMap(raw=model) | parsed.with_fallbacks([unparsed], exception_key="parsing_error")

    def _generate(
        self,
        messages: list[BaseMessage],  # noqa: ARG002 (the signature is LangChain's)
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        """It is asked by `ainvoke` and `astream` alone."""
        raise RuntimeError("ScriptedChat is asynchronous")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        says = self._next(messages, run_manager, form=kwargs.get("format"))
        await self._wait(says.after_s + self.pause_s)
        if isinstance(says.what, BaseException):
            raise says.what
        told = {"done_reason": says.done_reason}
        message = AIMessage(says.text, response_metadata=told, usage_metadata=_usage(messages, says.text))
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> AsyncIterator[ChatGenerationChunk]:
        says = self._next(messages, run_manager, streamed=True)
        await self._wait(says.after_s + self.pause_s)
        if isinstance(says.what, BaseException):
            raise says.what
        words = says.text.split(" ")
        for index, word in enumerate(words):
            if index == says.breaks_after:
                raise ConnectionResetError("the connection broke")
            await self._wait(says.a_word_s)
            piece = AIMessageChunk(content=word if index == 0 else f" {word}")
            yield ChatGenerationChunk(message=piece)
        told = {"done_reason": says.done_reason}
        usage = _usage(messages, says.text)
        yield ChatGenerationChunk(message=AIMessageChunk(content="", response_metadata=told, usage_metadata=usage))

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _next(
        self,
        messages: list[BaseMessage],
        run_manager: AsyncCallbackManagerForLLMRun | None,
        *,
        streamed: bool = False,
        form: Mapping[str, Any] | None = None,
    ) -> Says:
        # LangChain gives no run manager to what is streamed; the configuration is around it all the same.
        tags = tuple(run_manager.tags if run_manager else ensure_config()["tags"])
        agent = next((tag for tag in tags if tag in self.script), tags[0] if tags else "")
        before = sum(each.agent == agent for each in self._log.asked)
        self._log.asked.append(Asked(agent, tags, tuple(messages), streamed, form))
        if agent not in self.script:
            raise NotInTheScriptError(f"{self.name} was asked with tags {tags}, and its script has {list(self.script)}")
        lines = self.script[agent]
        if callable(lines):
            line = lines(messages[-1].text)
        elif isinstance(lines, (list, tuple)):
            line = lines[min(before, len(lines) - 1)]
        else:
            line = lines
        return line if isinstance(line, Says) else Says(line)


def _usage(messages: Sequence[BaseMessage], text: str) -> UsageMetadata:
    """Words for tokens."""
    read, written = sum(len(message.text.split()) for message in messages), len(text.split())
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
