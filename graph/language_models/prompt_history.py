"""Prompt history: what models are told of the conversation, a summary and the turns after it, within a fixed budget.

200 tokens of summary and 1,500 of recent turns, however long the interview lasts. Turns are counted by answers that
were judged, never by requests: the last three stand in full, and so do older ones until they are summarised, three at a
time. No answer is in neither. Requests between them are left out when there is no room for them. Text is cut at the end
of a sentence, because half a sentence says something else than the whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.messages.utils import count_tokens_approximately

from domain.verdict import Evaluation, standing
from graph.state import InterviewState

RECENT_TURNS = 3
"""Answered turns kept in full."""
BATCH = 3
"""Older turns that are summarised at once."""
SUMMARY_TOKENS = 200
RECENT_TOKENS = 1500
BUDGET_TOKENS = SUMMARY_TOKENS + RECENT_TOKENS
_HEADINGS_TOKENS = 10
"""What the heading of the summary takes of the budget."""
_NAME_TOKENS = 5
"""What a speaker's name takes of it, in each line."""
_WAITING_SHARE = 4
"""Long answers that wait to be summarised get a quarter of the budget: the last three are nearer."""
_TURN = "turn"

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_SENTENCE_OR_LINE_END = re.compile(r"[.!?](?=\s|$)|(?=\n)")


@dataclass(frozen=True, slots=True)
class _Line:
    speaker: str
    text: str
    waits: bool
    """It is of an older turn that is not summarised yet."""


def conversation(state: InterviewState) -> str:
    """The conversation for a prompt: at most `BUDGET_TOKENS`."""
    summary = cut_at_sentence(state.get("conversation_summary", ""), SUMMARY_TOKENS)
    lines, budget = _lines(state), RECENT_TOKENS - _HEADINGS_TOKENS
    waiting = [_size(line) for line in lines if line.waits]
    last = [_size(line) for line in lines if not line.waits]
    most_last = _largest(last, budget - min(sum(waiting), budget // _WAITING_SHARE))
    most_waiting = _largest(waiting, budget - sum(min(size, most_last) for size in last))
    recent = "\n".join(
        f"{line.speaker}: {cut_at_sentence(line.text, (most_waiting if line.waits else most_last) - _NAME_TOKENS)}"
        for line in lines
    )
    return f"Before: {summary}\n\n{recent}" if summary else recent


def unsummarised(state: InterviewState) -> list[Evaluation]:
    """The answers that count and are not in the summary, oldest first, with that of this turn."""
    evaluations, current = state.get("all_evaluations", []), state.get("current_evaluation")
    if current and all(each.turn != current.turn for each in evaluations):
        evaluations = [*evaluations, current]
    after = {each.turn for each in evaluations[state.get("summary_turn_count", 0) :]}
    return [each for each in standing(evaluations) if each.turn in after]


def numbered(message: HumanMessage, turn: int) -> HumanMessage:
    """The same message, with the number of the candidate's turn on it."""
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, _TURN: turn}})


def cut_at_sentence(text: str, most_tokens: int) -> str:
    """The text, or as many of its first sentences as fit; when the first does not fit, its first words."""
    return text if tokens(text) <= most_tokens else _cut(text, _SENTENCE_END, most_tokens) or _words(text, most_tokens)


def cut_document(text: str, most_tokens: int) -> str:
    """The beginning of a written text that fits: up to the end of a sentence or a line, unless half would be lost."""
    if tokens(text) <= most_tokens:
        return text
    cut = _cut(text, _SENTENCE_OR_LINE_END, most_tokens)
    return cut if tokens(cut) > most_tokens // 2 else _words(text, most_tokens)


def _cut(text: str, ends: re.Pattern[str], most_tokens: int) -> str:
    places = [0, *(end.end() for end in ends.finditer(text))]
    fitting = bisect_right(places, max(0, most_tokens), key=lambda place: tokens(text[:place]))
    return text[: places[fitting - 1]]


def _words(text: str, most_tokens: int) -> str:
    words = text.split()
    while words and tokens(" ".join(words) + " …") > most_tokens:
        words = words[: len(words) * 9 // 10]
    return " ".join(words) + " …" if words else ""


def tokens(text: str) -> int:
    """About how many tokens a text has: LangChain's estimate, without what a message adds."""
    return count_tokens_approximately([text], extra_tokens_per_message=0) if text else 0


def _lines(state: InterviewState) -> list[_Line]:
    """What was said since the summary; without what belongs to no answer when all of it is too much."""
    messages, answers = state.get("messages", []), unsummarised(state)
    turns = [_turns_of(answer) for answer in answers]
    last = min(set().union(*turns[-RECENT_TURNS:]), default=0)
    first = _question_before(messages, min(set().union(*turns))) if turns and state.get("summary_turn_count") else 0
    border = _question_before(messages, last)
    everything = [_line(message, waits=index < border) for index, message in enumerate(messages) if index >= first]
    if sum(map(_size, everything)) <= RECENT_TOKENS - _HEADINGS_TOKENS:
        return everything
    if not turns:
        return everything[-2 * RECENT_TURNS :]
    kept: set[int] = set()
    for index, message in enumerate(messages):
        if isinstance(message, HumanMessage) and _turn_of(message) in set().union(*turns):
            kept |= {index, _question_before(messages, _turn_of(message))}
    return [_line(messages[index], waits=index < border) for index in sorted(kept)]


def _turns_of(answer: Evaluation) -> set[int]:
    """The turns in which an answer was given: it may come in pieces, with requests between them."""
    return {answer.turn, *(span.turn for span in answer.spans)}


def _question_before(messages: Sequence[AnyMessage], turn: int) -> int:
    """Where the question stands that was open in a turn: before the first message of the candidate since then."""
    said = next((i for i, each in enumerate(messages) if isinstance(each, HumanMessage) and _turn_of(each) >= turn), 0)
    back = range(min(said, len(messages) - 1), -1, -1)
    return next((index for index in back if isinstance(messages[index], AIMessage)), 0)


def _turn_of(message: HumanMessage) -> int:
    return int(message.additional_kwargs.get(_TURN, 0))


def _line(message: AnyMessage, *, waits: bool) -> _Line:
    speaker = "Candidate" if isinstance(message, HumanMessage) else "Interviewer"
    return _Line(speaker, str(message.text), waits)


def _size(line: _Line) -> int:
    return tokens(line.text) + _NAME_TOKENS


def _largest(sizes: Sequence[int], budget: int) -> int:
    """How long a line may be when lines of these sizes share a budget: short ones leave what they do not need."""
    left, open_lines = budget, sorted(sizes)
    while open_lines and open_lines[0] <= left // len(open_lines):
        left -= open_lines.pop(0)
    return left // len(open_lines) if open_lines else budget
