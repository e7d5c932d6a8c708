"""When an answer is over."""

from __future__ import annotations

import asyncio

import pytest
from livekit.agents import llm

from agent.turn_taking import UNLIKELY_BELOW, TurnTaking, sounds_complete


@pytest.mark.parametrize(
    ("said", "complete"),
    [
        ("I would use an index.", True),
        ("That is all I know", True),
        ("I don't know.", True),
        ("I would use an index, because", False),
        ("So um", False),
        ("First,", False),
        ("It depends on the", False),
        ("There are two ways...", False),
        ("And.", False),
        ("", False),
    ],
)
def test_open_endings_get_more_time(said: str, complete: bool) -> None:
    """Words that announce more make the interviewer wait longer."""
    assert (sounds_complete(said) >= UNLIKELY_BELOW) is complete


async def test_an_answer_is_not_over_before_its_last_words_are_known() -> None:
    """While the recogniser is still at work there is no prediction, however complete the words so far sound."""
    all_heard = asyncio.Event()
    turn_taking = TurnTaking(all_heard.wait)  # type: ignore[arg-type]
    context = llm.ChatContext.empty()
    context.add_message(role="user", content="I would use an index.")
    prediction = asyncio.create_task(turn_taking.predict_end_of_turn(context))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not prediction.done()
    all_heard.set()
    assert await prediction >= UNLIKELY_BELOW
