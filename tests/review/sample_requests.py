"""Believable interviews in which the candidate asks for things, by voice and by text, without a room."""

from __future__ import annotations

from domain.events import (
    CandidateJoined,
    Event,
    FeedbackReady,
    FellBack,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    PlanMade,
    RecordingFinished,
    RecordingStarted,
    ReviewReleased,
    ReviewRequested,
    SettingChanged,
)
from domain.verdict import AnswerSpan
from domain.vocabulary import Medium
from review.audio.finishing import RECORDING_NAME as RECORDING
from tests.review.script import Script, TextScript, scores, verdict

CACHING = "What do you gain from a cache, and what do you pay for it?"
SEARCH = "How fast is a search in a balanced tree, and why?"
CONSENSUS = "What does a leader in a consensus protocol do?"
RETRIES = "When is it safe to try a failed request again?"

CAUSES = "A cache keeps results near, so reads are faster."
COSTS = "The price is stale data when the source changes."
ASIDE = "Could I have a hint?"
FEEDBACK = ("You named both sides of it.", "Say how entries are made invalid, too.")
"""A model's sentences, each spoken as soon as it is complete."""
WRONG = "It takes linear time, because every node may be visited."
RIGHT = "I want to correct my last answer. It takes logarithmic time, since each step halves what is left."
WITHDRAWN = "You can always try again. No, scrap that."
KEPT = "It is safe when the request is idempotent, so that doing it twice changes nothing."
LAST = "Can we have something easier?"


def requests_by_voice(start_at: float) -> list[Event]:
    """An interview by voice with a hint, a correction, an answer of which a part is taken back, and more requests."""
    script = Script(start_at)
    _begin(script, "voice")
    script.add(RecordingStarted(at=script.now, path="piece-1.ogg"))
    _conversation(script)
    started = next(event.at for event in script.events if isinstance(event, RecordingStarted))
    length_s = round(script.now - started, 3)
    script.add(RecordingFinished(at=script.now + 0.4, path=RECORDING, started_at=started, duration_s=length_s))
    return sorted(script.events, key=lambda event: event.at)


def requests_by_text(start_at: float) -> list[Event]:
    """The same interview by text: in the order of the record, many events at the same time."""
    script = TextScript(start_at)
    _begin(script, "text")
    _conversation(script)
    return script.events


def _begin(script: Script, medium: Medium) -> None:
    script.add(
        InterviewCreated(
            at=script.now,
            candidate_name="Ada",
            pack="distributed-systems",
            pack_title="Distributed systems",
            minutes=20,
            feedback="coach",
            room="viva-requests" if medium == "voice" else "",
            medium=medium,
            focus_topics=["caching"],
        )
    )
    if medium == "voice":
        script.wait(2.0)
        script.add(CandidateJoined(at=script.now, identity="candidate"))
    script.add(InterviewStarted(at=script.now, judge="built-in"))
    script.add(
        PlanMade(
            at=script.now,
            topics=["caching", "search", "caching", "consensus", "retries"],
            topic_titles=["Caches", "Search trees", "Caches", "Consensus", "Retries and idempotence"],
            difficulty_curve=["medium", "medium", "hard", "hard", "hard"],
            target_questions=5,
            by="rules",
        )
    )


def _conversation(script: Script) -> None:
    script.interviewer("greeting", "Hello Ada. Let us talk about distributed systems.", 0)
    _answer_over_two_turns(script)
    _correction(script)
    _unsure_request_and_skip(script)
    _answer_with_a_part_taken_back(script)
    script.add(InterviewEnded(at=script.now + 0.1, reason="stopped"))
    script.wait(0.1)


def _answer_over_two_turns(script: Script) -> None:
    script.selected(0, "ds-caching", CACHING, topic="caching", topic_title="Caches")
    script.interviewer("question", CACHING, 0, "ds-caching")
    script.wait(1.5)
    first = script.candidate(f"{CAUSES} {ASIDE}")
    script.taken(1, "ds-caching", first, "hint")
    script.wait(0.3)
    script.interviewer("reply", "Think of what happens when the source changes.", 1, "ds-caching")
    script.wait(2.0)
    second = script.candidate(COSTS)
    script.taken(2, "ds-caching", second)
    kept = len(CAUSES.split())
    judged = [*first[:kept], *second]
    verdicts = [
        verdict(judged, "Reads become faster because results are near", "covered", "reads are faster"),
        verdict(judged, "Cached data can be stale", "covered", "stale data when the source changes"),
        verdict(judged, "Invalidation is the hard part", "missing"),
    ]
    spans = [span(1, 0, kept - 1), span(2, 0, len(second) - 1)]
    script.judged(2, "ds-caching", verdicts, scores(7.0), topic="caching", spans=spans, hints=1)
    script.add(ReviewRequested(at=script.now, turn=2, why="Every turn of this interview is looked at."))
    script.add(ReviewReleased(at=script.now, turn=2, by="Grace", note="The verdicts fit."))
    script.interviewer("feedback", FEEDBACK[0], 2)
    script.add(FeedbackReady(at=script.now, turn=2, text=" ".join(FEEDBACK), structure="model"))
    script.interviewer("feedback", FEEDBACK[1], 2)
    script.selected(2, "ds-search", SEARCH, topic="search", topic_title="Search trees")
    script.supervised(2, 1, "medium", 7.0, 1000.0)


