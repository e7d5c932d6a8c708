"""What models are told of the conversation so far, and what of it is kept."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from domain.verdict import AnswerSpan, Evaluation, standing
from graph.checkpoints.serializer import serializer
from graph.language_models.prompt_history import (
    BUDGET_TOKENS,
    RECENT_TURNS,
    SUMMARY_TOKENS,
    conversation,
    cut_at_sentence,
    cut_document,
    numbered,
    tokens,
)
from graph.nodes.maybe_summarize import maybe_summarize
from graph.state import InterviewState
from tests.examples import examples
from tests.graph.fakes import Rig, begun, spoken

LONG = (
    "nothing certain about oxidation of tea, which takes a while to tell because there is much to say about it. " * 12
)


async def test_the_memory_stays_within_its_budget_for_sixty_turns() -> None:
    """However long the interview and the answers, a prompt gets a summary and three turns, and no more tokens."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), minutes=90)
    await spoken(interview.begin())
    seen = []
    for turn in range(1, 61):
        # Hints and follow-ups keep the interview going for longer than the pack has questions.
        await spoken(interview.answer(LONG if turn % 4 == 0 else f"{LONG} #hint", turn))
        state = await interview.snapshot()
        seen.append(tokens(conversation(state)))
        assert seen[-1] <= BUDGET_TOKENS
        assert tokens(state.get("conversation_summary", "")) <= SUMMARY_TOKENS
    assert max(seen) > BUDGET_TOKENS / 2, "the budget is used, not only kept"


async def test_older_answers_are_summarised_three_at_a_time() -> None:
    """The newest three stay in full; what is older is summarised when there are three of it."""
    rig = Rig()
    interview = rig.interview(InMemorySaver(serde=serializer()), minutes=48)
    await spoken(interview.begin())
    covered = []
    for turn in range(1, 8):
        await spoken(interview.answer("good answer about oxidation of tea", turn))
        covered.append((await interview.snapshot()).get("summary_turn_count", 0))
    assert covered == [0, 0, 0, 0, 0, 3, 3]
    assert "showed" in (await interview.snapshot())["conversation_summary"]


async def test_requests_push_no_answer_out_of_the_memory() -> None:
    """After three requests in a row the last three answers still stand in full, and so does what was asked."""
    rig = Rig()
    interview, _ = await begun(rig, minutes=48)
    for turn in range(1, 6):
        await spoken(interview.answer(f"good answer number {turn} about oxidation of tea", turn))
    for turn, request in enumerate(("repeat", "hint", "time_left", "hold"), start=6):
        await spoken(interview.answer(f"#{request}", turn))
    told = conversation(await interview.snapshot())
    for turn in (3, 4, 5):
        assert f"Candidate: good answer number {turn} about oxidation of tea" in told
    assert all(record.text in told for record in (await interview.snapshot())["questions_asked"][2:])


TURNS = st.sampled_from(["answer", "answer", "in pieces", "request", "request", "correction"])


@given(st.lists(TURNS, max_size=25), st.sampled_from([6, 60, 300]))
@settings(max_examples=examples(200), deadline=None)
def test_every_answer_is_in_full_or_in_what_was_summarised(turns: list[str], words: int) -> None:
    """Whatever is asked for between them, and however often one is corrected: no answer falls into a hole."""
    state = InterviewState(messages=[AIMessage("Welcome.")], all_evaluations=[], detected_intents=[])
    last = 0
    """The answer that a correction would be of."""
    for turn, kind in enumerate(turns, start=1):
        state["messages"] += [numbered(HumanMessage(f"word{turn}. " + "and more of it " * (words // 4)), turn)]
        state["turn"], state["current_evaluation"] = turn, None
        if kind == "request":
            continue
        judged = turn % 2 == 1
        replaces = last if kind == "correction" and judged and last else None
        state["current_evaluation"] = _evaluated(turn, begun_in=turn - (kind == "in pieces"), replaces=replaces)
        _check(state)
        state["all_evaluations"] += [state["current_evaluation"]]
        state["messages"] += [AIMessage(f"Question {turn} is this, isn't it?")]
        state |= asyncio.run(maybe_summarize(state, _Runtime()))  # type: ignore[typeddict-item, arg-type]
        _check(state)
        last = turn if judged or kind != "correction" else last  # what nobody could judge corrects nothing


def _evaluated(turn: int, *, begun_in: int, replaces: int | None) -> Evaluation:
    spans = [AnswerSpan(turn=each, first_word=0, last_word=0) for each in range(max(begun_in, 1), turn + 1)]
    return Evaluation(
        question_id="leaves-storage",
        topic="leaves",
        difficulty="easy",
        judge="scripted",
        verdicts=(),
        scores=None,
        turn=turn,
        spans=tuple(spans),
        replaces_turn=replaces,
    )


def _check(state: InterviewState) -> None:
    told, answers = conversation(state), [*state["all_evaluations"], state["current_evaluation"]]
    assert tokens(told) <= BUDGET_TOKENS
    summarised = {each.turn for each in state["all_evaluations"][: state.get("summary_turn_count", 0)]}
    for answer in standing([each for each in answers if each]):
        for span in answer.spans:
            assert answer.turn in summarised or f"Candidate: word{span.turn}." in told
    for answer in standing([each for each in answers if each])[-RECENT_TURNS:]:
        assert answer.turn not in summarised


class _Runtime:
    context = Rig().context()


@given(st.text(max_size=400), st.integers(5, 80))
def test_cutting_keeps_the_beginning_and_the_budget(text: str, most: int) -> None:
    """What is left fits, and is the beginning of the text."""
    cut = cut_at_sentence(text, most)
    assert tokens(cut) <= most
    assert text.split()[: len(cut.removesuffix(" …").split())] == cut.removesuffix(" …").split()


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    """Half a sentence may say the opposite of the whole."""
    text = "Caches are fast. They are never stale, if you invalidate them. The rest is detail that nobody needs."
    assert cut_at_sentence(text, 20) == "Caches are fast. They are never stale, if you invalidate them."


def test_a_document_is_cut_at_the_end_of_a_line_and_never_to_next_to_nothing() -> None:
    """A list has no sentences; and after its first sentence a text may have no other end for pages."""
    listed = "\n".join(f"- built the service number {number}" for number in range(100))
    cut = cut_document(listed, 100)
    assert listed.startswith(cut + "\n")
    assert 80 < tokens(cut) <= 100
    unpunctuated = "Ada Lovelace. " + "engines and looms and numbers " * 100
    assert 80 < tokens(cut_document(unpunctuated, 100)) <= 100
    assert cut_document("Short. Shorter.", 100) == "Short. Shorter."
