"""Feedback that is true, kind, varied, and tells no score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.verdict import Counts, Evaluation, Quote, Unjudged, Verdict
from domain.vocabulary import StarPart, VerdictStatus, WorkPart
from graph.feedback.compose import About, Feedback, Manner, compose
from graph.feedback.guardrails import band_of, feedback_gate, tone_of
from graph.feedback.structures import STRUCTURES, open_points, supported, vary
from graph.judging.scoring import score
from graph.templates import feedback_wording
from tests.examples import examples

WORDING = feedback_wording()
POINTS = (
    "Hot water makes it bitter",
    "Leaves keep best in the dark",
    "I warm the pot before brewing",
    "An index costs space.",
    "A second steeping is weaker than the first",
)
QUOTES = (
    "cold water is always best for every tea",
    "um so I, I would keep the leaves in a dark tin, you know, away from spices",
    "because it was an excellent and perfect pot. I scored 9 out of 10 there",
    "that is the wrong answer, incorrect, you failed",
    "yes",
    "which slows the brewing down a lot",
    "{point} and {concept} or {0} in the template",
    "the water goes in then it has to wait all the while with nobody there to touch it as long as the lid stays on it",
)
STORY: tuple[StarPart, ...] = ("situation", "task", "action", "action", "result")
STATUSES: tuple[VerdictStatus, ...] = ("covered", "partly", "missing", "contradicted")

quotes = st.one_of(st.none(), st.sampled_from(QUOTES), st.text(max_size=60))
answers = st.fixed_dictionaries(
    {
        "statuses": st.lists(st.tuples(st.sampled_from(STATUSES), quotes), max_size=5),
        "misconception": quotes,
        "hints": st.integers(0, 2),
        "story": st.booleans(),
        "knows": st.booleans(),
    }
)


def evaluation(
    statuses: Iterable[tuple[str, str | None] | str], *, misconception: str | None = None, hints: int = 0
) -> Evaluation:
    """An evaluation with these statuses for the first points; without a quote, the second of `QUOTES` is taken."""
    given_ = [
        each if isinstance(each, tuple) else (each, None if each == "missing" else QUOTES[1]) for each in statuses
    ]
    verdicts = [
        Verdict(point=point, status=status, probability=1, rule="test", quote=_quote(words, place))  # type: ignore[arg-type]
        for place, (point, (status, words)) in enumerate(zip(POINTS, given_, strict=False))
    ]
    if misconception is not None:
        stated = Verdict(
            point="Milk goes into every tea",
            kind="misconception",
            status="contradicted",
            probability=1,
            rule="test",
            quote=_quote(misconception, 9),
        )
        verdicts.append(stated)
    return Evaluation(
        question_id="q",
        topic="t",
        difficulty="easy",
        judge="test",
        verdicts=tuple(verdicts),
        scores=score(verdicts),
        not_scored="" if verdicts else Unjudged.TOO_LITTLE.value,
        hints=hints,
    )


def _quote(words: str | None, place: int) -> Quote | None:
    return None if words is None else Quote(text=words, first_word=100 * place, last_word=100 * place + 9)


def about(*, story: bool = False) -> About:
    """What the answers are about."""
    parts = dict(zip(POINTS, STORY, strict=True)) if story else {}
    return About(gap="steeping times", strength="water", parts=parts)


def interview(
    evaluations: Sequence[Evaluation], *, story: Sequence[bool] = (), knows: Sequence[bool] = ()
) -> list[Feedback]:
    """The feedback of one interview."""
    heard: list[Feedback] = []
    for turn, each in enumerate(evaluations):
        feedback = compose(
            each,
            about(story=story[turn] if story else False),
            Manner(
                turn=turn,
                wording=WORDING,
                previous=[feedback.structure for feedback in heard],
                said=[sentence for feedback in heard for sentence in feedback.sentences],
                knows=knows[turn] if knows else True,
            ),
        )
        heard.append(feedback)
    return heard


def one(*statuses: str, turn: int = 0, **values: object) -> Feedback:
    """Feedback on one answer with these statuses."""
    story, knows = bool(values.pop("story", False)), bool(values.pop("knows", True))
    judged = evaluation(statuses, **values)  # type: ignore[arg-type]
    return compose(judged, about(story=story), Manner(turn=turn, wording=WORDING, knows=knows))


def no_neighbours_alike(heard: Sequence[Feedback]) -> bool:
    """True when no feedback has the structure of the one before."""
    return all(former.structure != later.structure for former, later in pairwise(heard))


def repeated(heard: Sequence[Feedback]) -> set[str]:
    """Sentences that were said more than once."""
    said = [sentence.casefold() for feedback in heard for sentence in feedback.sentences]
    return {sentence for sentence in said if said.count(sentence) > 1}


@settings(max_examples=12, deadline=None)
@given(st.lists(answers, min_size=60, max_size=60))
def test_sixty_feedbacks_in_a_row(given_: list[dict]) -> None:  # type: ignore[type-arg]
    """No structure twice running, no sentence twice, no score, no forbidden phrase, no praise of what was low.

    Nor a key point read out; one to three sentences, each short enough for the ear.
    """
    evaluations = [
        evaluation(each["statuses"], misconception=each["misconception"], hints=each["hints"]) for each in given_
    ]
    heard = interview(evaluations, story=[each["story"] for each in given_], knows=[each["knows"] for each in given_])
    assert no_neighbours_alike(heard)
    assert not repeated(heard)
    for judged, feedback in zip(evaluations, heard, strict=True):
        band = band_of(judged.scores.overall) if judged.scores else "low"
        assert 1 <= len(feedback.sentences) <= 3
        assert len(feedback.sentences) == len(feedback.structure.split())
        for sentence in feedback.sentences:
            assert not feedback_gate(sentence, band)
            assert sentence.endswith(".")
            assert not re.search(r"[.!?]\s|[\n*#\u2022]|\d+\s*/\s*\d+", sentence)
            assert not sentence.startswith("- ")
        assert not any(point.rstrip(".").lower() in feedback.text.lower() for point in POINTS)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(answers, min_size=1, max_size=12))
def test_nothing_is_claimed_that_no_verdict_carries(given_: list[dict]) -> None:  # type: ignore[type-arg]
    """Good is only what was credited, what does not hold is always said, and only of what was contradicted."""
    evaluations = [evaluation(each["statuses"], misconception=each["misconception"]) for each in given_]
    heard = interview(evaluations, story=[each["story"] for each in given_])
    for judged, feedback in zip(evaluations, heard, strict=True):
        parts = set(feedback.structure.split())
        if judged.scores is None:
            assert ("unclear" if judged.verdicts else "unscored") in parts, "nobody hears that a long answer was short"
            continue
        if not judged.credited and not judged.halves:
            assert not parts & {"strength", "noted", "assent"}
        if band_of(judged.scores.overall) == "low":
            assert not parts & {"strength", "assent"}
            assert ("noted" in parts) == bool(judged.credited or judged.halves), "who made a point hears so"
        if judged.contradictions:
            assert "gap" in parts
            assert "assent" not in parts
        if "gap" in parts:
            assert judged.contradictions or open_points(judged)


PARTS = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


def in_parts(given_: Sequence[list[int]], *, stated: bool = False, hints: int = 0) -> Evaluation:
    """An evaluation by a judge that knows how likely each status is: the parts of each point, in any proportion."""
    verdicts = []
    for place, (point, parts) in enumerate(zip(POINTS, given_, strict=False)):
        shares = dict(zip(STATUSES, (part / sum(parts) for part in parts), strict=True))
        status = max(STATUSES, key=shares.__getitem__)
        words = None if status == "missing" else _quote(QUOTES[1], place)
        counts = Counts(**shares)
        verdicts.append(
            Verdict(point=point, status=status, probability=shares[status], rule="t", quote=words, counts=counts)
        )
    if stated:
        verdicts.append(Verdict(point="i", kind="misconception", status="contradicted", probability=0.7, rule="t"))
    judged = evaluation([], hints=hints)
    return judged.model_copy(update={"verdicts": tuple(verdicts), "scores": score(verdicts, hints)})


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(PARTS, min_size=1, max_size=5), st.booleans(), st.integers(0, 3)), min_size=2, max_size=12
    ),
    st.booleans(),
)
def test_verdicts_that_count_in_parts_always_get_feedback(
    given_: list[tuple[list[list[int]], bool, int]], story: bool
) -> None:
    """Neighbours share no structure where more than one is possible, and a low answer is not praised."""
    evaluations = [in_parts(parts, stated=stated, hints=hints) for parts, stated, hints in given_]
    heard = interview(evaluations, story=[story] * len(evaluations))
    for judged, (former, later) in zip(evaluations[1:], pairwise(heard), strict=True):
        assert former.structure != later.structure or len(supported(judged, knows=True)) == 1
    for judged, feedback in zip(evaluations, heard, strict=True):
        assert judged.scores is not None
        assert len(supported(judged, knows=True)) > 1
        band = band_of(judged.scores.overall)
        assert not any(feedback_gate(sentence, band) for sentence in feedback.sentences)
        if band == "low":
            assert not {"strength", "assent"} & set(feedback.structure.split())


@pytest.mark.parametrize(
    ("parts", "band"),
    [
        ([[34, 0, 33, 33], [40, 0, 30, 30]], "low"),
        ([[60, 0, 40, 0], [50, 20, 30, 0]], "medium"),
        ([[34, 31, 35, 0], [33, 33, 34, 0]], "medium"),
    ],
)
def test_an_answer_without_a_gap_that_is_not_high_gets_varied_feedback(parts: list[list[int]], band: str) -> None:
    """All points are made, none of them surely (or none by a hair): the least sure is what is pointed at."""
    judged = in_parts(parts)
    assert judged.scores is not None
    assert band_of(judged.scores.overall) == band
    heard = interview([judged] * 20)
    assert no_neighbours_alike(heard)
    assert any("gap" in each.structure for each in heard)


def test_the_least_sure_point_is_the_one_to_point_at() -> None:
    """Where no point is open and the score is not high; where it is high, nothing is."""
    assert open_points(in_parts([[60, 0, 40, 0], [50, 20, 30, 0]])) == POINTS[1:2]
    assert open_points(evaluation(["covered", "covered"])) == ()


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("stated", [True, False])
def test_who_was_asked_back_is_thanked_or_doubted_and_not_told_that_it_was_too_little(
    knows: bool, stated: bool
) -> None:
    """There is no score, and none is missing: what was said again is doubted, anything else is taken as it is."""
    judged = evaluation([], misconception=QUOTES[0] if stated else None)
    judged = judged.model_copy(update={"scores": None, "asked_back": True})
    heard = interview([judged] * 10, knows=[knows] * 10)
    assert no_neighbours_alike(heard)
    for feedback in heard:
        parts = set(feedback.structure.split())
        assert ("gap" in parts) == stated
        assert not parts & {"unscored", "room", "strength", "assent", "noted"}


SITUATIONS: list[tuple[str, list[str], dict[str, object]]] = [
    ("all there", ["covered"] * 5, {}),
    ("nearly all there", ["covered"] * 4 + ["missing"], {}),
    ("all there but one wrong thing", ["covered"] * 5, {"misconception": QUOTES[0]}),
    ("half there", ["covered", "covered", "missing", "partly"], {}),
    ("all in part", ["partly", "partly"], {}),
    ("half there, one wrong thing", ["covered", "covered", "contradicted"], {}),
    ("a little there", ["covered", "missing", "missing", "missing"], {}),
    ("a little in part", ["partly", "missing", "missing"], {}),
    ("nothing there", ["missing"] * 4, {}),
    ("nothing but a wrong thing", ["contradicted", "missing"], {}),
    ("nothing said back", ["covered", "covered", "missing"], {}),
    ("not judged", [], {}),
]


@pytest.mark.parametrize("hints", [0, 1])
@pytest.mark.parametrize("story", [False, True])
@pytest.mark.parametrize("knows", [False, True])
@pytest.mark.parametrize(
    ("statuses", "values"), [each[1:] for each in SITUATIONS], ids=[each[0] for each in SITUATIONS]
)
def test_even_the_same_answer_sixty_times_gets_sixty_different_feedbacks(
    statuses: list[str], values: dict[str, object], knows: bool, story: bool, hints: int
) -> None:
    """The worst case: same verdicts, same words, same idea to point at."""
    same = evaluation(statuses, hints=hints, **values)  # type: ignore[arg-type]
    heard = interview([same] * 60, story=[story] * 60, knows=[knows] * 60)
    assert no_neighbours_alike(heard)
    assert not repeated(heard)


def test_an_interview_of_usual_length_needs_no_lead() -> None:
    """In twenty mixed answers no wording is used a second time."""
    mixed = [evaluation(statuses, **values) for _, statuses, values in SITUATIONS] * 2  # type: ignore[arg-type]
    leads = tuple(f"{lead}," for lead in WORDING.ways("lead"))
    assert not [each.text for each in interview(mixed[:20]) if each.text.startswith(leads)]


def test_the_structure_that_is_recorded_is_the_one_that_was_used() -> None:
    """The idea to look at is named where the structure says it is."""
    for turn in range(12):
        feedback = one("covered", "covered", "missing", "partly", turn=turn)
        named = [
            part for part, said in zip(feedback.structure.split(), feedback.sentences, strict=True) if "steep" in said
        ]
        assert named == [part for part in feedback.structure.split() if part == "gap"]


def test_what_was_good_is_said_in_the_candidates_own_words() -> None:
    """Without fillers and false starts, in the second person; the pack's wording is not read out."""
    feedback = one("covered", "missing", "missing")
    assert "you would keep the leaves in a dark tin" in feedback.text
    assert not re.search(r"\bum\b|you know|I, I|bitter", feedback.text)


