"""Policy of exploration: which anchor of the résumé comes next, and what is asked about it. Pure rules.

| the last answer about the résumé | next |
|---|---|
| was deep | another aspect of the same, up to three in a row |
| was of middling depth | a second aspect of the same |
| was thin, or could not be judged; or another question was asked for | another anchor |

Among anchors the weightiest comes first that was visited least. The three weightiest projects go before: until each was
asked about twice, there comes one question about a position between the first round and the second, and nothing else.
No aspect of an anchor comes twice, and those of the last interviews come after others. Aspects that were asked about
less go before others, so that the same is not asked about everything. Who struggles is asked what can be told, before
what has to be weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from domain.vocabulary import AnchorType, Aspect, CandidateState
from graph.exploration.anchors import Anchor
from graph.judging.text.stems import content_stems

DEEP_FROM, MIDDLING_FROM = 6.5, 4.5
"""Depth of an answer (0 to 10) from which a third and a second aspect of the same anchor follow."""
_MOST_IN_A_ROW = 3
_TWICE = 2
_FIRST_PROJECTS = 3
"""Projects that go before everything else."""

ASPECTS: Mapping[AnchorType, tuple[Aspect, ...]] = {
    "project": (
        "challenges", "implementation", "impact", "tradeoffs", "design", "team", "results", "tools",
    ),
    "experience": ("impact", "challenges", "team", "implementation", "tradeoffs", "tools", "results", "design"),
    "skill": ("implementation", "challenges", "tradeoffs", "design", "impact", "tools", "results", "team"),
    "education": ("implementation", "challenges", "results", "tools", "team", "impact", "design", "tradeoffs"),
}  # fmt: skip
"""Aspects of each kind of anchor, the one that suits it best first."""
_MOST_ASPECTS: Mapping[AnchorType, int] = {"project": 8, "experience": 6, "skill": 3, "education": 3}
"""A skill or a degree is soon talked out."""
_ASKED_ELSEWHERE = 2.5
"""By how many places an aspect goes back in that order each time it was asked about, whatever about."""
_KIND_STEMS: Mapping[AnchorType, frozenset[str]] = {
    "project": content_stems("project projects built build"),
    "experience": content_stems("time job work worked position years employer"),
    "skill": content_stems("skill skills"),
    "education": content_stems("study studies studied degree university school thesis course"),
}
"""Words by which one knows what kind is meant, where two go by the same name ("my time at Fabrikam")."""
_WEIGHED_UP: frozenset[Aspect] = frozenset({"tradeoffs", "design"})


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked about next."""

    anchor: Anchor
    aspect: Aspect
    stays: bool = False
    """The question before was about the same anchor."""
    returns: bool = False
    """It was asked about before, and something else since."""


def next_step(
    anchors: Sequence[Anchor],
    asked: Sequence[tuple[str, str]],
    *,
    depth: float | None = None,
    moves_on: bool = False,
    wanted: str = "",
    state: CandidateState = "steady",
    earlier: Collection[tuple[str, str]] = (),
) -> Step | None:
    """What to ask about next, or None when everything was asked.

    Args:
        anchors: of the résumé, the weightiest first.
        asked: anchor and aspect of each question about the résumé so far, in order.
        depth: of the answer to the last of them, 0 to 10; None when nobody could judge it.
        moves_on: the candidate asked for another question.
        wanted: what it should be about, in their words; empty when they named nothing.
        state: how the answers go.
        earlier: anchor and aspect of what the candidate's last interviews asked.
    """
    left = [anchor for anchor in anchors if _aspects_left(anchor, asked)]
    if not left:
        return None
    last = asked[-1][0] if asked else ""
    chosen = anchor_named(wanted, left)
    if chosen is None:
        here = next((anchor for anchor in left if anchor.id == last), None)
        goes_on = here and not moves_on and _run(asked) < _most_in_a_row(here, depth, anchors, asked)
        chosen = here if here and goes_on else _another(left, last, anchors, asked)
    known = any(id_ == chosen.id for id_, _ in asked)
    stays = chosen.id == last
    return Step(chosen, _aspect(chosen, asked, state, earlier), stays=stays, returns=known and not stays)


