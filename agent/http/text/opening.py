"""Loads what interviews by text are held with: models, bank, checkpoints, the compiled graph. It takes seconds."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AsyncExitStack

from agent.interviews.host import InterviewHost
from agent.interviews.host import open_host as open_interview_host
from agent.interviews.resources import load_interview_resources
from agent.model_files.prepare import ModelError
from agent.settings import Settings
from graph.checkpoints.errors import CheckpointError
from rag import BankError, EmbedderError, PackError

EXPECTED = (ModelError, EmbedderError, PackError, BankError, CheckpointError, OSError, sqlite3.Error)
"""What can be wrong with a machine when interviews are made ready; each has a sentence that says what to do."""


async def open_host(settings: Settings, opened: AsyncExitStack) -> InterviewHost:
    """Load the models and open the checkpoints, without holding up anything else meanwhile.

    Args:
        settings: the settings in force.
        opened: closes what is opened here.

    Raises:
        ModelError, EmbedderError, PackError, BankError, CheckpointError: one of `EXPECTED`.
    """
    return await open_interview_host(settings, await asyncio.to_thread(load_interview_resources, settings), opened)
