"""What models are told of the conversation so far, and what of it is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from graph.checkpoints import serializer
from graph.memory import BUDGET_TOKENS, SUMMARY_TOKENS, conversation, cut_at_sentence, tokens
from tests.graph.fakes import Rig, spoken

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
        state = await interview._state()
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
        covered.append((await interview._state()).get("summary_turn_count", 0))
    assert covered == [0, 0, 0, 0, 0, 3, 3]
    assert "showed" in (await interview._state())["conversation_summary"]


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
