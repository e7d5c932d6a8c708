"""Topic wish: what whoever watches an interview would like to be asked about next."""

from __future__ import annotations

from domain.frozen_model import FrozenModel


class TopicWish(FrozenModel):
    """A topic to ask about next. The candidate is never told that somebody wished for it."""

    number: int
    """Of its event in the record, by which an earlier wish is told from a later one."""
    topic: str
    """Id of a topic of the pack, or of something in the résumé (`project_1`)."""
    title: str
    """As people read it. Something in a résumé is found by it where its id is another's."""


async def no_wish() -> TopicWish | None:
    """Where nobody watches."""
    return None
