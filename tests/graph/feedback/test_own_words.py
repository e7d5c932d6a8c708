"""The candidate's words as they are said back, sentences that do not come twice, and names as they are spoken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events import Word, heard_unsurely
from domain.verdict import AnswerSpan, Evaluation, Quote, Verdict
from graph.feedback.fragments import MOST_WORDS
from graph.feedback.heard import is_known, surely_heard
from graph.feedback.noun_phrases import as_subject
from graph.feedback.quoting import own_words
from graph.feedback.variation import Phrases
from graph.judging.quote_matching import plain
from graph.planning.questions import from_bank
from graph.templates import Templates, load_wording
from tests.graph.fakes import tea_pack


def verdict(said: str, point: str = "An index makes writes slower and reads faster") -> Verdict:
    """A covered point that rests on these words."""
    quote = Quote(text=said, first_word=0, last_word=max(0, len(said.split()) - 1))
    return Verdict(point=point, status="covered", probability=1, rule="test", quote=quote)


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("An index makes reads faster.", "an index makes reads faster"),
        ("And so, um, the the index makes writes slower,", "the index makes writes slower"),
        ("because I would, uh, put my index on it, you know", "you would put your index on it"),
        ("which slows the writes down", "that slows the writes down"),
        ("I'm sure we had our index, and I was glad", "you're sure we had our index, and you were glad"),
        ("SQL needs an index for reads", "SQL needs an index for reads"),
        ("It costs space; an index makes reads faster", "an index makes reads faster"),
        ("Nobody knew that. An index makes reads faster. We went home.", "an index makes reads faster"),
        (
            "putting an index on the writes, or suddenly adding one for reads, it makes the writes slower",
            "it makes the writes slower",
        ),
        ("so no need to keep another index", "no need to keep another index"),
        ("First, I ask whether an index makes reads faster", "you ask whether an index makes reads faster"),
        ("first I ask whether an index helps reads", "you ask whether an index helps reads"),
        ("first the index is written for reads", "first the index is written for reads"),
        ("the index is on port four four three by default", "the index is on port four four three by default"),
        ("right away the index is written", "right away the index is written"),
        (
            "the index makes writes fast, the filter runs over that",
            "the index makes writes fast, the filter runs over that",
        ),
        (
            "all that you do in there with what comes in and goes out again and finds an index for reads",
            "all that you do in there with what comes in and goes out again",
        ),
        ("I wait for your index, you wait for mine. An index makes reads faster.", "an index makes reads faster"),
        ("I wait for your index, you wait for my writes", ""),
        ("Sure, an index makes reads faster", "an index makes reads faster"),
        ("the, and it always finds a free index", ""),
        ("he'd, to buy a join of two tables for reads", ""),
        ("since that index exists exactly once for reads", "that index exists exactly once for reads"),
        ("namely whether the index makes reads faster", ""),
        ("even if we set the index earlier, because writes are slow", ""),
        ("even if the index is slow, reads are faster", "even if the index is slow, reads are faster"),
        (
            "an index holds a list, and that's the thing which makes all that is read on any page be there much sooner",
            "an index holds a list",
        ),
        ("so if the request was fine we broke our index", "if the request was fine we broke our index"),
        ("I think of the index that we keep for our reads", "you think of the index that we keep for our reads"),
        ("the more indexes you add, the slower writes go", "the more indexes you add, the slower writes go"),
        ("because um the more reliable the index becomes with writes", ""),
        ("than the index that is read again for writes", ""),
        (
            "and over there the service that keeps the index for reads has the rows, tables and writes of it in memory",
            "",
        ),
        ("I call it on my index, it gives me faster reads", "you call it on your index, it gives you faster reads"),
        ("the index counts its writes, however many there are", "the index counts its writes, however many there are"),
        (
            "an index holds a list of what comes for reads, but as soon as one of the rows differs, we all wait for it",
            "an index holds a list of what comes for reads",
        ),
        ("the index goes right to what I asked for", "the index goes right to what you asked for"),
        ("limit and offset is what everybody starts with", "limit and offset is what everybody starts with"),
        (
            "If somebody adds a row while I'm paging, everything shifts, and I get one index twice for all reads.",
            "you get one index twice for all reads",
        ),
        (
            'the index makes "every write slower?" and reads get faster with an index',
            "the index makes every write slower",
        ),
        ("the writes all see whatever the index ended up as", "the writes all see whatever the index ended up as"),
        ("the index comes back in whatever order they like", "the index comes back in whatever order they like"),
        ("an index is read by its rows, so if you check it against anything", "an index is read by its rows"),
        ("the index for reads is writing. I equals I", ""),
        ("the index, then all of the reads", ""),
        ("the index, it makes every read faster", "the index, it makes every read faster"),
        ("even another index for reads", ""),
        ("say an index for the reads", ""),
        ("is faster with an index for reads", ""),
        ("without it reading the index", ""),
        ("it reads faster too", ""),
        ("since people read the index first", "people read the index first"),
        ("for the writes", ""),
        ("yes", ""),
        ("it is what it is and that is that", ""),
        ("", ""),
    ],
)
def test_words_are_tidied_for_saying_them_back(said: str, back: str) -> None:
    """Fillers, false starts and joining words go; "I" becomes "you" and "we" stays; the clause nearest is taken."""
    assert own_words(verdict(said)) == back


def test_no_word_is_said_back_that_may_not_have_been_said() -> None:
    """By its place in the turn; another clause of the quote is taken, or none."""
    said = "the index makes writes slower, but every reads gets faster with an index"
    answer = AnswerSpan(turn=3, first_word=2, last_word=14)
    proof = verdict(said).model_copy(update={"quote": Quote(text=said, first_word=0, last_word=12)})
    whole = Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="j", verdicts=(proof,), scores=None, spans=(answer,)
    )
    assert own_words(proof) == said
    (unsure,) = surely_heard(whole, {3: (4,), 1: (9,)}).verdicts
    assert own_words(unsure) == "every reads gets faster with an index"
    (unsure,) = surely_heard(whole, {3: (4, 9)}).verdicts
    assert own_words(unsure) == ""
    assert surely_heard(whole, {2: (4,)}) is whole


def test_where_it_is_not_known_which_word_is_doubtful_none_of_them_is_said_back() -> None:
    """A quote that has lost its places cannot be told apart from its doubtful word."""
    proof = verdict("the index makes writes slower").model_copy(
        update={"quote": Quote(text="the index makes writes slower", first_word=0, last_word=7)}
    )
    answer = AnswerSpan(turn=1, first_word=0, last_word=9)
    whole = Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="j", verdicts=(proof,), scores=None, spans=(answer,)
    )
    assert own_words(surely_heard(whole, {1: (3,)}).verdicts[0]) == ""
    assert surely_heard(whole, {1: (9,)}) is whole


@pytest.mark.parametrize(
    ("word", "known"),
    [("Alchem", False), ("outcome,", True), ("it's", True), ("oxidations", True), ("re-brewed", True), ("512", True)],
)
def test_a_word_that_nobody_has_was_misheard(word: str, known: bool) -> None:
    """English has it, in some form, or the question has; a recogniser that was sure of anything else made it up."""
    assert is_known(word, {"oxidation"}) == known


def test_a_made_up_word_is_not_said_back_to_who_spoke() -> None:
    """However sure the recogniser was; what was typed is theirs."""
    said = "the Alchem makes writes slower for an index"
    whole = Evaluation(
        question_id="q", topic="t", difficulty="easy", judge="j", verdicts=(verdict(said),), scores=None,
        spans=(AnswerSpan(turn=1, first_word=0, last_word=7),),
    )  # fmt: skip
    asked = from_bank(tea_pack().questions[0], topic_title="tea", concepts=(), grade="high", attempts=1, lead_in="")
    assert own_words(surely_heard(whole, {}, asked).verdicts[0]) == ""
    assert own_words(surely_heard(whole, {}).verdicts[0]) == said


def test_a_word_is_heard_surely_from_a_half_on() -> None:
    """What the recogniser writes as one word may be two."""
    words = [Word(text=text, start_at=0, end_at=1, confidence=sure) for text, sure in (("a b", 0.4), ("c", 0.5))]
    assert heard_unsurely(words) == (0, 1)


def test_what_has_no_quote_has_no_words() -> None:
    """A verdict without a quote gives nothing to say back."""
    bare = Verdict(point="An index costs space", status="missing", probability=1, rule="test")
    assert own_words(bare) == ""


@given(st.lists(st.sampled_from("I um the index, writes. slows? so and my (cost) it's we; a".split()), max_size=40))
def test_whatever_was_said_the_words_fit_into_a_sentence(words: list[str]) -> None:
    """Short, within one sentence, and nothing in it that was not said."""
    back = own_words(verdict(" ".join(words)))
    assert len(back.split()) <= MOST_WORDS
    assert not any(mark in back for mark in ".?!;:()")
    shifted = {"i": "you", "my": "your"}
    said = {shifted.get(plain(word), plain(word)) for word in words}
    assert {plain(word) for word in back.split()} <= said


def wording(tmp_path: Path) -> Templates:
    """A wording with two ways and two leads."""
    path = tmp_path / "small.md"
    path.write_text("## bye\n- Bye, {name}.\n- I must go.\n- Farewell, {title}.\n\n## lead\n- Now\n- Well\n", "utf-8")
    return load_wording(path)


def test_every_way_is_used_before_one_comes_again_with_another_lead(tmp_path: Path) -> None:
    """Nothing is said twice as long as there is another way; afterwards something is said all the same."""
    phrases = Phrases(wording(tmp_path), 1, [])
    said = [phrases.one("bye", name="Ada") for _ in range(6)]
    assert set(said[:2]) == {"Bye, Ada.", "I must go."}
    assert set(said) == {
        "Bye, Ada.", "I must go.", "Now, bye, Ada.", "Well, bye, Ada.", "Now, I must go.", "Well, I must go.",
    }  # fmt: skip
    assert phrases.one("bye", name="Ada") in said


def test_a_way_is_worn_with_whatever_it_was_filled(tmp_path: Path) -> None:
    """The same words around another name are not new."""
    assert Phrases(wording(tmp_path), 0, ["Bye, Ada."]).one("bye", name="Bob") == "I must go."


def test_a_way_that_cannot_be_filled_is_passed_over(tmp_path: Path) -> None:
    """And without any way, it is an error."""
    assert {Phrases(wording(tmp_path), turn, []).one("bye") for turn in range(4)} == {"I must go."}
    with pytest.raises(LookupError, match="lonely"):
        Phrases(Templates({"lonely": ("Hello {name}.",), "lead": ("Now",)}, "x.md"), 0, []).one("lonely", name="")


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("Database index", "database indexes"),
        ("Race condition", "race conditions"),
        ("Idempotency", "idempotency"),
        ("Server side session", "server side sessions"),
        ("HTTP caching", "HTTP caching"),
        ("ACID", "ACID"),
        ("K-means", "k-means"),
        ("ROC curve", "ROC curves"),
        ("Confusion matrix", "confusion matrices"),
        ("Isolation level", "isolation levels"),
        ("Replication strategy", "replication strategies"),
        ("Neural network", "neural networks"),
        ("Bias and variance", "bias and variance"),
        ("Schema migration without downtime", "schema migration without downtime"),
        ("the B tree index", "the B tree index"),
        ("replication lag", "replication lag"),
    ],
)
def test_labels_are_spoken_of_without_sounding_like_labels(name: str, spoken: str) -> None:
    """What can be counted is spoken of in the plural; what is written as spoken stays."""
    assert as_subject(name) == spoken
