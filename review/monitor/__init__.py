"""Monitor: what an interview looks like while it goes on, from its events, for whoever hosts Viva."""
