"""PINs and booked calls over HTTP: made by whoever may, seen and revoked by the host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from agent.http.app import make_app
from agent.interviews.profiles import opened_profiles
from agent.phone.grants import PinGrant
from agent.phone.pins import open_pins
from agent.settings import Settings
from domain.events import InterviewCreated, InterviewEnded
from review import RecordStore
from tests.rag.profiles.samples import RESUME

PHONE = "/api/v1/phone"
PINS = f"{PHONE}/pins"
BOOKINGS = f"{PHONE}/bookings"
INTERVIEW = {"name": "Ada Example", "pack": "backend", "minutes": 15, "focus_topics": ["Caching"]}
TOKEN = "a-token-of-the-host"
DAY = 24 * 3600.0

pytestmark = pytest.mark.usefixtures("profiles_by_words")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An installation with a phone."""
    return Settings(data_dir=tmp_path, phone=True, phone_number="030 1234")


@pytest.fixture
def host(settings: Settings) -> Iterator[TestClient]:
    """Whoever hosts Viva, at its machine."""
    with TestClient(make_app(settings), client=("127.0.0.1", 1)) as web:
        yield web


@pytest.fixture
def guest(settings: Settings) -> Iterator[TestClient]:
    """Somebody else."""
    with TestClient(make_app(settings), client=("192.0.2.7", 1)) as web:
        yield web


def grant_of(settings: Settings, made: Any) -> PinGrant:
    """What a PIN stands for that was made over HTTP."""
    assert made.status_code == 201, made.text
    grant = open_pins(settings).of_pin(made.json()["pin"])
    assert grant is not None
    return grant


def test_whoever_may_create_an_interview_gets_a_pin_for_one(settings: Settings, guest: TestClient) -> None:
    """With the number to dial; it counts for a week, and stands for what was wished."""
    made = guest.post(PINS, json={"interview": INTERVIEW})
    grant = grant_of(settings, made)
    assert (made.json()["number"], made.json()["once"]) == ("030 1234", True)
    assert grant.valid_until is not None
    assert grant.valid_until - time.time() == pytest.approx(7 * DAY, abs=60)
    wish = grant.wish
    assert (wish.candidate_name, wish.minutes, list(wish.focus_topics)) == ("Ada Example", 15, ["caching"])


def test_a_guest_gets_no_more_than_that(guest: TestClient) -> None:
    """Neither a PIN for any number of interviews, nor one for a year, nor anything that is kept."""
    for more in ({"once": False}, {"valid_until": time.time() + 300 * DAY}):
        refused = guest.post(PINS, json={"interview": INTERVIEW, **more})
        assert (refused.status_code, refused.json()["type"]) == (403, "/api/v1/problems/host-only")
    for refused in (guest.get(PINS), guest.delete(f"{PINS}/x"), guest.get(BOOKINGS), guest.delete(f"{BOOKINGS}/x")):
        assert refused.status_code == 403
    booked = guest.post(BOOKINGS, json={"interview": INTERVIEW, "number": "12", "at": time.time() + 3600})
    assert booked.status_code == 403


def test_the_host_sees_and_revokes_pins(settings: Settings, host: TestClient) -> None:
    """Never their digits, nor the documents."""
    made = host.post(PINS, json={"interview": {**INTERVIEW, "resume": "Zebra finches."}, "once": False}).json()
    (listed,) = host.get(PINS).json()
    assert (listed["id"], listed["state"], listed["candidate_name"], listed["once"]) == (
        made["id"], "valid", "Ada Example", False,
    )  # fmt: skip
    shown = host.get(PINS).text
    assert made["pin"] not in shown
    assert "finches" not in shown
    assert host.delete(f"{PINS}/{made['id']}").status_code == 204
    gone = host.delete(f"{PINS}/{made['id']}")
    assert (gone.status_code, gone.json()["type"]) == (404, "/api/v1/problems/unknown-pin")
    assert host.get(PINS).json() == []


