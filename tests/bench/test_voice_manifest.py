import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bench.voice.manifest import Chunk, ManifestError, chunks_of, load_manifest

WORDS = st.text("abcdefgh", min_size=1, max_size=6)
SECONDS = st.floats(0.1, 9.9).map(lambda value: round(value, 1))


def written(folder: Path, *recordings: object) -> Path:
    """A manifest with these recordings."""
    path = folder / "manifest.yaml"
    path.write_text(yaml.safe_dump({"recordings": list(recordings)}), encoding="utf-8")
    return path


def test_the_recordings_that_come_with_viva_are_enough_of_each_kind() -> None:
    """At least thirty in each part, with pauses inside clauses, between them, and answers without any."""
    recordings = load_manifest()
    for part in ("tuning", "held-out"):
        of_part = [each for each in recordings if each.part == part]
        places = {chunk.place for each in of_part for chunk in chunks_of(each.say) if chunk.pause_s}
        assert len(of_part) >= 30
        assert places == {"inside", "between"}
        assert sum(each.is_fluent for each in of_part) >= 8
        assert sum(1.0 <= each.longest_pause_s <= 3.0 for each in of_part) >= 15
        assert sum(len(each.words.split()) <= 7 for each in of_part) >= 6


def test_no_text_is_in_both_parts() -> None:
    """What a knob is chosen by is not what is reported."""
    texts = [each.words for each in load_manifest()]
    assert len(texts) == len(set(texts))


@given(st.lists(st.tuples(WORDS, SECONDS, st.sampled_from(["inside", "between"])), max_size=5), WORDS)
def test_pauses_are_read_where_they_were_written(pieces: list[tuple[str, float, str]], last: str) -> None:
    """Words and pauses written in any order come back as they were."""
    say = " ".join(f"{text} {{{place} {seconds}}}" for text, seconds, place in pieces) + f" {last}"
    chunks = chunks_of(say)
    assert [(chunk.text, chunk.pause_s, chunk.place) for chunk in chunks[:-1]] == pieces
    assert chunks[-1] == Chunk(last)


@pytest.mark.parametrize(
    ("say", "fault"),
    [
        ("{inside 1.0} so", "stands between words"),
        ("so {between 1.0}", "stands between words"),
        ("so {inside 1.0} {between 0.5} then", "stands between words"),
        ("so {pause 1.0} then", "is no pause"),
        ("so {inside} then", "is no pause"),
        ("so {inside 11} then", "up to 10 seconds"),
        ("so {inside 0} then", "up to 10 seconds"),
    ],
)
def test_a_mark_that_is_no_pause_gets_a_sentence(tmp_path: Path, say: str, fault: str) -> None:
    """The sentence names the recording and what can be written instead."""
    with pytest.raises(ManifestError, match=fault) as caught:
        load_manifest(written(tmp_path, {"id": "one", "say": say}))
    assert "'one'" in str(caught.value)


AUDIO = {"id": "one", "audio": "one.wav", "transcript": "so", "speech_end_s": 2.0}


@pytest.mark.parametrize(
    ("recording", "fault"),
    [
        ({"id": "one"}, "either say"),
        ({**AUDIO, "say": "so"}, "not both"),
        ({"id": "one", "say": "so", "speech_end_s": 1.0}, "belong to an audio file"),
        ({"id": "one", "audio": "one.wav"}, "needs its transcript"),
        ({**AUDIO, "pauses": [{"start_s": 1.0, "end_s": 0.5, "place": "inside"}]}, "must end after it begins"),
        ({**AUDIO, "pauses": [{"start_s": 1.0, "end_s": 2.5, "place": "inside"}]}, "after speech_end_s"),
        ({**AUDIO, "pauses": [{"start_s": 1.0, "end_s": 2.5, "place": "end"}]}, "before speech_end_s"),
        (
            {
                **AUDIO,
                "pauses": [
                    {"start_s": 1.0, "end_s": 1.5, "place": "inside"},
                    {"start_s": 1.2, "end_s": 1.7, "place": "inside"},
                ],
            },
            "before the one ahead",
        ),
        ({**AUDIO, "pauses": [{"start_s": 1.0, "end_s": 1.5, "place": "middle"}]}, "pauses.0.place"),
        ({"id": "One!", "say": "so"}, "id"),
        ({"id": "one", "say": "so", "voice": "x"}, "voice"),
        (AUDIO, "there is no file"),
    ],
)
def test_a_recording_that_cannot_be_used_gets_a_sentence(tmp_path: Path, recording: object, fault: str) -> None:
    """Whatever is wrong, nothing is measured with it."""
    with pytest.raises(ManifestError, match=fault):
        load_manifest(written(tmp_path, recording))


def test_an_id_that_is_used_twice_is_named(tmp_path: Path) -> None:
    """Results are told apart by it."""
    with pytest.raises(ManifestError, match="'one' is used twice"):
        load_manifest(written(tmp_path, {"id": "one", "say": "so"}, {"id": "one", "say": "then"}))


@pytest.mark.parametrize("text", ["recordings: []", "[]", "", "recordings: {", "others: []"])
def test_what_is_no_manifest_gets_a_sentence(tmp_path: Path, text: str) -> None:
    """It names the file."""
    path = tmp_path / "manifest.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"manifest\.yaml cannot be used"):
        load_manifest(path)


def test_a_missing_manifest_gets_a_sentence(tmp_path: Path) -> None:
    """Instead of a traceback."""
    with pytest.raises(ManifestError, match="cannot be read"):
        load_manifest(tmp_path / "none.yaml")


def test_json_will_do_and_audio_lies_beside_the_manifest(tmp_path: Path) -> None:
    """Paths are relative to the file that names them."""
    (tmp_path / "one.wav").touch()
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"recordings": [AUDIO]}), encoding="utf-8")
    assert load_manifest(path)[0].audio == tmp_path.resolve() / "one.wav"
