"""How LiveKit runs the conversation: each default that misbehaves offline or in an interview, set, with its reason."""

from __future__ import annotations

from livekit.agents import AgentSession, TurnHandlingOptions
from livekit.agents.voice.room_io import RoomOptions

from agent.interviewer import NoModel
from agent.turn_taking import TurnTaking
from speech import PiperTTS, SpeechModels, WhisperSTT


def make_session(speech: SpeechModels, voice: PiperTTS) -> AgentSession[None]:
    """A conversation with Viva's hearing and this voice."""
    hearing = WhisperSTT(speech.hearing, speech.vad)
    return AgentSession(
        stt=hearing,
        tts=voice,
        vad=speech.vad,
        llm=NoModel(),
        # Captions follow the voice and show what is written; wording knows Markdown itself, and waits for nothing.
        use_tts_aligned_transcript=True,
        tts_text_transforms=None,
        turn_handling=turn_handling(TurnTaking(hearing.all_heard)),
        # Three seconds at the start in which the candidate would not be heard at all; the browser cancels echo itself.
        aec_warmup_duration=None,
        # After 15 s of thinking a candidate would count as away. Silence has its own rule (`silence`).
        user_away_timeout=None,
    )


def turn_handling(turn_taking: TurnTaking) -> TurnHandlingOptions:
    """When an answer is over, and what an interruption is."""
    return TurnHandlingOptions(
        # Ours, because in development mode LiveKit otherwise looks for a detector in its cloud.
        turn_detection=turn_taking,
        # Counted from the end of speech: the first when the answer sounds complete, the second when it does not. A
        # candidate who goes on after this is joined to what they said before, until the next question begins.
        endpointing={"mode": "fixed", "min_delay": 0.9, "max_delay": 3.0},
        interruption={
            # "adaptive" asks LiveKit's cloud.
            "mode": "vad",
            "enabled": True,
            "min_duration": 0.4,
            # A cough pauses the interviewer; with no words behind it the voice goes on after this long.
            "resume_false_interruption": True,
            "false_interruption_timeout": 1.5,
        },
        # A guess at the end of the turn would run the graph, and its checkpoints would count the turn twice.
        preemptive_generation={"enabled": False},
    )


def room_options(candidate: str) -> RoomOptions:
    """Who is heard in the room, and what happens when they leave."""
    return RoomOptions(
        participant_identity=candidate,
        # A reloaded page must find its interview still there; an empty room is ended by a timer of ours.
        close_on_disconnect=False,
        # Text typed into the room would bypass the record of what was said.
        text_input=False,
    )
