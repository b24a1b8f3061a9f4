"""The cost of the eye on a small computer: memory, and the time of a frame while it watches.

Run as a program, it is the process that is measured; it renders nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

FRAMES = 60


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a process that does nothing but watch and read.

    ``memory_mb``: the most memory that it had, everything included. ``watching_ms``: the time of
    one frame of 1080p while nothing is read.
    """

    memory_mb: int
    watching_ms: float


def cost() -> Cost:
    """Render a table, then have another process watch and read it."""
    import cv2

    from scripts.lab.eyebench.decks import own
    from scripts.lab.eyebench.layouts import Way
    from scripts.lab.eyebench.light import Lit
    from scripts.lab.eyebench.scenes import dealt, empty
    from scripts.lab.eyebench.trial import shot

    art = own().faces
    table = dealt(1, Way.FANNED, Lit.NORMAL)
    with tempfile.TemporaryDirectory() as folder:
        for at, frame in enumerate([*shot(table, art, 3, 1), *shot(empty(table), art, 1, 2)]):
            cv2.imwrite(f"{folder}/{at}.png", frame)
        done = subprocess.run(
            [sys.executable, __file__, folder],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
    told = json.loads(done.stdout)
    return Cost(int(told["memory_mb"]), float(told["watching_ms"]))


def main(folder: Path) -> int:
    """Watch and read the frames of a folder, and print the cost."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    import cv2

    from assistant.eye.calibration import Calibration
    from assistant.eye.deck import load_deck
    from assistant.eye.images import read_image
    from assistant.eye.plane import Plane
    from assistant.eye.read import Reader
    from assistant.eye.source import Frame
    from assistant.eye.view import EmptyTable, Stillness
    from assistant.eye.watch import Watchdog
    from assistant.files.paths import data_dir

    cv2.setNumThreads(1)
    reader = Reader(load_deck(data_dir("models") / "decks" / "mus"))
    frames = [read_image(folder / f"{at}.png") for at in range(3)]
    bare = EmptyTable.learned([read_image(folder / "3.png")])
    stillness, watchdog = Stillness(), Watchdog()
    start = time.perf_counter()
    for at in range(FRAMES):
        frame = Frame(frames[at % 3], at / 10, at)
        watchdog.feed(frame, frame.at)
        stillness.fed(frame.image, frame.at)
    watching = (time.perf_counter() - start) / FRAMES * 1000
    high, wide = frames[0].shape[:2]
    plane = Plane((wide, high), 0.58)  # about the view of this table; the work is the same
    for _ in range(3):
        reader.read(frames, Calibration((wide, high), {}, plane, bare))
    status = Path("/proc/self/status").read_text("utf-8")
    memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({"memory_mb": memory // 1024, "watching_ms": round(watching, 2)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
