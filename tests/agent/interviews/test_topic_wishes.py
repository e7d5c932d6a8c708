"""What whoever watches would like to be asked about, as a process finds it that holds the interview."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.interviews.topic_wishes import last_topic_wish
from domain.events import StageTimed, TopicWished
from domain.topic_wish import TopicWish
from review import RecordStore


async def test_the_last_wish_is_found_wherever_it_was_written(tmp_path: Path) -> None:
    """By another process, among all else that was recorded since."""
    path = tmp_path / "record.sqlite"
    mine, theirs = RecordStore(path), RecordStore(path)
    assert await last_topic_wish(mine, "a") is None
    for number, topic in enumerate(("water", "serving")):
        theirs.append("a", TopicWished(at=float(number), topic=topic, title=topic.title(), by="Grace"))
        mine.append("a", StageTimed(at=float(number), turn=1, stage="evaluate", seconds=0.1))
    theirs.append("b", TopicWished(at=9.0, topic="leaves", title="Leaves"))
    assert await last_topic_wish(mine, "a") == TopicWish(number=3, topic="serving", title="Serving")
    mine.close()
    theirs.close()


async def test_a_record_that_cannot_be_read_stops_no_interview(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """There is no wish then, and the log says why."""
    path = tmp_path / "record.sqlite"
    store = RecordStore(path)
    store.close()
    path.write_text("nonsense " * 500)
    assert await last_topic_wish(store, "a") is None
    assert "could not be looked up" in caplog.text
