"""Whole spoken interviews: `viva rehearse` with real servers, models and voices.

Needs livekit-server and the models that `make test` installs. Most rehearsals take two to three minutes, because people
cannot be interviewed faster than they speak; they are held once, side by side (`held`), and looked at by several tests.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from agent.model_files.prepare import ModelPaths
from agent.rehearsal.matching import word_errors
from domain.events import (
    AnswerJudged,
    AnswerMeasured,
    AnswerTaken,
    QuestionSelected,
    RecordingStarted,
    SettingChanged,
    SpeechStarted,
    Supervised,
)
from rag.profiles.store import ProfileStore
from speech import Recognizer
from tests.agent.rehearsal.test_personas_by_text import WEAK_AT_MOST
from tests.spoken.held import Held, share, words

pytestmark = [pytest.mark.slow, pytest.mark.spoken, pytest.mark.timeout(2700)]

CHOSEN_BEFORE_S = 2.0
"""A question that is chosen sooner after its turn was taken was chosen before, on a guess."""
MISHEARD = 0.12
"""Word error rate of Whisper base on this voice: 4 to 7% as a rule, twice that where an answer is full of terms."""
IN_A_ROW = 3
"""So many words may become others or vanish in a row by mishearing alone: "API" for "a P I", "N plus one"."""


@pytest.fixture
def strong(held: dict[str, Held]) -> Held:
    """A strong candidate, with the question selector held back."""
    return held["strong"]


def test_an_interview_completes_is_recorded_and_judged(strong: Held) -> None:
    """The rehearsal exits with 0, and says why if it does not."""
    assert (strong.code, strong.result.faults) == (0, []), strong.output


def test_a_candidate_is_greeted_by_name_and_told_that_it_is_recorded(strong: Held) -> None:
    """The first words in the room hold the name and the consent notice."""
    greeting = next(event for event in strong.events if isinstance(event, SpeechStarted))
    assert greeting.speech == "greeting"
    assert "Robin" in greeting.text
    assert "recorded" in greeting.text


def test_feedback_is_spoken_before_the_next_question_is_chosen(strong: Held) -> None:
    """With a selector slowed by seconds, the candidate hears feedback first, on every judged turn.

    A turn that was guessed long before the answer was over is left out: its question was chosen while nobody knew yet
    that it would be asked. It is told to the record in the moment in which the turn is taken.
    """
    judged = [turn for turn in strong.result.turns if turn.scores]
    taken = {
        event.turn: event.at - strong.result.started_at for event in strong.events if isinstance(event, AnswerTaken)
    }
    slow = [
        turn for turn in judged if turn.question_ready_s and turn.question_ready_s - taken[turn.turn] > CHOSEN_BEFORE_S
    ]
    assert slow
    for turn in slow:
        assert turn.feedback_start_s is not None
        assert turn.question_ready_s is not None
        assert turn.feedback_start_s < turn.question_ready_s
    for turn in judged:
        assert turn.feedback_ready_s is not None
        assert turn.question_ready_s is not None
        assert turn.feedback_ready_s <= turn.question_ready_s


def test_no_question_is_spoken_before_the_supervisor_has_decided(strong: Held) -> None:
    """Every question after the first begins to be played after the decision of its turn."""
    decided = {event.turn: event.at for event in strong.events if isinstance(event, Supervised)}
    asked = [e for e in strong.events if isinstance(e, SpeechStarted) and e.speech == "question" and e.turn > 0]
    assert asked
    assert all(event.at >= decided[event.turn] for event in asked)


def test_the_recording_holds_both_voices_each_on_its_channel(strong: Held, model_paths: ModelPaths) -> None:
    """Transcribed afresh, the right channel holds what the interviewer said, and nothing of the candidate."""
    assert strong.result.recording is not None
    _, right = channels(Path(strong.result.recording))
    on_right = words(transcribe(Recognizer.load(model_paths.whisper), right))
    assert share(words(" ".join(e.text for e in strong.events if isinstance(e, SpeechStarted))), on_right) >= 0.8
    assert share(words(" ".join(turn.said for turn in strong.result.turns)), on_right) < 0.5


@pytest.mark.parametrize("name", ["strong", "lecturing"])
def test_the_recording_holds_every_word_of_the_answers_and_no_other(
    name: str, held: dict[str, Held], model_paths: ModelPaths, record_property: Callable[[str, object], None]
) -> None:
    """Transcribed afresh, the left channel is the script but for misheard words: no passage lacks, none is new."""
    result = held[name].result
    assert result.recording is not None
    left, _ = channels(Path(result.recording))
    said = words(" ".join([*(turn.said for turn in result.turns), *result.lost]))
    found = words(transcribe(Recognizer.load(model_paths.whisper), left))
    error_rate = word_errors(said, found) / len(said)
    record_property("figure", f"{name}: {len(said)} words, word error rate of the recording {error_rate:.1%}")
    assert error_rate <= MISHEARD
    changes = SequenceMatcher(a=said, b=found, autojunk=False).get_opcodes()
    lacking = [said[a:b] for _, a, b, c, d in changes if (b - a) - (d - c) > IN_A_ROW]
    new = [found[c:d] for _, a, b, c, d in changes if (d - c) - (b - a) > IN_A_ROW]
    assert (lacking, new) == ([], [])


def test_a_strong_candidate_scores_well(strong: Held) -> None:
    """Three points and more above the weak candidate of test_personas_by_text.py, on the same pack."""
    assert strong.result.report is not None
    assert strong.result.report.overall_score is not None
    assert strong.result.report.overall_score >= WEAK_AT_MOST + 3


@pytest.mark.parametrize("name", ["strong", "hesitant"])
def test_every_quote_was_said(name: str, held: dict[str, Held]) -> None:
    """Each verdict's words are in the answer as it was recognised, at the place the record names."""
    events = held[name].events
    # Of every turn, also one that was taken back because the candidate went on: it was judged before they did.
    recognised = {event.turn: event.text.split() for event in events if isinstance(event, AnswerTaken)}
    for event in events:
        if not isinstance(event, AnswerJudged):
            continue
        judged = [word for span in event.spans for word in recognised[span.turn][span.first_word : span.last_word + 1]]
        for verdict in event.verdicts:
            if quote := verdict.quote:
                assert " ".join(judged[quote.first_word : quote.last_word + 1]) == quote.text


