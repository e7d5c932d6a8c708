"""PINs: what they stand for, when they count, and what is kept of them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from agent.phone.database import PhoneStoreError
from agent.phone.grants import PinGrant
from agent.phone.pins import PinError, PinRefusal, PinStore, open_pins
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewEnded
from review import RecordStore
from tests.agent.phone.samples import SECRET, WISH, Pins, other_than

DAY = 24 * 3600.0


@pytest.fixture
def pins(tmp_path: Path) -> Pins:
    """A store of PINs."""
    return Pins(tmp_path)


def test_a_pin_stands_for_the_whole_wish(pins: Pins) -> None:
    """With documents, profile and topics, as it was given; six digits."""
    pin, grant = pins.issued()
    assert pin.isdecimal()
    assert len(pin) == 6
    found = pins.check(pin, 1.0)
    assert isinstance(found, PinGrant)
    assert (found.id, found.wish) == (grant.id, WISH)
    assert pins.check(other_than(pin), 1.0) == "wrong"
    for nonsense in ("", "12345x", pin + "0", " " + pin, "١٢٣٤٥٦"):
        assert pins.check(nonsense, 1.0, caller=nonsense) == "wrong"


def test_neither_pin_nor_caller_is_on_the_disk(pins: Pins) -> None:
    """Only digests are, and those under a secret that is in another file."""
    pin, _ = pins.issued()
    pins.check(other_than(pin), 1.0, caller="+4930555", address="192.0.2.77")
    kept = pins.path.read_bytes()
    for text in (pin, other_than(pin), "+4930555", "192.0.2.77", SECRET):
        assert text.encode() not in kept
    elsewhere = PinStore(pins.path, "another-secret-of-another-installation", last_heard=lambda _: None)
    assert isinstance(elsewhere.check(pin, caller="", address="", now=1.0), PinRefusal)


def test_a_pin_for_one_interview_is_gone_when_it_was_used(pins: Pins) -> None:
    """One for a time is not, until that is over."""
    once, grant = pins.issued()
    many, of_many = pins.issued(once=False, start=50.0, until=500.0)
    assert pins.check(many, 49.0) == "early"
    pins.store.take(grant.id, "first", 100.0)
    pins.store.take(of_many.id, "second", 100.0)
    assert pins.check(once, 101.0) == "late"
    found = pins.check(many, 499.0)
    assert isinstance(found, PinGrant)
    assert found.interview_id == "second"
    assert pins.check(many, 500.0) == "late"


def test_of_all_who_have_a_pin_for_one_interview_at_once_one_gets_it(pins: Pins) -> None:
    """It counts for every one of them until it is taken; a revoked one nobody gets, one for a time everybody."""
    _, once = pins.issued()
    _, many = pins.issued(once=False)
    _, revoked = pins.issued()
    pins.store.revoke(revoked.id)
    ready = threading.Barrier(4)

    def take(caller: int) -> tuple[bool, bool, bool]:
        ready.wait()
        once_, many_, revoked_ = (pins.store.take(each.id, f"of {caller}", 1.0) for each in (once, many, revoked))
        return once_, many_, revoked_

    with ThreadPoolExecutor(4) as callers:
        got = list(callers.map(take, range(4)))
    assert [sum(each) for each in zip(*got, strict=True)] == [1, 4, 0]
    winner = next(number for number, (has_it, *_) in enumerate(got) if has_it)
    assert pins.store.take(once.id, f"of {winner}", 2.0), "their interview has not begun yet"


@pytest.mark.parametrize("once", [True, False])
def test_who_was_cut_off_may_call_again_for_a_quarter_of_an_hour(pins: Pins, once: bool) -> None:
    """With the same PIN for the same interview, counted from when it broke off; not when it is over or deleted."""
    pin, grant = pins.issued(once=once, until=1_000.0)
    pins.store.take(grant.id, "mine", 100.0)
    broke_off_at = 1_900.0
    pins.heard["mine"] = broke_off_at
    found = pins.check(pin, broke_off_at + 899.0)
    assert isinstance(found, PinGrant)
    assert found.interview_id == "mine"
    assert pins.check(pin, broke_off_at + 901.0) == "late"
    pins.heard.clear()
    assert pins.check(pin, broke_off_at + 1.0) == "late"


def test_the_record_says_whether_an_interview_goes_on(tmp_path: Path) -> None:
    """As the worker has left it, without anybody telling the store."""
    settings = Settings(data_dir=tmp_path, phone_pin_digits=8)
    store = open_pins(settings)
    pin, grant = store.issue(WISH, once=True, valid_from=None, valid_until=None, now=0.0)
    assert len(pin) == 8
    record = RecordStore(settings.record_path)
    created = InterviewCreated(
        at=100.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="r"
    )
    record.append("mine", created)
    store.take(grant.id, "mine", 100.0)
    assert isinstance(store.check(pin, caller="", address="", now=200.0), PinGrant)
    record.append("mine", InterviewEnded(at=201.0, reason="completed"))
    assert isinstance(store.check(pin, caller="", address="", now=202.0), PinRefusal)
    record.close()


def test_a_revoked_pin_is_gone(pins: Pins) -> None:
    """By its id, once; also while its interview could go on."""
    pin, grant = pins.issued()
    pins.heard["mine"] = 100.0
    pins.store.take(grant.id, "mine", 100.0)
    assert pins.store.revoke(grant.id)
    assert not pins.store.revoke(grant.id)
    assert pins.check(pin, 101.0) == "wrong"
    assert b"zebra finches" not in pins.path.read_bytes()


def test_pins_are_listed_and_old_ones_deleted(pins: Pins) -> None:
    """The newest first, with what became of them; a day after its end nothing of a PIN is left on the disk."""
    _, old = pins.issued(until=100.0)
    _, used = pins.issued(until=None, now=1.0)
    _, early = pins.issued(start=500.0, until=None, now=2.0)
    pins.store.take(used.id, "mine", 150.0)
    listed = pins.store.grants(200.0)
    assert [(each.id, each.state(200.0)) for each in listed] == [
        (early.id, "early"),
        (used.id, "used"),
        (old.id, "expired"),
    ]
    assert [each.id for each in pins.store.grants(151.0 + DAY)] == [early.id]
    pins.store.revoke(early.id)
    assert b"zebra finches" not in pins.path.read_bytes()


def test_a_pin_that_would_never_count_is_not_made(pins: Pins) -> None:
    """With a sentence."""
    for start, until in ((None, 5.0), (100.0, 100.0), (None, 10.0)):
        with pytest.raises(PinError, match="never count"):
            pins.issued(start=start, until=until, now=10.0)
    assert pins.store.grants(10.0) == []


def test_there_are_never_so_many_pins_that_guessing_pays(tmp_path: Path) -> None:
    """One guess in a thousand hits at most; used and revoked ones make room."""
    pins = Pins(tmp_path, digits=4)
    grants = [pins.issued()[1] for _ in range(10)]
    with pytest.raises(PinError, match="phone_pin_digits"):
        pins.issued()
    pins.store.revoke(grants[0].id)
    pins.store.take(grants[1].id, "mine", 1.0)
    pins.issued()
    pins.issued()
    with pytest.raises(PinError, match="Revoke"):
        pins.issued()


def test_many_at_once_get_pins_of_their_own(pins: Pins) -> None:
    """Threads, and as many as there are processes, never share one."""
    made: list[str] = []
    threads = [threading.Thread(target=lambda: made.append(pins.issued()[0])) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 12


def test_wrong_tries_are_counted_by_caller(pins: Pins) -> None:
    """After a few, nothing is looked at for a while, the right PIN neither; a right one forgets them."""
    pin, _ = pins.issued()
    for number in range(4):
        assert pins.store.check(other_than(pin), caller="1", address="a", now=number) == PinRefusal("wrong", 0.0)
    assert pins.check(pin, 4.0, caller="1", address="a") != "wrong"
    for number in range(5):
        last = pins.store.check(other_than(pin), caller="1", address="a", now=10.0 + number)
    assert last == PinRefusal("wrong", 30.0)
    assert pins.check(pin, 20.0, caller="1", address="a") == "barred"
    assert isinstance(pins.check(pin, 20.0, caller="2", address="a"), PinGrant)
    assert isinstance(pins.check(pin, 45.0, caller="1", address="a"), PinGrant)


def test_a_stranger_who_changes_their_number_is_stopped_by_address(pins: Pins) -> None:
    """A right PIN in between, or no number at all, does not help; another address is let in."""
    pin, _ = pins.issued(once=False)
    looked_at = 0
    for number in range(100):
        caller = "" if number % 3 else f"+49{number}"
        looked_at += pins.check(other_than(pin, 1 + number), float(number), caller=caller) == "wrong"
        if number == 10:
            assert isinstance(pins.check(pin, float(number)), PinGrant)
    assert looked_at <= 22
    assert pins.check(pin, 100.0) == "barred"
    assert isinstance(pins.check(pin, 100.0, address="192.0.2.2"), PinGrant)


def test_tries_outlive_the_process(pins: Pins) -> None:
    """Hanging up, or a restart, gives no new ones."""
    pin, _ = pins.issued()
    for _ in range(5):
        pins.check(other_than(pin), 1.0)
    again = PinStore(pins.path, SECRET, last_heard=lambda _: None)
    refused = again.check(pin, caller="+4930123", address="192.0.2.9", now=2.0)
    assert refused == PinRefusal("barred", 29.0)


def test_a_deleted_person_leaves_no_pin(pins: Pins) -> None:
    """By name or id, used or not; those of others stay."""
    pins.issued()
    pins.issued(replace(WISH, candidate_name="Somebody", user_id="ada-example"))
    _, other = pins.issued(replace(WISH, candidate_name="Grace", resume="", profile=None))
    pins.store.forget_person("ada-example")
    assert [each.id for each in pins.store.grants(1.0)] == [other.id]
    kept = pins.path.read_bytes()
    assert b"zebra finches" not in kept
    assert b"Ada" not in kept


def test_a_deleted_interview_takes_its_used_pin_with_it(pins: Pins) -> None:
    """One that counts on stays, and does not name the interview any more."""
    _, once = pins.issued()
    _, many = pins.issued(once=False)
    for grant in (once, many):
        pins.store.take(grant.id, "mine", 1.0)
    pins.store.forget_interview("mine")
    (left,) = pins.store.grants(2.0)
    assert (left.id, left.interview_id) == (many.id, None)


def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    """Which says what to do, and nothing is changed."""
    path = tmp_path / "phone.sqlite"
    path.write_text("nonsense " * 200)
    store = PinStore(path, SECRET, last_heard=lambda _: None)
    with pytest.raises(PhoneStoreError, match="Move it away"):
        store.grants(1.0)
    assert path.read_text().startswith("nonsense")
    (tmp_path / "file").write_text("")
    blocked = PinStore(tmp_path / "file" / "phone.sqlite", SECRET, last_heard=lambda _: None)
    with pytest.raises(PhoneStoreError, match="folder"):
        blocked.check("123456", caller="", address="", now=1.0)