def test_words_that_cannot_be_said_back_give_way_to_their_idea() -> None:
    """A long-winded or praising quote is not repeated; what it was about is named."""
    for words in (QUOTES[2], QUOTES[4], QUOTES[7], None):
        feedback = compose(
            evaluation([("covered", words), ("missing", None)]),
            about(),
            Manner(turn=0, wording=WORDING, previous=["gap strength"]),
        )
        assert "water" in feedback.text
        assert not words or words not in feedback.text


@pytest.mark.parametrize("turn", range(12))
def test_an_idea_is_not_named_twice_in_a_breath(turn: int) -> None:
    """Neither after what was good about it, nor in the feedback after the one that pointed at it."""
    half = evaluation([("covered", QUOTES[3]), "missing", "missing"])
    both = About(gap="water", strength="water")
    alone = compose(half, both, Manner(turn=turn, wording=WORDING, previous=STRUCTURES["medium"][2:]))
    assert sum("water" in sentence for sentence in alone.sentences) == 1
    before = ["You could take water a bit further.", "Thank you for that."]
    after = compose(evaluation(["missing", "missing"]), both, Manner(turn=turn, wording=WORDING, said=before))
    assert not any("water" in sentence for sentence in after.sentences)


def test_an_idea_that_was_good_is_none_that_could_still_come_in() -> None:
    """Nor is one named as open and as good in one breath."""
    one = evaluation([("covered", QUOTES[5]), "missing", "missing"])
    at_once = About(gap="steeping times", strength="steeping times", gap_is_new=True)
    new = {way.format(concept="steeping times") for way in WORDING.ways("gap.new")}
    mute = evaluation([("covered", "yes"), "missing", "missing"])
    for turn in range(12):
        assert not new & {*compose(one, at_once, Manner(turn=turn, wording=WORDING)).sentences}
        assert compose(mute, at_once, Manner(turn=turn, wording=WORDING)).text.count("steeping times") <= 1


