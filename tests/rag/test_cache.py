"""The pool: room for so many, for so long, and what was used last stays longest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.cache import Pool

KEYS = st.sampled_from("abcdef")
STEPS = st.lists(
    st.tuples(st.sampled_from(["get", "put"]), KEYS, st.floats(0, 5), st.floats(0.1, 20)), min_size=1, max_size=60
)


def test_a_value_is_there_until_its_time_is_over() -> None:
    """A second before it is there, at the second it is not."""
    pool: Pool[str, int] = Pool(2)
    pool.put("a", 1, now_s=100, ttl_s=60)

    assert pool.get("a", 159.9) == 1
    assert pool.get("a", 160) is None
    assert len(pool) == 0


def test_what_was_used_longest_ago_makes_room() -> None:
    """Reading counts as use, and so does writing again."""
    pool: Pool[str, int] = Pool(2)
    for key in "aba":
        pool.put(key, 1, now_s=0, ttl_s=60)
    pool.get("b", 1)
    pool.put("c", 1, now_s=2, ttl_s=60)

    assert [pool.get(key, 3) for key in "abc"] == [None, 1, 1]


def test_what_is_kept_again_lives_anew() -> None:
    """A value in place of another has its own time."""
    pool: Pool[str, int] = Pool(2)
    pool.put("a", 1, now_s=0, ttl_s=60)
    pool.put("a", 2, now_s=50, ttl_s=60)

    assert pool.get("a", 100) == 2


@given(st.integers(1, 4), STEPS)
def test_it_holds_the_last_used_that_have_not_expired(size: int, steps: list[tuple[str, str, float, float]]) -> None:
    """Whatever is read and written when, the pool gives what a plain list of the last used would give."""
    pool: Pool[str, float] = Pool(size)
    model: list[tuple[str, float, float]] = []
    now = 0.0
    for what, key, pause, ttl in steps:
        now += pause
        known = next((each for each in model if each[0] == key), None)
        model = [each for each in model if each[0] != key]
        if what == "put":
            pool.put(key, now, now_s=now, ttl_s=ttl)
            model = [*model, (key, now, now + ttl)][-size:]
        else:
            alive = known is not None and now < known[2]
            assert pool.get(key, now) == (known[1] if known and alive else None)
            model += [known] if known and alive else []
        assert len(pool) == len(model)
