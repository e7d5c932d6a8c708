"""Loading of the settings, with a sentence for every fault, and where each value came from."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from agent.phone.line.setting_values import without_passwords
from agent.settings.part import ENV_PREFIX, SettingsError
from agent.settings.settings import Settings
from agent.settings.source import CONFIG_VARIABLE, config_file, file_source

_WITH_PASSWORDS = ("phone_users", "phone_accounts")


def load_settings() -> Settings:
    """Read the settings in force.

    Raises:
        SettingsError: the file is missing or not TOML, a key is unknown, or a value cannot be used.
    """
    _check_file(config_file())
    try:
        return Settings()
    except ValidationError as error:
        faults = [_sentence(fault["loc"], str(fault["msg"]), fault["type"]) for fault in error.errors()]
        raise SettingsError(faults) from None


def shown(settings: Settings, name: str) -> str:
    """A setting's value as it may be printed: a token only as present, an address without the password in it."""
    value = str(getattr(settings, name))
    if name.endswith("_token"):
        return "…" if value else ""
    if name in _WITH_PASSWORDS:
        return without_passwords(value)
    value = re.sub(r"(?<=://)([^:/@\s]*):\S*@", r"\1:…@", value)
    return re.sub(r"(?<=[?&]password=)[^&\s]*", "…", value)


def origins(settings: Settings) -> dict[str, str]:
    """Where each value in force came from: `default`, the name of the file, or the environment variable."""
    from_file = file_source(Settings)()
    from_environment = EnvSettingsSource(Settings)()
    file = config_file()

    def origin(name: str) -> str:
        if name not in settings.model_fields_set:
            return "default"
        if name in from_environment:
            return f"environment, {ENV_PREFIX}{name.upper()}"
        return f"file, {file}" if name in from_file else "program"

    return {name: origin(name) for name in Settings.model_fields}


def unknown_variables() -> list[str]:
    """A sentence for each environment variable that looks like a setting and is none."""
    return [
        f"the environment variable {name} is ignored: {_not_a_setting(name.removeprefix(ENV_PREFIX).lower())}"
        for name in sorted(os.environ)
        if name.startswith(ENV_PREFIX)
        and name != CONFIG_VARIABLE
        and name.removeprefix(ENV_PREFIX).lower() not in Settings.model_fields
    ]


def _check_file(path: Path | None) -> None:
    if path is None:
        return
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if CONFIG_VARIABLE in os.environ:
            raise SettingsError([f"{CONFIG_VARIABLE} names {path}, and there is no such file"]) from None
        return
    except OSError as error:
        raise SettingsError([f"{path} cannot be read ({error.strerror})"]) from None
    except UnicodeDecodeError:
        raise SettingsError([f"{path} is not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            [f'{path} is not TOML: {error}. Each line is a name and a value, such as: whisper = "tiny"']
        ) from None
    if unknown := [name for name in content if name not in Settings.model_fields]:
        raise SettingsError([f"{path}: {_not_a_setting(name)}" for name in unknown])


def _not_a_setting(name: str) -> str:
    close = difflib.get_close_matches(name, Settings.model_fields, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"{name!r} is not a setting; {hint}The settings are {_listed(Settings.model_fields)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _sentence(place: tuple[int | str, ...], message: str, kind: str) -> str:
    name = str(place[0]) if place else ""
    said = message.removeprefix("Value error, ")
    if kind == "extra_forbidden":
        return _not_a_setting(name)
    if not name:
        return said
    variable = ENV_PREFIX + name.upper()
    where = f"environment, {variable}" if variable in os.environ else f"{config_file()}"
    return f"the setting {name} ({where}) cannot be used: {said[:1].lower()}{said[1:]}"
