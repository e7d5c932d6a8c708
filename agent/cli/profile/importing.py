"""Importing, `viva profile import`: what a résumé says becomes a part of a person's profile."""

from __future__ import annotations

import sys
import time

from agent.cli.profile.read import print_profile
from agent.documents.document import Document
from agent.interviews.profiles import opened_profiles
from agent.settings import Settings
from domain.person import user_id_of


class NobodyError(ValueError):
    """It is not known whose résumé it is; the sentence says what to do."""


def import_profile(document: Document, name: str, settings: Settings, *, with_model: bool) -> None:
    """Print what a résumé says, and keep it.

    Args:
        document: the résumé.
        name: whose it is; empty for the name that it says.
        settings: the settings in force.
        with_model: a language model of the settings reads it.

    Raises:
        LanguageModelError: a model that the settings name cannot be loaded.
        NobodyError: nobody is named, here or there.
        ProfileError: it cannot be kept.
    """
    profile = print_profile(document, settings if with_model else None, as_json=False)
    whose = name.strip() or profile.name
    if not whose:
        raise NobodyError("The résumé does not say whose it is, so nothing was kept. Say it with --name.")
    user_id = user_id_of(whose)
    with opened_profiles(settings) as profiles:
        profiles.bring_in(user_id, profile.model_copy(update={"name": whose}), at=time.time())
    sys.stdout.write(f"\nKept as {user_id}; `viva profile show {user_id}` shows all that is kept.\n")
