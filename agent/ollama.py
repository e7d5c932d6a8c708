"""What Ollama tells about itself: which models it has."""

from __future__ import annotations

import httpx


def names_in(reply: httpx.Response) -> frozenset[str]:
    """Names of the models in Ollama's answer to /api/tags.

    Raises:
        httpx.HTTPStatusError: it refused to answer.
        ValueError: it is not Ollama that answered.
    """
    reply.raise_for_status()
    try:
        return frozenset(str(model["name"]) for model in reply.json()["models"])
    except (KeyError, TypeError) as error:
        raise ValueError("this is not how Ollama answers") from error


def is_among(model: str, names: frozenset[str]) -> bool:
    """True when Ollama has a model of this name; a name without a tag means `latest`."""
    return model in names or f"{model}:latest" in names
