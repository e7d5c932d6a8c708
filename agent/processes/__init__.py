"""Processes: livekit-server, worker and web, started in order, watched, and stopped together."""
