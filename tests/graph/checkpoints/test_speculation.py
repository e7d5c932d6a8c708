"""A guess at a turn counts when it is adopted, as if it had been the turn, and otherwise it never was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from domain.events import ModelCalled, StageTimed
from domain.question import Question
from domain.verdict import Verdict
from graph import Interview, build_graph
from graph.checkpoints.opening import open_checkpointer
from graph.checkpoints.queries import head_of
from graph.checkpoints.serializer import serializer
from graph.checkpoints.speculation import HeadMovedError, Speculation, SpeculationError, speculate
from graph.intents import ModelDetector
from graph.judging import JudgePanel, ModelJudge
from graph.state import InterviewState
from tests.graph.checkpoints.conversation import CONVERSATION, SETUP, interview
from tests.graph.checkpoints.states import plain, state_of
from tests.graph.checkpoints.test_compaction import rows
from tests.graph.fakes import Notes, Rig, ScriptedDetector, ScriptedJudge, spoken
from tests.graph.language_models.scripted import Line, ScriptedChat, of_interview, tiered

GRAPH = build_graph(None)
THREAD = SETUP.interview_id
ANSWER = "good answer about oxidation of tea"
OTHER = "nothing that helps with this question"


class PatientJudge(ScriptedJudge):
    """Judges when it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may = asyncio.Event(), asyncio.Event()

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        self.asked.set()
        await self.may.wait()
        return await super().verdicts(question, words)


class Killed(BaseException):
    """What a SIGKILL leaves: nothing is caught, nothing is cleaned up."""


def guess(held: Interview, text: str, turn: int) -> Coroutine[Any, Any, Speculation]:
    """Begin a turn that may become real."""
    update = InterviewState(
        turn=turn, candidate_response=text, pressed=None, end_requested=False, messages=[HumanMessage(text)]
    )
    return speculate(held._graph, held._config, held._context, update)


@asynccontextmanager
async def begun(where: str | Path, rig: Rig) -> AsyncIterator[tuple[Any, Interview]]:
    """The checkpoints, and an interview that has greeted and asked."""
    async with open_checkpointer(where) as saver:
        held = interview(rig, GRAPH, saver)
        await spoken(held.begin())
        yield saver, held


