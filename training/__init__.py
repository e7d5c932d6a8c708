"""Training: how Viva's own encoders are made, with their data. An installation ships none of it."""
