"""A hub with a voice: its calls as the loudspeaker gets them, from the page to the sound."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from scripts.lab.hubbench.servers import free_port
from tests.hall.hub.machines import CHECKOUT
from tests.voice.parts import needs_speech

PLAYER = """#!/bin/sh
for sound; do :; done
{python} -c 'import sys, wave
sound = wave.open(sys.argv[1])
print(sound.getnframes() / sound.getframerate())' "$sound" >> {heard}
"""
CSV = "pareja,jugador 1,jugador 2\n" + "".join(
    f"Los de la plaza {n},Ana {n},Luis {n}\n" for n in range(1, 5)
)


def post(url: str, path: str, body: dict[str, Any]) -> Any:
    asked = urllib.request.Request(
        f"{url}api/tournaments{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=20) as answer:
        return json.load(answer)


@pytest.mark.slow
@needs_speech
def test_free_tables_are_called_on_the_hubs_loudspeaker(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    player = tmp_path / "bin" / "aplay"
    player.parent.mkdir()
    player.write_text(PLAYER.format(python=sys.executable, heard=heard))
    player.chmod(0o755)
    log = tmp_path / "log"
    command = [
        *(sys.executable, "-m", "assistant.cli.main", "hub", "--aloud", "es", "--json-log"),
        *("--database", str(tmp_path / "hub.sqlite3"), "--port", "0"),
        *("--broker", f"mqtt://hub@127.0.0.1:{free_port()}"),
    ]
    path = f"{player.parent}{os.pathsep}{os.environ['PATH']}"
    with log.open("w") as errors, subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PATH": path, "XDG_DATA_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    ) as hub:  # fmt: skip
        try:
            assert hub.stdout
            url = hub.stdout.readline().strip().partition(": ")[2]
            opened = {"type": "Opened", "v": 1, "name": "San Blas", "format": "knockout"}
            assert post(url, "", {"act": opened}) == {"id": 1}
            post(url, "/1/enrol", {"csv": CSV, "by": "Juez"})
            post(url, "/1/draw", {"seed": 3, "by": "Juez"})
            calling = {"type": "CallingSet", "v": 1, "on": True, "tables": 2, "by": "Juez"}
            post(url, "/1/act", {"act": calling})
            until = time.monotonic() + 60
            while not heard.exists() or len(heard.read_text().split()) < 2:
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.1)
        finally:
            hub.terminate()
            hub.wait(30)
    assert all(1 < float(seconds) < 10 for seconds in heard.read_text().split())
    said = [json.loads(line)["message"] for line in log.read_text().splitlines()]
    for table in ("Mesa 1", "Mesa 2"):
        (call,) = [line for line in said if line.startswith(f"{table}: Los de la plaza")]
        assert " contra Los de la plaza" in call
