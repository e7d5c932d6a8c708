"""Topic wishes: what whoever watches would like to be asked about, found in the record; another process writes it."""

from __future__ import annotations

import asyncio
import logging

from domain.events import TopicWished
from domain.topic_wish import TopicWish
from review import RecordError, RecordStore

_log = logging.getLogger(__name__)


async def last_topic_wish(store: RecordStore, interview_id: str) -> TopicWish | None:
    """The last wish for a topic, settled or not; None without one, and when the record cannot be read at the moment.

    Args:
        store: the record.
        interview_id: the interview.
    """
    try:
        found = await asyncio.to_thread(store.last, interview_id, "topic_wished")
    except RecordError as error:
        _log.warning("whether somebody wished for a topic could not be looked up: %s", error)
        return None
    if found is None or not isinstance(found.event, TopicWished):
        return None
    return TopicWish(number=found.seq, topic=found.event.topic, title=found.event.title)
