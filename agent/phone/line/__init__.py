"""Built-in line: a SIP telephone of its own, whose calls become participants of LiveKit rooms."""
