from pathlib import Path

import numpy as np
import pytest

from bench.voice.words import by_telephone, main, without_fillers
from speech.audio import SAMPLE_RATE


def _tone(hz: float) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * hz * np.arange(SAMPLE_RATE) / SAMPLE_RATE)).astype(np.float32)


@pytest.mark.parametrize(("hz", "passes"), [(100, False), (1_000, True), (6_000, False)])
def test_a_telephone_carries_the_middle_of_a_voice_only(hz: float, passes: bool) -> None:
    """What is under 300 Hz or over 3.4 kHz does not arrive; the rest is as loud as it was, with a little noise."""
    sent = _tone(hz)
    arrived = by_telephone(sent)
    assert len(arrived) == len(sent)
    loudness = np.sqrt(np.mean(arrived[2000:-2000] ** 2)) / np.sqrt(np.mean(sent**2))
    assert loudness > 0.9 if passes else loudness < 0.2
    assert not np.array_equal(arrived, sent)


def test_fillers_are_neither_words_nor_errors() -> None:
    """Some transcripts have them, others do not."""
    assert without_fillers("Um, I uh, think. Hmm") == "I think."


def test_a_manifest_without_sound_is_refused_with_what_to_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Synthetic voices are measured elsewhere."""
    manifest = tmp_path / "m.yaml"
    manifest.write_text("recordings:\n  - {id: a, say: A word.}\n")
    assert main(["--manifest", str(manifest)]) == 2
    assert "bench hearing" in capsys.readouterr().out
