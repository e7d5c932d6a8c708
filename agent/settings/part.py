"""Part of the settings: what all parts share, kinds of values, and the fault of one that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

PROJECT_DIR = Path(__file__).resolve().parent.parent.parent
"""The folder that holds the rooms, `livekit.yaml`, and (unless set otherwise) `data/` and `.cache/`."""

ENV_PREFIX = "VIVA_"


class SettingsError(ValueError):
    """A setting cannot be used. `faults` holds one sentence each, naming the setting and what is accepted."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


def _in_project(path: Path) -> Path:
    return PROJECT_DIR / path.expanduser()


Port = Annotated[int, Field(ge=1, le=65535)]
ProjectPath = Annotated[Path, AfterValidator(_in_project)]
Seconds = Annotated[float, Field(gt=0)]
LanguageModel = Annotated[str, Field(pattern=r"^([a-z0-9_]+:\S+)?$")]
"""Provider and model as LangChain's `init_chat_model` takes them, such as `ollama:qwen2.5:7b`; empty for none."""


class SettingsPart(BaseSettings):
    """Settings of one subject."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, extra="forbid", frozen=True, use_attribute_docstrings=True, validate_default=True
    )
