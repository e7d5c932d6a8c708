"""A believable interview without a room: for tests, and for looking at the pages.

`sample_events` gives its events. Run as a program, it writes a data folder that the web pages can be opened on, with a
record and a stereo recording in which every spoken word is a tone at the word's time, and serves it if asked to:

    python -m tests.review.sample_interview FOLDER [--serve PORT]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import uvicorn
from fastapi import FastAPI
from numpy.typing import NDArray

from domain.events import (
    AnswerJudged,
    CandidateJoined,
    Event,
    InterviewCreated,
    InterviewEnded,
    InterviewStarted,
    ProblemNoticed,
    RecordingFinished,
    RecordingStarted,
    SpeechEnded,
    SpeechStarted,
    Supervised,
    UtteranceHeard,
    Word,
)
from review import RecordStore, StereoRecorder, interview_dir, mount_pages
from review.audio.finishing import RECORDING_NAME as RECORDING
from review.audio.recorder import QUEUE_FRAMES
from review.http.routes import routes
from tests.review.sample_requests import requests_by_text, requests_by_voice
from tests.review.script import Script, scores, spoken, verdict

RATE = 48_000
"""Hertz."""

CRASH_S = 6.4
"""How long nobody was in the room after the worker died."""

FIRST_QUESTION = "How do you notice that a model overfits, and what do you do about it?"
FOLLOW_UP = "You said that you would add dropout. What does dropout change during training?"
SECOND_QUESTION = "Why is accuracy a poor measure when one class is rare, and what would you look at instead?"
THIRD_QUESTION = "How does a gradient boosted ensemble differ from a random forest?"


def sample_events(start_at: float) -> list[Event]:
    """An interview in practice mode, in the order it was recorded: three questions, a follow-up, and trouble.

    The first answer goes on into the feedback (its turn is replaced), the candidate speaks into the follow-up, the
    worker dies while they answer and another one resumes, one question is asked to be repeated, and the last answer is
    too thin to be scored. `start_at` is the time of its creation in seconds since the epoch.
    """
    script = Script(start_at)
    _beginning(script)
    _first_question(script)
    _follow_up_with_crash(script)
    _second_question(script)
    _third_question(script)
    return sorted(script.events, key=lambda event: event.at)


def _beginning(script: Script) -> None:
    script.add(
        InterviewCreated(
            at=script.now,
            candidate_name="Ada",
            pack="machine-learning",
            pack_title="Machine learning",
            minutes=10,
            feedback="coach",
            room="viva-sample",
        )
    )
    script.wait(3.2)
    script.add(CandidateJoined(at=script.now, identity="candidate"))
    script.add(RecordingStarted(at=script.now + 0.05, path="piece-1.ogg"))
    script.wait(0.4)
    script.add(InterviewStarted(at=script.now, judge="built-in"))
    script.interviewer(
        "greeting",
        "Hello Ada, good to meet you. This interview about machine learning is recorded, so that you can replay it.",
        0,
    )
    script.selected(0, "ml-overfitting", FIRST_QUESTION)
    script.wait(0.3)
    script.interviewer("question", FIRST_QUESTION, 0, "ml-overfitting")


def _first_question(script: Script) -> None:
    script.wait(1.9)
    first = script.candidate(
        "I compare the training error with the validation error. "
        "When the training error keeps falling and the validation error rises, the model overfits."
    )
    script.taken(1, "ml-overfitting", first)
    point = "The gap between training and validation error grows"
    quote = "the validation error rises"
    script.judged(1, "ml-overfitting", [verdict(first, point, "covered", quote)], scores(5.4))
    script.feedback(1, "Good, the two curves are the right place to look. You did not say what", heard_words=6)
    second = script.candidate("And then I would add dropout, or stop the training early, or get more data.")
    answer = [*first, *second]
    script.taken(1, "ml-overfitting", answer, continues=True)
    verdicts = [
        verdict(answer, point, "covered", quote),
        verdict(answer, "Regularisation reduces overfitting", "partly", "I would add dropout"),
        verdict(answer, "More or augmented data reduces overfitting", "covered", "get more data"),
        verdict(answer, "Cross-validation makes the estimate reliable", "missing"),
    ]
    script.judged(1, "ml-overfitting", verdicts, scores(7.2))
    script.feedback(1, "Right, the curves tell you, and early stopping helps. Cross-validation was missing.")
    script.selected(1, "ml-overfitting-f1", FOLLOW_UP, follow_up=True)
    script.supervised(1, 1, "medium", 7.2, 540.0)
    script.wait(0.2)


def _follow_up_with_crash(script: Script) -> None:
    script.interviewer("question", FOLLOW_UP, 1, "ml-overfitting-f1", heard_words=10)
    first = script.candidate("It switches off random units at every step,")
    script.wait(1.4)
    script.add(InterviewStarted(at=script.now + CRASH_S, judge="built-in", resumed=True))
    script.wait(CRASH_S)
    script.add(RecordingStarted(at=script.now + 0.05, path="piece-2.ogg"))
    script.add(
        ProblemNoticed(
            at=script.now + 0.1,
            what="The interviewer stopped and was started again.",
            advice="What was said in between may be missing.",
        )
    )
    script.wait(0.4)
    script.interviewer("reply", "I am back. Please go on with your answer.", 2)
    script.wait(0.8)
    second = script.candidate("so the network cannot rely on any one of them, and it learns several ways to decide.")
    answer = [*first, *second]
    script.taken(2, "ml-overfitting-f1", answer)
    verdicts = [
        verdict(answer, "Dropout switches off random units in each step", "covered", "switches off random units"),
        verdict(answer, "Units cannot rely on each other", "covered", "cannot rely on any one of them"),
        verdict(answer, "At inference all units are used, scaled", "missing"),
    ]
    script.judged(2, "ml-overfitting-f1", verdicts, scores(7.8))
    script.feedback(2, "Yes, that is the idea. At inference every unit is used again.")
    script.selected(2, "ml-imbalance", SECOND_QUESTION, topic="evaluation", difficulty="hard")
    script.supervised(2, 2, "hard", 7.38, 470.0)
    script.wait(0.2)


def _second_question(script: Script) -> None:
    script.interviewer("question", SECOND_QUESTION, 2, "ml-imbalance")
    script.wait(1.1)
    request = script.candidate("Sorry, could you repeat the question?")
    script.taken(3, "ml-imbalance", request, "repeat")
    script.wait(0.3)
    script.interviewer("reply", "Of course. " + SECOND_QUESTION, 3, "ml-imbalance")
    script.wait(2.4)
    answer = script.candidate(
        "A model that always says no is almost always right. I would balance the classes, and then accuracy is fine."
    )
    script.taken(4, "ml-imbalance", answer)
    verdicts = [
        verdict(answer, "A constant guess has a high accuracy", "covered", "always says no is almost always right"),
        verdict(answer, "Precision and recall show what accuracy hides", "missing"),
        verdict(answer, "The precision-recall curve suits rare classes better than the ROC curve", "missing"),
        verdict(
            answer,
            "Balancing makes accuracy a good measure",
            "contradicted",
            "then accuracy is fine",
            misconception=True,
        ),
    ]
    script.judged(4, "ml-imbalance", verdicts, scores(3.6, 1.2), topic="evaluation", difficulty="hard")
    script.feedback(4, "You named the trap well. Balancing does not make accuracy safe, look at precision and recall.")
    script.selected(4, "ml-boosting", THIRD_QUESTION, topic="ensembles")
    script.supervised(4, 3, "medium", 6.25, 380.0)
    script.wait(0.2)


def _third_question(script: Script) -> None:
    script.interviewer("question", THIRD_QUESTION, 4, "ml-boosting")
    script.wait(4.0)
    answer = script.candidate("Um, I am not sure.")
    script.taken(5, "ml-boosting", answer)
    reason = "The answer was too short to judge."
    script.judged(5, "ml-boosting", [], None, topic="ensembles", not_scored=reason)
    script.feedback(5, "No problem, we leave that one out.")
    script.add(
        Supervised(
            at=script.now - 0.7,
            turn=5,
            goes_on=False,
            end_reason="completed",
            question_count=4,
            difficulty="medium",
            ema=6.25,
            remaining_s=330.0,
        )
    )
    script.wait(0.3)
    script.interviewer("closing", "That was the last question. Thank you, Ada, your report is ready.", 5)
    script.add(InterviewEnded(at=script.now + 0.1, reason="completed"))
    started = next(event.at for event in script.events if isinstance(event, RecordingStarted))
    ended = script.now + 0.1
    script.add(
        RecordingFinished(at=ended + 0.4, path=RECORDING, started_at=started, duration_s=round(ended - started, 3))
    )


def tones(events: Sequence[Event], started_at: float, duration_s: float) -> NDArray[np.int16]:
    """What the events say happened, as sound: samples by 2 (left candidate, right interviewer), 48 kHz."""
    sound = np.zeros((round(duration_s * RATE), 2), np.int16)
    for side, pitch_hz, word in _sounding(events):
        begin = round((word.start_at - started_at) * RATE)
        length = round((word.end_at - word.start_at) * RATE)
        time_s = np.arange(length) / RATE
        loudness = np.sin(np.pi * np.arange(length) / length) * (0.8 + 0.2 * np.sin(2 * np.pi * 9 * time_s))
        wave = np.sin(2 * np.pi * pitch_hz * time_s) + 0.4 * np.sin(2 * np.pi * 2.02 * pitch_hz * time_s)
        part = (6000 * loudness * wave).astype(np.int16)
        if begin >= 0:
            room = max(0, min(length, len(sound) - begin))
            sound[begin : begin + room, side] = part[:room]
    return sound


def _sounding(events: Sequence[Event]) -> Iterator[tuple[int, float, Word]]:
    """Every word that sounds: its channel, its pitch in Hz, and its times."""
    started: SpeechStarted | None = None
    for event in events:
        if isinstance(event, UtteranceHeard):
            yield from ((0, 210.0 + 7 * len(word.text), word) for word in event.words)
        elif isinstance(event, SpeechStarted):
            started = event
        elif isinstance(event, SpeechEnded) and started is not None:
            yield from ((1, 120.0 + 5 * len(word.text), word) for word in spoken(event.heard.split(), started.at))


def write_demo(folder: Path, now: float) -> str:
    """Write a data folder with interviews of every kind; the id of one that was finished by voice.

    One runs, one was only created, of one nothing is scored, and two are full of requests, by voice and by text.
    """
    store = RecordStore(folder / "record.sqlite")
    running = sample_events(now - 60)
    unscored = [event for event in sample_events(now - 90_000) if not isinstance(event, AnswerJudged)]
    demos: dict[str, list[Event]] = {
        "sample": sample_events(now - 900),
        "sample-requests": requests_by_voice(now - 5_000),
        "sample-text": requests_by_text(now - 9_000),
        "sample-running": [event for event in running if event.at < now],
        "sample-created": sample_events(now - 5)[:1],
        "sample-unscored": [event for event in unscored if not isinstance(event, RecordingFinished)],
    }
    for interview_id, events in demos.items():
        for event in events:
            store.append(interview_id, event)
    for interview_id in ("sample", "sample-requests"):
        events = demos[interview_id]
        recording = events[-1]
        assert isinstance(recording, RecordingFinished)
        record_tones(
            interview_dir(folder, interview_id) / RECORDING,
            tones(events, recording.started_at, recording.duration_s),
            recording.started_at,
        )
    store.close()
    return "sample"


def record_tones(path: Path, sound: NDArray[np.int16], started_at: float) -> None:
    """Put sound through a recorder, 10 ms at a time, as a room does."""
    now = [started_at]
    recorder = StereoRecorder(path, clock=lambda: now[0])
    frame = RATE // 100
    for begin in range(0, len(sound), frame):
        now[0] = started_at + begin / RATE
        recorder.write("candidate", sound[begin : begin + frame, 0], now[0])
        recorder.write("interviewer", sound[begin : begin + frame, 1], now[0])
        while recorder.waiting > QUEUE_FRAMES // 2:
            time.sleep(0.01)
    now[0] = started_at + len(sound) / RATE
    recorder.close()


def serve(folder: Path, port: int) -> None:
    """Serve the review calls and the pages on a data folder."""
    app = FastAPI(title="Viva, sample interviews")
    app.include_router(routes(RecordStore(folder / "record.sqlite"), folder))
    mount_pages(app)
    uvicorn.run(app, host="127.0.0.1", port=port)


def main() -> None:
    """Write the demo folder, and serve it if asked to."""
    parser = argparse.ArgumentParser(description="Write a data folder with sample interviews.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--serve", type=int, metavar="PORT", help="serve the review API on this port")
    arguments = parser.parse_args()
    interview_id = write_demo(arguments.folder, time.time())
    sys.stdout.write(f"{arguments.folder}: record.sqlite and interviews/{interview_id}/{RECORDING}\n")
    if arguments.serve:
        serve(arguments.folder, arguments.serve)


if __name__ == "__main__":
    main()
