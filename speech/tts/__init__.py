"""Text to speech: Piper as a LiveKit TTS, clause by clause."""
