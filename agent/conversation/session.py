"""Session of LiveKit's: each default that misbehaves offline or in an interview, set, with its reason."""

from __future__ import annotations

from livekit.agents import AgentSession, TurnHandlingOptions, vad
from livekit.agents.voice.room_io import AudioInputOptions, RoomOptions

from agent.conversation.barge_in import INTO_A_QUESTION_S, RESUMES_S
from agent.conversation.interviewer import NoModel
from agent.endpointing.detector import EndOfTurnDetector
from speech import PiperTTS, WhisperSTT

FRAME_MS = 20
"""Sound of the room comes in pieces this long."""


def make_session(
    detector: vad.VAD,
    whisper: WhisperSTT,
    voice: PiperTTS,
    turn_detector: EndOfTurnDetector,
    *,
    longest_answer_s: float,
) -> AgentSession[None]:
    """A conversation with this recognizer and this voice. Whoever speaks for longer than that is kindly stopped.

    `detector` says by its `speech_duration` when somebody speaks over the interviewer (`voice_activity`).
    """
    return AgentSession(
        stt=whisper,
        tts=voice,
        vad=detector,
        llm=NoModel(),
        # Captions follow the voice and show what is written; wording knows Markdown itself, and waits for nothing.
        use_tts_aligned_transcript=True,
        tts_text_transforms=None,
        turn_handling=turn_handling(turn_detector, longest_answer_s),
        # Three seconds at the start in which the candidate would not be heard at all; the browser cancels echo itself.
        aec_warmup_duration=None,
        # After 15 s of thinking a candidate would count as away. Silence has its own rule (`silence`).
        user_away_timeout=None,
    )


def turn_handling(turn_detector: EndOfTurnDetector, longest_answer_s: float) -> TurnHandlingOptions:
    """When an answer is over, and what an interruption is."""
    return TurnHandlingOptions(
        # Ours, because in development mode LiveKit otherwise looks for a detector in its cloud.
        turn_detection=turn_detector,
        # The detector itself waits for as long as this answer is given, so nothing is added to that.
        endpointing={"mode": "fixed", "min_delay": 0.0, "max_delay": 0.0},
        interruption={
            # "adaptive" asks LiveKit's cloud.
            "mode": "vad",
            "enabled": True,
            # This and the timeout are set anew with each line that is spoken (`interruptions`).
            "min_duration": INTO_A_QUESTION_S,
            # A cough pauses the interviewer; with no words behind it the voice goes on after this long.
            "resume_false_interruption": True,
            "false_interruption_timeout": RESUMES_S,
        },
        # LiveKit would run `llm_node` for a turn that may not be one; `Guesses` works ahead on a fork instead.
        preemptive_generation={"enabled": False},
        user_turn_limit={"max_duration": longest_answer_s},
    )


def room_options(candidate: str) -> RoomOptions:
    """Who is heard in the room, and what happens when they leave."""
    return RoomOptions(
        participant_identity=candidate,
        # A reloaded page must find its interview still there; an empty room is ended by a timer of ours.
        close_on_disconnect=False,
        # Text typed into the room would bypass the record of what was said.
        text_input=False,
        # By default sound comes in pieces of 50 ms, and a word is noticed as much later.
        audio_input=AudioInputOptions(frame_size_ms=FRAME_MS),
    )
