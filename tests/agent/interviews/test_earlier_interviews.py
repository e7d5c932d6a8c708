"""What somebody's last interviews asked, as the record tells it, and two interviews in a row over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.interviews.earlier_interviews import LAST_INTERVIEWS, with_asked_before
from domain.events import InterviewCreated, QuestionSelected, Supervised
from domain.question import AskedBefore
from review import RecordStore
from tests.agent.text_rig import GOOD, TextRig, begun

pytestmark = pytest.mark.usefixtures("profiles_by_words")


@pytest.fixture
def rig(tmp_path: Path) -> TextRig:
    """A web process whose judge is scripted."""
    return TextRig(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> RecordStore:
    """An empty record."""
    return RecordStore(tmp_path / "record.sqlite")


def created(at: float = 0.0, **changes: Any) -> InterviewCreated:
    """An interview as it was asked for."""
    wanted: dict[str, Any] = {"candidate_name": "Ada", "pack": "tea", "pack_title": "Tea", "minutes": 30}
    return InterviewCreated(at=at, feedback="coach", room="", **{**wanted, **changes})


def selected(question_id: str, turn: int = 0, kind: str = "retrieved") -> QuestionSelected:
    """A question that was chosen."""
    fields: dict[str, Any] = {"question_kind": kind, "topic": "t", "topic_title": "T", "difficulty": "easy"}
    return QuestionSelected(at=1.0, turn=turn, question_id=question_id, text="What?", source="plan", **fields)


def ended_in(turn: int) -> Supervised:
    """The supervisor's decision that nothing more is asked."""
    return Supervised(
        at=2.0, turn=turn, goes_on=False, end_reason="time_up", question_count=1, difficulty="easy", ema=None,
        remaining_s=0.0,
    )  # fmt: skip


def held(store: RecordStore, number: int, *questions: str, **changes: Any) -> None:
    """An interview that asked these."""
    store.append(f"i{number}", created(at=float(number), **changes))
    for turn, id_ in enumerate(questions):
        store.append(f"i{number}", selected(id_, turn))


def told(store: RecordStore, *, is_host: bool = True, **changes: Any) -> list[str]:
    """What the next interview is told was asked."""
    return [each.id for each in with_asked_before(store, created(**changes), is_host=is_host).asked_before]


def test_the_last_three_of_the_same_person_and_pack_count(store: RecordStore) -> None:
    """Nothing of other people, of other packs, of guests, and of what was never begun."""
    for number in range(1, LAST_INTERVIEWS + 2):
        held(store, number, f"q{number}")
    held(store, 10, "of-bob", candidate_name="Bob")
    held(store, 11, "of-java", pack="java")
    held(store, 12, "of-a-guest", guest=True)
    held(store, 13)
    assert told(store) == ["q4", "q3", "q2"]
    assert told(store, candidate_name="ada ") == ["q4", "q3", "q2"], "the name in another way"
    assert told(store, guest=True) == []


def test_a_question_that_nobody_heard_was_not_asked(store: RecordStore) -> None:
    """It was chosen, and then the time was up; and what follows a question up is none of its own."""
    held(store, 1, "heard", "unheard")
    store.append("i1", selected("heard.follow-up-1", 0, "follow_up"))
    store.append("i1", ended_in(1))
    assert told(store) == ["heard"]


def test_the_seed_goes_up_with_each_interview_and_is_not_used_twice(store: RecordStore) -> None:
    """Also when the last one is deleted; another pack's do not count."""

    def seed() -> int:
        return with_asked_before(store, created(), is_host=True).seed

    assert seed() == 0
    held(store, 1, "q")
    held(store, 2, "q", candidate_name="Bob")
    assert seed() == 2
    held(store, 3, "q", pack="java")
    assert seed() == 2
    store.delete("i2")
    assert seed() == 2


def test_a_record_that_cannot_be_read_costs_nobody_an_interview(store: RecordStore, tmp_path: Path) -> None:
    """It begins as if nothing had been asked."""
    held(store, 1, "q")
    store.close()
    (tmp_path / "record.sqlite").write_bytes(b"no database at all" * 100)
    assert with_asked_before(store, created(), is_host=True) == created()


async def test_a_second_interview_begins_with_something_new(rig: TextRig) -> None:
    """Over HTTP: other questions throughout, and what was hard comes back once or twice and is said to."""
    asked: list[list[str]] = []
    async with rig.serving() as client:
        for answer in ("wrong, I have never heard of anything like that", GOOD):
            session = await begun(client, pack="tea", feedback="coach")
            for _ in range(10):
                await session.say(answer)
            await session.post("/end")
            events = [event for event in rig.events(session.id) if isinstance(event, QuestionSelected)]
            asked.append([each.question_id for each in events if each.question_kind == "retrieved"])
            spoken = str(session.heard)
    first, second = asked
    again = [id_ for id_ in second[:6] if id_ in first]
    assert second[0] not in first
    assert 1 <= len(again) <= 2
    assert "ast time" in spoken
    assert len(second) == len(set(second))
    made = next(event for event in rig.events(session.id) if isinstance(event, InterviewCreated))
    assert AskedBefore(id=first[0], about="Tea leaves", interviews_ago=1, hard=True) in made.asked_before


async def test_who_is_not_the_host_hears_nothing_of_how_it_went(rig: TextRig) -> None:
    """A name is enough to be somebody: they get new questions, and no word of what was hard for whoever bears it."""
    rig.overrides["host_token"] = "a-token-of-the-host"
    async with rig.serving() as client:
        for _ in range(2):
            session = await begun(client, pack="tea", feedback="coach")
            for _ in range(3):
                await session.say("wrong, I have never heard of anything like that")
            await session.post("/end")
    made = next(event for event in rig.events(session.id) if isinstance(event, InterviewCreated))
    assert made.asked_before
    assert not any(each.hard for each in made.asked_before)
    assert "ast time" not in str(session.heard)
