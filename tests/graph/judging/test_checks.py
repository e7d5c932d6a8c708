"""Checks on numbers, negation and direction: they find what differs, and leave what agrees alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.judging.contradictions import checks
from graph.judging.contradictions.numbers import quantities


@pytest.mark.parametrize(
    ("said", "kind", "value"),
    [
        ("a status code of four oh four means not found", "status", 404),
        ("it answers with status 201", "status", 201),
        ("about three hundred milliseconds", "seconds", 0.3),
        ("it took 2 hours", "seconds", 7200),
        ("ninety nine point nine percent", "percent", 99.9),
        ("99.9% of the time", "percent", 99.9),
        ("four gigabytes of memory", "bytes", 4e9),
        ("a hundred thousand rows", "count", 100_000),
        ("10 million uploads", "count", 10_000_000),
        ("10,000 rows", "count", 10_000),
        ("1,500 rows", "count", 1500),
        ("200,000 rows", "count", 200_000),
        ("10k rows", "count", 10_000),
        ("two and a half million rows", "count", 2_500_000),
        ("five hundred millions", "count", 500_000_000),
        ("it then answers 404", "status", 404),
        ("a status four twenty-nine", "status", 429),
        ("0% of the time", "percent", 0),
        ("ten times as many", "times", 10),
    ],
)
def test_a_spoken_number_is_read(said: str, kind: str, value: float) -> None:
    """Whether spelled out or in digits, in its base unit."""
    found = [quantity for quantity in quantities(said) if quantity.kind == kind]
    assert [quantity.value for quantity in found] == [pytest.approx(value)]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("that is o of n log n", "n log n"),
        ("Big O of n squared", "quadratic"),
        ("a lookup takes constant time", "constant"),
        ("it is linear in the number of rows", "linear"),
        ("it is O n", "linear"),
        ("that is o of n", "linear"),
        ("sorting takes O(n^2)", "quadratic"),
        ("it is n squared", "quadratic"),
        ("a search in log n time", "logarithmic"),
        ("sorting is n log n", "n log n"),
        ("linear time", "linear"),
        ("python three fourteen", "3.14"),
        ("python three point eleven", "3.11"),
        ("since version 2", "2"),
    ],
)
def test_complexities_and_versions_are_names(said: str, name: str) -> None:
    """They are compared as they are: n squared is not nearly n log n."""
    assert name in [quantity.text for quantity in quantities(said)]


@pytest.mark.parametrize(
    "said",
    ["it depends on n", "on no account", "thousands of connections", "millions of followers", "a few hundred users"],
)
def test_what_is_no_number_gives_none(said: str) -> None:
    """Neither the word "on" beside an n nor "thousands of" is an exact number."""
    assert quantities(said) == ()


@pytest.mark.parametrize("said", ["one of the things is that", "the first one", "no number here", ""])
def test_one_and_first_are_mostly_no_numbers(said: str) -> None:
    """Words that only look like amounts give none."""
    assert [quantity for quantity in quantities(said) if quantity.kind != "count"] == []


@pytest.mark.parametrize(
    ("point", "said", "part"),
    [
        ("A lookup in a hash map takes constant time.", "a lookup in a hash map takes linear time", "constant"),
        ("Four oh one means not authenticated.", "status four oh three means not authenticated", "401"),
        ("The limit is ninety percent.", "so the limit is ten percent", "90 percent"),
        ("More data increases the variance.", "more data decreases the variance", "increases"),
        ("An index makes writes slower.", "an index makes writes quicker", "slower"),
        ("It waits thirty seconds.", "it waits about thirty seconds or so", ""),
        ("It waits thirty seconds.", "it waits half a minute", ""),
        ("An index makes writes slower.", "an index does not make writes faster", ""),
        ("Reading gets faster.", "the coffee is slower to make", ""),
        ("The limit is ninety-five percent.", "the limit is fifty percent", "95 percent"),
        ("The target is 99.9 percent.", "the target is ninety nine percent", "99.9 percent"),
        ("There are three replicas.", "there are five replicas", "3"),
        ("There are 200,000 rows.", "there are two hundred thousand rows", ""),
        ("Ten million uploads a day.", "10 million uploads a day", ""),
        ("Missing pages give four oh four.", "missing pages give four oh one", "404"),
        ("Codes in the four hundreds blame the request.", "a 404 blames the request", ""),
        ("Codes in the four hundreds blame the request.", "a 500 blames the request", "4xx"),
        ("Argon two is slow, since attackers try billions.", "argon two is slow, attackers try a billion a second", ""),
        ("Async serves thousands of connections.", "async serves ten thousand connections", ""),
        ("It came back to two nodes.", "it came back in 2019 to nodes", ""),
        ("It runs on Python three.", "it runs on Python 3.11", ""),
        ("Regularisation reduces variance.", "regularisation increases variance", "reduces"),
        ("The log is written before the page.", "the log is written after the page", "before"),
        ("Overfitting drops with more data.", "overfitting grows with more data", "drops"),
        ("More data lowers the variance.", "less data raises the variance", ""),
        ("A function always returns a promise.", "the function never returns a promise", "returns"),
        ("The write blocks the reader.", "the write does not block the reader", "not block"),
        ("The write does not block the reader.", "the write blocks the reader", "blocks"),
        ("The write does not block the reader.", "the write doesn't block the reader", ""),
        ("I look at causes and not at symptoms.", "I look at causes rather than symptoms", ""),
    ],
)
def test_what_differs_is_named(point: str, said: str, part: str) -> None:
    """A number of the same kind, or a word's opposite about the same thing; nothing else."""
    found = checks.differs(point, said)
    assert (part in found) if part else (found == "")


@given(st.text(max_size=80))
def test_nothing_differs_from_itself(text: str) -> None:
    """Whatever is said agrees with itself."""
    assert checks.differs(text, text) == ""
    assert not checks.parity(text, text)


@pytest.mark.parametrize(
    ("said", "differs"),
    [
        ("an index does not make writes faster", True),
        ("it makes writes faster", False),
        ("nothing is never slow", False),
    ],
)
def test_one_negation_on_one_side_is_noticed(said: str, *, differs: bool) -> None:
    """An even number of them says the same as none."""
    assert checks.parity("An index makes writes faster.", said) is differs
