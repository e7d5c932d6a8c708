"""The candidate: what their documents say of them, as a profile."""

from graph.candidate.profile import profile_of

__all__ = ["profile_of"]
