"""Settings of Viva: one typed place, filled from the environment, a file, and defaults, in that order.

Each setting can be given as an environment variable (`VIVA_WEB_PORT=9000`) or as a line of `viva.toml` in the
project's folder (`web_port = 9000`); the variable `VIVA_CONFIG` names another file. `viva config` prints what is in
force and where it came from. Relative paths are relative to the project's folder, so it does not matter from where
a command is started.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from agent.files import read_or_create_secret
from agent.phone.line.setting_values import (
    parse_accounts,
    parse_codecs,
    parse_networks,
    parse_ports,
    parse_users,
    without_passwords,
)
from domain.vocabulary import FeedbackMode, Mode, Patience, Review

PROJECT_DIR = Path(__file__).resolve().parent.parent
"""The folder that holds the rooms, `livekit.yaml`, and (unless set otherwise) `data/` and `.cache/`."""

ENV_PREFIX = "VIVA_"
CONFIG_VARIABLE = "VIVA_CONFIG"
"""Environment variable that names the settings file; empty means that no file is read."""

PORT_FIELDS = (
    "web_port", "livekit_port", "livekit_tcp_port", "livekit_udp_port", "worker_port", "metrics_port", "phone_port",
)  # fmt: skip


_PHONE_LISTS: dict[str, Callable[[str], object]] = {
    "phone_rtp_ports": parse_ports,
    "phone_codecs": parse_codecs,
    "phone_allowed": parse_networks,
    "phone_users": parse_users,
    "phone_accounts": parse_accounts,
}
"""Who reads the settings that hold several values."""
_WITH_PASSWORDS = ("phone_users", "phone_accounts")


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


class Settings(BaseSettings):
    """What the person who hosts Viva can choose. `load_settings` reads them with sentences for every fault."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, extra="forbid", frozen=True, use_attribute_docstrings=True, validate_default=True
    )

    host: str = "127.0.0.1"
    """IPv4 address that all servers listen on and rooms are reached at; 127.0.0.1 is reached from this machine only."""
    web_port: Port = 8080
    """TCP port of the pages and the interview API."""
    livekit_port: Port = 7880
    """TCP port of livekit-server's HTTP and WebSocket."""
    livekit_tcp_port: Port = 7881
    """TCP port for sound where UDP cannot be used. livekit-server binds it on every address of the machine."""
    livekit_udp_port: Port = 7882
    """UDP port for sound."""
    worker_port: Port = 8081
    """TCP port of the interviewer's health page."""
    metrics_port: Port = 8082
    """TCP port of the interviewer's metrics."""
    data_dir: ProjectPath = Path("data")
    """Folder of records, recordings, checkpoints and the question bank."""
    checkpoint_url: Annotated[str, Field(repr=False)] = ""
    """PostgreSQL database of the interviews' checkpoints, as postgresql://user:password@host:5432/database; empty: an
    SQLite file in data_dir."""
    profile_url: Annotated[str, Field(repr=False)] = ""
    """PostgreSQL database of the candidates' profiles, as postgresql://user:password@host:5432/database; empty: an
    SQLite file in data_dir."""
    cache_dir: ProjectPath = Path(".cache")
    """Folder of model files that are joined from their packages; it can be deleted."""
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
    pace: Annotated[float, Field(ge=0.5, le=2)] = 1.0
    """How fast the interviewer speaks, a factor on the voice's own pace; a candidate may ask for slower or faster."""
    embedder: Annotated[str, Field(min_length=1)] = "minilm"
    """What compares texts: minilm, or the folder of a model that was saved by sentence-transformers."""
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}|auto)$")] = "en"
    """Language that is spoken, as Whisper's code for it; auto writes down whatever is spoken."""
    packs_dir: ProjectPath | None = None
    """Folder of question packs; without it Viva's own."""
    imported_packs_dir: ProjectPath | None = None
    """Folder of packs that `viva pack import` adds to those; without it `packs` in data_dir."""
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
    mode: Mode = "plan"
    """Where questions come from when a candidate does not choose: the plan of topics, or their resume."""
    feedback: FeedbackMode = "coach"
    """How answers are met when a candidate does not choose: coach tells what was missing, interviewer gives nothing
    away, exam keeps all of it for the report."""
    human_review: Review = "off"
    """Which turns wait for a person before the interview goes on: none, those nobody could judge well, or all."""
    node_timeout_s: Seconds = 15
    """Seconds that one step of the interview graph may take."""
    away_timeout_s: Seconds = 120
    """Seconds after which a candidate who left the room has ended the interview."""
    silence_patience: Annotated[float, Field(ge=0.1, le=10)] = 1.0
    """How long a silence may last, a factor: at 1 a gentle word after 10 to 20 s, an offer, and the end after 90 s."""
    patience: Patience = "relaxed"
    """How long the interviewer waits before a silence counts as the end of an answer: relaxed, normal or quick."""
    acknowledge: bool = True
    """Say "okay" when it takes longer than 0.7 s to have something to say about an answer."""
    listening_signals: bool = True
    """Meet a pause in an answer with a quiet "mm-hm"."""
    interviews_at_once: Annotated[int, Field(ge=0)] = 0
    """Interviews by voice that may go on at once; 0: one for each processor of this machine."""
    longest_answer_s: Seconds = 300
    """Seconds after which a candidate who speaks without a stop is kindly interrupted."""
    slow_selector_s: Annotated[float, Field(ge=0)] = 0
    """Seconds by which the selection of a question is delayed; for tests of what is spoken meanwhile."""
    max_answer_chars: Annotated[int, Field(ge=100, le=1_000_000)] = 20_000
    """Characters that an answer sent over HTTP may have."""
    max_document_bytes: Annotated[int, Field(ge=1_000, le=100_000_000)] = 5_000_000
    """Bytes that a résumé or a job description may have as a file."""
    max_document_pages: Annotated[int, Field(ge=1, le=1_000)] = 20
    """Pages that a PDF may have."""
    document_timeout_s: Seconds = 20
    """Seconds that reading a document, or fetching it, may take."""
    phone_practice_minutes: Annotated[int, Field(ge=0, le=60)] = 0
    """Minutes of the practice interview that whoever calls without a PIN may have; 0: without a PIN there is none."""
    phone_call_again_s: Seconds = 900
    """Seconds for which an interview waits when its call was lost: who calls again by then goes on where it was."""
    host_token: Annotated[str, Field(pattern=r"^(\S{16,})?$")] = ""
    """Token of whoever hosts: deletes interviews, releases turns that wait for a person, sees scores before the end. 16
    characters or more; empty: only from this machine, and not through a reverse proxy."""
    phone_number: Annotated[str, Field(max_length=80)] = ""
    """Number or address at which callers reach Viva, as the start page tells it."""
    phone_pin_digits: Annotated[int, Field(ge=4, le=12)] = 6
    """Digits of a new PIN; take 8 or more where strangers can call."""
    web_mind: Literal["on-demand", "at-start"] = "on-demand"
    """When the web process loads what text interviews need: with the first of them, or at once."""
    phone: bool = False
    """A telephone line of Viva's own is there to be called (SIP over UDP)."""
    phone_host: str = ""
    """IPv4 address that telephones reach the line at; 0.0.0.0 for all of this machine's; empty: the setting host."""
    phone_port: Port = 5060
    """UDP port of SIP."""
    phone_rtp_ports: str = "21000-21199"
    """UDP ports for sound on the phone, two for each call."""
    phone_advertised: str = ""
    """IPv4 address that telephones are told to send to, where a router is between; empty: phone_host."""
    phone_codecs: str = "G722, PCMA, PCMU"
    """What is spoken on the phone, the most wanted first; G722 carries twice the band of the other two."""
    phone_comfort_noise: bool = True
    """Put a very low noise under what is heard on the phone: the line does not sound dead then while nobody speaks."""
    phone_allowed: str = ""
    """Addresses and networks that may call, such as 192.168.1.0/24, between commas; empty: all that reach the port. A
    PBX of phone_accounts always may."""
    phone_users: Annotated[str, Field(repr=False)] = ""
    """Names and passwords of those who may call, as name:password between commas; empty: no password is asked for."""
    phone_accounts: Annotated[str, Field(repr=False)] = ""
    """Extensions of a PBX to register as, sip:user:password@host:port between commas; where they differ, with
    ;login=NAME or ;server=HOST:PORT behind."""
    phone_calls_at_once: Annotated[int, Field(ge=1, le=64)] = 4
    """Calls at once; who calls then is told that all lines are busy."""
    phone_invites_per_s: Annotated[float, Field(gt=0, le=100)] = 2
    """New calls a second that are looked at from one address; from all together, five times as many."""
    phone_interviewer_timeout_s: Seconds = 20
    """Seconds after which a caller who has got no interviewer is asked to call later."""
    phone_silence_timeout_s: Seconds = 20
    """Seconds without any sound packet after which a caller has gone."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much the processes tell."""
    log_format: Literal["text", "json"] = "text"
    """How they tell it: lines for people, or one JSON object a line."""
    log_words: bool = False
    """Whether logs and spans may hold what candidates say; at debug level also what libraries log of it."""
    metrics: bool = True
    """Whether Prometheus can read metrics, at /metrics of the web process and of the interviewer."""

    @field_validator("host")
    @classmethod
    def _is_an_address(cls, host: str) -> str:
        try:
            wildcard = ipaddress.IPv4Address(host).is_unspecified
        except ValueError:
            raise ValueError("must be an IPv4 address such as 127.0.0.1, without a port") from None
        if wildcard:
            raise ValueError("must be one address of this machine, because browsers are told to send sound there")
        return host

    @field_validator("phone_host", "phone_advertised")
    @classmethod
    def _is_an_address_or_none(cls, host: str, info: ValidationInfo) -> str:
        try:
            wildcard = bool(host) and ipaddress.IPv4Address(host).is_unspecified
        except ValueError:
            raise ValueError("must be an IPv4 address such as 192.168.1.20, without a port, or empty") from None
        if wildcard and info.field_name == "phone_advertised":
            raise ValueError("must be one address that telephones can send to")
        return host

    @field_validator("phone_rtp_ports", "phone_codecs", "phone_allowed", "phone_users", "phone_accounts")
    @classmethod
    def _is_readable(cls, text: str, info: ValidationInfo) -> str:
        _PHONE_LISTS[str(info.field_name)](text)
        return text

    @field_validator("checkpoint_url", "profile_url")
    @classmethod
    def _is_of_postgres(cls, url: str) -> str:
        if url and not re.match(r"postgres(ql)?://\S+$", url):
            raise ValueError("must be empty, or an address such as postgresql://user:password@host:5432/database")
        return url

    @model_validator(mode="after")
    def _line_can_be_reached(self) -> Settings:
        if self.phone_host == "0.0.0.0" and not self.phone_advertised:  # noqa: S104 (what somebody has written)
            raise ValueError("with phone_host 0.0.0.0, phone_advertised must say which address telephones send to")
        return self

    @model_validator(mode="after")
    def _ports_differ(self) -> Settings:
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
        return init_settings, env_settings, _file_source(settings_cls)

    @property
    def run_dir(self) -> Path:
        """Folder of what lives only while Viva runs: rendered configuration, ready marks."""
        return self.data_dir / "run"

    @property
    def worker_ready_path(self) -> Path:
        """File that the worker writes once livekit-server knows it; a dispatch before that is lost."""
        return self.run_dir / "worker.ready"

    @property
    def phone_ready_path(self) -> Path:
        """File that the phone line writes once it listens: the path of the socket that tells its status."""
        return self.run_dir / "phone.socket"

    @property
    def record_path(self) -> Path:
        """SQLite file of the interviews' events."""
        return self.data_dir / "record.sqlite"

    @property
    def phone_path(self) -> Path:
        """SQLite file of the phone's PINs and booked calls."""
        return self.data_dir / "phone.sqlite"

    @property
    def checkpoint_path(self) -> Path:
        """SQLite file of the graph's checkpoints."""
        return self.data_dir / "checkpoints.sqlite"

    @property
    def checkpoints(self) -> str | Path:
        """Where the graph's checkpoints are kept, as `graph.open_checkpointer` takes it: an address or a file."""
        return self.checkpoint_url or self.checkpoint_path

    @property
    def profiles(self) -> str | Path:
        """Where candidates' profiles are kept, as `rag.profiles.store` takes it: an address or a file."""
        return self.profile_url or self.data_dir / "profiles.sqlite"

    @property
    def profile_vectors_dir(self) -> Path:
        """Folder of the vectors of candidates' profiles."""
        return self.data_dir / "profile-vectors"

    @property
    def bank_dir(self) -> Path:
        """Folder of the question bank's vectors."""
        return self.data_dir / "bank"

    @property
    def imported_packs(self) -> Path:
        """Folder of the packs that were imported; it is missing until the first is."""
        return self.imported_packs_dir or self.data_dir / "packs"

    def interview_dir(self, interview_id: str) -> Path:
        """Folder of one interview's recording."""
        return self.data_dir / "interviews" / interview_id

    @property
    def livekit_ws_url(self) -> str:
        """Address that rooms are joined at."""
        return f"ws://{self.host}:{self.livekit_port}"

    @property
    def livekit_http_url(self) -> str:
        """Address of livekit-server's own API."""
        return f"http://{self.host}:{self.livekit_port}"

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

    @property
    def web_url(self) -> str:
        """Address of the start page, without a slash at its end."""
        return f"http://{self.host}:{self.web_port}"

    @property
    def livekit_key(self) -> str:
        """Name of the key that signs tokens."""
        return "viva"

    @property
    def livekit_secret(self) -> str:
        """The key's secret; generated into the data folder when it is first needed.

        Raises:
            SettingsError: its file cannot be read or written, or holds no secret.
        """
        path = self.data_dir / "livekit.secret"
        try:
            return read_or_create_secret(path)
        except OSError as error:
            raise SettingsError([f"{path} cannot be read or written ({error.strerror}); check data_dir"]) from None
        except ValueError as error:
            raise SettingsError([str(error)]) from None

    def as_environment(self) -> dict[str, str]:
        """These settings as environment variables: a child process that gets them has exactly the same."""
        values = self.model_dump(mode="json", exclude_none=True)
        return {CONFIG_VARIABLE: "", **{ENV_PREFIX + name.upper(): str(value) for name, value in values.items()}}


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


def config_file() -> Path | None:
    """The settings file that is read, whether or not it exists; None when `VIVA_CONFIG` is empty."""
    named = os.environ.get(CONFIG_VARIABLE)
    if named is None:
        return PROJECT_DIR / "viva.toml"
    return Path(named).expanduser() if named else None


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
    from_file = _file_source(Settings)()
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


def _file_source(settings_cls: type[BaseSettings]) -> TomlConfigSettingsSource:
    return TomlConfigSettingsSource(settings_cls, toml_file=config_file())


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
