"""Voices as folders: each has a `voice.yaml` that says where its model is, what it speaks, and who may use it for what.

The setting `voice` names a folder of `assets/voices`, or is the path of such a folder, or of a Piper .onnx file, which
then is a voice without a description of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.model_files.manifest import MODELS
from agent.settings import PROJECT_DIR, Settings

VOICES_DIR = PROJECT_DIR / "assets" / "voices"
FILE = "voice.yaml"
_SLOWEST, _FASTEST = 0.5, 2.0
"""As `speech.tts.voice` has them, which is not imported here: onnxruntime takes a second."""
SAMPLE = "Hello, I'm Viva. Tell me about something that you have built."
"""What a voice without a description of its own is tried out with."""


class VoiceError(RuntimeError):
    """A voice cannot be used; the message says which, why, and what to do."""


class _Described(BaseModel):
    """What `voice.yaml` holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    model: Annotated[str, Field(min_length=1)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]
    licence: Annotated[str, Field(min_length=1)]
    source: Annotated[str, Field(min_length=1)]
    sample: Annotated[str, Field(min_length=1)]
    pace: Annotated[float, Field(ge=_SLOWEST, le=_FASTEST)] = 1.0


class VoiceDescription(BaseModel):
    """A voice that can be chosen."""

    model_config = ConfigDict(frozen=True)

    name: str
    model: str
    """A name of the manifest, or the path of an .onnx file, as `agent.model_files.prepare.ensure_model` takes it."""
    language: str = "as its model says"
    licence: str = "not known"
    source: str = "your own"
    sample: str = SAMPLE
    pace: float = 1.0
    """A factor on the model's own pace."""


def voices() -> list[VoiceDescription]:
    """The voices of `assets/voices`, by name.

    Raises:
        VoiceError: the description of one is broken.
    """
    return [_read(path.parent) for path in sorted(VOICES_DIR.glob(f"*/{FILE}"))]


def find_voice(name_or_path: str) -> VoiceDescription:
    """The voice that a setting names.

    A path that does not exist is no error here: `ensure_model` has the sentence for it.

    Raises:
        VoiceError: its folder has no description, or a broken one.
    """
    named = VOICES_DIR / name_or_path
    if named.parent == VOICES_DIR and (named / FILE).is_file():
        return _read(named)
    path = PROJECT_DIR / Path(name_or_path).expanduser()
    if name_or_path not in MODELS and path.is_dir():
        return _read(path)
    return VoiceDescription(name=name_or_path, model=name_or_path)


def usual_pace(settings: Settings) -> float:
    """How fast the voice in force speaks until a candidate asks for another pace, as a factor on its model's own pace.

    Raises:
        VoiceError: the setting `voice` names a folder that does not describe a voice.
    """
    return min(max(find_voice(settings.voice).pace * settings.pace, _SLOWEST), _FASTEST)


def _read(folder: Path) -> VoiceDescription:
    path = folder / FILE
    try:
        described = _Described.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise VoiceError(
            f"{folder} is no voice: it has no {FILE}; assets/voices/README.md says what it holds"
        ) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise VoiceError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}" for fault in error.errors())
        raise VoiceError(f"{path} does not describe a voice: {faults}") from None
    model = described.model if described.model in MODELS else str(folder / Path(described.model).expanduser())
    return VoiceDescription(name=folder.name, **{**described.model_dump(), "model": model})
