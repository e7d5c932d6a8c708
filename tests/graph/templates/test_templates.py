"""What the interviewer says is in files, and a missing situation is an error at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.templates import (
    WordingError,
    in_mid_sentence,
    interview_wording,
    load_prompt,
    load_wording,
)

SITUATIONS = [
    "greeting.hello", "greeting.hello_again",
    "greeting.voice.practice", "greeting.voice.exam", "greeting.text.practice", "greeting.text.exam",
    "topic.first", "topic.next", "topic.same", "follow_up", "clarification",
    "repeat", "hold", "skip", "resume", "trouble",
    "closing.completed", "closing.time_up", "closing.stopped", "closing.failed",
]  # fmt: skip


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_situation_of_an_interview_has_words(situation: str) -> None:
    """Nothing the graph may want to say is missing."""
    assert interview_wording().ways(situation)


def test_a_missing_situation_names_what_there_is(tmp_path: Path) -> None:
    """The error lists the headings of the file."""
    path = tmp_path / "small.md"
    path.write_text("## hello\n- Hello {name},\n  and welcome.\n", encoding="utf-8")
    wording = load_wording(path)
    assert wording.say("hello", name="Ada") == "Hello Ada, and welcome."
    with pytest.raises(WordingError, match="hello"):
        wording.say("goodbye")


def test_an_empty_situation_is_an_error(tmp_path: Path) -> None:
    """A heading with nothing below would be silence in a conversation."""
    path = tmp_path / "empty.md"
    path.write_text("## hello\n\n## bye\n- Bye.\n", encoding="utf-8")
    with pytest.raises(WordingError, match="hello"):
        load_wording(path)


def test_a_missing_file_is_named() -> None:
    """A prompt that is not there says where it belongs."""
    with pytest.raises(WordingError, match=r"nothing\.md.*prompts"):
        load_prompt("nothing")


@pytest.mark.parametrize(
    ("phrase", "inside"),
    [
        ("HTTP and API design", "HTTP and API design"),
        ("Data storage.", "data storage"),
        ("I add an index", "I add an index"),
        ("A typical cause is haste", "a typical cause is haste"),
        ("L2 shrinks weights.", "L2 shrinks weights"),
    ],
)
def test_phrases_fit_into_sentences(phrase: str, inside: str) -> None:
    """Only a capital that began a sentence goes; acronyms and "I" keep theirs."""
    assert in_mid_sentence(phrase) == inside
