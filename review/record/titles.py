"""Titles for people: topics have ids in the record, and titles where people read."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import AnswerJudged, Event, InterviewCreated, PlanMade, QuestionSelected


def topic_titles(events: Sequence[Event]) -> dict[str, str]:
    """The title of every topic that the record names. Where it holds none, the id in words."""
    titles: dict[str, str] = {}
    for event in events:
        match event:
            case InterviewCreated():
                _name(titles, event.focus_topics)
            case PlanMade():
                _name(titles, event.topics, event.topic_titles)
            case QuestionSelected():
                _name(titles, [event.topic], [event.topic_title])
            case AnswerJudged():
                _name(titles, [event.topic])
            case _:
                pass
    return {topic: title or in_words(topic) for topic, title in titles.items()}


def in_words(topic: str) -> str:
    """`cap-theorem` as `Cap theorem`."""
    words = " ".join(topic.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


def _name(titles: dict[str, str], topics: Sequence[str], names: Sequence[str] = ()) -> None:
    for index, topic in enumerate(topics):
        title = names[index] if index < len(names) else ""
        if topic and (title or topic not in titles):
            titles[topic] = title
