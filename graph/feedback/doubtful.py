"""Doubts about doubts: words of which the judge says that they do not hold, and that say nearly what holds.

Of all that is said back to a candidate, that what was right needs checking is worst. Where the words themselves speak
against the judge, nobody is told that they were wrong: what holds is said in full, which is true in either case.
"""

from __future__ import annotations

from domain.question import KeyPoints
from domain.verdict import Evaluation, Verdict
from graph.feedback.guardrails import harmless
from graph.feedback.quoting import own_words
from graph.judging.contradictions import checks
from graph.judging.text.stems import content_stems, negations, overlap

_MOST_OF_IT = 0.5


def says_the_same(doubt: Verdict) -> bool:
    """True for a key point of whose words half were said, with no number, direction or negation turned round."""
    if doubt.kind != "key_point" or doubt.quote is None:
        return False
    point, said = doubt.point, doubt.quote.text
    if overlap(content_stems(point), content_stems(said)) < _MOST_OF_IT or checks.differs(point, said):
        return False
    return bool(negations(point.split())) == bool(negations(said.split()))


def doubted_words(doubt: Verdict, asked: str) -> str:
    """The candidate's own words that do not hold, as they are said back; empty when nothing shows that it is these.

    Of "it's one big lock in the interpreter" every word is right, whatever was said about race conditions a sentence
    later: words that say nothing of what is wrong, beyond what any answer says, are not said back as wrong.

    Args:
        doubt: a verdict on what does not hold.
        asked: the question and the ideas behind it.
    """
    said = own_words(doubt)
    in_particular = content_stems(doubt.point) - content_stems(asked)
    return harmless(said) if in_particular & content_stems(said) else ""


def without_the_doubtful(evaluation: Evaluation, targets: KeyPoints) -> Evaluation:
    """The evaluation as it is acted on: no misconception is held against who spoke more like its correction."""
    verdicts = tuple(
        each.model_copy(update={"told": False}) if is_nearer_the_truth(each, targets) else each
        for each in evaluation.verdicts
    )
    return evaluation if verdicts == evaluation.verdicts else evaluation.model_copy(update={"verdicts": verdicts})


def is_nearer_the_truth(verdict: Verdict, targets: KeyPoints) -> bool:
    """True for a misconception whose words say more of its correction than of itself."""
    if verdict.kind != "misconception" or verdict.quote is None or not (truth := targets.correction(verdict.point)):
        return False
    said, wrong, right = (content_stems(text) for text in (verdict.quote.text, verdict.point, truth))
    # Without a "not" on either side, or with the same: words alone do not tell one from the other.
    turned = bool(checks.negation_differs(truth, verdict.quote.text))
    return not turned and len(said & (right - wrong)) > len(said & (wrong - right))
