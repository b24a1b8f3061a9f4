"""A new wording of a call: in the lexicon, its cases, the vocabulary and the word graph."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistant.ear.recogniser import Recogniser, transcribe
from assistant.language.lexicon import Lexicon, LexiconError, Moment, fold, lexicon_from
from assistant.language.lexicon.rows import MEANINGS, expand
from scripts.making.changes import (
    Changes,
    MakingError,
    added_to_list,
    languages,
    tables_at,
    text_file,
)

LEXICON = "lexicon"
VOCABULARY = "scripts/lab/speechlab/vocabulary.toml"
MODEL = "models/mus-es"
ALOUD = "tests/ear/wordings.toml"
IN_A_SLOT = {
    "{n}": "cinco",
    "{lance}": "a la grande",
    "{whose}": "nosotros",
    "{player}": "el postre",
    "{values}": "duples",
}
"""What stands in a wording's slots when it is read aloud to the ear."""
SPELT_AS_SPANISH = ("es", "interpenas")
VOICES = {"interpenas": "es", "iparralde": "eu"}
"""The voice of a dialect that espeak-ng has no voice of."""
LONGEST_LIST = 110
"""Letters in a line of the vocabulary."""
_SPECIAL = ("weight", "needs", "lance", "whose", "overrides")
"""Keys that make a row of the lexicon a special one."""


def add_wording(changes: Changes, wording: str, means: str, language: str, like: str = "") -> None:
    """Plan everything that a wording needs, except the word graph. Raises MakingError."""
    name = text_file(LEXICON, language)
    if not (changes.root / name).is_file():
        raise MakingError(f"There is no lexicon of {language!r}: {name} is missing.")
    if means not in MEANINGS:
        raise MakingError(f"--means {means}: choose one of {', '.join(MEANINGS)}.")
    wordings = _wordings(wording)
    rows: list[dict[str, Any]] = changes.toml(name)["call"]
    for at, row in enumerate(rows):
        there = {_plain(said) for phrase in row["phrases"] for said in expand(phrase)}
        if row["means"] == means and there >= {_plain(said) for said in wordings}:
            raise MakingError(f"{wording!r} stands in {name} already: [[call]] number {at + 1}.")
    at = _row(rows, means, like)
    text = changes.read(name)
    changes.put(name, added_to_list(text, tables_at(text, "call")[at], "phrases", wording))
    _check(changes, language)
    _add_cases(changes, rows[at], wordings, language, like)
    _add_words(changes, wordings, language)
    _add_aloud(changes, wordings[0], language)


def _wordings(wording: str) -> list[str]:
    try:
        found = expand(wording)
    except LexiconError as error:
        raise MakingError(str(error)) from error
    if not all(found) or '"' in wording or "\\" in wording:
        raise MakingError(f"{wording!r} is no wording: write words, {{n}} and the like, [words].")
    return found


def _plain(wording: str) -> str:
    return " ".join(fold(word) for word in wording.split())


def _row(rows: Sequence[dict[str, Any]], means: str, like: str) -> int:
    """The row to add to: that of ``like``, or the plainest of that meaning. Raises MakingError."""
    there = [at for at, row in enumerate(rows) if row["means"] == means]
    if not like:
        if not there:
            raise MakingError(
                f"No row of the lexicon means {means!r} yet: write the first by hand."
            )
        return min(there, key=lambda at: sum(k in rows[at] for k in _SPECIAL))
    for at in there:
        if _plain(like) in {_plain(w) for phrase in rows[at]["phrases"] for w in expand(phrase)}:
            return at
    firsts = "; ".join(f"{rows[at]['phrases'][0]!r}" for at in there)
    raise MakingError(f"--like {like!r}: no row of {means!r} says that. They begin with {firsts}.")


def _check(changes: Changes, language: str) -> None:
    """Check that the lexicon can be read, alone and beside the others. Raises MakingError."""
    try:
        lexicon(changes, (language,))
        lexicon(changes, languages(changes.root, LEXICON))
    except LexiconError as error:
        raise MakingError(f"The lexicon would refuse it: {error}") from error


def lexicon(changes: Changes, codes: Sequence[str]) -> Lexicon:
    """The lexicon of languages as it will be. Raises LexiconError."""
    tables: dict[str, dict[str, Any]] = {}
    for language in codes:
        _bring(changes, language, tables)
    return lexicon_from(*tables.values())


def _bring(changes: Changes, language: str, tables: dict[str, dict[str, Any]]) -> None:
    if language in tables:
        return
    table = changes.toml(text_file(LEXICON, language))
    for other in table.get("with", []):
        _bring(changes, other, tables)
    tables[language] = table