def told(notes: Notes) -> Any:
    """Every event but for the times that nodes took, in a form that can be compared."""
    return plain([event for event in notes.events if not isinstance(event, StageTimed)])


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something that nobody tells about."""
    while not happened():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


def is_guessing() -> bool:
    """Whether the work of any guess goes on."""
    return any(task.get_name() == "speculation" for task in asyncio.all_tasks())


async def ended() -> None:
    """Wait until every guess has run to its end."""
    await until(lambda: not is_guessing())


async def test_an_adopted_guess_is_the_turn(where: str | Path) -> None:
    """A whole interview of guesses has the same state, words and notes as one of turns; no list is doubled."""
    turns = interview(direct := Rig(), GRAPH, InMemorySaver(serde=serializer()))
    await spoken(turns.begin())
    async with begun(where, rig := Rig()) as (saver, held):
        assert await state_of(held) == await state_of(turns)
        for turn, text in enumerate(CONVERSATION, start=1):
            expected = await spoken(turns.answer(text, turn))
            speculation = await guess(held, text, turn)
            if turn % 2:
                await ended()
            assert await spoken(speculation.adopt()) == expected
            assert await state_of(held) == await state_of(turns), text
        assert told(rig.notes) == told(direct.notes)
        assert rig.judge.judged == direct.judge.judged
        newest = await saver.aget_tuple({"configurable": {"thread_id": THREAD, "checkpoint_ns": ""}})
        assert newest.parent_config is not None
    async with open_checkpointer(where) as saver:
        assert await state_of(interview(Rig(), GRAPH, saver)) == await state_of(turns)


async def test_nobody_notices_a_guess_before_it_is_adopted(where: str | Path) -> None:
    """While it runs and when it has run: not a byte of the checkpoints changes, and the recorder hears nothing."""
    async with begun(where, rig := Rig(judge=PatientJudge())) as (saver, held):
        before, notes = await rows(saver, THREAD), told(rig.notes)
        speculation = await guess(held, ANSWER, 1)
        await rig.judge.asked.wait()
        assert (await rows(saver, THREAD), told(rig.notes)) == (before, notes)
        rig.judge.may.set()
        await ended()
        assert (await rows(saver, THREAD), told(rig.notes)) == (before, notes)
        assert not speculation.has_failed
        await speculation.drop()
        assert (await rows(saver, THREAD), told(rig.notes)) == (before, notes)


async def test_a_dropped_guess_stops(where: str | Path) -> None:
    """The judge is not waited for, and the real turn goes as if there had been no guess."""
    async with begun(where, rig := Rig(judge=PatientJudge())) as (_, held):
        speculation = await guess(held, OTHER, 1)
        await rig.judge.asked.wait()
        await speculation.drop()
        assert not is_guessing()
        rig.judge.may.set()
        await spoken(held.answer(ANSWER, 1))
        assert rig.judge.judged[0][1] == ANSWER
        assert len((await held.snapshot())["all_evaluations"]) == 1
        with pytest.raises(SpeculationError, match="adopted or dropped before"):
            await spoken(speculation.adopt())


async def test_what_models_did_for_a_guess_is_told_when_it_is_adopted(where: str | Path) -> None:
    """Dropped, it leaves no note of a call; adopted, it leaves those of the turn, whoever in it asked a model."""
    refused: dict[str, Line] = dict.fromkeys(
        ("context", "planner", "selection", "intent", "evaluator", "metrics_feedback"), "no JSON"
    )
    script = {**refused, "feedback": "You named something.", "follow_up": {"question": "And why is that so?"}}
    chat = ScriptedChat(script=script)
    notes = Notes()
    models = of_interview(tiered(chat, chat), notes)
    rig = Rig(models=models, model_feedback=True, notes=notes)
    rig.panel = JudgePanel(ScriptedJudge("built-in"), ModelJudge(models, lambda: "scripted"))
    context = replace(rig.context(), detector=ModelDetector(models, ScriptedDetector()))  # type: ignore[arg-type]
    async with open_checkpointer(where) as saver:
        held = Interview(GRAPH.copy({"checkpointer": saver}), context, SETUP)
        await spoken(held.begin())
        before = list(notes.events)
        dropped = await guess(held, OTHER, 1)
        await ended()
        assert "follow_up" in chat.agents
        await dropped.drop()
        assert notes.events == before
        adopted = await guess(held, f"{OTHER} #skip?", 2)
        await ended()
        assert notes.events == before
        await spoken(adopted.adopt())
        adopted_events = notes.events[len(before) :]
        assert {(call.turn, call.agent) for call in adopted_events if isinstance(call, ModelCalled)} == {(2, "intent")}


async def test_a_guess_that_still_runs_goes_on_in_the_thread(where: str | Path) -> None:
    """Adopted in the middle, it is at once in the checkpoints and the notes, and what follows is saved as it comes."""
    async with begun(where, rig := Rig(judge=PatientJudge())) as (saver, held):
        base = await head_of(saver, THREAD)
        speculation = await guess(held, ANSWER, 1)
        await rig.judge.asked.wait()
        async with aclosing(speculation.adopt()) as says:  # type: ignore[type-var]
            first = asyncio.ensure_future(anext(says))
            await until(lambda: rig.notes.told[-1] == "intent")
            assert await head_of(saver, THREAD) > base
            assert (await held.progress()).cut_off
            rig.judge.may.set()
            assert (await first).kind == "feedback"
            assert [say.kind async for say in says] == ["question"]
        assert not (await held.progress()).cut_off
    turns = interview(Rig(), GRAPH, InMemorySaver(serde=serializer()))
    await spoken(turns.begin())
    await spoken(turns.answer(ANSWER, 1))
    async with open_checkpointer(where) as saver:
        assert await state_of(interview(Rig(), GRAPH, saver)) == await state_of(turns)


async def test_an_adopted_guess_can_be_cut_off_like_any_turn(where: str | Path) -> None:
    """Stopped after its first words, it is finished by whoever comes next, and nobody judges it twice."""
    rig = Rig(slow_selector_s=30)
    async with begun(where, Rig()) as (_, begun_):
        held = interview(rig, GRAPH, begun_._graph.checkpointer)
        speculation = await guess(held, ANSWER, 1)
        async with aclosing(speculation.adopt()) as says:  # type: ignore[type-var]
            assert (await anext(says)).kind == "feedback"
        assert not is_guessing()
    async with open_checkpointer(where) as saver:
        again = interview(Rig(judge=rig.judge), GRAPH, saver)
        assert (await again.progress()).cut_off
        assert "question" in {say.kind for say in await spoken(again.resume())}
        assert len(rig.judge.judged) == 1
        assert len((await again.snapshot())["all_evaluations"]) == 1


async def test_an_adopted_guess_can_be_taken_back(where: str | Path) -> None:
    """A candidate who goes on after all has it judged as one answer, counted once."""
    async with begun(where, rig := Rig()) as (_, held):
        before = (await held.progress()).checkpoint
        await spoken((await guess(held, OTHER, 1)).adopt())
        await held.take_back(before)
        await spoken(held.answer(f"{ANSWER} {OTHER}", 2))
        assert rig.notes.decisions[-1].question_count == 1
        assert len((await held.snapshot())["all_evaluations"]) == 1


async def test_a_guess_waits_for_a_person_like_the_turn(where: str | Path) -> None:
    """Adopted, it stands before the supervisor's decision, and goes on when somebody has looked at it."""
    async with open_checkpointer(where) as saver:
        held = interview(Rig(), build_graph(None, pause_for_review=True), saver)
        await spoken(held.begin())
        assert [say.kind for say in await spoken((await guess(held, ANSWER, 1)).adopt())] == ["feedback"]
        assert (await held.progress()).waits_for_review
        assert [say.kind for say in await spoken(held.resume(released=True))] == ["question"]
        assert len((await held.snapshot())["all_evaluations"]) == 1


