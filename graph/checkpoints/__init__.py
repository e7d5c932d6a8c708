"""Checkpoints: where an interview's state is kept, how a turn is taken back, guessed at, or forgotten."""