@pytest.mark.parametrize("name", ["strong", "lecturing"])
def test_difficulty_stays_where_the_rules_say(name: str, held: dict[str, Held]) -> None:
    """With less than five minutes left the difficulty does not move, however the answers go."""
    decisions = [event for event in held[name].events if isinstance(event, Supervised)]
    assert decisions
    assert {event.difficulty for event in decisions if event.remaining_s < 300} == {"medium"}


def test_a_killed_worker_comes_back_and_nothing_answered_is_asked_again(held: dict[str, Held]) -> None:
    """After a SIGKILL in mid-answer the interview goes on in the same room to a complete report and recording."""
    killed = held["killed"]
    assert (killed.code, killed.result.faults) == (0, []), killed.output
    assert killed.result.report is not None
    assert killed.result.report.resumed
    assert killed.result.report.answers
    assert sum(isinstance(event, RecordingStarted) for event in killed.events) == 2
    answered = {event.question_id for event in killed.events if isinstance(event, AnswerJudged)}
    last_judged = {
        q: max(e.at for e in killed.events if isinstance(e, AnswerJudged) and e.question_id == q) for q in answered
    }
    for event in killed.events:
        if isinstance(event, SpeechStarted) and event.speech == "question" and event.question_id in answered:
            assert event.at < last_judged[event.question_id]


def test_a_candidate_with_a_resume_leads_to_their_projects_and_back(held: dict[str, Held]) -> None:
    """By voice: a new candidate's résumé is read, asked about when they ask for it, measured, and kept of them."""
    applying = held["applying"]
    assert (applying.code, applying.result.faults) == (0, []), applying.output
    changed = [event.value for event in applying.events if isinstance(event, SettingChanged) and event.what == "mode"]
    assert changed == ["resume", "plan", "resume"]
    asked = [event for event in applying.events if isinstance(event, QuestionSelected)]
    assert [event.source for event in asked][:2] == ["plan", "resume"]
    measured = [event.metrics for event in applying.events if isinstance(event, AnswerMeasured)]
    assert any(each and each.reasoning_depth > 0 for each in measured)

    store = ProfileStore(applying.record.parent / "profiles.sqlite")
    try:
        person = store.person("nadia")
    finally:
        store.close()
    assert person is not None
    assert {"Go", "PostgreSQL"} <= set(person.profile.skills)
    assert person.achievement.answers_scored >= 1


def test_silence_is_met_with_patience_and_then_an_end(held: dict[str, Held]) -> None:
    """Nobody speaks: a gentle word, an offer, and an end with a complete record; silence is never judged."""
    silent = held["silent"]
    assert (silent.code, silent.result.faults) == (0, []), silent.output
    assert silent.result.end_reason == "silence"
    said = [event.text for event in silent.events if isinstance(event, SpeechStarted)]
    assert any("Take your time" in text or "No hurry" in text for text in said)
    assert "I can't hear you any more" in said[-1], "the goodbye is in the record as well"
    assert not any(isinstance(event, AnswerJudged) for event in silent.events)


def test_a_candidate_who_leaves_in_mid_word_keeps_their_record(held: dict[str, Held]) -> None:
    """The line is cut while they speak: the interview waits, ends, and what was said before is recorded."""
    leaving = held["leaving"]
    assert (leaving.code, leaving.result.faults) == (0, []), leaving.output
    assert leaving.result.end_reason == "candidate_left"
    assert leaving.result.recording is not None


def channels(path: Path) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Left and right of a recording at 16 kHz."""
    with av.open(str(path)) as container:
        resampler = av.AudioResampler(format="fltp", layout="stereo", rate=16_000)
        frames = [out for frame in container.decode(audio=0) for out in resampler.resample(frame)]
    sound = np.concatenate([frame.to_ndarray() for frame in frames], axis=1)
    return sound[0].astype(np.float32), sound[1].astype(np.float32)


def transcribe(recognizer: Recognizer, sound: NDArray[np.float32], piece_s: int = 20) -> str:
    """Everything that is said on a channel, cut where it is quietest."""
    heard: list[str] = []
    start, rate = 0, 16_000
    while start < len(sound):
        end = min(start + piece_s * rate, len(sound))
        if end < len(sound):
            window = np.abs(sound[end - 5 * rate : end]).reshape(-1, rate // 10).mean(axis=1)
            end = end - 5 * rate + int(window.argmin()) * (rate // 10) + rate // 20
        heard.append(recognizer.transcribe(sound[start:end]).text)
        start = end
    return " ".join(heard)