async def test_a_real_turn_wins(where: str | Path) -> None:
    """A guess about what is past is refused: the turn stays as it is and the recorder hears nothing of the guess."""
    async with begun(where, rig := Rig()) as (saver, held):
        speculation = await guess(held, OTHER, 1)
        await ended()
        await spoken(held.answer(ANSWER, 1))
        before, notes = await rows(saver, THREAD), told(rig.notes)
        with pytest.raises(HeadMovedError, match="the interview went on since"):
            await spoken(speculation.adopt())
        assert (await rows(saver, THREAD), told(rig.notes)) == (before, notes)


async def test_a_real_turn_that_comes_between_wins(where: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even when it is handed over while the guess is being adopted."""
    async with begun(where, rig := Rig()) as (saver, held):
        speculation = await guess(held, OTHER, 1)
        await ended()
        aput = saver.aput

        async def after_the_turn(*args: Any) -> Any:
            monkeypatch.undo()
            await spoken(held.answer(ANSWER, 1))
            return await aput(*args)

        monkeypatch.setattr(saver, "aput", after_the_turn)
        with pytest.raises(HeadMovedError, match="while this guess was adopted"):
            await spoken(speculation.adopt())
        state = await held.snapshot()
        assert state["candidate_response"] == ANSWER
        assert len(state["all_evaluations"]) == 1
        assert rig.notes.told.count("judged") == 1


@pytest.mark.parametrize("is_over", [True, False], ids=["when it has run", "while it runs"])
async def test_a_death_while_adopting_leaves_the_old_head_or_the_new(
    is_over: bool, where: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before or after each write: a new process finds the turn not begun, or this far, and never something between."""
    turns = interview(Rig(), GRAPH, InMemorySaver(serde=serializer()))
    await spoken(turns.begin())
    old = await state_of(turns)
    await spoken(turns.answer(ANSWER, 1))
    async with begun(where, Rig()) as (saver, held):
        guesser = interview(Rig() if is_over else Rig(slow_selector_s=30), GRAPH, saver)
        moment = 0
        while await state_of(held) == old:
            speculation = await guess(guesser, ANSWER, 1)
            await until(
                lambda each=speculation: not is_guessing() or (not is_over and "give_feedback" in unsaved(each))
            )
            with monkeypatch.context() as patch:
                patch.setattr(saver, "aput", mortal(saver.aput, left := [moment]))
                patch.setattr(saver, "aput_writes", mortal(saver.aput_writes, left))
                with pytest.raises(Killed):
                    await anext(speculation.adopt())
            moment += 1
        assert moment == 2 if is_over else moment > 2
        assert (await held.progress()).cut_off == (not is_over)
        if not is_over:
            await spoken(held.resume())
        assert await state_of(held) == await state_of(turns)


def mortal(write: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    """A write before or after which the process dies: with 0 and 1 left these are the two sides of the first one."""

    def step() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    async def written(*args: Any, **values: Any) -> Any:
        step()
        done = await write(*args, **values)
        step()
        return done

    return written


def unsaved(speculation: Speculation) -> str:
    """The paths of the nodes whose results the newest checkpoint of a fork does not hold yet."""
    return " ".join(path for each in speculation._fork.writes.values() for *_, path in each.values())


async def test_a_guess_that_failed_can_be_dropped_or_fails_like_the_turn(where: str | Path) -> None:
    """Whoever adopts it hears what the turn failed with; whoever drops it has the real turn before them."""

    class Broken(ScriptedJudge):
        async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
            raise AssertionError("no tea today")

    async with begun(where, Rig()) as (saver, held):
        broken = interview(Rig(judge=Broken()), GRAPH, saver)
        dropped = await guess(broken, ANSWER, 1)
        await ended()
        assert dropped.has_failed
        await dropped.drop()
        adopted = await guess(broken, ANSWER, 1)
        with pytest.raises(AssertionError, match="no tea today"):
            await spoken(adopted.adopt())
        assert (await held.progress()).cut_off
        assert "question" in {say.kind for say in await spoken(held.resume())}


async def test_there_must_be_an_interview_to_guess_about() -> None:
    """Before the greeting there is nothing that a candidate could answer."""
    held = interview(Rig(), GRAPH, InMemorySaver(serde=serializer()))
    with pytest.raises(SpeculationError, match="has not begun"):
        await guess(held, ANSWER, 1)


MOVES = st.lists(
    st.tuples(st.sampled_from(["turn", "adopted", "dropped", "too late"]), st.sampled_from(CONVERSATION[:20])),
    max_size=6,
)


@given(MOVES)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
async def test_guesses_never_count_twice(moves: list[tuple[str, str]]) -> None:
    """Whatever is guessed, adopted, dropped or too late, only the real turns are in the state, each of them once."""
    real = interview(direct := Rig(), GRAPH, InMemorySaver(serde=serializer()))
    held = interview(rig := Rig(), GRAPH, InMemorySaver(serde=serializer()))
    await spoken(real.begin())
    await spoken(held.begin())
    for turn, (kind, text) in enumerate(moves, start=1):
        speculation = await guess(held, f"a guess, {text}" if kind in ("dropped", "turn") else text, turn)
        if kind == "adopted":
            await spoken(speculation.adopt())
        elif kind == "too late":
            await spoken(held.answer(text, turn))
            with pytest.raises(HeadMovedError):
                await spoken(speculation.adopt())
        else:
            await speculation.drop()
            await spoken(held.answer(text, turn))
        await spoken(real.answer(text, turn))
    assert await state_of(held) == await state_of(real)
    assert told(rig.notes) == told(direct.notes)
