"""Source of the settings besides the environment: a file, `viva.toml` unless `VIVA_CONFIG` names another."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic_settings import BaseSettings, TomlConfigSettingsSource

from agent.settings.part import PROJECT_DIR

CONFIG_VARIABLE = "VIVA_CONFIG"
"""Environment variable that names the settings file; empty means that no file is read."""


def config_file() -> Path | None:
    """The settings file that is read, whether or not it exists; None when `VIVA_CONFIG` is empty."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named is None:
        return PROJECT_DIR / "viva.toml"
    return Path(named).expanduser() if named else None


def file_source(settings_cls: type[BaseSettings]) -> TomlConfigSettingsSource:
    """What the file says, as pydantic takes it."""
    return TomlConfigSettingsSource(settings_cls, toml_file=config_file())