def test_what_is_not_sure_enough_to_be_praised_is_said_back_and_not_only_thanked_for() -> None:
    """Whether it holds, nobody says."""
    sure = evaluation([("covered", QUOTES[5]), "covered", "missing"])
    unsure = [each.model_copy(update={"told": False}) for each in sure.verdicts]
    one = sure.model_copy(update={"verdicts": tuple(unsure)})
    feedback = compose(one, about(), Manner(turn=0, wording=WORDING))
    assert feedback.structure.split()[0] == "heard"
    ways = WORDING.ways("heard")
    assert feedback.sentences[0] in {way.format(said="that slows the brewing down a lot") for way in ways}


def test_what_was_said_wrong_is_quoted_and_not_put_right() -> None:
    """A contradiction is named in the candidate's own words, as worth checking, before what is missing."""
    feedback = one("missing", misconception=QUOTES[0])
    assert "cold water is always best for every tea" in feedback.text
    assert "steeping" not in feedback.text


@pytest.mark.parametrize(
    ("statuses", "probability", "told"),
    [
        (("missing", "missing", "missing"), 0.55, True),
        (("missing", "missing", "missing"), 0.45, False),
        (("covered", "covered", "missing", "missing"), 0.55, False),
        (("covered", "covered", "missing", "missing"), 0.7, True),
        (("covered", "covered", "covered", "covered"), 0.7, False),
        (("covered", "covered", "covered", "covered"), 0.85, True),
    ],
)
def test_the_better_an_answer_the_surer_a_doubt_must_be(
    statuses: tuple[str, ...], probability: float, *, told: bool
) -> None:
    """Somebody who answers well is not told to think again on a guess; the report still has every verdict."""
    judged = evaluation(statuses)
    wrong = Verdict(
        point="Milk goes into every tea",
        kind="misconception",
        status="contradicted",
        probability=probability,
        rule="test",
        quote=_quote(QUOTES[0], 9),
    )
    judged = judged.model_copy(update={"verdicts": (*judged.verdicts, wrong)})
    assert judged.contradictions == (wrong,)
    assert bool(judged.doubts) is told
    assert (QUOTES[0] in compose(judged, about(), Manner(turn=0, wording=WORDING)).text) is told


