"""Endings: how the words of an answer end, the signal that says most about whether more will come. Pure."""

from __future__ import annotations

import re

from domain.vocabulary import FILLERS, INTERJECTIONS, Ending

_OPEN_WORDS = frozenset(
    "and but or so because since although though while whereas which that if when where then than the a an of to for "
    "with from by in on at as into onto about between through without is are was were be been being am not my your our "
    "their its his her this these those very more most less some any each every can could would should will might may "
    "must do does did don't doesn't isn't it's that's there's they're we're i'm you're i'd we'd who what how why has "
    "have had get gets make makes use uses need needs say says let's basically actually also either neither both "
    "only just first firstly secondly like maybe perhaps unless until whether per via versus i we they you".split()
)
"""Words that a sentence hardly ever ends with."""

_CAN_END = frozenset(
    "not so that this these those some any more most less do does did have has had been you about before though".split()
)
"""… of which these do end sentences when the recogniser heard a full stop ("I hope so.", "I would not.")."""

_CONNECTS = re.compile(
    r"(?:\b(?:sure|means?|meant|says?|ensures?|guarantees?|implies|shows?|tells? (?:us|me|you)|so|such|given|provided"
    r"|assuming|except|is|was) that|, so)[.]$",
    re.IGNORECASE,
)
"""… and these do not, full stop or not: the recogniser puts one wherever a voice pauses ("it makes sure that.")."""

_MARKS = ".,;:!?-\N{HORIZONTAL ELLIPSIS}\"'"

_UNSTOPPED = ("...", "\N{HORIZONTAL ELLIPSIS}", ",", "-", "\N{EN DASH}", "\N{EM DASH}", ":", ";")

_SOUNDS = FILLERS | INTERJECTIONS

_STARTERS = FILLERS | frozenset("ah well okay ok so yeah yes yep no nope sure right and but like now".split())
"""An answer of these words alone has not begun."""

_CLOSING = re.compile(
    r"""(?: \b that (?:'s|\ is|\ was|\ would\ be) (?:\ pretty\ much|\ basically|\ more\ or\ less|\ really)? \ (?:
              it | all | everything | about\ (?:it|all) | my\ answer | the\ (?:main\ )?(?:idea|gist|point)
            | all\ i\ (?:know|have|had|got|remember|can\ (?:say|think\ of|remember))(?:\ (?:about|on|for)\ \w+)?
            | how\ i(?:'d|\ would|'ve)?\ (?:do|did|see|think|approach|handle|solve|explain)
              (?:\ about)?\ (?:it|that|this) ) (?:\ from\ (?:me|my\ (?:side|end)))?
        | \b i(?:'ve|\ have)\ (?:said|told\ you)\ (?:all|everything|what)\b.{0,40}
        | \b i (?:'m|\ am) \ (?:done|not\ sure)
        | \b nothing\ (?:else|more) (?:\ (?:comes|to\ (?:add|say))\b.*)?
        | \b (?:don't|do\ not|wouldn't|would\ not)\ (?:really\ )?know (?:\ (?:that|this|it|the\ answer)(?:\ one)?)?
        | \b no\ (?:idea|clue|more)
        | \b not\ (?:that\ )?i(?:'m|\ am)\ aware\ of
        | \b i\ can't\ (?:say|remember|think\ of\ (?:any(?:thing)?|more|it)(?:\ else|\ more)?)
        | \b (?:thank\ you|thanks) | \b does\ that\ (?:make\ sense|answer\ (?:it|that|(?:your|the)\ question))
        | \b if\ that\ makes\ sense
        | ^ (?:yeah|yes|yep|no|nope|sure|okay|please|exactly|correct|right)
        ) [.!?]* $""",
    re.IGNORECASE | re.VERBOSE,
)
# "Let me sing" and "sync" are what Whisper makes of a quick "let me think" (base: 2 of 96).
_HOLD = re.compile(
    r"\b(?:let me (?:just )?(?:think|sing|sync|see|recall|remember)|let's (?:see|think)"
    r"|(?:give|just) (?:me )?(?:a|one) (?:second|moment|sec|minute)|(?:one|a) (?:second|moment|sec)|hold on"
    r"|bear with me|i(?:'m| am) (?:still )?thinking|how (?:do|should|can) i (?:put|say|explain) (?:it|this|that)"
    r"|what(?:'s| is|'s) the word)"
    r"(?: (?:about|for|of) (?:that|this|it|a (?:second|moment|sec|minute)))?(?: please)?[.,!?…\s]*$",
    re.IGNORECASE,
)
_LEAD = r"(?:(?:sorry|okay|um|oh|well|and|so|but|actually|wait),? )*"
_REQUEST = re.compile(
    rf"(?:^|[.,!?;] +){_LEAD}(?:could|can|would|may|will) (?:you|we|i) [^.?!]*\?$"
    rf"|(?:^|[.!?] +){_LEAD}(?:what|how|which|when|why|where|do|does|did|is|are|should|shall)\b[^.?!]*\?$"
    r"|\b(?:skip (?:this|that|it)|next question|repeat (?:that|it|the question)|(?<!and )(?:move|go) on)"
    r"(?:,? please)?[.!?]*$",
    re.IGNORECASE,
)
_TO_SOMEBODY = re.compile(
    r"\b(?:you|your|we|us|question|(?:is|are|does|do|was) (?:that|this|it|they|there)|(?:can|could|may|should|shall) i"
    r" (?:ask|have|get|say|take|use|assume|skip|go|try|start|begin|draw|write))\b",
    re.IGNORECASE,
)
_ASKED_EARLY_WORDS = 8
"""Who has said so much before a question that is put to nobody ("What do I gain?") answers it themselves."""
_ANNOUNCED = {"two": 2, "three": 3, "four": 4, "five": 5, "a couple of": 2, "a few": 3, "several": 3, "both": 2}
_ANNOUNCEMENT = re.compile(
    r"\b(two|three|four|five|a couple of|a few|several) (?:\w+ )?"
    r"(?:things|reasons|ways|steps|points|parts|kinds|types|options|cases|problems|ideas|approaches|factors|aspects)\b",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    r"\b(?:first(?:ly)?|one(?: is|,)|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|then|next|finally|last(?:ly)?|another|"
    r"the other|also|on the other hand|two(?: is|,)|three(?: is|,))\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:first(?:ly| of all)?|on (?:the )?one hand|to begin with|for one thing)\b", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(?:second(?:ly)?|then|next|after (?:that|this|which)|finally|last(?:ly)?|on the other(?: hand)?|another)\b",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[.!?](?=\s|$)")
