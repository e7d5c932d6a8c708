"""What models are told of the conversation so far: a summary and the last three turns, within a fixed budget.

200 tokens of summary and 1,500 of recent turns, however long the interview lasts. Text is cut at the end of a
sentence, because half a sentence says something else than the whole.
"""

from __future__ import annotations

import re

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.messages.utils import count_tokens_approximately

from graph.state import InterviewState

RECENT_TURNS = 3
"""Turns kept in full."""
BATCH = 3
"""Older turns that are summarised at once."""
SUMMARY_TOKENS = 200
RECENT_TOKENS = 1500
BUDGET_TOKENS = SUMMARY_TOKENS + RECENT_TOKENS
_HEADINGS_TOKENS = 60
"""What the headings and speakers' names take of the budget."""

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


def conversation(state: InterviewState) -> str:
    """The conversation for a prompt: at most `BUDGET_TOKENS`."""
    summary = cut_at_sentence(state.get("conversation_summary", ""), SUMMARY_TOKENS)
    lines = _recent(state.get("messages", []))
    each = (RECENT_TOKENS - _HEADINGS_TOKENS) // max(1, len(lines))
    recent = "\n".join(f"{speaker}: {cut_at_sentence(text, each)}" for speaker, text in lines)
    return f"Before: {summary}\n\n{recent}" if summary else recent


def cut_at_sentence(text: str, most_tokens: int) -> str:
    """The text, or as many of its first sentences as fit; when the first does not fit, its first words."""
    if tokens(text) <= most_tokens:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    fitting = [end for end in ends if tokens(text[:end]) <= most_tokens]
    if fitting:
        return text[: fitting[-1]]
    words = text.split()
    while words and tokens(" ".join(words) + " …") > most_tokens:
        words = words[: len(words) * 9 // 10]
    return " ".join(words) + " …" if words else ""


def tokens(text: str) -> int:
    """About how many tokens a text has: LangChain's estimate, without what a message adds."""
    return count_tokens_approximately([text], extra_tokens_per_message=0) if text else 0


def _recent(messages: list[AnyMessage]) -> list[tuple[str, str]]:
    """Speaker and words of the last turns: from the question before the third last answer on."""
    answers = [index for index, message in enumerate(messages) if isinstance(message, HumanMessage)]
    start = max(0, answers[-RECENT_TURNS] - 1) if len(answers) >= RECENT_TURNS else 0
    return [
        ("Candidate" if isinstance(message, HumanMessage) else "Interviewer", str(message.text))
        for message in messages[start:]
    ]