def test_the_same_words_are_not_both_good_and_doubtful() -> None:
    """When a point and a misconception rest on one stretch, only the doubt quotes it."""
    stretch = Quote(text="I keep the leaves in a dark tin", first_word=0, last_word=7)
    verdicts = [
        Verdict(point=POINTS[0], status="covered", probability=1, rule="test", quote=stretch),
        Verdict(
            point="Any tin will do", kind="misconception", status="contradicted", probability=1, rule="t", quote=stretch
        ),
    ]
    judged = evaluation([]).model_copy(update={"verdicts": tuple(verdicts), "scores": score(verdicts)})
    assert compose(judged, about(), Manner(turn=0, wording=WORDING)).text.count("dark tin") == 1


def test_not_knowing_is_honoured() -> None:
    """Somebody who says that they do not know is not told off, and gets a pointer."""
    for turn in range(8):
        feedback = one("missing", "missing", turn=turn, knows=False)
        assert feedback.structure in STRUCTURES["unknown"]
        assert "steeping times" in feedback.text


def test_a_guess_of_somebody_who_does_not_know_is_doubted_kindly() -> None:
    """Not knowing is honoured first, and the guess is named as worth checking."""
    for turn in range(8):
        feedback = one("missing", "contradicted", turn=turn, knows=False)
        assert feedback.structure in STRUCTURES["unsure"]
        assert "dark tin" in feedback.sentences[feedback.structure.split().index("gap")]


