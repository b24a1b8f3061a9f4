#!/usr/bin/env python3
"""How many Python functions does one spoken call take, from its last block of sound to the page?

    python scripts/lab/trace_call.py
    python scripts/lab/trace_call.py --listen FILE.wav --cards FILE.mus --json
    python scripts/lab/trace_call.py --by room

The ear, the table, the journal, the voice (without sound) and the page's board hear a recording. A
profiler counts the functions of ``assistant`` that begin between the block that ends a call and the
snapshot with the call, how often one room (a package of ``assistant``) calls another, and which
rooms and files take part. Only calls that count at the table are traced. What the table does after
it has shown the call is not counted, such as the look for other calls that it may have been.

The first lines are medians and maxima beside the aim, and the number of files. Then come the counts
for a call by file or by room, and the rooms that call each other most.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.ear.hearing import ear_of
from assistant.ear.second_stage import SecondStage
from assistant.ear.source import FileSource
from assistant.files.paths import data_dir
from assistant.files.profile_files import rules_named
from assistant.files.resources import load_lexicon, load_phrases, model_dir, read_text
from assistant.language.phrases import Level
from assistant.language.script import ScriptError, parse_script
from assistant.messages import Accepted, Heard
from assistant.page.board import TableBoard
from assistant.rules.engine import open_game
from assistant.rules.errors import MusError
from assistant.rules.history import number
from assistant.table.journal import MemoryJournal
from assistant.table.runner import CALM, Runner
from assistant.table.table import Table
from assistant.voice import NullVoice
from assistant.voice.announcer import Speaker

ROOT = Path(__file__).resolve().parents[2]
DEMO = data_dir("models") / "demo"
PACKAGE = str(ROOT / "assistant")
AIM_CALLS, AIM_MOVES = 900, 120


@dataclass(slots=True)
class Trace:
    """What began while one call was taken: functions by room and file, and moves between rooms."""

    text: str = ""
    rooms: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)


class Tracer:
    """Counts while it is ``on``, in the thread that hears and in the table's own thread."""

    def __init__(self) -> None:
        self.trace = Trace()
        self.on = False
        self._names: dict[str, tuple[str, str] | None] = {}

    def watch(self, frame: FrameType, event: str, _arg: object) -> None:
        """The profile function; see ``sys.setprofile``."""
        if not self.on or event != "call":
            return
        place = self._place(frame)
        if place is None:
            return
        room, file = place
        self.trace.rooms[room] += 1
        self.trace.files[file] += 1
        asker = frame.f_back
        while asker is not None:
            before = self._place(asker)
            if before is not None:
                if before[0] != room:
                    self.trace.moves[before[0], room] += 1
                break
            asker = asker.f_back

    def _place(self, frame: FrameType) -> tuple[str, str] | None:
        name = frame.f_code.co_filename
        if name not in self._names:
            inside = name.startswith(PACKAGE)
            relative = Path(name).relative_to(PACKAGE) if inside else None
            self._names[name] = (relative.parts[0], str(relative)) if relative else None
        return self._names[name]


def main() -> int:
    """Run the trace. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    try:
        traces = traced(args.listen, args.cards, args.calls)
    except (MusError, OSError) as error:
        print(f"trace_call: {error}", file=sys.stderr)
        return 2
    if not traces:
        print("trace_call: no call of the recording counted: choose another one.", file=sys.stderr)
        return 2
    report = _report(traces)
    if args.json:
        print(json.dumps(report))
    else:
        _print(report, args.by)
    return 0


def traced(recording: Path, script: Path, most: int | None = None) -> list[Trace]:
    """Hear a recording as ``mus play`` does. A trace for each of the first calls that count.

    ``script`` has its rules, its seats and its first mano. Raises MusError, OSError.
    """
    try:
        game = parse_script(read_text(script), rules_named)
    except ScriptError as error:
        raise MusError(f"{script}: {error}") from error
    opening = open_game(game.profile, game.seats, game.first_mano or 1)
    table = Table(load_lexicon(game.profile.calls), number(opening, 0, at=0.0))
    journal = MemoryJournal()
    journal.append(table.records)
    tracer = Tracer()
    runner = Runner(table, journal, lambda: (journal, table), clock=lambda: 0.0)
    phrases = load_phrases(game.profile.voice)
    board = TableBoard(runner, phrases)
    runner.listeners.extend([board, Speaker(NullVoice(), phrases, Level.ESSENTIAL)])
    model = model_dir(None)
    hears = ear_of(
        model,
        table.lexicon,
        lambda: runner.table.state,
        lambda: runner.table.question,
        table.state.seats,
        stage=SecondStage.of_model(model),
    )
    threading.setprofile(tracer.watch)
    runner.start()
    sys.setprofile(tracer.watch)
    found: list[Trace] = []
    try:
        for block in FileSource(recording, realtime=False).blocks():
            tracer.trace = Trace()
            tracer.on = True
            heard = [result for result in hears.feed(block) if isinstance(result, Heard)]
            outcomes = [outcome for each in heard for outcome in runner.post(each).result()]
            board.snapshot()
            tracer.on = False
            if heard:  # people pause, too: meanwhile the table does what is not urgent
                time.sleep(3 * CALM)
            if any(isinstance(outcome, Accepted) for outcome in outcomes):
                tracer.trace.text = " ".join(each.text for each in heard)
                found.append(tracer.trace)
            if len(found) == most:
                break
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        runner.stop()
    return found


def _report(traces: list[Trace]) -> dict[str, Any]:
    calls = [sum(trace.rooms.values()) for trace in traces]
    moves = [sum(trace.moves.values()) for trace in traces]
    count = len(traces)
    rooms = sum((trace.rooms for trace in traces), Counter[str]())
    ways = sum((trace.moves for trace in traces), Counter[tuple[str, str]]())
    files = sum((trace.files for trace in traces), Counter[str]())
    return {
        "traced": count,
        "calls": {"median": statistics.median(calls), "most": max(calls), "aim": AIM_CALLS},
        "moves": {"median": statistics.median(moves), "most": max(moves), "aim": AIM_MOVES},
        "files": statistics.median(len(trace.files) for trace in traces),
        "rooms": {room: round(n / count, 1) for room, n in rooms.most_common()},
        "file": {file: round(n / count, 1) for file, n in files.most_common(25)},
        "between": {f"{a} -> {b}": round(n / count, 1) for (a, b), n in ways.most_common(15)},
    }


def _print(report: dict[str, Any], by: str) -> None:
    print(f"{report['traced']} calls that counted, from the block that ends each to the page:")
    for name in ("calls", "moves"):
        row = report[name]
        what = "functions of ours" if name == "calls" else "moves between rooms"
        print(f"{row['median']:8.0f}  {what}, median; {row['most']} at most (aim: {row['aim']})")
    print(f"{report['files']:8.0f}  files")
    print(f"\na call, by {by}:")
    for name, times in report[{"room": "rooms", "file": "file"}[by]].items():
        print(f"{times:8.1f}  {name}")
    print("\nwhich room asks which:")
    for name, times in report["between"].items():
        print(f"{times:8.1f}  {name}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--listen", type=Path, metavar="FILE.wav", default=DEMO / "deals.wav")
    parser.add_argument(
        "--cards",
        type=Path,
        metavar="FILE.mus",
        default=DEMO / "deals.mus",
        help="script of the recording",
    )
    parser.add_argument(
        "--calls", type=int, metavar="N", help="stop after this many calls; default: all"
    )
    parser.add_argument(
        "--by",
        choices=("room", "file"),
        default="room",
        help="list the functions by room or by file",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