def _correction(script: Script) -> None:
    script.interviewer("question", SEARCH, 2, "ds-search")
    script.wait(1.2)
    wrong = script.candidate(WRONG)
    script.taken(3, "ds-search", wrong)
    verdicts = [
        verdict(wrong, "The search takes logarithmic time", "contradicted", "takes linear time"),
        verdict(wrong, "Each step halves what is left", "missing"),
    ]
    script.judged(3, "ds-search", verdicts, scores(1.6), topic="search")
    script.feedback(3, "Think about how much each step leaves over.")
    script.selected(3, "ds-consensus", CONSENSUS, topic="consensus", difficulty="hard", topic_title="Consensus")
    script.interviewer("question", CONSENSUS, 3, "ds-consensus")
    script.wait(1.2)
    right = script.candidate(RIGHT)
    script.taken(4, "ds-consensus", right, "correct_myself")
    first = RIGHT.split().index("It")
    judged = right[first:]
    verdicts = [
        verdict(judged, "The search takes logarithmic time", "covered", "It takes logarithmic time"),
        verdict(judged, "Each step halves what is left", "covered", "each step halves what is left"),
    ]
    script.judged(
        4,
        "ds-search",
        verdicts,
        scores(9.0),
        topic="search",
        spans=[span(4, first, len(right) - 1)],
        replaces_turn=3,
    )
    script.feedback(4, "Yes, that is right.")
    script.interviewer("question", CONSENSUS, 4, "ds-consensus")


def _unsure_request_and_skip(script: Script) -> None:
    script.wait(1.2)
    unsure = script.candidate("I would pass on this.")
    script.taken(5, "ds-consensus", unsure, "skip", confidence=0.55, asked=True)
    script.interviewer("reply", "Did you mean that we should skip this question?", 5, "ds-consensus")
    script.wait(1.2)
    script.taken(6, "ds-consensus", script.candidate("Yes please."), "skip", confidence=1.0)
    script.interviewer("reply", "All right, we leave that one out.", 6)
    script.add(FellBack(at=script.now, turn=6, agent="question_selector", why="No usable reply."))
    script.selected(6, "ds-retries", RETRIES, topic="retries", difficulty="hard", topic_title="Retries and idempotence")
    script.supervised(6, 3, "hard", 7.4, 700.0)


def _answer_with_a_part_taken_back(script: Script) -> None:
    script.interviewer("question", RETRIES, 6, "ds-retries")
    script.wait(1.3)
    said = script.candidate(f"{WITHDRAWN} {KEPT} {LAST}")
    script.taken(7, "ds-retries", said, "easier")
    first, last = len(WITHDRAWN.split()), len(said) - len(LAST.split()) - 1
    judged = said[first : last + 1]
    verdicts = [
        verdict(judged, "A retry is safe when the request is idempotent", "partly", "when the request is idempotent"),
        verdict(judged, "A time-out does not say whether the request was carried out", "missing"),
        verdict(judged, "Retries need growing pauses, so that they do not add to an overload", "missing"),
    ]
    script.judged(
        7,
        "ds-retries",
        verdicts,
        scores(5.0),
        topic="retries",
        difficulty="hard",
        spans=[span(7, first, last)],
        fallback=True,
    )
    script.feedback(7, "Idempotent is the word. A time-out alone tells you little.")
    script.add(SettingChanged(at=script.now, turn=7, what="difficulty", value="medium"))
    script.add(SettingChanged(at=script.now, turn=7, what="pace", value="0.85"))
    script.interviewer("reply", "Then the next one is easier.", 7)
    script.selected(7, "ds-replicas", "What is a replica?", topic="caching", topic_title="Caches")
    script.interviewer("question", "What is a replica?", 7, "ds-replicas")
    script.wait(1.2)
    script.taken(8, "ds-replicas", script.candidate("Let us stop here."), "stop")
    script.interviewer("closing", "Thank you, Ada. Your report is ready.", 8)


def span(turn: int, first_word: int, last_word: int) -> AnswerSpan:
    """Words of a turn, from 0 and inclusive."""
    return AnswerSpan(turn=turn, first_word=first_word, last_word=last_word)
