"""Spoken digits: the digits of a PIN as a recogniser writes them: "one two three", "double four", "oh", "12, 34"."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z]{1,20}|[0-9]{1,20}")
_ONES = {
    "zero": "0", "oh": "0", "o": "0", "nought": "0", "naught": "0", "nil": "0", "null": "0",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
_TEENS = {
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19",
}  # fmt: skip
_TENS = {
    "twenty": "2", "thirty": "3", "forty": "4", "fourty": "4", "fifty": "5", "sixty": "6", "seventy": "7",
    "eighty": "8", "ninety": "9",
}  # fmt: skip
_TIMES = {"double": 2, "twice": 2, "triple": 3, "treble": 3}
_SOUNDS_LIKE = {"to": "2", "too": "2", "for": "4", "fore": "4", "won": "1", "ate": "8", "tree": "3", "sex": "6"}
"""Other words that a recogniser writes for digits; they count where the rest are digits."""
_AROUND = frozenset(
    "my the a pin number code is it it's its s that's and then um uh er okay ok yes hello hi please hash pound star "
    "sure so here".split()
)
_A_ROW, _FEW = 4, 4
"""So many digits are a row, and so many other words may be beside them ("my p-vian is 482913")."""
_NONE = re.compile(r"\b(?:no|not|don't|haven't|without|forgot|lost)\b[a-z' ]{0,30}\b(?:pin|code|number|one)\b")
_PRACTICE = re.compile(r"\b(?:practice|practise)\b")


def digits_of(text: str) -> str:
    """The digits that were said; empty when something else was.

    Args:
        text: as it was recognised.
    """
    words = _WORD.findall(text.lower().replace("'", "").replace("\u2019", ""))[:60]
    found, certain, others = "", 0, 0
    times, tens = 1, ""
    for word in words:
        if word in _TIMES:
            times = _TIMES[word]
            continue
        digit, is_sure = _digits(word)
        if tens and len(digit) == 1 and digit != "0":
            found += tens + digit
            digit, tens = "", ""
            certain += is_sure
            continue
        found, tens = found + (tens + "0" if tens else ""), ""
        if word in _TENS:
            tens, certain = _TENS[word], certain + 2
        elif digit:
            # "Double 40917" is how "double four oh nine …" is written.
            found, certain = found + digit[0] * (times - 1) + digit, certain + (len(digit) if is_sure else 0)
        elif word not in _AROUND:
            others += 1
        times = 1
    found += tens + "0" if tens else ""
    # A row of digits stands for itself, whatever was made of the words before it; a stray one does not.
    return found if certain and (others == 0 or (certain >= _A_ROW and others <= _FEW)) else ""


def wants_practice(text: str) -> bool:
    """Whether somebody says that they have no PIN, or only want to practise."""
    said = text.lower()[:300].replace("\u2019", "'")
    return _PRACTICE.search(said) is not None or _NONE.search(said) is not None


def _digits(word: str) -> tuple[str, bool]:
    """The digits that a word is, and whether it can be nothing else."""
    if word.isdigit():
        return word, True
    if word in _ONES or word in _TEENS:
        return _ONES.get(word) or _TEENS[word], True
    return _SOUNDS_LIKE.get(word, ""), False
