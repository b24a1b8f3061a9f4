"""``mus voice``: the caller's voices and styles that are there, heard before they are chosen."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

from assistant.ear import EchoGate
from assistant.files.process import UsageError
from assistant.files.profile_files import NAME, SUFFIX
from assistant.files.resources import SPANISH, languages, load_lexicon, load_phrases
from assistant.files.settings import Value, read_settings, whole
from assistant.files.style_files import (
    USUAL_STYLE,
    find_style,
    in_language,
    load_style,
    own_styles,
    shipped_styles,
    style_meant,
    style_paths,
)
from assistant.files.terminal import in_terminal_language, output_text, terminal_language
from assistant.language.lexicon import Context, Lexicon, Spoken, words_of
from assistant.language.phrases import Level, Phrases, Style
from assistant.language.phrases.keys import LEFT_OUT, SHAPE, STYLED
from assistant.language.phrases.sample import NAMED, sample
from assistant.rules.calls import NextDeal, Place
from assistant.rules.phases import BETTING, Lance, Phase
from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.announcer import sound_in
from assistant.voice.engines import installed_voices
from assistant.voice.speaker import Mouth, say_once

MARK = "*"


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "voice",
        help="list the caller's voices and styles, hear one, or begin a style of one's own",
        description="Without an option, the installed voices and the styles are listed; * marks "
        "those that are set. 'mus settings voice_name NAME' and 'mus settings style NAME' choose.",
        epilog="example: mus voice --hear --style maestro",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--hear",
        action="store_true",
        help="say what a caller says of a small deal; --style or --name alone do so, too",
    )
    what.add_argument("--out", type=Path, metavar="FILE.wav", help="the same into a file")
    what.add_argument("--new", metavar="NAME", help="write a style of one's own, to be changed")
    parser.add_argument("--name", metavar="NAME", help="voice to hear, by a part of its name")
    parser.add_argument("--style", metavar="NAME", help="style to hear, or to begin one's own from")
    parser.add_argument("--language", choices=languages("phrases"), help="language of the voice")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    kept = whole(read_settings())
    style = style_meant(args.style or str(kept["style"]))
    if args.new is not None:
        return _new(args.new, style, args.json)
    code = args.language or str(kept["language"]) or "es"
    if args.hear or args.out or args.style or args.name is not None:
        return _hear(args, kept, find_style(style), load_phrases(code))
    return _list(kept, code, args.json)


def _list(kept: dict[str, Value], code: str, as_json: bool) -> int:
    """Print the voices and the styles. A player's broken file does not hide the others."""
    voices, fault = _voices(code)
    others = {one.name: one.language for one in installed_voices() if one.name not in voices}
    styles: list[dict[str, Any]] = []
    broken: list[UsageError] = []
    for path in style_paths().values():
        try:
            styles.append(_brief(load_style(path), path, code))
        except UsageError as error:
            broken.append(error)
    if as_json:
        told: dict[str, Any] = {
            "language": code,
            "voices": voices,
            "other_languages": others,
            "styles": styles,
        }
        told |= {"voice_name": kept["voice_name"], "style": kept["style"]}
        told |= {"fault": str(fault)} if fault else {}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(_listed(kept, voices, styles)))
    own = [style["name"] for style in styles if style["own"]]
    wrong = [fault] if fault else []
    for reason in [*wrong, *broken, *(one for name in own for one in calls_in(find_style(name)))]:
        print(f"mus: {in_terminal_language(reason)}", file=sys.stderr)
    return 2 if broken or fault else 0


# ---- A style of one's own must not say what the ear would take for a call ------------------------


SENTENCE_END = re.compile(r"(?<=[.?!]) ")
NUMBERS = (1, 2, 5)


def calls_in(style: Style) -> Iterator[UsageError]:
    """The wordings of a style that are a call at some moment of a deal, each in one sentence."""
    for code, wordings in style.words.items():
        if code not in languages("phrases"):
            continue
        spoken = [SPANISH, code] if code in languages("lexicon") else [SPANISH]
        lexicon, phrases = load_lexicon(list(dict.fromkeys(spoken))), load_phrases(code)
        for key, several in wordings.items():
            said = (text for one in several for text in _filled(phrases, key, one))
            parts = (part for text in said for part in SENTENCE_END.split(text) if part)
            if (
                call := next((part for part in parts if _is_call(lexicon, part)), None)
            ) is not None:
                yield UsageError(
                    "The style {name} says {text!r} ({key}), which is a call: word it otherwise.",
                    name=style.name,
                    text=call,
                    key=f"{code}.{key}",
                )