def is_talked_out(anchor: Anchor, asked: Sequence[tuple[str, str]]) -> bool:
    """True when nothing is left to ask about it.

    Args:
        anchor: of the résumé.
        asked: anchor and aspect of each question so far.
    """
    return not _aspects_left(anchor, asked)


def anchor_named(said: str, anchors: Sequence[Anchor]) -> Anchor | None:
    """The anchor that somebody speaks of, by its id or the words of its name; None when it is none of these.

    Args:
        said: what it is called; may be empty.
        anchors: the weightiest first, which of two that fit alike is the one.
    """
    if meant := next((anchor for anchor in anchors if anchor.id == said), None):
        return meant
    stems = content_stems(said)
    shared = {anchor: len(stems & content_stems(f"{anchor.title} {anchor.employer}")) for anchor in anchors}
    best = max(anchors, key=lambda anchor: (shared[anchor], bool(stems & _KIND_STEMS[anchor.kind])), default=None)
    return best if best and shared[best] else None


def _aspects_left(anchor: Anchor, asked: Sequence[tuple[str, str]]) -> list[Aspect]:
    gone = {aspect for id_, aspect in asked if id_ == anchor.id}
    if len(gone) >= _MOST_ASPECTS[anchor.kind]:
        return []
    return [aspect for aspect in ASPECTS[anchor.kind] if aspect not in gone]


def _run(asked: Sequence[tuple[str, str]]) -> int:
    """How many of the last questions were about the same anchor."""
    run = 0
    for id_, _ in reversed(asked):
        if id_ != asked[-1][0]:
            break
        run += 1
    return run


def _most_in_a_row(
    here: Anchor, depth: float | None, anchors: Sequence[Anchor], asked: Sequence[tuple[str, str]]
) -> int:
    if depth is None or depth < MIDDLING_FROM or (here.kind != "project" and _waiting(anchors, asked)):
        return 1
    return _MOST_IN_A_ROW if depth >= DEEP_FROM else _TWICE


def _waiting(anchors: Sequence[Anchor], asked: Sequence[tuple[str, str]]) -> list[Anchor]:
    """The first projects that were not asked about twice."""
    times = Counter(id_ for id_, _ in asked)
    first = [anchor for anchor in anchors if anchor.kind == "project"][:_FIRST_PROJECTS]
    return [anchor for anchor in first if times[anchor.id] < _TWICE]


def _another(left: Sequence[Anchor], last: str, anchors: Sequence[Anchor], asked: Sequence[tuple[str, str]]) -> Anchor:
    """The anchor to go to: not the one just asked about, when there is another."""
    others = [anchor for anchor in left if anchor.id != last] or list(left)
    visits = _visits(asked)
    waiting = [anchor for anchor in _waiting(anchors, asked) if anchor in others]
    unheard = [anchor for anchor in waiting if not visits[anchor.id]]
    if waiting and not unheard and all(id_.startswith("project") for id_, _ in asked):
        waiting = [anchor for anchor in others if anchor.kind == "experience"] or waiting
    fitting = unheard or waiting or others
    return min(fitting, key=lambda anchor: (visits[anchor.id] - anchor.weight, -anchor.weight, anchor.id))


def _visits(asked: Sequence[tuple[str, str]]) -> Counter[str]:
    """How often each anchor was come to, however many aspects were asked then."""
    visits: Counter[str] = Counter()
    before = ""
    for id_, _ in asked:
        visits[id_] += id_ != before
        before = id_
    return visits


def _aspect(
    anchor: Anchor,
    asked: Sequence[tuple[str, str]],
    state: CandidateState,
    earlier: Collection[tuple[str, str]],
) -> Aspect:
    times = Counter(aspect for _, aspect in asked)
    order = ASPECTS[anchor.kind]

    def rank(aspect: Aspect) -> tuple[bool, bool, float]:
        known = (anchor.id, aspect) in earlier
        return (
            known,
            state == "struggling" and aspect in _WEIGHED_UP,
            order.index(aspect) + _ASKED_ELSEWHERE * times[aspect],
        )

    return min(_aspects_left(anchor, asked), key=rank)
