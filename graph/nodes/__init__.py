"""The nodes of the interview graph, one module each: functions of state and context that return what they own."""

from graph.nodes.ask_question import ask_question
from graph.nodes.close_interview import close_interview
from graph.nodes.create_plan import create_plan
from graph.nodes.detect_intent import detect_intent
from graph.nodes.evaluate import evaluate
from graph.nodes.give_feedback import give_feedback
from graph.nodes.greet import greet
from graph.nodes.honour_request import repeat_question, skip_question, wait_for_candidate
from graph.nodes.maybe_summarize import maybe_summarize
from graph.nodes.select_question import select_question
from graph.nodes.supervise import supervise

__all__ = [
    "ask_question",
    "close_interview",
    "create_plan",
    "detect_intent",
    "evaluate",
    "give_feedback",
    "greet",
    "maybe_summarize",
    "repeat_question",
    "select_question",
    "skip_question",
    "supervise",
    "wait_for_candidate",
]
