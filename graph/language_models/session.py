"""Session of models for one interview: routing by health, the gate with its circuit breaker, and who is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, merge_configs
from pydantic import BaseModel

from domain.events import Event, FellBack, GateFailed
from domain.vocabulary import Tier
from graph.language_models.call import Call
from graph.language_models.circuit_breaker import in_order
from graph.language_models.deadline import Emit, bound_emit, is_time_over, seconds_left
from graph.language_models.parsing import ReadReply, UnreadableError, is_cut_off
from graph.language_models.pool import TieredModels
from graph.language_models.prompts import AGAIN, COPIED_FROM, chat_prompt, refusal
from graph.language_models.protocol import Reply, Task, TextTask
from graph.language_models.sentence_stream import SentenceCutter

_COPIED = "own words: it is copied from the instructions"


class InterviewModels:
    """Language models as one interview uses them; see `LanguageModels` for what it promises.

    A tier that fails makes room for the other at once, and for the path without a model after that. A reply that
    cannot be read or is refused is worded anew once per agent and turn, and not again. No call outlasts the time that
    `models_within` gives; a tier that is still waited for when it is over has failed like any that does not answer.

    Args:
        shared: the models of the process.
        emit: takes the events of calls that are made outside of nodes; in a node `models_within` says who does.
        now: the interview's clock, in seconds since the epoch.
    """

    def __init__(self, shared: TieredModels, emit: Emit, now: Callable[[], float]) -> None:
        self._shared = shared
        self._own_emit = emit
        self._now = now
        self._worded_anew: set[tuple[int, str]] = set()
        self._answered: dict[str, str] = {}

    def available(self, tier: Tier) -> bool:
        """True when this tier has a model that was well when it was last seen."""
        return self._shared.available(tier)

    def ever_there(self) -> bool:
        """True when one of them was ever seen to be there."""
        return self._shared.health.ever_well

    def model_of(self, agent: str, tier: Tier) -> str:
        """Name of the model whose reply an agent last used; before that, of the one that it would be given."""
        return self._answered.get(agent) or self._shared.name_of(tier)

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
        inputs = chat_prompt(task.prompt).values(values)
        failed: Tier | None = None
        for tier in in_order(task.tier):
            if not await self._may_be_asked(tier):
                continue
            if tier != task.tier:
                self._tell_of_the_spare(task.name, task.tier, tier, turn)
            call = self._call(task.name, tier, turn)
            reply = await self._ask_one(task, call, inputs, check)
            if call.fault is None:
                return reply
            failed = tier
        self._give_up(task.name, turn, failed)
        return None

    async def sentences(
        self,
        task: TextTask,
        values: Mapping[str, str],
        *,
        turn: int,
        check: Callable[[str], str] | None = None,
    ) -> AsyncIterator[str]:
        """The sentences of a text, each as soon as it is complete and passed the check.

        The text ends at the first fault and at the first sentence that is refused; when that is the very first one, the
        model is told why and writes once more. Nothing of a second text follows what was said: two halves of different
        texts make no whole.
        """
        inputs = chat_prompt(task.prompt).values(values)
        failed: Tier | None = None
        for tier in in_order(task.tier):
            if not await self._may_be_asked(tier):
                continue
            if tier != task.tier:
                self._tell_of_the_spare(task.name, task.tier, tier, turn)
            call = self._call(task.name, tier, turn)
            begun = False
            async with aclosing(self._passed(task, call, inputs, check)) as passed:
                async for sentence in passed:
                    begun = True
                    yield sentence
            if call.fault is None:
                return
            failed = tier
            if begun:
                break
        self._give_up(task.name, turn, failed)

    async def _ask_one(
        self, task: Task[Reply], call: Call, inputs: dict[str, str], check: Callable[[Reply], str] | None
    ) -> Reply | None:
        """What one tier replies; after a refusal once more, where the breaker allows it."""
        again: list[BaseMessage] = []
        while True:
            read = await self._read(task, call, {**inputs, AGAIN: again})
            if read is None:
                return None
            if isinstance(read, ReadReply):
                refused = _copied(read.reply, task) or (check(read.reply) if check else "")
                call.tell(read.raw, f"refused: {refused}" if refused else "")
                if not refused:
                    return self._accept(read, call)
                self._refused(call, refused)
            else:
                refused = str(read)
                call.tell(read.raw, f"unreadable: {refused}")
            if is_time_over() or not self._may_word_anew(call):
                self._fell_back(call.turn, call.agent, f"no usable reply: {refused}")
                return None
            again = refusal(read.raw, refused)

    async def _read(
        self, task: Task[Reply], call: Call, inputs: dict[str, Any]
    ) -> ReadReply[Reply] | UnreadableError | None:
        """One call. None after a fault of the model, which the call then holds."""
        chain, config = self._shared.structured(task), self._config(call)
        with call:
            async with asyncio.timeout(seconds_left(self._shared.timeout_s)):
                try:
                    read: ReadReply[Reply] | UnreadableError = await chain.ainvoke(inputs, config)
                except UnreadableError as error:
                    read = error
            self._shared.health.answered(call.tier)
            return read
        return None

    async def _passed(
        self, task: TextTask, call: Call, inputs: dict[str, str], check: Callable[[str], str] | None
    ) -> AsyncGenerator[str, None]:
        """What one tier writes, up to the first sentence that is refused; when none was before it, of a second try."""
        prompt, begun, again = chat_prompt(task.prompt), False, list[BaseMessage]()
        while True:
            refused = ""
            async with aclosing(self._written(task, call, {**inputs, AGAIN: again})) as written:
                async for sentence in written:
                    if refused := _COPIED if prompt.is_copied(sentence) else check(sentence) if check else "":
                        self._refused(call, refused)
                        break
                    begun = True
                    yield sentence
            if not refused or begun or not self._may_word_anew(call):
                break
            again = refusal(AIMessage(sentence), refused)
        if refused:
            self._fell_back(call.turn, call.agent, "a sentence was refused, and the text ends before it")
        elif not begun and call.fault is None:
            self._fell_back(call.turn, call.agent, "the model wrote no sentence; it goes on by rule")

    async def _written(self, task: TextTask, call: Call, inputs: dict[str, Any]) -> AsyncGenerator[str, None]:
        """Sentences as a model writes them. The time-out counts the waiting for it, not for who speaks them."""
        cutter, left_s = SentenceCutter(), self._shared.timeout_s
        whole: AIMessage | None = None
        with call:
            async with aclosing(self._shared.plain(task).astream(inputs, self._config(call))) as pieces:  # type: ignore[type-var]
                while True:
                    begun_at = self._shared.clock()
                    async with asyncio.timeout(seconds_left(left_s)):
                        piece = await anext(pieces, None)
                    left_s -= self._shared.clock() - begun_at
                    if piece is None:
                        break
                    whole = piece if whole is None else whole + piece  # type: ignore[assignment]
                    for sentence in cutter.take(piece.text):
                        yield sentence
            self._shared.health.answered(call.tier)
            call.tell(whole, seconds=self._shared.timeout_s - left_s)
            if whole is not None and not is_cut_off(whole):
                for sentence in cutter.rest():
                    yield sentence

    def _accept(self, read: ReadReply[Reply], call: Call) -> Reply:
        self._answered[call.agent] = call.model
        if read.leniently:
            self._fell_back(call.turn, call.agent, "the lenient parser read the reply")
        return read.reply

    def _may_word_anew(self, call: Call) -> bool:
        """The circuit breaker: one more try per agent and turn."""
        key = (call.turn, call.agent)
        if key in self._worded_anew:
            return False
        self._worded_anew.add(key)
        return True

    def _emit(self, event: Event) -> None:
        """Whoever listens here takes it: what a turn does that is only guessed has not happened yet."""
        (bound_emit() or self._own_emit)(event)

    def _refused(self, call: Call, check: str) -> None:
        self._emit(GateFailed(at=self._now(), turn=call.turn, agent=call.agent, check=check))

    def _fell_back(self, turn: int, agent: str, why: str) -> None:
        self._emit(FellBack(at=self._now(), turn=turn, agent=agent, why=why))

    async def _may_be_asked(self, tier: Tier) -> bool:
        """False also when no time is left: a call that nobody can wait for would say nothing about its model."""
        return not is_time_over() and await self._shared.health.may_be_asked(tier) and not is_time_over()

    def _call(self, agent: str, tier: Tier, turn: int) -> Call:
        emit = bound_emit() or self._own_emit
        return Call(self._shared.health, emit, self._now, agent=agent, tier=tier, turn=turn)

    def _config(self, call: Call) -> RunnableConfig:
        """LangGraph's configuration of the node we are in, with what tells this call apart in a trace."""
        own = RunnableConfig(
            tags=[call.agent, call.tier],
            metadata={"agent": call.agent, "tier": call.tier, "turn": call.turn},
            configurable={"model_tier": call.tier},
            run_name=call.agent,
        )
        return merge_configs(ensure_config(), own)

    def _tell_of_the_spare(self, agent: str, wanted: Tier, spare: Tier, turn: int) -> None:
        if self._shared.has(wanted):
            self._fell_back(turn, agent, f"the {wanted} model is not well, so the {spare} model is asked")

    def _give_up(self, agent: str, turn: int, failed: Tier | None) -> None:
        if not failed and not self.ever_there():
            return  # nothing was to be had, so nothing is missed: whoever runs no Ollama hears of it once, in the log
        why = "no time is left for models" if is_time_over() else "no model is well"
        why = f"the {failed} model failed" if failed else why
        self._fell_back(turn, agent, f"{why}; it goes on by rule")


def _copied(reply: BaseModel, task: Task[Reply]) -> str:
    """The gate of every reply: the prompt's example is no answer."""
    prompt = chat_prompt(task.prompt)
    texts = [value for _, value in reply if isinstance(value, str)]
    return _COPIED if any(len(text.split()) >= COPIED_FROM and prompt.is_copied(text) for text in texts) else ""
