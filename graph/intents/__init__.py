"""What does the candidate want with these words? Decided before anything is judged.

`RuleDetector` is the default and the fallback: rules find where a request may be, a small classifier over the meaning
and the build of those words says which it is, in milliseconds. `ModelDetector` asks a language model about what the
rules are not sure of. Both say which request was made, how sure they are, and which words are an answer.
"""

from graph.intents.detector import RuleDetector
from graph.intents.llm_detector import ModelDetector
from graph.intents.types import (
    ACTS_ABOVE,
    ASKS_FROM,
    DetectedIntent,
    IntentDetector,
    Understood,
)

__all__ = [
    "ACTS_ABOVE",
    "ASKS_FROM",
    "DetectedIntent",
    "IntentDetector",
    "ModelDetector",
    "RuleDetector",
    "Understood",
]
