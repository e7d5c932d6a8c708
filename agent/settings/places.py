"""Places: folders, files and databases of what is kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from agent.files import read_or_create_secret
from agent.settings.part import ProjectPath, SettingsError, SettingsPart


class Places(SettingsPart):
    """Where everything is kept, and the paths that follow from it."""

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
    packs_dir: ProjectPath | None = None
    """Folder of question packs; without it Viva's own."""
    imported_packs_dir: ProjectPath | None = None
    """Folder of packs that `viva pack import` adds to those; without it `packs` in data_dir."""

    @field_validator("checkpoint_url", "profile_url")
    @classmethod
    def _is_of_postgres(cls, url: str) -> str:
        if url and not re.match(r"postgres(ql)?://\S+$", url):
            raise ValueError("must be empty, or an address such as postgresql://user:password@host:5432/database")
        return url

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
