"""Quoting: the candidate's own words, tidied so that they can be said back: short, no fillers, in the second person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.verdict import Verdict
from graph.feedback.fragments import hangs_on, is_fragment
from graph.feedback.heard import FILLING, UNHEARD
from graph.judging.quote_matching import plain
from graph.judging.text.clauses import CONNECTIVES, Clause, split, windows
from graph.judging.text.stems import content_stems
from graph.judging.text.work_verbs import past_forms
from graph.templates import in_mid_sentence

_FEWEST_OF_DEED = 6
"""Words of a deed that is worth saying back."""
_NO_DEEDS = frozenset(
    "needed wanted liked seemed happened hoped enjoyed believed noticed realized realised loved hated".split()
)
_WORDS_ENOUGH = 12
_MOST_CLAUSES = 3
_CLAUSE_ENOUGH = 4
"""Words of what may be a clause by itself."""

_SPELT_OUT = frozenset("0 1 2 3 4 5 6 7 8 9 zero oh one two three four five six seven eight nine".split())
"""Said twice, these are figures: "four four three" was not begun twice."""
_OPENERS = re.compile(
    r"^(?:(?:and|but|so|because|then|or|also|well|okay|ok|"
    r"since(?= (?:that|the|it|they|you|we|i|nobody|everybody|people|every|each|most|all|some|no|he|she|there)\b)|"
    r"right(?! (?:away|after|before|now|at|there))|yeah|yes|"
    # "no need to" without its "no" would be the opposite of what was said.
    r"no(?=,)|sure(?=,)|"
    # "You said first, you ask whether …"
    r"first(?=,| (?:i|we)\b)|(?:second|third|next)(?=,)|first of all|firstly|secondly|finally|lastly|"
    r"now|like|though|although|plus|however|i think(?! (?:of|about)\b)|i guess|i suppose|i believe|"
    r"i mean|i'd say|i would say|i'm pretty sure|you know|sort of|kind of|let's see|let me think|to be honest|maybe|"
    r"whereas|while|the thing is)\b(?:, *| +))+",
    re.IGNORECASE,
)
_CLOSERS = re.compile(
    r"(?:,? {1,20}(?:(?:because|and|but|so|when|if|which) (?:i|you|we|it|they|he|she)|and|but|so|because|then|or|which|"
    # Not of "how many there are".
    r"(?<!there )(?<!it )(?<!they )(?<!that )(?:is|are)|"
    r"so that|the|a|an|of|to|from|into|with|for|in|on|as|(?<! they )(?<! you )(?<! we )(?<! i )like|"
    r"if|when|you know|i think|i guess|i suppose|"
    r"i believe|i'm (?:pretty |quite )?sure|as far as i know|to be honest|or something|or so|right|okay|yeah|"
    r"though)){1,12}$",
    re.IGNORECASE,
)
_STRANDED = re.compile(
    r"\b(?:what|whatever|which|whichever|who|whom|where)(?: \w+)? "
    r"(?:i|we|you|they|it|he|she|people|(?:every|some|any|no)(?:body|one)|(?:the|my|your|our|their) \w+)(?:'\w+)? "
    r"\w+(?: (?:up|down|out))? (?:for|with|to|on|in|of|from|at|about|as|like)$",
    re.IGNORECASE,
)
"""How a clause may well end: "what I asked for", "what everybody starts with", "whatever it ended up as"."""
_BRACKETS = re.compile(r"[\"“”„«»()\[\]{}*_#<>]")
"""What is not spoken; gone before sentences are told apart, or a stop before one would be in mid-sentence."""
_ASIDES = re.compile(r",? {0,20}\b(?:you know|i mean|sort of|kind of|like),(?= )", re.IGNORECASE)
_LEADS_TO_MORE = re.compile(
    r"(?:(?:and|but|so|or|then) )*(?:as soon as|as long as|if|when|once|whenever|unless|until|although|though|while|"
    r"since|after|before|wherever)\b",
    re.IGNORECASE,
)
"""How a clause begins behind which another one has to come, when it goes on: "but as soon as one step differs, …"."""
_PERSONS = {
    "i am": "you are", "i'm": "you're", "i was": "you were", "i": "you", "i've": "you've", "i'd": "you'd",
    "i'll": "you'll", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we're": "you're",
    "we": "you", "we've": "you've", "we'd": "you'd", "we'll": "you'll", "us": "you", "our": "your", "ours": "yours",
    "ourselves": "yourselves",
}  # fmt: skip
_FIRST_PERSON = re.compile(
    r"\b(?<!')(?:[Ii] (?:am|was)|[Ii]'(?:m|ve|d|ll)|[Ii]|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e'(?:re|ve|d|ll)|[Ww]e|us|"
    r"[Oo]urs|[Oo]ur|ourselves)\b(?!')"
)
_SINGULAR = re.compile(r"\b(?<!')(?:[Ii] (?:am|was)|[Ii]'(?:m|ve|d|ll)|[Ii]|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b(?!')")
_SECOND_PERSON = re.compile(r"\byou(?:r|rs|rself|'\w+)?\b", re.IGNORECASE)
_BELONGS_TO_ONE = re.compile(r"\b(?:me|my|mine|myself|us|ours?|ourselves|yours?|yourself)\b", re.IGNORECASE)
_EDGES = " ,;:.?!…-\u2013\u2014"
_JOINING = frozenset({"and", "or", "then"})
_LEADS_ON = frozenset(
    "the a an of to from into with for in on at by as my your our his its their this and or but so that if when "
    "because is are was were be has have had does do did can could will would should may might must i'd he'd she'd "
    "we'd you'd they'd i'll he'll she'll we'll you'll they'll i'm i've we've you've they've not".split()
)
"""Words that a clause goes on after: a comma behind one is a breath in mid-clause, or the beginning was lost ("he'd, to
buy a join")."""
_SUBJECTS = frozenset(
    "i you we he she it they this that there these those the my our your his its their every each everybody everyone "
    "nobody all both some most many if when since as because so then a an".split()
)
_CONCEDES = frozenset({"while", "whereas", "although", "though"})
"""Without these the clause is whole, and with another one behind it they are needed: "while I'm paging, it shifts"."""
_CLAUSE_BEGINS = _SUBJECTS | CONNECTIVES
_LONGEST_ITEM = 4
_ENDS_SENTENCE = re.compile(r"[.?!…;:][\"'”)]*$")


def own_words(verdict: Verdict) -> str:
    """The part of a verdict's quote that says most of the point, as it follows "you said"; empty if none can be said.

    The quote is cut at clauses, never inside one, and what broke off is left: half a thought said back is a distortion.
    """
    if verdict.quote is None:
        return ""
    wanted = content_stems(verdict.point)
    pieces = [piece for piece in _pieces(_tidied(verdict.quote.text)) if _can_be_said(piece)]
    best = max(pieces, key=lambda piece: _fitness(piece, wanted), default="")
    # "We keep a copy" is how anybody explains things: it is nothing that the candidate did.
    return _turned(_SINGULAR, best)


def deed(verdict: Verdict) -> str:
    """What somebody says they did, to be said back: "you soldered the sensor to the board"; empty if they do not."""
    if verdict.quote is None:
        return ""
    pieces = _pieces(_tidied(verdict.quote.text))
    told = [piece for piece in pieces if _can_be_said(piece) and _is_deed(piece.split())]
    return to_second_person(max(told, key=len, default=""))


def _is_deed(words: Sequence[str]) -> bool:
    if len(words) < _FEWEST_OF_DEED or words[0].lower() not in ("i", "we"):
        return False
    verb = plain(words[1])
    return verb in past_forms() or (verb.endswith("ed") and verb not in _NO_DEEDS)


def _tidied(text: str) -> list[str]:
    """Words without fillers, nor the pauses around them, nor what was begun twice."""
    words: list[str] = []
    for word in _BRACKETS.sub("", _ASIDES.sub("", text)).split():
        if plain(word) in FILLING:
            if words and word.endswith((",", ".", "?", "!", "…")):
                words[-1] = words[-1].rstrip(",") + word[-1].replace(",", "")
            continue
        if words and plain(word) and plain(words[-1]) == plain(word) and not _is_said_twice(words):
            words.pop()
        words.append(word)
    return words


def _is_said_twice(words: Sequence[str]) -> bool:
    """False for what was begun anew. Of a figure both count; and one may end a clause, the other begin the next."""
    if plain(words[-1]) in _SPELT_OUT:
        return True
    clause = words[-_CLAUSE_ENOUGH:]
    return (
        words[-1].endswith(",")
        and len(clause) == _CLAUSE_ENOUGH
        and not any(word[-1:] in ",.;:?!" for word in clause[:-1])
    )


def _pieces(words: Sequence[str]) -> list[str]:
    """Every run of neighbouring clauses inside one sentence, without what only joined it to the rest."""
    return [
        _trimmed(window.text)
        for sentence in _sentences(words)
        for window in windows(split(sentence), sentence, widest=_MOST_CLAUSES)
        if _is_whole(window, sentence)
    ]


def _is_whole(window: Clause, sentence: Sequence[str]) -> bool:
    """False for what a cut inside a clause left, and for what hangs on the words before it.

    Long speech without a stop is cut anywhere; behind "and" may stand half of a list ("the passwords and cookies are
    encrypted") or of a clause ("he logs in and finds it").
    """
    first, concedes = window.first_word, plain(sentence[window.first_word]) in _CONCEDES and ", " in window.text
    if concedes or (first and not _is_cut(sentence, first)):
        return False
    if window.last_word + 1 < len(sentence) and (
        not _is_cut(sentence, window.last_word + 1) or _LEADS_TO_MORE.match(_last_clause(window.text))
    ):
        return False
    if _parts_what_belongs_together(window, sentence):
        return False
    if any(
        word.endswith(",") and plain(word) in _LEADS_ON for word in sentence[window.first_word : window.last_word + 1]
    ):
        return False
    if not window.first_word or plain(sentence[window.first_word]) not in _JOINING:
        return True
    following = next((plain(word) for word in sentence[window.first_word + 1 :] if plain(word) not in _JOINING), "")
    return following in _SUBJECTS or "'" in following


def _parts_what_belongs_together(window: Clause, sentence: Sequence[str]) -> bool:
    """True when a list, or a word and what defines it, would be cut at either end."""
    first, end = window.first_word, window.last_word + 1
    if _is_defined_by(sentence, first) or _is_defined_by(sentence, end) or _is_in_list(sentence, first):
        return True
    # "I hold a lock while I call a service, grab it early and let go": what follows a deed is another one.
    return _is_in_list(sentence, end) and not _SINGULAR.match(_OPENERS.sub("", window.text))


def _last_clause(text: str) -> str:
    """What stands behind the last comma that is not the end."""
    return text.strip(_EDGES).rpartition(", ")[2]


def _is_in_list(sentence: Sequence[str], place: int) -> bool:
    """True when the comma before this word parts the items of a list: "the passwords, cookies and tokens are gone".

    What follows begins no clause of its own, and its next words are joined to it.
    """
    if not 0 < place < len(sentence) or not sentence[place - 1].endswith(","):
        return False
    first = plain(sentence[place])
    if first in _CLAUSE_BEGINS or "'" in first:
        return False
    return any(plain(word) in _JOINING for word in sentence[place + 1 : place + _LONGEST_ITEM])


def _is_cut(sentence: Sequence[str], place: int) -> bool:
    """True when a clause ends before this word and not only a breath."""
    return sentence[place - 1][-1:] in ".?!;:," or plain(sentence[place]) in CONNECTIVES


def _is_defined_by(sentence: Sequence[str], place: int) -> bool:
    """True when the words before this one say nothing without it: "that's the thing which does the walking"."""
    inside = 0 < place < len(sentence)
    return inside and plain(sentence[place]) == "which" and sentence[place - 1][-1:] not in ".?!;:,"


def _sentences(words: Sequence[str]) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for word in words:
        sentences[-1].append(word)
        if _ENDS_SENTENCE.search(word):
            sentences.append([])
    return sentences


def _trimmed(text: str) -> str:
    text = text.strip(_EDGES)
    text = _OPENERS.sub("", text)
    text = (text if _STRANDED.search(text) else _CLOSERS.sub("", text)).strip(_EDGES)
    # "which slows writes down" begins nothing, "that slows writes down" does.
    text = re.sub(r"^which\b", "that", text, flags=re.IGNORECASE)
    return in_mid_sentence(text)


def _fitness(piece: str, wanted: frozenset[str]) -> tuple[int, int]:
    """How much of the point it says, as a sentence of its own; then, how much there is of it."""
    is_part_of_another = hangs_on(piece)
    return len(content_stems(piece) & wanted) - 2 * is_part_of_another, min(len(piece.split()), _WORDS_ENOUGH)


def _can_be_said(piece: str) -> bool:
    if UNHEARD in piece or is_fragment(piece):
        return False
    # "I wait for yours, you wait for mine": said back, nobody knows who is who.
    return not all(persons.search(piece) for persons in (_FIRST_PERSON, _SECOND_PERSON, _BELONGS_TO_ONE))


def to_second_person(text: str) -> str:
    """What somebody says of themselves as it is said to them: "I put my index on it" becomes "you put your index"."""
    return _turned(_FIRST_PERSON, text)


def _turned(persons: re.Pattern[str], text: str) -> str:
    return persons.sub(lambda match: _PERSONS[match[0].lower()], text)
