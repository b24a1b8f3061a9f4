"""How many words do one or two speech models hear right, from voices that never trained?

    python scripts/lab/bench_model.py MODEL [MODEL2]

Two models hear the same sounds, and only the words that both know count. It needs MBROLA's Spanish
voices (Debian: mbrola mbrola-es1 ... mbrola-vz1, which are for measuring only) and `pip install
'.[train]'`. --human adds the people kept for measuring. docs/speech-model.md says what the figures
mean.

Each row is a group of sounds and a grammar. It has the number of trials and three shares in
percent: words right, phrases right, and trials with a confident word that nobody said. The row
"cost" has the seconds of a core for each second of sound, and the memory.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

try:
    from scripts.lab.speechlab import human, mbrola, trials, vocabulary
    from scripts.lab.speechlab.trials import Trial
except ImportError as missing:
    print(f"bench_model: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

BABBLE_DB = (20.0, 10.0)


@dataclass(frozen=True, slots=True)
class Job:
    """One model and everything that it is to hear."""

    model: Path
    tests: dict[str, list[Trial]]
    grammars: dict[str, list[str]]


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        known = _common_words(options.models)
        jobs = _jobs(options, known)
    except (OSError, human.MissingRecordingsError) as problem:
        print(f"bench_model: {problem}", file=sys.stderr)
        return 2
    # Each model has its own process, so that memory and time are its own.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        results = dict(zip([str(j.model) for j in jobs], pool.map(measure, jobs), strict=True))
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        _print_table(results, len(known))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL")
    parser.add_argument(
        "--human", type=Path, help="folder of people's recordings, with a manifest.tsv"
    )
    parser.add_argument(
        "--count", type=int, default=280, help="number of phrases that synthesised voices say"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    return parser


def _common_words(models: list[Path]) -> frozenset[str]:
    from scripts.lab.speechlab import measuring

    known = [measuring.words_of(model) for model in models]
    return frozenset.intersection(*known)


def _jobs(options: argparse.Namespace, known: frozenset[str]) -> list[Job]:
    if not mbrola.installed():
        raise FileNotFoundError("no MBROLA voice is installed: apt install mbrola mbrola-es1")
    words = vocabulary.load()
    forms = trials.common_forms(words, known)
    grammars = {
        "open": sorted(known - {"hordago"}),
        "app": trials.grammar(forms, known, random.Random(options.seed)),
    }
    return [Job(model, _tests(options, forms, known), grammars) for model in options.models]


def _tests(
    options: argparse.Namespace, forms: vocabulary.Vocabulary, known: frozenset[str]
) -> dict[str, list[Trial]]:
    """Return the trials of each row of the table; the same seed gives the same sounds."""
    rng = random.Random(options.seed)
    texts = trials.phrases(vocabulary.Sampler(forms, ()), known, options.count, rng)
    engines = trials.spoken_by_engines(texts, "engines", rng)
    talker = vocabulary.Sampler(forms, _talk(known))
    talk = [talker.table_talk(rng) for _ in range(options.count // 2)]
    strangers = [t for t in talk if known.isdisjoint(t.split())]
    quiet = [
        Trial("talk", "", trial.samples)
        for trial in trials.spoken_by_engines(strangers, "talk", rng)
    ]
    people = trials.spoken_by_people(options.human, known) if options.human else []
    speaking = {
        "engines": engines,
        "person": [trial for trial in people if trial.text],
        "engines, table talk": quiet,
        "person, table talk": [trial for trial in people if not trial.text],
    }
    tests = {name: rows for name, rows in speaking.items() if rows}
    for snr in BABBLE_DB:
        for number, (name, rows) in enumerate(list(speaking.items())):
            if rows:
                noisy = trials.in_babble(rows, quiet, snr, options.seed + number)
                tests[f"{name}, babble {snr:.0f} dB"] = noisy
    tests["knocks and claps"] = trials.knocks(60, options.seed)
    return tests


def _talk(known: frozenset[str]) -> tuple[str, ...]:
    dictionary = Path("/usr/share/dict/spanish")
    words = vocabulary.load()
    if not dictionary.exists():
        return tuple(word for word in words.everyday if word not in known)
    return vocabulary.talk_words(dictionary, words)


def measure(job: Job) -> dict[str, object]:
    """Hear everything with one model. Runs in a process of its own."""
    from scripts.lab.speechlab import measuring

    words = vocabulary.load()
    ear = measuring.Ear(job.model)
    result: dict[str, object] = {
        f"{name} / {kind}": asdict(measuring.score(ear, rows, grammar, words))
        for name, rows in job.tests.items()
        for kind, grammar in job.grammars.items()
    }
    result["cost"] = asdict(ear.cost())
    return result


def _print_table(results: dict[str, dict[str, object]], known: int) -> None:
    print(f"{known} words in common; %: words right, phrases right, trials with a false word")
    for model, rows in results.items():
        print(f"\n{model}")
        for name, row in rows.items():
            assert isinstance(row, dict)
            figures = (f"{k} {v:.4g}" for k, v in row.items() if v is not None)
            print(f"  {name:40} {', '.join(figures)}")


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
