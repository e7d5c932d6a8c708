"""When the interviewer stops and goes on, as the session is told."""

from __future__ import annotations

from livekit.agents import AgentSession, ConversationItemAddedEvent, llm

from agent.conversation.barge_in import GOING_ON_S, INTO_A_QUESTION_S, RESUMES_S
from agent.conversation.interruptions import InterruptionTiming
from agent.conversation.playback import SpokenLine
from domain.say import Say

FEEDBACK = SpokenLine(Say("feedback", "That covers it."), 1)
QUESTION = SpokenLine(Say("question", "What is an index?", "q1"), 1)


def turn(words_took_s: float) -> ConversationItemAddedEvent:
    """A turn of the candidate's, with the time in which its words were known."""
    message = llm.ChatMessage(role="user", content=["It is sorted."], metrics={"transcription_delay": words_took_s})
    return ConversationItemAddedEvent(item=message)


async def test_each_line_yields_as_its_kind_does() -> None:
    """Feedback at the first word, a question to more than a murmur."""
    session: AgentSession[None] = AgentSession()
    timing = InterruptionTiming(session)
    timing.line_started(FEEDBACK)
    assert session.options.interruption["min_duration"] == GOING_ON_S
    timing.line_started(QUESTION)
    assert session.options.interruption["min_duration"] == INTO_A_QUESTION_S


async def test_where_words_come_late_it_waits_for_them() -> None:
    """A question that goes on while a request is still being recognised would be over before it is known."""
    session: AgentSession[None] = AgentSession()
    timing = InterruptionTiming(session)
    timing.item_added(turn(0.5))
    timing.line_started(QUESTION)
    assert session.options.interruption["false_interruption_timeout"] == RESUMES_S
    timing.item_added(turn(2.0))
    timing.item_added(ConversationItemAddedEvent(item=llm.ChatMessage(role="assistant", content=["Why?"])))
    timing.line_started(QUESTION)
    waits_s = session.options.interruption["false_interruption_timeout"]
    assert waits_s is not None
    assert waits_s > 2.0
    for _ in range(3):
        timing.item_added(turn(0.4))
    timing.line_started(QUESTION)
    assert session.options.interruption["false_interruption_timeout"] == RESUMES_S