def _add_cases(
    changes: Changes, row: dict[str, Any], wordings: Sequence[str], language: str, like: str
) -> None:
    """Plan the wordings in the cases that say a sibling wording at the same moments."""
    name = f"tests/language/lexicon/{language}.toml"
    cases = changes.toml(name)["case"]
    moments = {*row.get("when", [] if "also" in row else list(Moment)), *row.get("also", [])}
    there = [w for phrase in row["phrases"] for w in expand(phrase)]
    for wording in wordings:
        same = [w for w in there if _slots(w) == _slots(wording)]
        closest = [w for w in same if like and _plain(w) == _plain(like)]
        chosen = _cases_of_a_sibling(cases, closest or same, moments)
        if not chosen:
            changes.missing.append(
                f"{name}: a [[case]] that says {wording!r} at {', '.join(sorted(moments))}"
            )
        for at in chosen:
            text = changes.read(name)
            changes.put(name, added_to_list(text, tables_at(text, "case")[at], "say", wording))


def _cases_of_a_sibling(
    cases: Sequence[dict[str, Any]], siblings: Sequence[str], moments: set[str]
) -> list[int]:
    """The fewest cases, by number from 0, that say one sibling alone at each moment."""
    found = []
    for sibling in siblings:
        said = [
            at
            for at, case in enumerate(cases)
            if sibling in case["say"] and ("*" in case["at"] or moments >= {*case["at"]})
        ]
        covered = {moment for at in said for moment in cases[at]["at"]}
        if said and ("*" in covered or moments <= covered):
            found.append(said)
    return min(found, key=len, default=[])


def _slots(wording: str) -> set[str]:
    return set(re.findall(r"\{\w+\}", wording))


def _add_words(changes: Changes, wordings: Sequence[str], language: str) -> None:
    """Plan the words that the vocabulary lacks. Their spelling decides their sound."""
    table = changes.toml(VOCABULARY)
    known = {
        word for part in ("words", "basque") for ws in table[part].values() for word in ws.split()
    }
    spelt = words_of(" ".join(wordings))
    new = [word for word in spelt if word not in known | set(table["sounds"])]
    if not new:
        return
    part = "words" if language in SPELT_AS_SPANISH else "basque"
    text = changes.read(VOCABULARY)
    start = text.index('calls = """', text.index(f"[{part}]"))
    end = text.index('"""', start + len('calls = """'))
    line = text[text.rfind("\n", 0, end) + 1 : end]
    between = "\n" if len(line) + len(" ".join(new)) > LONGEST_LIST else " "
    changes.put(VOCABULARY, f"{text[:end]}{between}{' '.join(new)}{text[end:]}")


def words_of(wording: str) -> list[str]:
    """The words that the ear has to know, in lower case, each once and in order."""
    plain = re.sub(r"\{\w+\}|[\[\]]", " ", wording).lower()
    return list(dict.fromkeys(plain.split()))


def _add_aloud(changes: Changes, wording: str, language: str) -> None:
    """Plan that the slow tests read the wording aloud to the ear."""
    wording = spoken(wording)
    if language in changes.toml(ALOUD):
        changes.put(ALOUD, added_to_list(changes.read(ALOUD), 0, language, wording))
    else:
        changes.put(ALOUD, f'{changes.read(ALOUD).rstrip()}\n{language} = ["{wording}"]\n')


# ---- The word graph, and whether the ear hears the wording --------------------------------------


def unheard(root: Path, wording: str) -> list[str]:
    """The words of a wording that the ear's word graph lacks."""
    lines = (root / MODEL / "graph" / "words.txt").read_text(encoding="utf-8").splitlines()
    graph = {line.split()[0] for line in lines if line}
    return [word for word in words_of(wording) if word not in graph]


def build_graph(root: Path) -> None:
    """Build the word graph again from the vocabulary, in seconds. Raises MakingError.

    The message says in one sentence what to install where a tool is missing.
    """
    command = [sys.executable, str(root / "scripts/lab/train_model.py"), "--stage", "graph"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["train_model failed."]
        raise MakingError(
            f"The ear does not know the word yet: {lines[-1].removeprefix('train_model: ')}; "
            "then run python scripts/lab/train_model.py --stage graph."
        )


def heard(changes: Changes, wording: str, language: str) -> str:
    """What the ear hears when a synthesised voice says a wording.

    Raises MakingError if it hears something else, or if there is no voice to say it.
    """
    if shutil.which("espeak-ng") is None:
        raise MakingError(
            "Nobody has said it to the ear: install espeak-ng (apt install espeak-ng)."
        )
    said = spoken(_wordings(wording)[0])
    with tempfile.TemporaryDirectory() as folder:
        sound = Path(folder) / "said.wav"
        voice = VOICES.get(language, language)
        subprocess.run(["espeak-ng", "-v", voice, "-w", str(sound), said], check=True)
        calls = lexicon(changes, (language,))
        recogniser = Recogniser(changes.root / MODEL, calls.grammar())
        text = " ".join(utterance.text for utterance in transcribe(sound, recogniser))
    if _plain(text) != _plain(said):
        raise MakingError(
            f"{ALOUD}: a synthesised voice says {said!r} and the ear hears {text!r}; "
            "try it with your own voice, and take the line out if you are heard."
        )
    return text


def spoken(wording: str) -> str:
    """A wording with a value in each slot."""
    for slot, said in IN_A_SLOT.items():
        wording = wording.replace(slot, said)
    return wording