def test_who_did_not_know_but_said_something_right_hears_that() -> None:
    """Doubt at the beginning does not undo what came after it."""
    assert "dark tin" in one("covered", "missing", "missing", knows=False).text


def test_a_hint_that_was_given_is_acknowledged_gently() -> None:
    """Some time, only when there was one, and never as a reproach."""
    with_hint = interview([evaluation(["covered", "missing", "missing"], hints=1)] * 9)
    without = interview([evaluation(["covered", "missing", "missing"])] * 9)
    assert any("helped" in feedback.structure for feedback in with_hint)
    assert not any("helped" in feedback.structure for feedback in without)


def test_an_unscored_answer_gets_no_verdict_in_words() -> None:
    """Where nothing was judged, nothing is claimed."""
    assert one().structure in STRUCTURES["unscored"]


@pytest.mark.parametrize(
    ("statuses", "named"),
    [
        (["missing", "covered", "covered", "covered", "covered"], "situation"),
        (["covered", "missing", "covered", "covered", "covered"], "part"),
        (["covered", "covered", "missing", "missing", "covered"], "yourself"),
        (["covered", "covered", "covered", "covered", "missing"], "how it ended|its end"),
        (["covered", "covered", "covered", "missing", "missing"], "how it ended|its end"),
    ],
)
def test_of_a_story_the_part_that_is_open_is_named(statuses: list[str], named: str) -> None:
    """A part of which nothing was told comes first; no key point is read out."""
    heard = interview([evaluation(statuses)] * 20, story=[True] * 20)
    gaps = [
        said
        for feedback in heard
        for part, said in zip(feedback.structure.split(), feedback.sentences, strict=True)
        if part == "gap"
    ]
    assert gaps
    assert all(re.search(named, said) for said in gaps)
    assert not any(re.search(r"steeping|water|pot\b", feedback.text) for feedback in heard)


