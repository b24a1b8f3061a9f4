"""Make the speech model of models/mus-es, in six stages, from sources that may ship.

    python scripts/lab/train_model.py                  # everything: an afternoon on two cores
    python scripts/lab/train_model.py --stage graph    # only the word graph, after a new word
    python scripts/lab/train_model.py --from MODEL     # go on from a finished network: an hour

Each stage keeps its result in the work folder (about 6 GB) and is skipped if the result is there
already, so a stopped run goes on. docs/speech-model.md says what it needs and gives the reasons.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from scripts.lab.speechlab import lexicon_fst, training, vocabulary
    from scripts.lab.speechlab.audio import Samples

STAGES = ("synth", "neural", "human", "features", "train", "export")
GRAPH_NEEDS = {"numpy": "numpy", "kaldifst": "kaldifst"}
"""Modules, and the packages that have them; a new word needs no more."""
PROGRESS_NEEDS = {"tqdm": "tqdm"}
NEURAL_NEEDS = {"onnxruntime": "onnxruntime", **PROGRESS_NEEDS}
"""What the voices of Kokoro need beside; on a GPU they do without onnxruntime."""
TRAINING_NEEDS = {
    "torch": "torch", "kaldifst": "kaldifst", "kaldi_native_fbank": "kaldi-native-fbank",
}  # fmt: skip


class UsageError(Exception):
    """Something that the person at the keyboard can put right. The text says how."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _check_installed(GRAPH_NEEDS if options.stage == "graph" else TRAINING_NEEDS)
        _run(options)
    except UsageError as problem:
        print(f"train_model: {problem}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--work",
        type=Path,
        default=ROOT / "build" / "speech-model",
        help="folder for all intermediate files, about 6 GB",
    )
    parser.add_argument(
        "--human", type=Path, help="folder of people's recordings, with a manifest.tsv"
    )
    parser.add_argument(
        "--model",
        type=Path,
        default=ROOT / "models" / "mus-es",
        help="folder of the model to write",
    )
    parser.add_argument(
        "--dictionary",
        type=Path,
        default=Path("/usr/share/dict/spanish"),
        help="word list for table talk (Debian: wspanish)",
    )
    parser.add_argument(
        "--steps",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="train for only this share of the recipe's steps",
    )
    parser.add_argument(
        "--amount",
        type=float,
        default=1.0,
        help="make only this share of the recipe's sentences and recordings",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", default="", help="make only these parts of the corpus, as 1,2")
    parser.add_argument(
        "--neural",
        type=int,
        metavar="PARTS",
        help="number of mixed parts of neural voices' speech, of six minutes each, beside "
        "those of a table; a part takes three core-minutes, or seconds with --device "
        "cuda; 0: none at all",
    )
    parser.add_argument(
        "--copies",
        type=int,
        help="make at most this many augmented copies of a person's clip (recipe: 10)",
    )
    parser.add_argument(
        "--unknown-cost",
        type=float,
        help="cost in nats of entering [unk]; with a lower one, fewer words are heard in "
        "talk, and fewer calls",
    )
    parser.add_argument("--rounds", type=int, help="stop after this many rounds of training")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count(),
        help="number of parts of the corpus that are made at once",
    )
    parser.add_argument("--threads", type=int, default=2, help="number of threads for training")
    parser.add_argument(
        "--without",
        default="",
        metavar="NAMES",
        help="people to leave out of training, so that the model can be measured on them",
    )
    parser.add_argument(
        "--from",
        dest="go_on",
        type=Path,
        metavar="MODEL",
        help="go on from the network of this model's folder, in one round; see docs",
    )
    parser.add_argument(
        "--rate", type=float, metavar="PEAK",
        help="with --from: the highest learning rate (recipe: 0.00004)",
    )  # fmt: skip
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="with --from: export the weighted mean of both networks; this is the new one's "
        "share (0 to 1)",
    )
    parser.add_argument(
        "--size", choices=("small", "large"), default="small",
        help="size of the network: 2.2 or 5.9 million weights (with --from, a smaller one "
        "is made wider)",
    )  # fmt: skip
    parser.add_argument(
        "--batch",
        type=int,
        default=1,
        metavar="TIMES",
        help="take this many times the usual utterances a step, and as many times fewer "
        "steps; 8 suits a GPU",
    )
    parser.add_argument(
        "--device", default="cpu",
        help="where neural voices speak and the network trains: cpu, or cuda for a GPU",
    )  # fmt: skip
    parser.add_argument(
        "--stage", choices=(*STAGES, "pack", "graph"),
        help="run only this stage; pack: make the work folder's speech small, for another "
        "machine",
    )  # fmt: skip
    return parser


