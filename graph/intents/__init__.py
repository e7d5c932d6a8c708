"""What does the candidate want with these words? Decided before anything is judged."""

from graph.intents.vocabulary import (
    ACTS_ABOVE,
    ASKS_FROM,
    DetectedIntent,
    Intent,
    IntentDetector,
    Request,
    Understood,
)

__all__ = ["ACTS_ABOVE", "ASKS_FROM", "DetectedIntent", "Intent", "IntentDetector", "Request", "Understood"]
