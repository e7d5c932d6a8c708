"""Streamed text: sentences come as soon as they are complete, and end where they must."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.language_models.sentence_stream import SentenceCutter
from graph.language_models.tasks import FEEDBACK
from tests.graph.language_models.scripted import HANGS, Says, ScriptedChat, Told, of_interview, tiered

VALUES = dict.fromkeys("style band tone parts question answer good gap outright context conversation".split(), "x")
TEXT = "You said why reads get faster. Think about writes! What else?"
texts = st.text(alphabet='ab .!?\n"e.g1', max_size=60)


def cut(*pieces: str) -> list[str]:
    """All sentences of a text that comes in pieces."""
    cutter = SentenceCutter()
    return [sentence for piece in pieces for sentence in cutter.take(piece)] + cutter.rest()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (TEXT, ["You said why reads get faster.", "Think about writes!", "What else?"]),
        ("Caches, e.g. Redis, help. So does 3.5 GB.", ["Caches, e.g. Redis, help.", "So does 3.5 GB."]),
        ('He said "stop." Then he went.', ['He said "stop."', "Then he went."]),
        ("No end", ["No end"]),
        ("One line\nanother\n", ["One line", "another"]),
        ("1. Reads\n2. Writes", ["1. Reads", "2. Writes"]),
        ("So do I. Dr. A. Lovelace too.", ["So do I.", "Dr. A. Lovelace too."]),
        ("", []),
        (" \n ", []),
        ("Wait... what?", ["Wait...", "what?"]),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    """Abbreviations, figures and quotation marks do not mislead it."""
    assert cut(text) == sentences


@given(texts, st.lists(st.integers(0, 60), max_size=6))
def test_how_a_text_comes_in_makes_no_difference(text: str, places: list[int]) -> None:
    """The same text gives the same sentences, piece by piece or whole, and no word is lost."""
    bounds = [0, *sorted(min(place, len(text)) for place in places), len(text)]
    pieces = [text[begin:end] for begin, end in pairwise(bounds)]
    assert cut(*pieces) == cut(text)
    assert " ".join(cut(text)).split() == text.split()


async def test_a_sentence_is_there_before_the_text_is_over() -> None:
    """What is complete can be spoken while the model still writes, whatever becomes of the rest."""
    chat = ScriptedChat(script={"feedback": Says(TEXT, breaks_after=10)})
    sentences = of_interview(tiered(fast_model=chat), Told()).sentences(FEEDBACK, VALUES, turn=1)

    first = await anext(sentences)
    assert first == "You said why reads get faster."
    assert [sentence async for sentence in sentences] == ["Think about writes!"]


async def test_a_text_is_told_with_its_tokens() -> None:
    """A streamed call is recorded like any other."""
    told = Told()
    models = of_interview(tiered(fast_model=ScriptedChat(script={"feedback": TEXT})), told)

    assert len([sentence async for sentence in models.sentences(FEEDBACK, VALUES, turn=4)]) == 3
    (call,) = told.calls
    assert (call.turn, call.agent, call.tier, call.ok, call.tokens_out) == (4, "feedback", "fast", True, 11)
    assert call.tokens_in > 0


async def test_a_refused_sentence_ends_the_text() -> None:
    """What was said stays said; the refused sentence and everything after it are not."""
    told = Told()
    models = of_interview(tiered(fast_model=ScriptedChat(script={"feedback": TEXT})), told)

    def no_shouting(sentence: str) -> str:
        return "do not shout" if "!" in sentence else ""

    said = [sentence async for sentence in models.sentences(FEEDBACK, VALUES, turn=1, check=no_shouting)]
    assert said == ["You said why reads get faster."]
    assert told.refused == [(1, "feedback", "do not shout")]
    assert len(told.fallbacks) == 1
    assert models.available("fast")


async def test_a_first_sentence_that_is_refused_is_written_anew_once() -> None:
    """As long as nothing was spoken, the model is told why and has one more try in a turn."""
    told = Told()
    script = {"feedback": ["Hush!", TEXT, "Hush!", "Again!", "Well said. No!"]}
    chat = ScriptedChat(script=script)
    models = of_interview(tiered(fast_model=chat), told)

    def no_shouting(sentence: str) -> str:
        return "no noise: do not shout" if "!" in sentence else ""

    said = [[s async for s in models.sentences(FEEDBACK, VALUES, turn=n, check=no_shouting)] for n in (1, 2, 3)]
    assert said == [["You said why reads get faster."], [], ["Well said."]]
    assert len(chat.asked) == 5
    assert "no noise: do not shout" in chat.asked[1].last
    assert chat.asked[1].messages[-2].text == "Hush!"
    assert [turn for turn, _, why in told.fallbacks if "refused" in why] == [1, 2, 3]


async def test_a_model_that_fails_at_its_second_try_makes_room_for_the_other() -> None:
    """A refusal before a fault hides neither the fault nor the spare."""
    quick = ScriptedChat(script={"feedback": ["Hush!", ConnectionError("gone")]})
    models = of_interview(tiered(ScriptedChat(script={"feedback": "Well said."}), quick), Told())
    said = models.sentences(FEEDBACK, VALUES, turn=1, check=lambda sentence: "no" if "!" in sentence else "")
    assert [sentence async for sentence in said] == ["Well said."]
    assert not models.available("fast")


async def test_a_copied_example_is_not_spoken() -> None:
    """A model that recites its instructions is stopped at the first of their sentences."""
    text = "Thank you for that. You made it clear why reads get faster with an index. And more."
    told = Told()
    models = of_interview(tiered(fast_model=ScriptedChat(script={"feedback": text})), told)

    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=1)] == ["Thank you for that."]
    assert told.refused == [(1, "feedback", "own words: it is copied from the instructions")]


async def test_a_connection_that_breaks_ends_the_text_at_its_last_sentence() -> None:
    """Half a sentence is never spoken, and no other model goes on with a text of its own."""
    told = Told()
    quick = ScriptedChat(script={"feedback": Says(TEXT, breaks_after=8)})
    careful = ScriptedChat(script={"feedback": TEXT})
    models = of_interview(tiered(careful, quick), told)

    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=1)] == ["You said why reads get faster."]
    assert careful.asked == []
    assert told.fallbacks[-1][2] == "the fast model failed; it goes on by rule"
    assert told.calls[0].why == "no connection"
    assert not models.available("fast")


@pytest.mark.parametrize("fault", [ConnectionError("gone"), HANGS, Says(TEXT, breaks_after=2)])
async def test_a_text_that_did_not_begin_is_written_by_the_other_tier(fault: Says | Exception) -> None:
    """As long as nothing was said, the spare takes over."""
    told = Told()
    quick, careful = ScriptedChat(script={"feedback": fault}), ScriptedChat(script={"feedback": TEXT})
    models = of_interview(tiered(careful, quick, timeout_s=1), told)

    assert len([s async for s in models.sentences(FEEDBACK, VALUES, turn=1)]) == 3
    assert [(call.tier, call.ok) for call in told.calls] == [("fast", False), ("complex", True)]


async def test_a_hanging_stream_ends_in_time() -> None:
    """A model that stops in the middle of a text is given up when the time for the call is over."""
    told = Told()
    quick = ScriptedChat(script={"feedback": Says(TEXT, a_word_s=0.01)})
    models = of_interview(tiered(fast_model=quick, clock=asyncio.get_running_loop().time, timeout_s=0.08), told)

    said = [sentence async for sentence in models.sentences(FEEDBACK, VALUES, turn=1)]
    assert said in ([], ["You said why reads get faster."])
    assert told.calls[0].why == "no answer in time"


async def test_the_time_for_speaking_does_not_count() -> None:
    """Whoever speaks a sentence before taking the next does not use up the model's time."""
    now = 0.0
    told = Told()
    shared = tiered(fast_model=ScriptedChat(script={"feedback": TEXT}), clock=lambda: now, timeout_s=5)
    said = []
    async for sentence in of_interview(shared, told).sentences(FEEDBACK, VALUES, turn=1):
        said.append(sentence)
        now += 60.0
    assert len(said) == 3
    assert told.calls[0].seconds < 5


