"""Settings of all subjects together, and what follows from several of them."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from agent.settings.interviews import InterviewChoices
from agent.settings.models import ModelChoices
from agent.settings.part import ENV_PREFIX
from agent.settings.phone import Phone
from agent.settings.places import Places
from agent.settings.servers import Servers
from agent.settings.source import CONFIG_VARIABLE, file_source
from agent.settings.telling import Telling

PORT_FIELDS = (
    "web_port", "livekit_port", "livekit_tcp_port", "livekit_udp_port", "worker_port", "metrics_port", "phone_port",
)  # fmt: skip


class Settings(Telling, Phone, InterviewChoices, ModelChoices, Places, Servers):
    """What the person who hosts Viva can choose. `load_settings` reads them with sentences for every fault."""

    @property
    def phone_bind_host(self) -> str:
        """IPv4 address that the phone line listens on."""
        return self.phone_host or self.host

    @property
    def phone_told_host(self) -> str:
        """IPv4 address that telephones are told to send to."""
        return self.phone_advertised or self.phone_bind_host

    @property
    def phone_address(self) -> str:
        """Address and port that telephones call."""
        return f"{self.phone_told_host}:{self.phone_port}"

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        owner: dict[int, str] = {}
        for name in PORT_FIELDS:
            port = int(getattr(self, name))
            if port in owner:
                raise ValueError(f"{owner[port]} and {name} are both {port}; give each its own port")
            owner[port] = name
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 (the signature is pydantic-settings')
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, which wins over the file."""
        return init_settings, env_settings, file_source(settings_cls)

    def as_environment(self) -> dict[str, str]:
        """These settings as environment variables: a child process that gets them has exactly the same."""
        values = self.model_dump(mode="json", exclude_none=True)
        return {CONFIG_VARIABLE: "", **{ENV_PREFIX + name.upper(): str(value) for name, value in values.items()}}
