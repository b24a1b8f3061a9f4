"""The whole training command, from words to a model that Vosk loads, with very little speech."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NEEDED = ("torch", "kaldifst", "kaldi_native_fbank", "pyroomacoustics", "soundfile", "scipy")

_HEAR = """
import json, sys, vosk
vosk.SetLogLevel(-1)
recogniser = vosk.KaldiRecognizer(vosk.Model(model_path=sys.argv[1]), 16000, '["paso", "[unk]"]')
recogniser.AcceptWaveform(bytes(32000))
print(recogniser.FinalResult())
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason="needs the train extra"
)
def test_one_command_makes_a_model_that_vosk_loads_and_a_second_run_repeats_nothing(
    tmp_path: Path,
) -> None:
    from scripts.lab.speechlab import engines

    if missing := engines.missing(Path("/usr/share/dict/spanish")):
        pytest.skip(f"needs Debian's {', '.join(missing)}")
    model = tmp_path / "model"
    command = [
        sys.executable, "scripts/lab/train_model.py", "--work", str(tmp_path / "work"),
        "--model", str(model), "--amount", "0.01", "--steps", "0.0002", "--threads", "1",
    ]  # fmt: skip
    first = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "no --human folder was named: going on without" in first.stdout
    heard = subprocess.run(
        [sys.executable, "-c", _HEAR, str(model)], capture_output=True, text=True, check=True
    )
    assert "text" in json.loads(heard.stdout)
    assert "background" in json.loads((model / "sources.json").read_text(encoding="utf-8"))
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "clips so far" not in again.stdout
    assert "step" not in again.stdout
