"""A sound server of the tests: a room in which the microphone hears what is played."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOM = "room"
MICROPHONE = "microphone"
"""The source that records the sound of the room; it is the system's default."""
STARTED_IN = 60.0
"""The seconds that the server may take to answer on a busy machine."""
_ASOUNDRC = "pcm.!default { type pulse }\nctl.!default { type pulse }\n"
_DEVICE = """\
pcm.{name} {{
    type pulse
    device "{source}"
    hint {{ show on description "{name}" }}
}}
"""


class Pulse:
    """PulseAudio with a null sink named ``room``, whose monitor is the microphone.

    Its folders are its own, so it touches no other sound server of the user. Programs that should
    hear and speak in the room are started with ``env``.
    """

    def __init__(self) -> None:
        # short, because a socket lies in it
        self._folder = tempfile.TemporaryDirectory(prefix="mus-")
        folder = Path(self._folder.name)
        (folder / ".asoundrc").write_text(_ASOUNDRC, encoding="ascii")
        self.env = {
            **os.environ,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": f"unix:{folder}/native",
            "PULSE_COOKIE": str(folder / "cookie"),
        }
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        self._folder.cleanup()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        socket = self.env["PULSE_SERVER"].removeprefix("unix:")
        modules = (
            f"module-native-protocol-unix socket={socket} auth-anonymous=1",
            f"module-null-sink sink_name={ROOM} rate=48000 channels=2",
            f"module-remap-source source_name={MICROPHONE} master={ROOM}.monitor",
        )
        loads = [word for module in modules for word in ("-L", module)]
        options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
        self._server = subprocess.Popen(
            ["pulseaudio", *options, *loads],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + STARTED_IN
        while self._pactl("set-default-source", MICROPHONE).returncode != 0:
            if time.monotonic() > deadline or self._server.poll() is not None:
                self.stop()
                raise RuntimeError("PulseAudio did not start")
            time.sleep(0.05)

    def stop(self) -> None:
        """End the server; all devices of the room vanish."""
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(5)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            self._server = None

    def play(self, wav: Path, room: str = ROOM, *options: str) -> None:
        """Play a recording in a room and wait for its end."""
        words = ["paplay", f"--device={room}", *options, str(wav)]
        subprocess.run(words, env=self.env, check=True)

    def list_device(self, name: str, source: str) -> None:
        """Show programs that start from now on a source as a device of this name."""
        with (Path(self._folder.name) / ".asoundrc").open("a", encoding="ascii") as file:
            file.write(_DEVICE.format(name=name, source=source))

    def plug(self, module: str, **options: object) -> str:
        """Load a module. Returns the number to unload it by."""
        words = [f"{key}={value}" for key, value in options.items()]
        loaded = self._pactl("load-module", module, *words)
        loaded.check_returncode()
        return loaded.stdout.decode().strip()

    def unplug(self, number: str) -> None:
        """Unload a module; its devices vanish."""
        self._pactl("unload-module", number).check_returncode()

    def take_by_default(self, source: str) -> None:
        """Make this source the default for programs that name none."""
        self._pactl("set-default-source", source).check_returncode()

    def _pactl(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["pactl", *words], env=self.env, capture_output=True, check=False)