_SENTENCES_OF_A_FIRST = 2
"""After so many sentences that follow "First, …" nobody waits for a second any more."""


def ending_of(text: str) -> Ending:
    """How these words end."""
    text = text.strip().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    spoken = [word.lower().strip(_MARKS) for word in text.split()]
    if not spoken or (all(word in _STARTERS for word in spoken) and (len(spoken) > 1 or spoken[0] in _SOUNDS)):
        return "open"
    return _told(text) or _left_open(text, spoken[-1]) or ("complete" if text[-1] in ".!?" else "unpunctuated")


def _left_open(text: str, last: str) -> Ending | None:
    """How it shows that something is missing, if it does."""
    unstopped = text.endswith(_UNSTOPPED)
    if _CONNECTS.search(text):
        return "open"
    if last in _OPEN_WORDS and not (text[-1] in ".!?" and not unstopped and last in _CAN_END):
        return "open"
    if unstopped or last in _SOUNDS:
        return "trailing"
    return "counting" if _announces_more(text) else None


def _told(text: str) -> Ending | None:
    """What the candidate says outright: that time is needed, that it is over, that something is wanted."""
    if _HOLD.search(text):
        return "hold"
    if text.endswith(_UNSTOPPED):
        return None
    if _CLOSING.search(text):
        return "closing"
    if not _REQUEST.search(text):
        return None
    return "counting" if _is_rhetorical(text) else "request"


def _is_rhetorical(text: str) -> bool:
    """Whether the text ends with a question of the candidate's to themselves: it announces its answer."""
    if not text.endswith("?"):
        return False
    start = max(text.rfind(mark, 0, -1) for mark in ".!?") + 1
    return len(text[:start].split()) >= _ASKED_EARLY_WORDS and not _TO_SOMEBODY.search(text, start)


def _announces_more(text: str) -> bool:
    """True if fewer things were told than announced, or a first one without a second.

    Not everybody counts aloud: a whole sentence about each is as good, and what follows a "first" for some sentences
    was the answer.
    """
    announced = list(_ANNOUNCEMENT.finditer(text))
    if announced:
        said = text[announced[-1].end() :]
        told = max(len(_ITEMS.findall(said)), _sentences_after(said))
        return told < _ANNOUNCED[announced[-1][1].lower()]
    firsts = list(_FIRST.finditer(text))
    if not firsts:
        return False
    said = text[firsts[-1].end() :]
    return not _NEXT.search(said) and _sentences_after(said) < _SENTENCES_OF_A_FIRST


def _sentences_after(said: str) -> int:
    """Whole sentences that follow the one which these words end."""
    return max(0, len(_SENTENCE_ENDS.findall(said)) - 1)


_DOUBTFUL, _DOUBTFUL_WORDS = 0.3, 5


def are_doubtful(words: int, confidence: float) -> bool:
    """True if so many words, heard with this mean confidence, may never have been said.

    Whisper makes "Mom" and "Nah" of a murmur (0.15 to 0.5), once "And then they chat." (0.16), and of "Hmm, let me
    think." once "Come, let me sing." (0.24). What candidates did say in so few words had 0.5 to 1 in eight rehearsals;
    "Sure," once 0.17.
    """
    return words <= _DOUBTFUL_WORDS and confidence < _DOUBTFUL