def _filled(phrases: Phrases, key: str, wording: str) -> Iterator[str]:
    """A wording with each lance and several numbers in it."""
    for lance, number in product(Lance, NUMBERS):
        stones = phrases.language.stones(number)
        words = dict.fromkeys(SHAPE[key].split(), phrases.language.join(NAMED[::2]))
        words |= dict.fromkeys(("stones", "total", "target", "score", "juegos", "vacas"), stones)
        words |= {"lance": phrases.language.lance(lance, "to"), "name": NAMED[0]}
        words |= {"the": phrases.language.lance(lance, "the"), "article": "5.3"}
        yield wording.format(**words)


def _is_call(lexicon: Lexicon, sentence: str) -> bool:
    words = words_of(re.sub(r"[^\w\s]", " ", sentence.lower()))
    readings = (
        lexicon.read(words, Context(phase, pending, seats=NAMED))
        for phase in Phase
        for pending in ((False, True) if phase in BETTING else (False,))
    )
    return any(isinstance(one, Spoken) and not isinstance(one.what, TELLING) for one in readings)


TELLING = (NextDeal, Place)
"""Calls that say where the deal stands ("es mano Sur"). Said by the voice, they change nothing."""


def _voices(code: str) -> tuple[list[str], VoiceError | None]:
    """The names of the installed voices of a language, or why there are none."""
    try:
        with closing(Mouth(VoiceSettings(load_phrases(code).code))) as mouth:
            return mouth.voices(), None
    except VoiceError as error:
        return [], error


def _brief(style: Style, path: Path, code: str) -> dict[str, Any]:
    return {
        "name": style.name,
        "title": in_language(style.title, code),
        "explains": in_language(style.explains, code),
        "own": path.parent != shipped_styles(),
        "tells": str(style.tells),
    }


def _listed(
    kept: dict[str, Value], voices: list[str], styles: list[dict[str, Any]]
) -> Iterator[str]:
    chosen = str(kept["voice_name"]).lower()
    yield output_text("Voices:")
    yield f"{' ' if chosen else MARK} {output_text('that of the language')}"
    for name in voices:
        yield f"{MARK if chosen and chosen in name.lower() else ' '} {name}"
    yield output_text("Styles:")
    width = max((len(style["name"]) for style in styles), default=0)
    for style in styles:
        mark = MARK if style["name"] == kept["style"] else " "
        yield f"{mark} {style['name'].ljust(width)}  {style['explains']}"


def _hear(args: argparse.Namespace, kept: dict[str, Value], style: Style, phrases: Phrases) -> int:
    """Say a sample, or write it into a file. Raises VoiceError."""
    name = str(kept["voice_name"]) if args.name is None else args.name
    said = sample(phrases.styled(style), style.level(Level.ESSENTIAL))
    sound = sound_in(style, phrases, name, int(kept["rate"]), float(kept["volume"]))
    seconds: float | None = None
    if args.out:
        if args.out.is_dir():
            raise UsageError("--out {path}: it is a folder; choose another file.", path=args.out)
        with closing(Mouth(sound)) as mouth:
            seconds = round(mouth.render(said, args.out), 2)
    else:
        say_once(said, sound, EchoGate())
    if args.json:
        told = {"said": said, "voice": name, "style": style.name, "seconds": seconds}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(said)
    return 0


def _new(name: str, like: str, as_json: bool) -> int:
    if not NAME.fullmatch(name):
        raise UsageError(
            "--new {name!r}: a name has letters, digits and hyphens, as casa-2.", name=name[:40]
        )
    if name in style_paths():
        raise UsageError("There is a style {name} already: choose another name.", name=name)
    path = own_styles() / f"{name}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    like = like if (shipped_styles() / f"{like}{SUFFIX}").is_file() else USUAL_STYLE
    code = terminal_language()
    with path.open("x", encoding="utf-8") as file:  # "x": never over what somebody wrote
        file.write(template(name, find_style(like), code))
    print(json.dumps({"created": str(path)}) if as_json else path)
    return 0


def template(name: str, like: Style, code: str) -> str:
    """A style that changes nothing yet: every sentence in a comment, as it is said now."""
    texts = load_phrases(code).language.texts
    lines = [
        f"# mus settings style {name}",
        f'like = "{like.name}"',
        f'title = "{name}"',
        f'explains = "{in_language(like.explains, code)}"',
    ]
    section = ""
    for key in SHAPE:
        if key.split(".")[0] not in STYLED:
            continue
        if key.split(".")[0] != section:
            section = key.split(".")[0]
            lines += ["", f"[words.{code}.{section}]"]
        wordings = like.of(code).get(key, (texts[key],))
        shown = [json.dumps(one, ensure_ascii=False) for one in wordings]
        may = ' # or ""' if key in LEFT_OUT else ""
        written = shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
        part = key.partition(".")[2]
        lines.append(f"# {json.dumps(part) if '.' in part else part} = {written}{may}")
    return "\n".join([*lines, ""])
