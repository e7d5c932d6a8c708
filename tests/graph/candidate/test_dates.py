"""Dates of résumés, as ISO years and months."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.candidate.dates import find_period


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("Woodgrove Bank\tApr 2021 – Present", "2021-04", "present"),
        ("2020-02 – today", "2020-02", "present"),
        ("March 2018 to date", "2018-03", "present"),
        ("03/2016 - 11/2019", "2016-03", "2019-11"),
        ("2018-now    Litware", "2018", "present"),
        ("2012-2015", "2012", "2015"),
        ("2021/05 – today", "2021-05", "present"),
        ("since 2019", "2019", "present"),
        ("01.04.2019 – heute", "2019-04", "present"),
        ("01.10.2015 – 31.03.2019", "2015-10", "2019-03"),
        ("Sept 2019 until Dec. 2020", "2019-09", "2020-12"),
        ("Jan '19 - Feb '20", "2019-01", "2020-02"),
        ("PhD, 2015", "", "2015"),
        ("Spring 2023", "", "2023"),
    ],
)
def test_dates_in_many_formats(line: str, start: str, end: str) -> None:
    """Months by name and number, years, and words for now become ISO dates."""
    period = find_period(line)
    assert period is not None
    assert (period.start, period.end) == (start, end)


@pytest.mark.parametrize("line", ["served 2,000 customers", "ISO 9001", "in 2100", "call 20195551234", ""])
def test_numbers_are_no_dates(line: str) -> None:
    """Amounts, norms and telephone numbers date nothing."""
    assert find_period(line) is None


@given(
    st.integers(1950, 2059), st.integers(1, 12), st.sampled_from(["{1:02}/{0}", "{0}-{1:02}", "{1}.{0}", "{0}/{1:02}"])
)
def test_a_month_with_a_year_is_read_in_any_order(year: int, month: int, form: str) -> None:
    """A month and a year that are written as numbers are read back."""
    period = find_period(f"Contoso {form.format(year, month)} to present")
    assert period is not None
    assert (period.start, period.end) == (f"{year}-{month:02}", "present")


@given(st.text(max_size=200))
def test_any_line_can_be_looked_at(line: str) -> None:
    """Whatever a line holds, a period is within it or there is none."""
    period = find_period(line)
    assert period is None or 0 <= period.at < period.to <= len(line)