def test_with_a_token_the_host_is_whoever_has_it(settings: Settings) -> None:
    """From anywhere."""
    with_token = settings.model_copy(update={"host_token": TOKEN})
    with TestClient(make_app(with_token), client=("192.0.2.7", 1)) as web:
        assert web.get(PINS).status_code == 401
        web.headers["Authorization"] = f"Bearer {TOKEN}"
        assert web.get(PINS).status_code == 200
        assert web.post(PINS, json={"interview": INTERVIEW, "once": False}).status_code == 201


def test_what_is_kept_of_somebody_goes_with_a_pin_of_the_hosts_only(
    settings: Settings, host: TestClient, guest: TestClient
) -> None:
    """A name is enough to be somebody."""
    with opened_profiles(settings) as profiles:
        profiles.bring_in("ada-example", RESUME, at=1.0)
    by_guest = grant_of(settings, guest.post(PINS, json={"interview": INTERVIEW}))
    by_host = grant_of(settings, host.post(PINS, json={"interview": INTERVIEW}))
    assert by_guest.wish.profile is None
    assert by_host.wish.profile is not None
    assert by_host.wish.profile.skills == RESUME.skills


@pytest.mark.parametrize(
    ("body", "status", "kind", "says"),
    [
        ({"interview": {**INTERVIEW, "pack": "nonsense"}}, 422, "unknown-pack", "backend"),
        ({"interview": {**INTERVIEW, "focus_topics": ["nonsense"]}}, 422, "unknown-topic", "caching"),
        ({"interview": {**INTERVIEW, "minutes": 1}}, 422, "invalid-request", "minutes"),
        ({"interview": {**INTERVIEW, "resume": "x" * 50_001}}, 413, "too-long", "Shorten"),
        ({"interview": INTERVIEW, "valid_until": 1.0}, 422, "invalid-request", "never count"),
        ({"interview": INTERVIEW, "valid_until": -1.0}, 422, "invalid-request", "valid_until"),
        ({"interview": INTERVIEW, "pin": "123456"}, 422, "invalid-request", "pin"),
        ({}, 422, "invalid-request", "interview"),
    ],
)
def test_what_cannot_be_granted_is_a_problem(
    host: TestClient, body: dict[str, Any], status: int, kind: str, says: str
) -> None:
    """Whose sentence says what was wrong; no PIN is made."""
    refused = host.post(PINS, json=body)
    assert (refused.status_code, refused.json()["type"]) == (status, f"/api/v1/problems/{kind}")
    assert says in refused.json()["detail"]
    assert host.get(PINS).json() == []


def test_without_a_phone_there_are_no_pins(settings: Settings) -> None:
    """And the page is told so; a number alone is enough, for another line than Viva's own."""
    off = settings.model_copy(update={"phone": False, "phone_number": ""})
    with TestClient(make_app(off), client=("127.0.0.1", 1)) as web:
        assert web.get(PHONE).json() == {"enabled": False, "number": "", "calls_out": False}
        refused = web.post(PINS, json={"interview": INTERVIEW})
        assert (refused.status_code, refused.json()["type"]) == (409, "/api/v1/problems/phone-off")
    elsewhere = settings.model_copy(update={"phone": False})
    with TestClient(make_app(elsewhere), client=("127.0.0.1", 1)) as web:
        assert web.get(PHONE).json() == {"enabled": True, "number": "030 1234", "calls_out": False}
        assert web.post(PINS, json={"interview": INTERVIEW}).status_code == 201
        booked = web.post(BOOKINGS, json={"interview": INTERVIEW, "number": "12", "at": time.time() + 60})
        assert booked.json()["type"] == "/api/v1/problems/phone-off"


