"""What Viva's voice is measured against: LiveKit's parts as they come, one after the other, around the same interview.

A worker of its own, `python -m bench.voice.default_cascade`. It hears with plain faster-whisper on whole utterances
(`stt.StreamAdapter`, Silero's detector as it comes), takes turns by that detector with LiveKit's own delays, runs the
nodes of a turn one after the other, speaks when the question is ready as well, and says it sentence by sentence with
Piper. Where LiveKit's default would cost it something that is no part of this comparison, it is set as Viva sets it: no
cloud, no deafness at the start. Model, quantisation, threads and greedy decoding are Viva's.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import lru_cache
from typing import Any, Never

import numpy as np
from livekit import rtc
from livekit.agents import (
    Agent,
    AgentServer,
    AgentSession,
    APIConnectOptions,
    FlushSentinel,
    JobContext,
    JobExecutorType,
    JobProcess,
    LanguageCode,
    ModelSettings,
    TurnHandlingOptions,
    llm,
    stt,
    tts,
    utils,
)
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN, NotGivenOr
from livekit.plugins import silero

from agent.conversation.interviewer import NoModel
from agent.interviews.context import make_context
from agent.interviews.resources import InterviewResources, load_interview_resources
from agent.model_files.prepare import ensure_models
from agent.settings import Settings, load_settings
from bench.parallel_turn import in_sequence
from domain.events import nobody
from domain.progress import Setup
from domain.say import Say
from graph import Interview, open_checkpointer
from speech.audio import resampled

AGENT_NAME = "default-cascade"
PACK = "backend"
_RATE_HZ = 16_000
_THREADS = 2
_MINUTES = 60


class BatchWhisper(stt.STT[Never]):
    """faster-whisper on one whole utterance."""

    def __init__(self, model: Any) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))
        self._model = model

    async def _recognize_impl(
        self,
        buffer: utils.AudioBuffer,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,  # noqa: ARG002 (the framework's signature)
        conn_options: APIConnectOptions,  # noqa: ARG002
    ) -> stt.SpeechEvent:
        frame = utils.merge_frames(buffer)
        text = await asyncio.to_thread(self._transcribe, frame)
        data = stt.SpeechData(language=LanguageCode("en"), text=text)
        return stt.SpeechEvent(stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[data])

    def _transcribe(self, frame: rtc.AudioFrame) -> str:
        # A session in a room hears at 24 kHz.
        heard = resampled(np.frombuffer(frame.data, dtype=np.int16), frame.sample_rate, _RATE_HZ)
        pcm = heard.astype(np.float32) / 32768
        segments, _ = self._model.transcribe(pcm, language="en", beam_size=1, without_timestamps=True)
        return " ".join(segment.text.strip() for segment in segments)


class SentencePiper(tts.TTS[Never]):
    """Piper on one whole sentence; LiveKit cuts the text into sentences."""

    def __init__(self, voice: Any) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=voice.config.sample_rate, num_channels=1
        )
        self.voice = voice

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        """Say a sentence."""
        return _Sentence(tts=self, input_text=text, conn_options=conn_options)


class _Sentence(tts.ChunkedStream):
    _tts: SentencePiper

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=utils.shortuuid(), sample_rate=self._tts.sample_rate, num_channels=1, mime_type="audio/pcm"
        )
        output_emitter.push(await asyncio.to_thread(self._said))
        output_emitter.flush()

    def _said(self) -> bytes:
        chunks = self._tts.voice.synthesize(self.input_text)
        return b"".join(chunk.audio_int16_bytes for chunk in chunks)


class DefaultInterviewer(Agent):
    """The interview's words, all of a turn at once."""

    def __init__(self, interview: Interview) -> None:
        super().__init__(instructions="")
        self._interview = interview
        self._turn = 0
        self._begun = False

    async def on_enter(self) -> None:
        """Greet."""
        self.session.generate_reply()

    async def llm_node(
        self,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool],  # noqa: ARG002 (the signature is LiveKit's)
        model_settings: ModelSettings,  # noqa: ARG002
    ) -> AsyncIterator[str | FlushSentinel]:
        """Feedback waits until the question is there, as it does behind a model that is asked for one reply."""
        says = [say async for say in self._says(chat_ctx)]
        for say in says:
            yield say.text
            # Nothing waits for this: all is there. It only gives each part a caption by which it is measured.
            yield FlushSentinel()

    async def _says(self, chat_ctx: llm.ChatContext) -> AsyncIterator[Say]:
        if not self._begun:
            self._begun = True
            async for say in self._interview.begin():
                yield say
            return
        said = next((message for message in reversed(chat_ctx.messages()) if message.role == "user"), None)
        if said is not None and said.text_content:
            self._turn += 1
            async for say in self._interview.answer(said.text_content, self._turn):
                yield say


