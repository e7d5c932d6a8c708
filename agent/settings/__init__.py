"""Settings of Viva: one typed place, filled from the environment, a file, and defaults, in that order.

Each setting can be given as an environment variable (`VIVA_WEB_PORT=9000`) or as a line of `viva.toml` in the
project's folder (`web_port = 9000`); the variable `VIVA_CONFIG` names another file. `viva config` prints what is in
force and where it came from. Relative paths are relative to the project's folder, so it does not matter from where
a command is started.

| subject | module |
|---|---|
| addresses, ports, who hosts | `agent/settings/servers.py` |
| folders, files and databases | `agent/settings/places.py` |
| what hears, speaks, compares, judges and words | `agent/settings/models.py` |
| how interviews are held | `agent/settings/interviews.py` |
| the telephone line | `agent/settings/phone.py` |
| logs and metrics | `agent/settings/telling.py` |
"""

from agent.settings.loading import load_settings, origins, shown, unknown_variables
from agent.settings.part import ENV_PREFIX, PROJECT_DIR, SettingsError
from agent.settings.settings import PORT_FIELDS, Settings
from agent.settings.source import CONFIG_VARIABLE, config_file

__all__ = [
    "CONFIG_VARIABLE",
    "ENV_PREFIX",
    "PORT_FIELDS",
    "PROJECT_DIR",
    "Settings",
    "SettingsError",
    "config_file",
    "load_settings",
    "origins",
    "shown",
    "unknown_variables",
]