def _check_installed(needed: Mapping[str, str]) -> None:
    for module, package in needed.items():
        try:
            __import__(module)
        except ImportError:
            alone = " (or only numpy and kaldifst)" if needed is GRAPH_NEEDS else ""
            raise UsageError(f"{package} is missing: pip install '.[train]'{alone}") from None


def _run(options: argparse.Namespace) -> None:
    if options.amount <= 0:
        raise UsageError("--amount: more than nothing has to be made")
    if not 0 <= options.share <= 1:
        raise UsageError("--share: give a number from 0 (the model of --from) to 1 (the new one)")
    if options.batch < 1:
        raise UsageError("--batch: give a whole number from 1 on")
    if options.rate is not None and (options.go_on is None or not 0 < options.rate < 1):
        raise UsageError("--rate: give a number between 0 and 1, and with it --from")
    if options.share < 1 and options.go_on is None:
        raise UsageError("--share needs --from, the model that the mean is taken with")
    if options.stage in (None, "neural", "train"):
        _check_device(options.device)
    if options.stage != "graph":
        options.work.mkdir(parents=True, exist_ok=True)
    stages: dict[str, Callable[[argparse.Namespace], None]] = {
        "synth": _synthesise, "neural": _synthesise_neural, "human": _take_people,
        "features": _make_features, "train": _train, "export": _export, "pack": _pack,
        "graph": _rebuild_graph,
    }  # fmt: skip
    for name in [options.stage] if options.stage else STAGES:
        print(f"== {name}", flush=True)
        stages[name](options)


def _check_device(device: str) -> None:
    if device == "cpu":
        return
    _check_installed({"torch": "torch"})
    import torch

    try:
        torch.empty(1, device=device)
    except (AssertionError, NotImplementedError, RuntimeError):
        raise UsageError(
            f"--device {device}: PyTorch finds none here; --device cpu needs no GPU"
        ) from None


def _parts(options: argparse.Namespace) -> list[str]:
    from scripts.lab.speechlab import recipe

    parts = options.parts.split(",") if options.parts else list(recipe.ALL_PARTS)
    if wrong := [part for part in parts if part not in recipe.ALL_PARTS]:
        raise UsageError(f"--parts: no part {wrong[0]!r}; there are {', '.join(recipe.ALL_PARTS)}")
    return parts


