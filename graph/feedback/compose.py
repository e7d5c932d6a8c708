"""Composition of feedback from verdicts: what was good, in the candidate's own words; one gap, without giving it away.

It claims nothing that a verdict does not carry, tells no score, changes its structure from turn to turn so that it does
not sound like a form being filled in, and says no sentence twice in an interview.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domain.verdict import Evaluation, Verdict
from domain.vocabulary import StoryPart
from graph.feedback.doubtful import doubted_words
from graph.feedback.guardrails import Tone, harmless, tone_of
from graph.feedback.quoting import deed, own_words
from graph.feedback.structures import open_points, structure_for
from graph.feedback.variation import Phrases
from graph.templates import Templates

_LATELY = 3
"""Sentences of feedback in which an idea was named that need not be named again at once."""
_OFTEN = 3
_LITTLE: tuple[Tone, ...] = ("supportive", "patient")
"""How an answer is spoken of that did so little that its idea may be worth reading up on."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is said about an answer, sentence by sentence, and the structure it really used."""

    sentences: tuple[str, ...]
    structure: str

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class About:
    """What the answer was about, as it is spoken."""

    gap: str = ""
    """Idea nearest to what is open: names it, and does not say what it is."""
    gap_is_new: bool = False
    """Neither the question nor the candidate has touched on that idea."""
    gap_is_theirs: bool = False
    """The candidate has named that idea: nobody is sent to read up on what they have just spoken of."""
    strength: str = ""
    """Idea nearest to the surest point the answer made."""
    parts: Mapping[str, StoryPart] = field(default_factory=dict)
    """For a story: the part of it that each key point tells. Such key points are never read out."""
    own_work: bool = False
    """It was about something in the résumé: there is no other case to choose, and nothing to look up."""
    asked_next: bool = False
    """What is open is asked for in a moment, or was just asked for, so that feedback need not point at it."""
    asked: str = ""
    """The question and the ideas behind it, whose words any answer has."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How feedback on an answer is worded."""

    turn: int
    """Chooses among ways to say the same."""
    wording: Templates
    """The sentences."""
    previous: Sequence[str] = ()
    """Structures used so far, oldest first; the last two are avoided."""
    said: Sequence[str] = ()
    """Sentences the candidate heard as feedback in this interview."""
    knows: bool = True
    """False when the candidate said that they do not know."""
    done: bool = False
    """The candidate said that they have no more to tell."""

    def phrases(self) -> Phrases:
        """The ways to say things, with a memory of what was said."""
        return Phrases(self.wording, self.turn, self.said)


def compose(evaluation: Evaluation, about: About, manner: Manner) -> Feedback:
    """Feedback on one answer.

    Args:
        evaluation: the verdicts it rests on.
        about: the ideas behind the question, or the parts of a story.
        manner: how it is worded.
    """
    composer = Composer(evaluation, about, manner.phrases(), manner.turn, manner.said[-_LATELY:])
    structure = structure_for(
        evaluation,
        manner.turn,
        manner.previous,
        knows=manner.knows,
        done=manner.done,
        asked_next=about.asked_next,
        own_work=about.own_work,
    )
    return Feedback(tuple(composer.say(part) for part in structure.split()), structure)


