"""The intent detector's training."""