def _synthesise(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import engines

    if missing := engines.missing(options.dictionary):
        raise UsageError(f"install these Debian packages first: {' '.join(missing)}")
    _side_by_side(options, _speech_of, _parts(options))


def _side_by_side(
    options: argparse.Namespace, make: Callable[[argparse.Namespace, str], None], parts: list[str]
) -> None:
    """Make several parts of the corpus at once. Each has a seed of its own."""
    with ProcessPoolExecutor(options.jobs) as pool:
        for made in [pool.submit(make, options, part) for part in parts]:
            made.result()


def _speech_of(options: argparse.Namespace, part: str) -> None:
    from scripts.lab.speechlab import recipe, synthesis

    base = options.work / f"speech-{part}"
    if base.with_suffix(".json").exists():
        return
    sampler = _sampler(options, part)
    wanted = {
        voice: round(count * options.amount) for voice, count in recipe.sentences(part).items()
    }
    seed = 100 * options.seed + recipe.ALL_PARTS.index(part) + 1
    synthesis.make_part(base, sampler, seed, wanted)


def _sampler(options: argparse.Namespace, part: str) -> "vocabulary.Sampler":
    """The sampler that draws the sentences of a part."""
    from assistant.files.paths import data_dir
    from assistant.files.resources import load_toml
    from scripts.lab.speechlab import recipe, table_sentences, vocabulary

    words = vocabulary.load()
    table = None
    if recipe.is_of_a_table(part):
        spanish, basque = (
            load_toml(data_dir("models") / language / "lexicon.toml") for language in ("es", "eu")
        )
        table = table_sentences.TableSentences(spanish, basque)
    return vocabulary.Sampler(words, vocabulary.talk_words(options.dictionary, words), table)


def _synthesise_neural(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import recipe

    parts = recipe.neural(options.neural)
    missing = [part for part in parts if not (options.work / f"speech-{part}.json").exists()]
    if not missing:
        return
    _check_can_speak(options)
    from tqdm import tqdm

    bar = partial(
        tqdm, desc="neural voices", total=len(parts), unit="part",
        initial=len(parts) - len(missing),
    )  # fmt: skip
    if options.device != "cpu":  # because one part's batches keep a GPU busy
        for part in bar(missing):
            _neural_speech_of(options, part)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        made = [pool.submit(_neural_speech_of, options, part) for part in missing]
        for part_made in bar(as_completed(made)):
            part_made.result()


def _check_can_speak(options: argparse.Namespace) -> None:
    """Check all that the neural voices need. On a GPU this also loads the network."""
    _check_installed(NEURAL_NEEDS if options.device == "cpu" else PROGRESS_NEEDS)
    from scripts.lab.speechlab import neural

    if shutil.which("espeak-ng") is None:
        raise UsageError("install this Debian package first: espeak-ng")
    if not options.dictionary.is_file():
        raise UsageError(f"there is no word list {options.dictionary} (Debian: wspanish)")
    if absent := neural.missing(options.device):
        raise UsageError(
            f"Kokoro's voice {absent[0]} is missing: docs/bench-ears.md says how to fetch them"
            " (--neural 0 goes on without)"
        )
    if options.device == "cpu":
        return
    from scripts.lab.speechlab import onnx_file

    try:
        neural.speaker_on(options.device)
    except (OSError, onnx_file.FormatError) as problem:
        raise UsageError(f"Kokoro's network cannot be read: {problem}") from None


def _neural_speech_of(options: argparse.Namespace, part: str) -> None:
    from scripts.lab.speechlab import neural, recipe

    sampler = _sampler(options, part)
    count = max(1, round(recipe.NEURAL_SENTENCES * options.amount))
    neural.make_part(
        options.work / f"speech-{part}", sampler, f"{options.seed} {part}", count,
        neural.speaker_on(options.device),
    )  # fmt: skip


def _take_people(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import clips, human, neighbours, packaged, recipe, russian

    def in_folder() -> Iterator[tuple[clips.Clip, "Samples"]]:
        if options.human is None:
            raise human.MissingRecordingsError("no --human folder was named")
        return human.for_training(human.manifest(options.human))

    def in_packages() -> Iterator[tuple[clips.Clip, "Samples"]]:
        return human.for_training(packaged.for_training())

    sources: dict[str, Callable[[], Iterator[tuple[clips.Clip, Samples]]]] = {
        "human": in_folder, "packaged": in_packages, "russian": russian.for_training,
        "neighbours": neighbours.for_training, recipe.READERS: neighbours.readers,
    }  # fmt: skip
    for part, source in sources.items():
        base = options.work / f"speech-{part}"
        if base.with_suffix(".json").exists():
            continue
        try:
            items = list(source())[:: max(1, round(1 / options.amount))]
        except human.MissingRecordingsError as missing:
            print(f"{missing}: going on without", flush=True)
            continue
        if not items:
            raise UsageError(f"there are no {part} recordings; --stage synth names the packages")
        clips.write(base, items)
        print(f"{part}: {len(items)} clips of people", flush=True)


def _make_features(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import corpus, noise_bank, recipe, rooms

    corpus.unpack_shared(options.work)
    rooms.load_or_make(options.work / "rooms.npy", rooms.COUNT, seed=1)
    others = [part for part in recipe.PART_NAMES if part not in recipe.ALL_PARTS]
    banks = [noise_bank.NOISE, noise_bank.TALK]
    _side_by_side(options, _features_of, [*banks, *others, *_parts(options)])


def _features_of(options: argparse.Namespace, part: str) -> None:
    from scripts.lab.speechlab import clips, corpus, noise_bank, recipe, sources

    source, target = options.work / f"speech-{part}", options.work / f"features-{part}"
    made = part in (noise_bank.NOISE, noise_bank.TALK)
    if target.with_suffix(".json").exists():
        return
    if not made and not source.with_suffix(".json").exists():
        return
    crowd = clips.ClipStore(options.work / "speech-1")
    people = _people(options)
    others = corpus.bystanders(options.work, people)
    around = corpus.surroundings(options.work, crowd, people, [samples for _, samples in others])
    if made:
        if part == noise_bank.NOISE:  # all parts have the same people in the background
            sources.note_background(options.work, others)
        stretches = max(1, round(noise_bank.STRETCHES * options.amount))
        noise_bank.write(target, part, around, stretches, options.seed)
        return
    copies = recipe.copies(part, options.copies or recipe.HUMAN_COPIES)
    seed = 1000 * options.seed + recipe.PART_NAMES.index(part)
    frames = corpus.make_features(target, clips.ClipStore(source), around, copies, seed)
    print(f"part {part}: {frames / 360_000:.1f} h of features", flush=True)


def _people(options: argparse.Namespace) -> Path | None:
    """Return the folder of recordings if its clips were taken."""
    folder: Path | None = options.human
    return folder if (options.work / "speech-human.json").exists() else None


def _pack(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import clips, corpus

    _check_installed(PROGRESS_NEEDS)
    from tqdm import tqdm

    if shutil.which(clips.PACKER) is None:
        raise UsageError(f"install this Debian package first: {clips.PACKER}")
    if not any(options.work.glob("speech-*.json")):
        raise UsageError(f"there is no speech in {options.work}: run --stage synth first")
    corpus.keep_surroundings(options.work, _people(options))
    bases = [path.with_suffix("") for path in options.work.glob("speech-*.json")]
    missing = [base for base in bases if not base.with_suffix(".opus").exists()]
    with ThreadPoolExecutor(options.jobs) as pool:
        packed = [pool.submit(clips.pack, base) for base in missing]
        for part_packed in tqdm(as_completed(packed), "packed", len(packed), unit="part"):
            try:
                part_packed.result()
            except OSError as problem:
                raise UsageError(str(problem)) from None


def _train(options: argparse.Namespace) -> None:
    import torch

    from scripts.lab.speechlab import recipe, training, warm_start

    lacking = [
        part for part in _parts(options) if not (options.work / f"features-{part}.json").exists()
    ]
    if lacking:
        raise UsageError(f"no features of part {lacking[0]} in {options.work}: --stage features")
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)  # because the sums over paths end in numbers too small to matter
    rounds = recipe.ROUNDS[: options.rounds]
    if options.go_on is not None:
        rounds = (recipe.going_on(_parts(options), options.rate),)
    with _told_of_other_options(options.work / "net.pt"):
        try:
            training.train(options.work, rounds, _how(options))
        except warm_start.OtherNetworkError as other:
            raise UsageError(f"--from: {other}") from None


def _how(options: argparse.Namespace) -> "training.Options":
    from scripts.lab.speechlab import training

    if options.go_on is not None and not (options.go_on / "am" / "final.mdl").is_file():
        raise UsageError(f"--from: {options.go_on} is no model: it has no am/final.mdl")
    return training.Options(
        options.seed,
        options.steps,
        options.device,
        _left_out(options),
        options.go_on,
        options.size,
        options.batch,
    )


@contextmanager
def _told_of_other_options(checkpoint: Path) -> Iterator[None]:
    from scripts.lab.speechlab import training

    try:
        yield
    except training.OtherOptionsError as other:
        same = " and ".join(_as_given(name, value) for name, value in other.made_with.items())
        raise UsageError(
            f"{checkpoint} was made with {same}: give that again, or remove the file to begin anew"
        ) from None


def _as_given(name: str, value: Any) -> str:
    """An option of training as it is written on the command line."""
    if name == "without":
        return f"--without {','.join(value)}" if value else "no --without"
    if name == "begin":
        return "another model for --from" if value else "no --from"
    return f"{'--steps' if name == 'scale' else '--' + name} {value}"


def _left_out(options: argparse.Namespace) -> frozenset[str]:
    return frozenset(filter(None, options.without.split(",")))


def _export(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import checksums, export, recipe, sources, training, vocabulary

    checkpoint = options.work / "net.pt"
    if not checkpoint.exists():
        raise UsageError(f"no network at {checkpoint}: run --stage train first")
    with _told_of_other_options(checkpoint):  # sources.json names the seed and who is left out
        training.check_options(training.load(checkpoint), _how(options))
    export.export(
        checkpoint, options.model, vocabulary.load(), _costs(options), options.go_on, options.share
    )
    voices = sources.tally(options.work, recipe.PART_NAMES, _left_out(options))
    behind = sources.background(options.work)
    if options.go_on is not None:
        learnt, heard = sources.read(options.go_on)
        voices, behind = sources.joined(learnt, voices), sources.joined(heard, behind or {})
    sources.write(options.model, voices, options.seed, behind)
    checksums.write(options.model)
    print(f"model written to {options.model}", flush=True)


def _costs(options: argparse.Namespace) -> "lexicon_fst.Costs":
    from scripts.lab.speechlab import lexicon_fst

    if options.unknown_cost is None:
        return lexicon_fst.Costs()
    return lexicon_fst.Costs(unknown=options.unknown_cost)


def _rebuild_graph(options: argparse.Namespace) -> None:
    from scripts.lab.speechlab import checksums, graph, vocabulary

    folder = options.model / "graph"
    if not (folder / graph.BIGRAM_FILE).exists():
        raise UsageError(
            f"{options.model} is no model of ours: it has no graph/{graph.BIGRAM_FILE}"
        )
    try:
        graph.build(folder, vocabulary.load(), graph.read_bigram(folder), _costs(options))
    except graph.MissingToolError as missing:
        raise UsageError(str(missing)) from None
    checksums.write(options.model)
    print(f"graph written to {folder}", flush=True)


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
