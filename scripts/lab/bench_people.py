"""How many single words does a speech model hear right from people it never trained on?

    python scripts/lab/bench_people.py models/mus-es --human FOLDER

Few recordings are of words of the game, so any Spanish word counts here. The word graph is built
anew with every single Spanish word of the recordings (some nine hundred), which is harder than any
grammar of the table. Nobody who trained the model is heard: the speakers are those kept for
measuring, or those that ``--speakers`` names and ``train_model.py --without`` left out. The babble
behind them is MBROLA's voices, which train no model (Debian: mbrola mbrola-es1 ... mbrola-vz1). It
needs `pip install '.[train]'`.

Each row is a speaker, alone or in babble of a level: the percentage of words right, and the number
of words.
"""

import argparse
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

try:
    from scripts.lab.speechlab import g2p, human, mbrola, packaged, split, trials, vocabulary
    from scripts.lab.speechlab.trials import Trial
except ImportError as missing:
    print(f"bench_people: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

BABBLE_DB = (20.0, 10.0)
TALK = Path(__file__).parent / "rendering" / "table_talk.txt"


@dataclass(frozen=True, slots=True)
class Job:
    """One model, the words of its graph, and what it is to hear."""

    model: Path
    words: tuple[str, ...]
    tests: dict[str, list[Trial]]


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        for model in options.models:
            if not (model / "am" / "final.mdl").exists():
                raise FileNotFoundError(f"{model} is no model: it has no am/final.mdl")
        words, tests = _sounds(options)
    except (OSError, human.MissingRecordingsError) as problem:
        print(f"bench_people: {problem}", file=sys.stderr)
        return 2
    results = {str(model): _measured(Job(model, words, tests)) for model in options.models}
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        _print_table(results, len(words))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL")
    parser.add_argument(
        "--human",
        type=Path,
        required=True,
        help="folder of people's recordings, with a manifest.tsv",
    )
    parser.add_argument(
        "--speakers", metavar="NAMES",
        help="people whose recordings are heard; default: all who only measure",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _sounds(options: argparse.Namespace) -> tuple[tuple[str, ...], dict[str, list[Trial]]]:
    """Return all single Spanish words, and what the speakers say, in quiet and in babble."""
    rows = [*human.manifest(options.human), *packaged.measuring()]
    found = {row.speaker for row in rows}
    speakers = options.speakers.split(",") if options.speakers else split.MEASURING_SPEAKERS & found
    said: dict[str, list[Trial]] = {name: [] for name in sorted(speakers)}
    words = set[str]()
    for row in rows:
        word = row.text.lower()
        if row.language != "es" or not _is_a_word(word):
            continue
        words.add(word)
        if row.speaker in said and (samples := human.speech(row.path)) is not None:
            said[row.speaker].append(Trial(row.speaker, word, trials.framed(samples)))
    if not said:
        raise FileNotFoundError("nobody who only measures is recorded there or in the packages")
    if unheard := [name for name, rows in said.items() if not rows]:
        raise FileNotFoundError(f"{options.human} has no Spanish words of {', '.join(unheard)}")
    crowd = _crowd(options.seed)
    noisy = {
        f"{name}, babble {snr:.0f} dB": trials.in_babble(rows, crowd, snr, options.seed)
        for snr in BABBLE_DB
        for name, rows in said.items()
    }
    return tuple(sorted(words)), said | noisy


def _crowd(seed: int) -> list[Trial]:
    """MBROLA's voices, talking. No model trained on them, not even as babble."""
    if not mbrola.installed():
        raise FileNotFoundError("no MBROLA voice is installed: apt install mbrola mbrola-es1")
    talk = TALK.read_text(encoding="utf-8").splitlines()
    return trials.spoken_by_engines(talk, "talk", random.Random(seed))


def _is_a_word(text: str) -> bool:
    try:
        return text.isalpha() and bool(g2p.phones_of(text))
    except ValueError:
        return False


def _measured(job: Job) -> dict[str, Any]:
    """Build the graph in one process and hear in another, because Vosk hangs beside kaldifst."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="mus-people-") as name:
        copy = replace(job, model=Path(name) / "model")
        shutil.copytree(job.model, copy.model)
        with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
            pool.submit(_build, copy).result()
            return pool.submit(_hear, copy).result()


def _build(job: Job) -> None:
    from scripts.lab.speechlab import graph, lexicon_fst

    folder, spoken = job.model / "graph", frozenset(job.words)
    words = replace(
        vocabulary.load(), words=job.words, spanish=spoken, basque=frozenset(), sounds={}, also={},
        names={},
    )  # fmt: skip
    costs = lexicon_fst.Costs(unknown=0.0)
    graph.build(folder, words, graph.read_bigram(folder), costs)


def _hear(job: Job) -> dict[str, Any]:
    from scripts.lab.speechlab import measuring

    words, ear = vocabulary.load(), measuring.Ear(job.model)
    alike = replace(words, sounds={}, also={}, basque=frozenset())
    return {
        name: asdict(measuring.score(ear, rows, job.words, alike))
        for name, rows in job.tests.items()
    }


def _print_table(results: dict[str, dict[str, Any]], words: int) -> None:
    print(f"one of {words} words; % right")
    for model, rows in results.items():
        print(f"\n{model}")
        for name, row in rows.items():
            print(f"  {name:40} {row['phrases']:5.1f}  of {row['trials']}")


if __name__ == "__main__":
    sys.exit(main())
