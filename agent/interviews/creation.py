"""The topics that a candidate wants to be asked about first."""

from __future__ import annotations

from collections.abc import Sequence

from rag import Pack


class UnknownTopicError(ValueError):
    """The pack has no such topic; the sentence says which it has."""


def topic_ids(wanted: Sequence[str], pack: Pack) -> list[str]:
    """Ids of topics that were named by id or title, in any case, each once.

    Raises:
        UnknownTopicError: the pack has none of that name.
    """
    known = {name.casefold(): topic.id for topic in pack.topics for name in (topic.id, topic.title)}
    if unknown := [name for name in wanted if name.strip().casefold() not in known]:
        there_is = ", ".join(topic.id for topic in pack.topics)
        raise UnknownTopicError(
            f"The pack {pack.id!r} has no topic {', '.join(map(repr, unknown))}; it has: {there_is}."
        )
    return list(dict.fromkeys(known[name.strip().casefold()] for name in wanted))
