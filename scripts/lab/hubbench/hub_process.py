"""``mus hub`` in a process of its own, for benches and tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from scripts.lab.hubbench.servers import PASSWORD, Broker

CHECKOUT = Path(__file__).resolve().parents[3]


class HubProcess:
    """A process of the hub."""

    def __init__(
        self, folder: Path, broker: Broker, where: str, name: str = "hub", roles: str = ""
    ) -> None:
        """``roles``: those of ``mus hub --roles``; "" for all of them."""
        password = folder / "password"
        password.write_text(f"{PASSWORD}\n")
        self._log = folder / f"{name}.log"
        self._command = [
            *(sys.executable, "-m", "assistant.cli.main", "hub"),
            *("--broker", f"mqtt://hub@127.0.0.1:{broker.port}"),
            *("--password-file", str(password), "--database", where, "--port", "0", "--json-log"),
            *(("--roles", roles) if roles else ()),
        ]
        self._has_page = not roles or "page" in roles.split(",")
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        """The pid of the running process."""
        assert self._process
        return self._process.pid

    def start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=CHECKOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        if not self._has_page:
            return
        line = self._process.stdout.readline()
        _, _, self.url = line.strip().partition(": ")  # "Hall: URL", in whichever language
        assert self.url.startswith("http"), self._log.read_text()

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def ask(self, path: str) -> Any:
        """The JSON of its answer at a path, also of a refusal."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)

    def metrics(self) -> str:
        with urllib.request.urlopen(f"{self.url}metrics", timeout=10) as answer:
            return str(answer.read().decode())

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    def _end(self, how: signal.Signals) -> int:
        if not self._process:
            return 0
        self._process.send_signal(how)
        code = self._process.wait(20)
        assert self._process.stdout
        self._process.stdout.close()
        self._process = None
        return code
