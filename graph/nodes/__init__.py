"""The nodes of the interview graph: functions of state and context that return what they own."""

from graph.nodes.adjust_patience import adjust_patience
from graph.nodes.adjust_speech import adjust_speech
from graph.nodes.ask_question import ask_question
from graph.nodes.change_course import change_course
from graph.nodes.clarify_question import clarify_question
from graph.nodes.close_interview import close_interview
from graph.nodes.combine_metrics import combine_metrics
from graph.nodes.create_plan import create_plan
from graph.nodes.detect_intent import detect_intent
from graph.nodes.evaluate import evaluate
from graph.nodes.extract_context import extract_context
from graph.nodes.give_feedback import give_feedback
from graph.nodes.give_hint import give_hint
from graph.nodes.greet import greet
from graph.nodes.maybe_summarize import maybe_summarize
from graph.nodes.measure import (
    measure_communication_clarity,
    measure_reasoning_depth,
    measure_technical_accuracy,
)
from graph.nodes.repeat_question import repeat_question
from graph.nodes.rephrase_question import rephrase_question
from graph.nodes.select_question import select_question
from graph.nodes.short_replies import (
    ask_again,
    await_correction,
    confirm_request,
    steady_candidate,
    wait_for_candidate,
)
from graph.nodes.supervise import supervise
from graph.nodes.switch_feedback import switch_feedback
from graph.nodes.tell_progress import tell_progress
from graph.nodes.validate_question import validate_question
from graph.nodes.word_metrics import word_metrics

__all__ = [
    "adjust_patience",
    "adjust_speech",
    "ask_again",
    "ask_question",
    "await_correction",
    "change_course",
    "clarify_question",
    "close_interview",
    "combine_metrics",
    "confirm_request",
    "create_plan",
    "detect_intent",
    "evaluate",
    "extract_context",
    "give_feedback",
    "give_hint",
    "greet",
    "maybe_summarize",
    "measure_communication_clarity",
    "measure_reasoning_depth",
    "measure_technical_accuracy",
    "repeat_question",
    "rephrase_question",
    "select_question",
    "steady_candidate",
    "supervise",
    "switch_feedback",
    "tell_progress",
    "validate_question",
    "wait_for_candidate",
    "word_metrics",
]
