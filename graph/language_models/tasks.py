"""Tasks for language models: each with its tier, its prompt and the form of its reply.

A reply's fields are also spelled out in its prompt, because not every provider tells the model the form. None of them
is optional: small models leave out what they may. What only one part of the graph asks for (verdicts, intents) is
defined there.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from domain.vocabulary import Grade
from graph.language_models.protocol import Task, TextTask


class _Reply(BaseModel):
    # What a model adds to the form is no reason to refuse what was asked for.
    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


class ContextReply(_Reply):
    """Who an interview is for."""

    role: str = Field(description="The job, in a few words; empty if the texts do not say")
    company: str = Field(description="The employer; empty if it is not named")
    requirements: list[str] = Field(description="Skills and subjects the job asks for, the most important first")
    years: int = Field(description="Years of professional experience; -1 if the texts do not say")


class PositionReply(_Reply):
    """A position of a résumé."""

    employer: str = Field(description="Who employed them, as it is written")
    role: str = Field(description="As what; empty if it does not say")
    start: str = Field(description="ISO year or year and month; empty if it does not say")
    end: str = Field(description="The same, or present")


class ProjectReply(_Reply):
    """A project of a résumé."""

    name: str = Field(description="As it is written")
    skills: list[str] = Field(description="Skills that its lines name")


class ProfileReply(_Reply):
    """What a résumé says of a person."""

    name: str = Field(description="The person's name; empty if it does not say")
    domain: str = Field(description="Their field, in a few words")
    summary: str = Field(description="Two sentences in the résumé's words")
    skills: list[str] = Field(description="Skills, as they are written")
    strengths: list[str] = Field(description="What they call a strength of theirs, copied word for word")
    weaknesses: list[str] = Field(description="What they say they want to get better at, copied word for word")
    traits: list[str] = Field(description="What they say of themselves as a person, copied word for word")
    experience: list[PositionReply] = Field(description="Positions, the latest first")
    projects: list[ProjectReply] = Field(description="Projects")
    years: int = Field(description="Years of experience that the résumé states; -1 if it does not")


class PlanReply(_Reply):
    """The topics of an interview, in order."""

    reason: str = Field(description="One sentence that says why it is in this order")
    topics: list[str] = Field(description="A topic id from the list for each question")


class SelectionReply(_Reply):
    """The question that was chosen."""

    selected_id: str = Field(description="The id of one of the candidates")


class QuestionReply(_Reply):
    """A question as it is spoken."""

    question: str = Field(description="One spoken question, under 30 words")


class CritiqueReply(_Reply):
    """What is wrong with a question."""

    is_good: bool = Field(description="True if it can be asked as it is")
    fault: str = Field(description="One sentence that says what is wrong; empty if it is good")


class SummaryReply(_Reply):
    """The conversation so far."""

    summary: str = Field(description="At most six sentences")


class MetricsReply(_Reply):
    """Feedback on the three metrics of an answer."""

    technical_accuracy: str = Field(description="One or two sentences on whether what was said holds")
    reasoning_depth: str = Field(description="One or two sentences on whether it was said why")
    communication_clarity: str = Field(description="One or two sentences on how easy it was to follow")
    overall: str = Field(description="What all of it comes to, in at most 80 words")


class GradeReply(_Reply):
    """How well search results fit."""

    feedback: str = Field(description="One short sentence that explains the grade")
    grade: Grade


class QueryReply(_Reply):
    """Other words for a search."""

    query: str = Field(description="3 to 10 words")


CONTEXT = Task("context", "complex", "context", ContextReply)
"""Values: resume, job_description (either may be empty)."""
PROFILE = Task("profile", "complex", "profile", ProfileReply)
"""Values: resume."""
PLAN = Task("planner", "complex", "plan", PlanReply)
"""Values: topics ("id: title" a line), focus, role, difficulty, questions (how many)."""
FOLLOW_UP = Task("follow_up", "complex", "follow_up", QuestionReply)
"""Values: topic, question, answer, missed (a list), conversation."""
CLARIFICATION = Task("clarification", "complex", "clarification", QuestionReply)
"""Values: question, answer, misconception (the candidate's words), conversation."""
RESUME_QUESTION = Task("resume_question", "complex", "resume_question", QuestionReply)
"""Values: about, employer, did (a list), aspect, wanted (a list), asked (a list), fault (of the last draft),
conversation."""
RESUME_CRITIC = Task("resume_critic", "fast", "resume_critic", CritiqueReply)
"""Values: about, employer, did (a list), aspect, wanted (a list), asked (a list), question."""
SUMMARY = Task("summary", "complex", "summary", SummaryReply)
"""Values: summary (so far), turns (what is new)."""
SELECTION = Task("selection", "fast", "selection", SelectionReply)
"""Values: candidates ("id: text (difficulty)" a line), difficulty, topics (recent ones), trend."""
METRICS_FEEDBACK = Task("metrics_feedback", "fast", "metrics_feedback", MetricsReply)
"""Values: question, answer, technical_accuracy, reasoning_depth, communication_clarity (what rules say of each)."""
RETRIEVAL_GRADER = Task("retrieval_grader", "fast", "retrieval_grader", GradeReply)
"""Values: query, wanted, found (a list)."""
QUERY_REFINER = Task("query_refiner", "fast", "query_refiner", QueryReply)
"""Values: query, earlier (a list)."""
FEEDBACK = TextTask("feedback", "fast", "feedback")
"""Values: band, tone, parts (a numbered list, a sentence for each), question, answer, good (a list), gap, context,
conversation."""