async def test_whoever_stops_listening_ends_the_call() -> None:
    """A candidate who goes on speaking stops the feedback, and nothing is left running."""
    told = Told()
    models = of_interview(tiered(fast_model=ScriptedChat(script={"feedback": Says(TEXT)})), told)

    sentences = models.sentences(FEEDBACK, VALUES, turn=1)
    await anext(sentences)
    await sentences.aclose()  # type: ignore[attr-defined]
    assert [call.why for call in told.calls] == ["nobody waited for its end"]
    assert models.available("fast")


async def test_a_text_without_words_and_one_that_was_cut_off() -> None:
    """Nothing written is told as a fallback; what a limit cut off is spoken up to its last whole sentence."""
    told = Told()
    script = {"feedback": [Says(""), Says("All of it. But h", done_reason="length")]}
    models = of_interview(tiered(fast_model=ScriptedChat(script=script)), told)

    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=1)] == []
    assert told.fallbacks == [(1, "feedback", "the model wrote no sentence; it goes on by rule")]
    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=2)] == ["All of it."]


async def test_no_model_that_is_well_is_no_text() -> None:
    """With both tiers resting the text ends before it begins, without an error."""
    told = Told()
    models = of_interview(tiered(fast_model=ScriptedChat(script={"feedback": ConnectionError()})), told)

    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=1)] == []
    assert [s async for s in models.sentences(FEEDBACK, VALUES, turn=2)] == []
    assert told.fallbacks[-1][2] == "no model is well; it goes on by rule"
