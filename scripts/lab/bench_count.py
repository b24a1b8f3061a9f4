"""How long does the voice speak: for the count of a deal, and for everything else it says?

    python scripts/lab/bench_count.py
    python scripts/lab/bench_count.py --deals 50 --language eu --names "Ane,Jon,Miren,Iñaki" --json

Random deals are played by legal calls, each from a score of its own. The voice's own synthesis
speaks what the voice would say of them. The seconds include the quarter of a second of silence that
espeak-ng leaves at the end. It needs espeak-ng. The aims are in docs/voice.md.

Each row is a kind of sentence: how many were said; their median, 95th percentile and longest in
seconds; how many kept within the aim; and in how many a name was said twice (within one count, or
within one sentence of anything else). The longest text follows.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.files.paths import data_dir
from assistant.files.resources import languages, load_lexicon, load_phrases, load_toml
from assistant.language.lexicon.text import words_of
from assistant.language.phrases import Level, Phrases
from assistant.messages import CardsSeen, Heard, Pressed
from assistant.rules import events as e
from assistant.rules.calls import SetStones
from assistant.rules.engine import open_game
from assistant.rules.errors import MusError
from assistant.rules.history import Record, fold, number
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import Profile
from assistant.table.table import Table
from assistant.voice import VoiceSettings
from assistant.voice.synthesis import Synthesiser
from scripts.lab.rendering.dealing import SEATS, Deal, StuckError, deal, take
from scripts.lab.rendering.wordings import Wordings

COUNT, QUESTION, OTHER, BATCH = "count", "question", "sentence", "all at once"
KINDS = (COUNT, OTHER, QUESTION, BATCH)
AIMS = {COUNT: 6.0, OTHER: 4.0}
"""The most seconds that a text of each kind should take. A question may take what it needs, and so
may several sentences in a row: the stones, and whose cards are wanted next."""
SENTENCE_END = re.compile(r"(?<=[.?!]) ")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One text that was said: its kind, its seconds, and whether it says a name twice."""

    kind: str
    text: str
    seconds: float
    twice: bool


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    names = [name.strip() for name in args.names.split(",")]
    if len(names) != len(SEATS) or len(set(names)) != len(SEATS) or not all(names):
        print(f"bench_count: --names takes {len(SEATS)} different names.", file=sys.stderr)
        return 2
    try:
        report = _report(_speak(args, tuple(names)), args.deals)
    except (MusError, OSError) as error:
        print(f"bench_count: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=200, help="number of deals; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first deal")
    parser.add_argument("--language", choices=languages("phrases"), default="es")
    parser.add_argument("--level", choices=["essential", "full"], default="essential")
    parser.add_argument(
        "--names", default=",".join(SEATS), help="names of the players; default: %(default)s"
    )
    parser.add_argument(
        "--from-zero", action="store_true", help="begin every deal with a score of zero"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _speak(args: argparse.Namespace, names: tuple[str, ...]) -> Iterator[Spoken]:
    """Speak everything that is said of the deals. The same text is spoken only once."""
    phrases = load_phrases(args.language)
    voice = Synthesiser(VoiceSettings(language=phrases.code, sounds=phrases.sounds))
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="mus-count-") as folder:
        wav = Path(folder) / "said.wav"
        for done, (seed, made) in enumerate(_deals(args.seed, args.deals), start=1):
            stones = _score_before(made, seed) if not args.from_zero else (0, 0)
            for kind, text in _said(phrases, made, names, stones, Level(args.level)):
                if text not in seconds:
                    seconds[text] = voice.render(text, wav)
                yield Spoken(kind, text, seconds[text], _names_one_twice(text, names))
            if sys.stderr.isatty():
                print(f"\r{done}/{args.deals} deals", end="", file=sys.stderr)
    voice.close()
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _deals(first: int, count: int) -> Iterator[tuple[int, Deal]]:
    lexicon = load_lexicon()
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"), plain=True)
    seed = first
    while count > 0:
        try:
            made = deal(seed, lexicon, wordings)
        except StuckError:
            pass
        else:
            count -= 1
            yield seed, made
        seed += 1


def _score_before(made: Deal, seed: int) -> tuple[int, ...]:
    """A score from which the deal can be played, in most cases to its end."""
    chance = random.Random(seed)
    room = [max(0, Profile().target - 1 - stones) for stones in made.stones]
    return tuple(chance.randint(0, most) for most in room)


def _said(
    phrases: Phrases, made: Deal, names: tuple[str, ...], stones: Sequence[int], level: Level
) -> Iterator[tuple[str, str]]:
    """Play the deal at a table with these names and this score, and collect what is said."""
    table = Table(load_lexicon(), number(open_game(Profile(), names), 0, 0.0))
    take(table, Pressed(SetStones(stones=tuple(stones))))
    for spoken in made.spoken:
        if table.state.phase not in AFTER_DEAL:
            take(table, Heard(words_of(spoken.words), spoken.seat))
    if made.shown and table.state.phase not in AFTER_DEAL:
        take(table, CardsSeen(made.shown))
    before, until = None, list[Record]()
    for _, rows in groupby(table.records, key=lambda record: record.batch):
        batch = list(rows)
        until += batch
        after = fold(until)
        assert after is not None
        events = [record.event for record in batch]
        if before is not None and (text := phrases.say(events, before, after, level=level)):
            yield from _parts(events, text)
        before = after


def _parts(events: Iterable[e.Event], text: str) -> Iterator[tuple[str, str]]:
    """A count as a whole; anything else sentence by sentence, and again as one text."""
    kinds = {type(event) for event in events}
    if e.HandShown in kinds and kinds & {e.DealCounted, e.JuegoWon}:
        yield COUNT, text
        return
    for part in SENTENCE_END.split(text):
        yield QUESTION if part.endswith("?") else OTHER, part
    yield BATCH, text


def _names_one_twice(text: str, names: Iterable[str]) -> bool:
    return any(len(re.findall(rf"\b{re.escape(name)}\b", text)) > 1 for name in names)


def _report(spoken: Iterable[Spoken], deals: int) -> dict[str, Any]:
    kinds: dict[str, list[Spoken]] = {kind: [] for kind in KINDS}
    for one in spoken:
        kinds[one.kind].append(one)
    return {"deals": deals, **{kind: _figures(kind, said) for kind, said in kinds.items() if said}}


def _figures(kind: str, said: Sequence[Spoken]) -> dict[str, Any]:
    lengths = sorted(one.seconds for one in said)
    longest = max(said, key=lambda one: one.seconds)
    aim = AIMS.get(kind)
    return {
        "said": len(said),
        "p50": round(lengths[len(lengths) // 2], 2),
        "p95": round(lengths[len(lengths) * 95 // 100], 2),
        "longest": round(longest.seconds, 2),
        "longest_text": longest.text,
        "aim": aim,
        "within": None if aim is None else sum(seconds <= aim for seconds in lengths),
        "name_twice": sum(one.twice for one in said),
    }


def _print(report: dict[str, Any]) -> None:
    print(f"{report['deals']} deals")
    for kind in KINDS:
        if not (row := report.get(kind)):
            continue
        aim = f", {row['within']} within {row['aim']:g} s" if row["aim"] else ""
        print(
            f"{kind:11} {row['said']:5} said: p50 {row['p50']:.2f} s, p95 {row['p95']:.2f} s, "
            f"longest {row['longest']:.2f} s{aim}; a name twice in {row['name_twice']}"
        )
        print(f"            {row['longest_text']}")


if __name__ == "__main__":
    sys.exit(main())
