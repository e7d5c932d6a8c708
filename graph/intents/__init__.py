"""What does the candidate want with these words? Decided before anything is judged.

`vocabulary` has the intents and what understanding means. `RuleDetector` (`rules`) reads an utterance by rules and by a
small classifier over sentence embeddings, in milliseconds; `ModelDetector` (`model`) asks a language model where that
is unsure.
"""

from graph.intents.model import ModelDetector
from graph.intents.rules import RuleDetector
from graph.intents.vocabulary import (
    ACTS_ABOVE,
    ASKS_FROM,
    DetectedIntent,
    Intent,
    IntentDetector,
    Request,
    Understood,
)

__all__ = [
    "ACTS_ABOVE",
    "ASKS_FROM",
    "DetectedIntent",
    "Intent",
    "IntentDetector",
    "ModelDetector",
    "Request",
    "RuleDetector",
    "Understood",
]
