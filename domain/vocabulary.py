"""Vocabulary: every closed set of words that more than one room uses, each defined once."""

from __future__ import annotations

from typing import Literal, get_args

Medium = Literal["voice", "text", "phone"]
"""How an interview is held: in a browser with a microphone, in writing, or by a telephone call."""
SessionTime = Literal["real", "virtual"]
"""Whose time the events have: the clock's, or one that moves only by what the client of a text interview says."""
FeedbackMode = Literal["coach", "interviewer", "exam"]
"""How an answer is met, before the next question:

- `coach`: what was good, and one thing that was missing or not so, said outright.
- `interviewer`: what was good, and where something is open, without giving it away.
- `exam`: a word of thanks; feedback is kept for the report.
"""
Seniority = Literal["intern", "junior", "mid", "senior", "lead"]
"""How much experience a job asks for."""
Review = Literal["off", "flagged", "all"]
"""Which turns wait for a person before the interview goes on."""
Ending = Literal["closing", "request", "complete", "unpunctuated", "counting", "trailing", "open", "hold"]
"""How the words of an answer end, from "that's all" to "let me think":

- `closing`: it says that it is over ("that's it", "I don't know").
- `request`: a question or a wish to the interviewer ("could you repeat that?").
- `complete`: a whole sentence.
- `unpunctuated`: words that may be a whole sentence; the recogniser heard no end.
- `counting`: more was announced than was said ("there are two reasons. First, …").
- `trailing`: it trails off ("…", a comma, "and so on, um").
- `open`: the last word cannot be the last ("because", "of the").
- `hold`: it asks for time ("let me think").
"""
Patience = Literal["relaxed", "normal", "quick"]
"""How long the interviewer waits before a silence counts as the end of an answer."""
PatienceLevel = Literal["quick", "normal", "relaxed", "unhurried"]
PATIENCE_LEVELS: tuple[PatienceLevel, ...] = get_args(PatienceLevel)
"""In order, the shortest wait first: every patience that can be set, and `unhurried`, which a candidate gets who asks
for more than `relaxed`."""
EndReason = Literal["completed", "time_up", "stopped", "candidate_left", "silence", "failed"]
"""Why an interview ended. The supervisor of the graph knows the first three; the others come from who drives it."""
SpeechKind = Literal["greeting", "acknowledgement", "feedback", "question", "reply", "closing"]
"""What the interviewer says something for."""

Request = Literal[
    "repeat",
    "rephrase",
    "clarify",
    "hint",
    "skip",
    "change_topic",
    "easier",
    "harder",
    "technical_assessment",
    "about_resume",
    "hold",
    "go_on",
    "correct_myself",
    "how_am_i_doing",
    "time_left",
    "slower",
    "faster",
    "more_patience",
    "less_patience",
    "feedback_now",
    "feedback_later",
    "feedback_coach",
    "feedback_interviewer",
    "stop",
    "distress",
    "abuse",
    "unintelligible",
]
"""What a candidate can ask for, or what else words can be that are no answer."""
PhoneKey = Literal["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"]
"""A key of a telephone."""
Intent = Literal["answer", Request]
"""What the candidate wanted with a turn."""

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
"""In order."""
DifficultyReason = Literal["low_scores", "high_scores", "plan", "request"]
"""What moves the difficulty: how the answers go, the plan, or the candidate, who asked for it."""
StarPart = Literal["situation", "task", "action", "result", "learning"]
"""A part of a story as an answer: what each point of such a question's rubric is about."""
WorkPart = Literal[
    "problem", "reason", "options", "price", "shape", "use", "limits", "check", "people", "effect", "measure"
]  # fmt: skip
"""A part of an account of one's own work, beside those of a story: what was hard, why it was done like that, which
other ways there were, what was given up, how it was built, what something was used for, where it ends, how it was made
sure of, who took part, what changed for others, how one could tell."""
StoryPart = StarPart | WorkPart
"""What a point of the rubric is about, of a question that asks for a story or for an account of one's own work."""
QuestionKind = Literal["retrieved", "follow_up", "clarification"]
QuestionSource = Literal["plan", "resume"]
"""Where a question comes from: the plan of technical topics, or what the candidate's résumé says they did."""
Mode = Literal["plan", "resume"]
"""Where questions come from: the plan of technical topics, or the candidate's résumé."""
AnchorType = Literal["project", "skill", "experience", "education"]
"""What of a résumé a question can hang on."""
Aspect = Literal["challenges", "impact", "design", "tools", "team", "results", "tradeoffs", "implementation"]
"""What a question wants to know about something that the candidate did."""
Phase = Literal["intro", "exploration", "technical", "closing"]
"""Where an interview stands: before the first answer, at the candidate's own work, at technical topics, at its end."""
CandidateState = Literal["struggling", "steady", "confident"]
"""How the answers go, by the trend of their scores."""
Grade = Literal["high", "medium", "low"]
"""How well retrieval fitted what was wanted."""

Delivery = Literal["heard", "kept"]
"""Whether the candidate hears feedback, or it is kept for the report."""
SLOWEST_PACE, FASTEST_PACE = 0.7, 1.3
"""Limits of how fast a candidate may have the interviewer speak, factors on its usual pace: beyond them a voice is hard
to follow."""

Setting = Literal["difficulty", "feedback", "mode", "pace", "patience"]
"""What a candidate can have changed for the rest of the interview."""
Tier = Literal["complex", "fast"]
"""The careful, slower language model, or the quick one."""

PointKind = Literal["key_point", "misconception"]
"""What a verdict is about: a claim that a good answer makes, or a wrong one that people make instead."""
VerdictStatus = Literal["covered", "partly", "missing", "contradicted"]
"""What an answer did about a point. A misconception that was stated is `contradicted`."""

EvidenceKind = Literal["strength", "weakness"]
"""What a candidate's words are proof of."""
Sign = Literal["reason", "comparison", "cost", "example", "order"]
"""What words show of how an answer is made: that it is said why, that one thing is held against another, what is paid
for it, a case of it; the order in which something is told."""

FILLERS = frozenset("um umm ummm uh uhh uhm uhum er err erm ehm hm hmm hmmm mm mmm".split())
"""Sounds that say nothing, as Whisper writes them. It leaves out most; "mhm" and "uh-huh" are answers."""
INTERJECTIONS = frozenset("ah ahm eh mhm".split())
"""Sounds that may be an answer by themselves, and among other words say nothing."""
