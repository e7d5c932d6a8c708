"""Keys in the life of an interview: they are turns, or the end of one, and survive a crash."""

from __future__ import annotations

from contextlib import aclosing

from langgraph.checkpoint.memory import InMemorySaver

from agent.interviews.past import read_past
from agent.interviews.run import InterviewRun
from domain.events import AnswerTaken, Event, IntentDetected, Word
from domain.say import Say
from graph.checkpoints.serializer import serializer
from tests.agent.conversation.dependencies import run_of
from tests.graph.fakes import Rig


def words(text: str) -> list[Word]:
    """Words that were heard."""
    return [Word(text=each, start_at=1.0, end_at=2.0, confidence=1.0) for each in text.split()]


class OnThePhone:
    """One process after another; the record and the checkpoints stay."""

    def __init__(self) -> None:
        self.rig = Rig()
        self.events: list[Event] = []
        self._saver = InMemorySaver(serde=serializer())

    async def run(self) -> InterviewRun:
        """A process that takes the interview up, and has been heard."""
        self.rig.notes = self.events.append  # type: ignore[assignment]
        interview = self.rig.interview(self._saver)
        run = run_of(interview, self.events.append, self.rig.clock, read_past(self.events))
        await run.enter()
        says = run.due()
        assert says is not None
        async for say in says:
            run.heard(say, run.turn)
        return run

    @property
    def taken(self) -> list[AnswerTaken]:
        """The turns."""
        return [event for event in self.events if isinstance(event, AnswerTaken)]


async def spoken(run: InterviewRun, text: str = "", pressed: str | None = None, *, heard: bool = True) -> list[Say]:
    """What is said to words and a key, and heard where the candidate does not go on before."""
    says: list[Say] = []
    async for say in run.take(words(text), pressed=pressed):  # type: ignore[arg-type] - a request
        says.append(say)
        if heard:
            run.heard(say, run.turn)
    return says


async def test_a_key_alone_is_a_turn_without_words() -> None:
    """It has a number, and nobody has said anything."""
    phone = OnThePhone()
    run = await phone.run()
    (hint,) = await spoken(run, pressed="hint")
    assert hint.kind == "reply"
    (taken,) = phone.taken
    assert (taken.turn, taken.text, taken.words, taken.pressed) == (1, "", [], "hint")
    assert taken.speech_ended_at == taken.at


async def test_nothing_said_and_nothing_pressed_is_no_turn() -> None:
    """A noise."""
    phone = OnThePhone()
    run = await phone.run()
    assert await spoken(run) == []
    assert phone.taken == []


async def test_a_key_behind_an_answer_whose_feedback_was_not_heard_belongs_to_it() -> None:
    """As words would: nothing is asked of a question that nobody heard."""
    phone = OnThePhone()
    run = await phone.run()
    await spoken(run, "good answer about oxidation of tea", heard=False)
    await spoken(run, pressed="repeat")
    first, second = phone.taken
    assert (second.text, second.pressed, second.continues) == (first.text, "repeat", True)
    assert [e.intent for e in phone.events if isinstance(e, IntentDetected)][-1] == "repeat"


async def test_words_that_arrive_after_a_key_take_nothing_of_it_back() -> None:
    """A recogniser is slower than a finger: what was said before the key may be known after it."""
    phone = OnThePhone()
    run = await phone.run()
    await spoken(run, pressed="hint", heard=False)
    (hint,) = await spoken(run, "good leaves")
    assert hint.kind == "reply"
    assert phone.taken[-1].pressed == "hint"
    assert (await run.interview.snapshot())["answer_so_far"].words == ("good", "leaves")


async def test_a_key_that_a_dead_process_had_taken_is_honoured_by_the_next() -> None:
    """What was recorded and never reached the graph is no answer."""
    phone = OnThePhone()
    run = await phone.run()
    question = (await run.interview.progress()).question_id
    await run.close()
    phone.events.append(
        AnswerTaken(
            at=5.0, turn=1, question_id=question, text="good leaves", words=words("good leaves"), speech_ended_at=2.0,
            pressed="hint",
        )
    )  # fmt: skip
    run = await phone.run()
    assert phone.rig.judge.judged == []
    assert [e.intent for e in phone.events if isinstance(e, IntentDetected)] == ["hint"]
    assert (await run.interview.snapshot())["answer_so_far"].words == ("good", "leaves")


async def test_whoever_comes_back_from_a_pause_hears_where_we_were() -> None:
    """The open question, and no apology for a line that was never lost; of a turn that was cut off, what is left."""
    phone = OnThePhone()
    run = await phone.run()
    await spoken(run, "good answer about oxidation of tea", heard=False)
    run.say_next("return")
    says = run.due()
    assert says is not None
    (again,) = [say async for say in says]
    assert (again.kind, again.question_id) == ("question", (await run.interview.progress()).question_id)
    assert "lost" not in again.text
    run.heard(again, run.turn)

    async with aclosing(run.take(words("nothing that helps with this question"))) as says_of_turn:
        async for _ in says_of_turn:
            break
    run.say_next("return")
    says = run.due()
    assert says is not None
    left = [say async for say in says]
    assert left[-1].kind == "question", left
    assert len(phone.rig.judge.judged) == 2
