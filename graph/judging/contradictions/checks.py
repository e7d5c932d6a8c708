"""Checks on what a small encoder reads over: numbers, direction, negation. They only lower a verdict.

A check compares the words of a quote with the point. It answers with a sentence about what differs, or with nothing; no
check ever says that something is right. A negation on one side only (`parity`) is too often a way of speaking to decide
by itself: it is one of the features of the linear model, and a check only where the same word is negated on one side
beside the same words.

The limits come from the labelled quotes of `training/data/judge`; docs/judging.md says how often a check is right there.
With less in common than `_ABOUT_THE_SAME` (0.3 instead of 0.35) a third more is found, and a third more covered quotes
are hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from graph.judging.contradictions.numbers import Quantity, quantities
from graph.judging.contradictions.polarity import Mention, mentions, side
from graph.judging.text.stems import content_stems, negations, overlap

_ABOUT_THE_SAME = 0.35
"""Share of the point's telling words in the evidence from which a difference is about the same thing."""
_ABOUT_THE_SAME_NUMBER = 0.2
"""The same for numbers, whose words differ more: "a thousand per second" says little else."""
_NEAR_OPPOSITE, _NEAR_NEGATED = 3, 2
"""Telling words on each side of which one must be shared, so that "reduces variance" is not held against "more data"."""
_ABOUT = 1.5
"""Amounts agree below this ratio, percentages when their odds do: 99 is not 99.9 percent, and "about a hundred
milliseconds" may be 120."""
_ANOTHER_SCALE = 1000
"""From this ratio on two amounts are of different things: one photo's megabytes, and the terabytes of all of them."""
_SMALL = 12
"""Counts up to here are exact: three replicas are not five."""
_ALL, _CERTAIN = 100, 99.999
"""Percent."""


def differs(point: str, said: str) -> str:
    """What makes the words no evidence for the point though they are about it; empty when nothing does.

    Args:
        point: the claim.
        said: the quote.
    """
    return number_differs(point, said) or direction_differs(point, said) or negation_differs(point, said)


def number_differs(point: str, said: str) -> str:
    """A number of the point was said as another one, of the same kind and about the same thing."""
    if _in_common(point, said) < _ABOUT_THE_SAME_NUMBER:
        return ""
    wanted, heard = quantities(point), quantities(said)
    # What the point says elsewhere is no wrong answer to this number.
    strange = [each for each in heard if not any(agree(number, each) for number in wanted)]
    open_numbers = [number for number in wanted if not any(agree(number, each) for each in heard)]
    rivals = [pair for pair in product(open_numbers, strange) if _of_one_matter(*pair)]
    if not rivals:
        return ""
    number, rival = min(rivals, key=lambda pair: _apart(*pair))
    return f"the point says {number.text}, not {rival.text}"


def _of_one_matter(wanted: Quantity, heard: Quantity) -> bool:
    """True when two quantities can be held against each other: "argon two" and "a billion a second" cannot."""
    if wanted.kind != heard.kind or _apart(wanted, heard) > _ANOTHER_SCALE:
        return False
    return wanted.kind not in ("count", "version") or bool(wanted.of & heard.of)


def agree(wanted: Quantity, heard: Quantity) -> bool:
    """True when two quantities of a kind say the same: exactly for names, codes and small counts, else about."""
    if wanted.kind != heard.kind:
        return False
    if wanted.kind == "status" and "xx" in wanted.text + heard.text:
        return wanted.text[0] == heard.text[0]
    if wanted.kind == "version":
        parts = list(zip(wanted.text.split("."), heard.text.split("."), strict=False))
        return all(one == other for one, other in parts)
    if wanted.value is None or heard.value is None:
        return wanted.text == heard.text
    if wanted.kind == "status" or (wanted.kind == "count" and max(wanted.value, heard.value) <= _SMALL):
        return wanted.value == heard.value
    return _apart(wanted, heard) < _ABOUT


def direction_differs(point: str, said: str) -> str:
    """A word of the point was said as its opposite about the same thing, and not as itself."""
    if _in_common(point, said) < _ABOUT_THE_SAME:
        return ""
    negated, turned = parity(point, said), []
    of_point, of_said = mentions(point, _NEAR_OPPOSITE), mentions(said, _NEAR_OPPOSITE)
    for wanted in of_point:
        if (pair := side(wanted.stem)) is None:
            continue
        ours, theirs = _of_pair(pair[0], of_point), _of_pair(pair[0], of_said)
        # Who names both ends of a pair compares them, and which end is meant of what is beyond this.
        if len({_turned(each) for each in ours}) != 1 or len({_turned(each) for each in theirs}) != 1:
            continue
        heard = next((each for each in theirs if each.stem != wanted.stem and each.near & wanted.near), None)
        # A negation that turns neither word may turn what is said of them.
        if heard and _turned(heard) == -_turned(wanted) != 0 and negated == (heard.negated != wanted.negated):
            turned.append((pair[0], f"the point says {wanted.word}, not {heard.word}"))
    # Two turns say the same again: more data lowers it, less data raises it.
    return turned[0][1] if len({pair for pair, _ in turned}) % 2 else ""


def negation_differs(point: str, said: str) -> str:
    """A word of the point was said with "not", or the other way round, beside the same words and about the same thing."""
    if not parity(point, said) or _in_common(point, said) < _ABOUT_THE_SAME:
        return ""
    of_point, of_said = mentions(point, _NEAR_NEGATED), mentions(said, _NEAR_NEGATED)
    if _by_an_opposite(of_point, of_said):
        return ""
    for wanted in of_point:
        ours, theirs = ([each for each in some if each.stem == wanted.stem] for some in (of_point, of_said))
        negated = {each.negated for each in ours}, {each.negated for each in theirs}
        if negated in (({True}, {False}), ({False}, {True})) and any(a.near & b.near for a, b in product(ours, theirs)):
            word = theirs[0].word
            return f"these words say {word}, the point not" if True in negated[0] else f"these words say not {word}"
    return ""


def parity(point: str, said: str) -> bool:
    """True when exactly one of the two is negated an odd number of times."""
    return negations(point.split()) % 2 != negations(said.split()) % 2


def _in_common(point: str, said: str) -> float:
    return overlap(content_stems(point), content_stems(said))


def _of_pair(pair: int, of_text: Sequence[Mention]) -> list[Mention]:
    return [each for each in of_text if (found := side(each.stem)) and found[0] == pair]


def _by_an_opposite(of_point: Sequence[Mention], of_said: Sequence[Mention]) -> bool:
    """True for "does not make it faster" beside "makes it slower": the opposite takes the negation back."""
    ends = [{found for each in some if (found := side(each.stem))} for some in (of_point, of_said)]
    return any((pair, -end) in ends[1] and (pair, end) not in ends[1] for pair, end in ends[0])


def _turned(mention: Mention) -> int:
    """The end of its pair that a word means: "not faster" is on the side of "slower"; 0 when it may be either."""
    found = side(mention.stem)
    if found is None or mention.negated is None:
        return 0
    return -found[1] if mention.negated else found[1]


def _apart(one: Quantity, other: Quantity) -> float:
    """The ratio of two amounts, or of the odds of two percentages; 1 for names."""
    if one.value is None or other.value is None or one.value == other.value:
        return 1.0
    pair = sorted((one.value, other.value))
    if one.kind == "percent" and pair[1] <= _ALL:
        # All but certain, as 100 percent is not infinitely far from 99.
        pair = [value / (_ALL - min(value, _CERTAIN)) for value in pair]
    return pair[1] / pair[0] if pair[0] > 0 else float("inf")