def test_too_many_pins_are_a_problem(settings: Settings) -> None:
    """Rather than one that could be guessed; guests leave half of them to the host."""
    few = settings.model_copy(update={"phone_pin_digits": 4})
    answers = []
    for address in ("192.0.2.7", "127.0.0.1"):
        with TestClient(make_app(few), client=(address, 1)) as web:
            answers += [web.post(PINS, json={"interview": INTERVIEW}) for _ in range(6)]
    assert [each.status_code for each in answers] == [201] * 5 + [409] + [201] * 5 + [409]
    assert answers[-1].json()["type"] == "/api/v1/problems/all-pins-taken"


def test_a_call_is_booked_listed_and_cancelled(settings: Settings, host: TestClient) -> None:
    """With a PIN for calling back, which is shown once."""
    at = time.time() + 3600
    made = host.post(BOOKINGS, json={"interview": INTERVIEW, "number": "030 / 12", "at": at})
    grant = grant_of(settings, made)
    booked = made.json()
    assert (booked["number"], booked["state"], booked["candidate_name"]) == ("03012", "waiting", "Ada Example")
    assert grant.once
    (listed,) = host.get(BOOKINGS).json()
    assert listed == {**booked, "pin": ""}
    assert host.delete(f"{BOOKINGS}/{booked['id']}").status_code == 204
    again = host.delete(f"{BOOKINGS}/{booked['id']}")
    assert (again.status_code, again.json()["type"]) == (404, "/api/v1/problems/unknown-booking")
    assert host.get(BOOKINGS).json()[0]["state"] == "cancelled"


@pytest.mark.parametrize(
    ("about", "says"),
    [({"at": 1.0}, "has passed"), ({"number": "sip:a@b"}, "digits"), ({"at": time.time() + 500 * DAY}, "year")],
)
def test_a_call_that_cannot_be_booked_is_a_problem(host: TestClient, about: dict[str, Any], says: str) -> None:
    """And leaves neither booking nor PIN."""
    wanted = {"interview": INTERVIEW, "number": "12", "at": time.time() + 3600, **about}
    refused = host.post(BOOKINGS, json=wanted)
    assert (refused.status_code, says in refused.json()["detail"]) == (422, True), refused.text
    assert host.get(BOOKINGS).json() == []
    assert host.get(PINS).json() == []


def test_a_store_that_fails_is_a_sentence(settings: Settings, host: TestClient) -> None:
    """For whoever asked, not a trace."""
    settings.phone_path.write_text("nonsense " * 200)
    failed = host.get(PINS)
    assert (failed.status_code, failed.json()["type"]) == (503, "/api/v1/problems/storage-failed")
    assert "Move it away" in failed.json()["detail"]


def test_what_was_given_for_a_pin_is_deleted_with_the_person(settings: Settings, host: TestClient) -> None:
    """By whom nothing else is known, too."""
    interview = {**INTERVIEW, "resume": "Bred zebra finches.", "name": "Grace"}
    host.post(BOOKINGS, json={"interview": interview, "number": "0309876543", "at": time.time() + 60})
    assert b"finches" in settings.phone_path.read_bytes()
    assert host.delete("/api/v1/profiles/grace").status_code == 204
    kept = settings.phone_path.read_bytes()
    for words in (b"finches", b"Grace", b"0309876543"):
        assert words not in kept
    assert host.delete("/api/v1/profiles/grace").status_code == 404


def test_a_deleted_interview_takes_its_pin_with_it(settings: Settings, host: TestClient) -> None:
    """What was given for it is nowhere any more."""
    grant = grant_of(settings, host.post(PINS, json={"interview": {**INTERVIEW, "resume": "Bred zebra finches."}}))
    record = RecordStore(settings.record_path)
    record.append(
        "mine",
        InterviewCreated(at=1.0, candidate_name="Ada", pack="p", pack_title="P", minutes=5, feedback="coach", room="r"),
    )
    record.append("mine", InterviewEnded(at=2.0, reason="completed"))
    record.close()
    open_pins(settings).take(grant.id, "mine", time.time())
    assert host.delete("/api/interviews/mine").status_code == 204
    assert host.get(PINS).json() == []
    assert b"finches" not in settings.phone_path.read_bytes()