class _Models:
    """What all interviews of the process share, as Viva's do."""

    def __init__(self, settings: Settings) -> None:
        from faster_whisper import WhisperModel  # noqa: PLC0415 (takes seconds to import)
        from piper import PiperVoice  # noqa: PLC0415

        paths = ensure_models(settings)
        self.whisper = WhisperModel(str(paths.whisper), device="cpu", compute_type="int8", cpu_threads=_THREADS)
        self.voice = PiperVoice.load(str(paths.voice))
        self.vad = silero.VAD.load()
        self.resources: InterviewResources = load_interview_resources(settings)
        self._warm_up()

    def _warm_up(self) -> None:
        segments, _ = self.whisper.transcribe(np.zeros(_RATE_HZ, np.float32), language="en", beam_size=1)
        list(segments)
        list(self.voice.synthesize("Ready."))


@lru_cache(maxsize=1)
def _settings() -> Settings:
    return load_settings()


@lru_cache(maxsize=1)
def _models() -> _Models:
    return _Models(_settings())


def make_session(models: _Models) -> AgentSession[None]:
    """The default's parts."""
    return AgentSession(
        stt=stt.StreamAdapter(stt=BatchWhisper(models.whisper), vad=models.vad),
        tts=SentencePiper(models.voice),
        vad=models.vad,
        llm=NoModel(),
        turn_handling=TurnHandlingOptions(
            turn_detection="vad",
            # Its delays are LiveKit's own. "adaptive" would ask LiveKit's cloud.
            interruption={"mode": "vad"},
            # A guess would run the graph, and its checkpoints would count the turn twice. With this hearing it brings
            # nothing: the words are known only when the turn is over.
            preemptive_generation={"enabled": False},
        ),
        # Three seconds in which nobody could interrupt.
        aec_warmup_duration=None,
    )


async def _hold(ctx: JobContext) -> None:
    settings, models = _settings(), _models()
    resources = models.resources
    await ctx.connect()
    context = await make_context(settings, resources, resources.packs[PACK], nobody, time.time)
    opened = AsyncExitStack()
    graph = in_sequence(await opened.enter_async_context(open_checkpointer(settings.checkpoints)))
    interview = Interview(graph, context, Setup(ctx.job.metadata, "Robin", _MINUTES))
    session = make_session(models)
    session.on("close", lambda _: ctx.shutdown())

    async def close(*_: object) -> None:
        await session.aclose()
        interview.forget()
        await opened.aclose()

    ctx.add_shutdown_callback(close)
    await session.start(DefaultInterviewer(interview), room=ctx.room, record=False)


def _prepare(process: JobProcess) -> None:
    process.userdata["models"] = _models()


def make_server(settings: Settings) -> AgentServer:
    """The worker, set up as Viva's."""
    server = AgentServer(
        ws_url=settings.livekit_ws_url,
        api_key=settings.livekit_key,
        api_secret=settings.livekit_secret,
        host=settings.host,
        port=settings.worker_port,
        job_executor_type=JobExecutorType.THREAD,
        num_idle_processes=1,
        initialize_process_timeout=120.0,
        job_memory_warn_mb=4000,
        load_fnc=lambda: 0.0,
        setup_fnc=_prepare,
    )
    server.rtc_session(_hold, agent_name=AGENT_NAME)
    return server


async def _serve(settings: Settings) -> None:
    server = make_server(settings)
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    server.on("worker_registered", lambda *_: _mark_ready(settings))
    serving, stopping = loop.create_task(server.run()), loop.create_task(stopped.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    await server.aclose()
    await serving


def _mark_ready(settings: Settings) -> None:
    settings.worker_ready_path.parent.mkdir(parents=True, exist_ok=True)
    settings.worker_ready_path.write_text(str(os.getpid()), encoding="utf-8")


def main() -> None:
    """Serve until told to stop, with the settings of the environment."""
    settings = _settings()
    _models()
    asyncio.run(_serve(settings))


if __name__ == "__main__":
    main()