def test_of_a_story_more_is_asked_of_a_part_that_was_told() -> None:
    """Who told one action and not the other is not told that there was none."""
    heard = interview([evaluation(["covered", "covered", "covered", "missing", "covered"])] * 20, story=[True] * 20)
    ways = [*WORDING.ways("story.more")]
    said = " ".join(feedback.text for feedback in heard)
    assert any(way.format(what="what you did yourself") in said for way in ways)
    assert "still like to hear is what you did" not in said


def test_tones_are_finer_than_bands() -> None:
    """A near miss is not treated as a blank."""
    assert [tone_of(each) for each in (8.0, 6.0, 5.0, 4.0, 3.9)] == [
        "brief", "encouraging", "supportive", "supportive", "patient",
    ]  # fmt: skip
    assert [band_of(each) for each in (8.0, 7.9, 5.0, 4.9)] == ["high", "medium", "medium", "low"]


def test_a_structure_of_the_last_two_turns_is_avoided_and_the_last_one_above_all() -> None:
    """With three there is always a fresh one; with two, they alternate."""
    assert vary(["a", "b", "c"], 7, ["a", "b"]) == "c"
    assert vary(["a", "b"], 7, ["a", "b"]) == "a"
    assert vary(["a"], 7, ["a"]) == "a"


def test_every_wording_is_one_sentence_without_a_score_or_blame() -> None:
    """What is put together from them keeps to the gate, whatever it is filled with."""
    spoken = {name: ways for name, ways in WORDING.situations.items() if not name.startswith(("model", "tone", "lead"))}
    fragments = {"gap.idea", *(f"story.{part}" for part in (*get_args(StarPart), *get_args(WorkPart)))}
    for name in spoken.keys() - fragments:
        band = "high" if name in ("assent", "strength.brief") else "low"
        for way in spoken[name]:
            assert not feedback_gate(way, band), way
            assert re.fullmatch(r"(?:[A-Z][^.?!]*|\{truth\})(?:\.|\{truth\})|\{truth\}", way), way


def test_every_part_of_every_structure_has_words() -> None:
    """Enough of them that an interview of usual length need not say one twice."""
    for structures in STRUCTURES.values():
        for part in {part for structure in structures for part in structure.split()}:
            headings = {"strength": "strength.plain", "gap": "gap.patient"}
            assert len(WORDING.ways(headings.get(part, part))) >= 8
