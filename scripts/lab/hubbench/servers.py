"""A real Mosquitto and a real PostgreSQL for benches and tests, ended by their own pid."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from assistant.files.settings import Address
from assistant.hall.hub.broker import HUB, Tls, acl, bridge, configuration
from assistant.rules.errors import MusError

PASSWORD = "secreto"
PATIENCE = 60.0


class MissingError(MusError):
    """A server that is not installed. The text names its Debian package."""


def until(what: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll until ``what`` is true, for at most ``seconds``. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError("it did not come about in time")
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def cpu_of(pid: int, *, ended: bool = False) -> float:
    """Processor seconds that a process has used. ``ended``: with those of its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


class Broker:
    """A Mosquitto with the project's own configuration."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        tls: Tls | None = None,
        *,
        denials: bool = False,
        core: Broker | None = None,
    ) -> None:
        """Write its files; ``core``: the broker whose outpost it is. Raises MissingError."""
        self.port = free_port()
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        mosquitto = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
        if mosquitto is None or shutil.which("mosquitto_passwd") is None:
            raise MissingError("mosquitto is not installed: apt-get install mosquitto.")
        self._command = [mosquitto, "-c", str(folder / "mosquitto.conf")]
        folder.mkdir(exist_ok=True)
        user = pwd.getpwuid(os.getuid()).pw_name
        text = configuration(
            folder, self.port, host="127.0.0.1", tls=tls, user=user, denials=denials
        )
        if core:
            text += bridge(core.address(HUB), folder.name)
        (folder / "mosquitto.conf").write_text(text)
        (folder / "acl").write_text(acl())
        (folder / "acl").chmod(0o600)
        known = "".join(f"{name}:{PASSWORD}\n" for name in (HUB, *names))
        (folder / "passwords").write_text(known)
        (folder / "passwords").chmod(0o600)
        subprocess.run(["mosquitto_passwd", "-U", folder / "passwords"], check=True)

    @property
    def pid(self) -> int:
        """The pid of the running process."""
        assert self._process
        return self._process.pid

    def address(self, name: str, password: str = PASSWORD) -> Address:
        return Address("127.0.0.1", self.port, tls=False, user=name, password=password)

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        until(lambda: _answers(self.port))

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def start_anew(self) -> None:
        """Start it, or start it again, without its old retained messages and log."""
        self.stop()
        for name in ("mosquitto.db", "log"):
            (self._folder / name).unlink(missing_ok=True)
        self.start()

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def _end(self, how: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


def installed_postgres() -> list[Path]:
    """Debian's folders of PostgreSQL's programs, the oldest version first."""
    found = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return sorted((path.parent for path in found), key=lambda path: int(path.parent.name))


class Postgres:
    """A PostgreSQL of its own: data folder, port, user ``postgres``, no password on loopback."""

    def __init__(self, folder: Path, *, durable: bool = True, programs: Path | None = None) -> None:
        """Make an empty one; without ``durable`` it is faster, and no power cut is survived.

        ``programs``: the folder of another PostgreSQL's ``postgres`` and ``initdb``. Raises
        MissingError.
        """
        found = installed_postgres()
        if not found:
            raise MissingError("PostgreSQL is not installed: apt-get install postgresql.")
        self._clients = found[-1]
        self._bin = programs or found[-1]
        self._data = folder / "data"
        self._log = folder / "log"
        self._options = () if durable else ("-c", "fsync=off", "-c", "full_page_writes=off")
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(exist_ok=True)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self._run(
            [
                str(self._bin / "initdb"),
                *("-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8"),
                "--no-sync",
            ]
        )

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *_as_postgres(),
                    str(self._bin / "postgres"),
                    *("-D", str(self._data), "-p", str(self.port)),
                    *("-c", "listen_addresses=127.0.0.1", "-k", ""),
                    *self._options,
                ],
                stdout=log,
                stderr=log,
            )
        until(lambda: _answers(self.port))
        until(self._ready)

    def cpu(self) -> float:
        """Processor seconds of all its processes, ended ones included."""
        master = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        return cpu_of(master, ended=True) + sum(cpu_of(int(child)) for child in children)

    def kill(self) -> None:
        """Kill the postmaster and all of its processes, as a power cut would."""
        pid = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)  # "immediate shutdown": the next start does a recovery
        self._wait()

    def stop(self) -> None:
        if self._process:
            pid = int((self._data / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGINT)
            self._wait()

    def create(self, database: str, template: str = "") -> str:
        """A new database, empty or a copy of another; returns its URL."""
        copied = ["-T", template] if template else []
        self._run([str(self._clients / "createdb"), *self._where(), *copied, database])
        return self.url(database)

    def _where(self) -> list[str]:
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]

    def _ready(self) -> bool:
        command = [str(self._clients / "pg_isready"), "-q", *self._where()]
        return subprocess.run(command, check=False).returncode == 0

    def _wait(self) -> None:
        if self._process:
            self._process.wait(PATIENCE)
            self._process = None

    @staticmethod
    def _run(command: Sequence[str]) -> None:
        subprocess.run([*_as_postgres(), *command], check=True, capture_output=True)


def _as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []


@contextmanager
def running(server: Broker | Postgres) -> Iterator[None]:
    """A server that runs inside the ``with`` block."""
    server.start()
    try:
        yield
    finally:
        server.stop()