class Composer:
    """Words for each part of a structure."""

    def __init__(
        self, evaluation: Evaluation, about: About, phrases: Phrases, turn: int, lately: Sequence[str]
    ) -> None:
        self._heard = list(lately)
        self._before = len(lately)
        self._evaluation = evaluation
        self._about = about
        self._phrases = phrases
        self._turn = turn
        self.praised = ""
        """The key point of which it was said last that it was good."""
        self.said_back = False
        """What the candidate said was said back to them, and not called good."""

    def say(self, part: str) -> str:
        """The sentence for a part of a structure."""
        self._heard.append(self._sentence(part))
        return self._heard[-1]

    def _sentence(self, part: str) -> str:
        match part:
            case "strength" | "noted":
                return self._strength(part)
            case "heard":
                return self._heard_back()
            case "gap":
                return self._wrong() if self._evaluation.doubts else self._gap()
            case "pointer":
                return self._pointer()
            case "assent" | "effort" if self._about.own_work:
                return self._phrases.one(f"{part}.work")
            case _:
                return self._phrases.one(part, leads="lead.transition" if part == "transition" else "lead")

    def _strength(self, part: str) -> str:
        """What was good, by the surest point that can be said in the candidate's own words."""
        whole = bool(self._evaluation.credited)
        made = self._evaluation.praised
        if self._about.own_work and (words := self._told_of_work(made)):
            return self._phrases.one("work.said", said=words)
        if self._about.parts:
            # By turns, because the surest part of most stories is their situation.
            told = self._part(made[self._turn % len(made)].point)
            if not whole:
                return self._what(told, "work.half" if self._about.own_work else "story.half")
            noted = "work.noted" if self._about.own_work else "story.noted"
            return self._what(told, *((noted,) if part == "noted" else _of_part("story.strength", told)))
        heading = part if whole else "half"
        for verdict in made:
            if words := self.in_their_words(verdict):
                self.praised = verdict.point
                toned = f"{heading}.{self._tone}" if heading == "strength" else heading
                return self._phrases.one(toned, said=words)
        return self._plain_strength(part)

    def _heard_back(self) -> str:
        """What the candidate said of the surest point, and no word of whether it holds; of a story only thanks."""
        if not (self._about.parts or self._about.own_work):
            for verdict in self._evaluation.credited:
                if words := self.in_their_words(verdict):
                    self.said_back = True
                    return self._phrases.one("heard", said=words)
        return self._sentence("effort")

    def shorter(self, part: str) -> str:
        """What was good, in fewer words: by its idea, and of a story no more than thanks."""
        if self._about.parts:
            return self._phrases.one("effort.work" if self._about.own_work else "effort")
        return self._plain_strength(part)

    def _plain_strength(self, part: str) -> str:
        best = self._evaluation.praised[0]
        named = self._about.strength.casefold()
        if named and any(named in each.casefold() for each in self._heard[self._before :]):
            # Not "There is more to say about joins. I could follow you well on joins."
            return self._phrases.one("effort")
        heading, self.praised = part if best.status == "covered" else "half", best.point
        return self._phrases.one(f"{heading}.plain", about=harmless(self._about.strength) or self._unnamed)

    def _told_of_work(self, made: Sequence[Verdict]) -> str:
        """What somebody says they did, to be said back, two times out of three."""
        if self._turn % _OFTEN == 0:
            return ""
        said = map(harmless, map(deed, made))
        heard = " ".join(self._heard).casefold()
        return next((words for words in said if words and words.casefold() not in heard), "")

    def _pointer(self) -> str:
        if not self._about.parts:
            return self._idea("pointer")
        return self._phrases.one("pointer.work" if self._about.own_work else "pointer.story")

    def _gap(self) -> str:
        open_ = self._evaluation.left_out if self._about.own_work else ()
        point = (open_ or open_points(self._evaluation, self._about.parts))[0]
        if not self._about.parts:
            if self._was_named(self._about.gap):
                return self._phrases.one("gap.again")
            spoken_of = bool(self._evaluation.praised) and self._about.gap == self._about.strength
            # An idea that comes on top of what was said is no help to who has said little.
            on_top = self._about.gap_is_new and not spoken_of and self._tone != "patient"
            to_study = self._tone in _LITTLE and not (self._about.gap_is_theirs or spoken_of)
            return self._idea(
                f"gap.{self._tone}", *(("gap.new",) if on_top else ()), *(("gap.study",) if to_study else ())
            )
        made = (*self._evaluation.credited, *self._evaluation.halves)
        if not made:
            return self._phrases.one("work.open" if self._about.own_work else "story.open")
        part, told = self._part(point), {self._part(verdict.point) for verdict in made}
        if self._about.own_work:
            return self._what(part, "work.gap")
        return self._what(part, *(("story.more",) if part in told else _of_part("story.gap", part)))

    def _wrong(self) -> str:
        """What does not hold, in the candidate's words; never what would be right."""
        heading = "story.wrong" if self._about.parts else "wrong"
        words = next(filter(None, (doubted_words(each, self._about.asked) for each in self._evaluation.doubts)), "")
        if words:
            return self._phrases.one(heading, said=words)
        return self._phrases.one(f"{heading}.plain") if self._about.parts else self._idea(f"{heading}.plain")

    def names_what_is_doubted(self, *, only_names: bool) -> bool:
        """Whether what was good is named by the idea that is doubted by the same name.

        Args:
            only_names: the candidate's own words are not said back, although there are some.
        """
        if self._about.parts or not self._evaluation.doubts or self._about.strength != self._about.gap:
            return False
        return only_names or not any(map(self.in_their_words, self._evaluation.praised))

    def in_their_words(self, verdict: Verdict) -> str:
        """Empty when the same words are what does not hold, or may not: praise and doubt would be about one thing."""
        doubted = (each.quote for each in self._evaluation.contradictions if each.quote)
        quote = verdict.quote
        if quote and any(map(quote.overlaps, doubted)):
            return ""
        return harmless(own_words(verdict))

    def _idea(self, *headings: str) -> str:
        return self._phrases.one(*headings, concept=harmless(self._about.gap) or self._unnamed)

    def _was_named(self, concept: str) -> bool:
        """Just now, or in the feedback before: to hear of one idea again and again is no pointer to anything."""
        return bool(concept) and any(concept.casefold() in sentence.casefold() for sentence in self._heard)

    def _what(self, part: StoryPart, *headings: str) -> str:
        return self._phrases.one(*headings, what=self._phrases.the(f"story.{part}"))

    def _part(self, point: str) -> StoryPart:
        # A clarification may ask for what is no key point of the story: then it is about what was done.
        return self._about.parts.get(point, "action")

    @property
    def _tone(self) -> Tone:
        assert self._evaluation.scores is not None
        return tone_of(self._evaluation.scores.overall)

    @property
    def _unnamed(self) -> str:
        return self._phrases.the("gap.idea")


def _of_part(heading: str, part: StoryPart) -> tuple[str, str]:
    return f"{heading}.{part}", heading
