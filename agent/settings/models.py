"""Models: what hears, speaks, compares, judges and words."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agent.settings.part import LanguageModel, Seconds, SettingsPart


class ModelChoices(SettingsPart):
    """Which models do the work, and what they are used for."""

    whisper: Annotated[str, Field(min_length=1)] = "base"
    """What hears: base, tiny, or the folder of a CTranslate2 Whisper model."""
    whisper_device: Literal["cpu", "cuda", "auto"] = "cpu"
    """Where it runs: cpu, a graphics card with cuda, or auto for the card if there is one."""
    whisper_compute_type: Literal[
        "int8", "int8_float32", "int8_float16", "int8_bfloat16", "int16", "float16", "bfloat16", "float32", "auto"
    ] = "int8"
    """How it calculates, as CTranslate2 calls it: int8 is the fastest on a CPU, float16 or int8_float16 on a card."""
    end_of_turn: Annotated[str, Field(min_length=1)] = "smart-turn"
    """What hears by the melody whether an answer is over: smart-turn, or the .onnx file of a Smart Turn v3 model."""
    voice: Annotated[str, Field(min_length=1)] = "joe"
    """What speaks: a voice of `viva voices list`, the folder of one, or the .onnx file of a Piper voice."""
    embedder: Annotated[str, Field(min_length=1)] = "minilm"
    """What compares texts: minilm, or the folder of a model that was saved by sentence-transformers."""
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}|auto)$")] = "en"
    """Language that is spoken, as Whisper's code for it; auto writes down whatever is spoken."""
    executor: Literal["thread", "process"] = "thread"
    """How interviews share the worker: threads with one set of models, or a process with its own models each."""
    judge: Literal["auto", "built-in", "model"] = "auto"
    """Who judges answers: the built-in judge, a language model, or (auto) the model from when one is there."""
    ollama_url: Annotated[str, Field(pattern=r"^https?://\S+$")] = "http://127.0.0.1:11434"
    """Address of Ollama."""
    complex_model: LanguageModel = "ollama:qwen2.5:14b"
    """Language model for what needs care (judging, planning, follow-ups): provider:model, or nothing for none."""
    fast_model: LanguageModel = "ollama:qwen2.5:7b"
    """Language model for what must be quick (feedback, choosing, reviewing verdicts): provider:model, or nothing."""
    model_timeout_s: Seconds = 15
    """Seconds that a call of the language model may take."""
    model_intents: bool = True
    """A language model, where there is one, helps to tell answers from requests when the rules are unsure."""
    model_feedback: bool = False
    """A language model words the feedback; without it, feedback is composed from the verdicts."""
