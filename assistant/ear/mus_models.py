"""``mus models``: list, fetch, choose, check and remove speech models."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from assistant.ear.catalogue import (
    SHIPPED,
    STOCK,
    Offer,
    catalogue,
    folder_of,
    install,
    installed,
    models_dir,
    offer_of,
    part_of,
    pinned,
)
from assistant.ear.fetching import MEGA
from assistant.ear.hearing import Vocabulary, vocabulary_of
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_lexicon
from assistant.files.settings import MODELS, read_settings, whole, write_settings
from assistant.files.terminal import (
    decimal_text,
    in_terminal_language,
    output_text,
    output_word,
)
from assistant.rules.errors import MusError

# ---- The offer of the Spanish model: made once, at a terminal, where there is a network ---------


PATIENCE = 2.0
"""Seconds within which the server must answer, so that nobody waits long for a question."""
ASKED = ".offered"
"""The file that shows that the question was asked; scripts/run looks for it, too."""


def may_offer(offer: Offer) -> bool:
    """Whether to ask: at a terminal, if never asked before and the model could be fetched."""
    asked = (models_dir() / ASKED).exists()
    somebody = sys.stdin.isatty() and sys.stderr.isatty() and not os.environ.get("CI")
    return somebody and not asked and not installed(offer.name) and _reachable(offer.url)


def offer_once(offer: Offer, ask: Callable[[], bool], take: Callable[[], None]) -> int:
    """Ask once and never again; return 0 if the model was fetched, else 1."""
    models_dir().mkdir(parents=True, exist_ok=True)
    (models_dir() / ASKED).touch()
    try:
        if not ask():
            return 1
        take()
    except EOFError:
        return 1
    except MusError as error:
        # The game is played with the model that is there.
        later = output_text("For later: mus models fetch {name}", name=offer.name)
        print(f"mus: {in_terminal_language(error)}\n{later}", file=sys.stderr)
        return 1
    return 0


def _reachable(url: str) -> bool:
    """Whether the model's server answers soon; the system may take minutes to resolve its name."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    answered = threading.Event()

    def knock() -> None:
        try:
            socket.create_connection((parts.hostname or "", port), PATIENCE).close()
            answered.set()
        except OSError:
            return

    knocking = threading.Thread(target=knock, daemon=True)
    knocking.start()
    knocking.join(PATIENCE)
    return answered.is_set()


# ---- The command --------------------------------------------------------------------------------


BAR = 20
SHOWN = 12
"""How many phrases that cannot be heard are named; --json names all."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "models",
        help="fetch and choose the ear's speech models",
        description="One model ships and is enough. Another one can be fetched and used in its "
        "place, or beside it: then a dear call counts only if both heard it.",
        epilog=f"examples: mus models fetch {STOCK}; mus models use {SHIPPED} {STOCK}",
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    _verb(verbs, "list", _list, "tell which there are")
    fetch = _verb(verbs, "fetch", _fetch, "bring one to this machine; broken off, it goes on")
    fetch.add_argument("name", metavar="NAME")
    fetch.add_argument(
        "--from", dest="source", default="", metavar="URL|FILE.zip", help="in the catalogue's place"
    )
    fetch.add_argument("--sha256", default="", metavar="HEX", help="the checksum it must have")
    use = _verb(verbs, "use", _use, "choose one, or two that must agree")
    use.add_argument("names", nargs="+", metavar="NAME")
    remove = _verb(verbs, "remove", _remove, "take one off this machine")
    remove.add_argument("name", metavar="NAME")
    remove.add_argument("--yes", action="store_true", help="without asking")
    check = _verb(verbs, "check", _check, "tell which of our words one lacks, and what stands in")
    check.add_argument("name", metavar="NAME")
    check.add_argument(
        "--language", nargs="+", default=["es"], choices=languages("lexicon"), metavar="CODE",
        help="of the calls; default: es",
    )  # fmt: skip
    _verb(
        verbs, "offer", _offer, "ask once whether to fetch the Spanish model, if there is a network"
    )


def _verb(verbs: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def _list(args: argparse.Namespace) -> int:
    rows = [_row(offer) for offer in catalogue().values()]
    if args.json:
        print(json.dumps({"models": rows, "folder": str(models_dir())}, ensure_ascii=False))
        return 0
    for row in rows:
        mark, state = "*" if row["used"] else " ", output_word(STATES[row["state"]])
        size = decimal_text(f"{row['bytes'] / MEGA:6.1f} MB")
        print(f"{mark} {row['name']:28}{size}  {state:14}"
              f"{', '.join(row['languages'])}; {row['licence']}")  # fmt: skip
        print(f"  {output_word(row['title'])}. {output_word(row['note'])}")
        if row["url"]:
            print(f"  sha256: {_checksum(row)}")
    print(output_text("\n* in use. Folder: {folder}", folder=models_dir()))
    return 0


STATES = {"incluido": "ships", "instalado": "installed", "por descargar": "to be fetched"}
"""Where a model is, as JSON has it -> as it is printed."""


def _row(offer: Offer) -> dict[str, Any]:
    ships = offer.name == SHIPPED
    state = "incluido" if ships else "instalado" if installed(offer.name) else "por descargar"
    return {
        "name": offer.name,
        "title": offer.title,
        "languages": offer.languages,
        "licence": offer.licence,
        "bytes": offer.bytes,
        "url": offer.url,
        "sha256": offer.sha256,
        "pinned": pinned(offer.name),
        "note": offer.note,
        "state": state,
        "used": offer.name in in_use(),
    }


def _checksum(row: dict[str, Any]) -> str:
    if row["sha256"]:
        return str(row["sha256"])
    if row["pinned"]:
        return output_text("{sha256} (of the first download)", sha256=row["pinned"])
    return output_text("not published here")


def in_use() -> list[str]:
    """The models that the settings name, in their order."""
    return str(whole(read_settings())[MODELS]).split() or [SHIPPED]


def _fetch(args: argparse.Namespace) -> int:
    offer = offer_of(args.name)
    if installed(offer.name):
        _say(args, output_text("{name} is on this machine already.", name=offer.name))
        return _told(args, {"name": offer.name, "folder": str(folder_of(offer.name))})
    size = decimal_text(f"{offer.bytes / MEGA:.1f} MB")
    _say(args, f"{offer.name}: {size}, {offer.licence}.")
    try:
        found = install(offer, args.source, args.sha256, _progress(args))
    except KeyboardInterrupt:
        _say(args, output_text("\nBroken off: the next time it goes on from here."))
        raise
    if found.trusted:
        trusted = output_text(
            "Nobody publishes its sha256 here: the one that came, {sha256}, is taken, and asked "
            "for from now on.",
            sha256=found.sha256,
        )
        _say(args, trusted)
    use = f"mus models use {SHIPPED} {offer.name}"
    _say(args, output_text("Installed in {folder}. To use it: {use}", folder=found.folder, use=use))
    told = {"name": offer.name, "folder": str(found.folder), "sha256": found.sha256}
    return _told(args, {**told, "first": found.trusted})


def _progress(args: argparse.Namespace) -> Any:
    shows = not args.json and sys.stderr.isatty()

    def on_progress(done: int, of: int) -> None:
        if shows:
            bar = "█" * (round(BAR * done / of) if of else 0)
            end = "\n" if done == of else ""
            size = decimal_text(f"{done / MEGA:.1f} MB")
            print(f"\r   {bar:·<{BAR}} {size}", end=end, file=sys.stderr, flush=True)

    return on_progress


def _use(args: argparse.Namespace) -> int:
    for name in args.names:
        offer_of(name)
        folder_of(name)
    write_settings({MODELS: None if args.names == [SHIPPED] else " ".join(args.names)})
    if len(args.names) > 1:
        hears = output_text(
            "From now on {one} hears; what is dear, {other} must hear, too.",
            one=args.names[0],
            other=args.names[1],
        )
    else:
        hears = output_text("From now on {one} hears.", one=args.names[0])
    _say(args, hears)
    return _told(args, {"models": args.names})


def _remove(args: argparse.Namespace) -> int:
    if args.name == SHIPPED:
        raise UsageError(
            "{shipped} ships with the assistant and stays: choose a fetched one.", shipped=SHIPPED
        )
    folder = folder_of(args.name)
    if not args.yes and not _agreed(output_text("Delete {name}?", name=args.name)):
        return 1
    left = [name for name in in_use() if name != args.name]
    if left != in_use():
        write_settings({MODELS: None if left in ([], [SHIPPED]) else " ".join(left)})
        _say(args, output_text("From now on {one} hears.", one=(left or [SHIPPED])[0]))
    old = folder.with_name(f".{args.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    folder.rename(old)  # a rename is atomic: nobody finds half a model
    shutil.rmtree(old)
    part_of(args.name).forget()
    _say(args, output_text("{name}: deleted.", name=args.name))
    return _told(args, {"removed": args.name, "models": in_use()})


YES = ("y", "yes", "s", "sí", "si", "b", "bai")
"""Answers that agree, in whichever language they are typed."""


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("Nobody is there to be asked: add --yes.")
    return input(f"{question} {output_text('[y/N]')} ").strip().lower() in YES


def _check(args: argparse.Namespace) -> int:
    offer_of(args.name)
    found = vocabulary_of(folder_of(args.name), load_lexicon(args.language))
    if args.json:
        print(json.dumps({"name": args.name} | found.told(), ensure_ascii=False))
    else:
        _show(args.name, found)
    return int(bool(found.unheard))


def _show(name: str, found: Vocabulary) -> None:
    known, n = found.words - len(found.missing), len(found.unheard)
    print(output_text("{name}: knows {n} of {of} words.", name=name, n=known, of=found.words))
    for word in found.missing:
        ways = output_text(" or ").join(f"«{way}»" for way in found.stand_ins.get(word, ()))
        print(f"  {word:16}{ways or output_text('is not heard')}")
    if n:
        print(
            output_text("1 phrase is not heard:")
            if n == 1
            else output_text("{n} phrases are not heard:", n=n)
        )
        print(*(f"  {phrase}" for phrase in found.unheard[:SHOWN]), sep="\n")


def _offer(args: argparse.Namespace) -> int:
    offer = offer_of(STOCK)
    if not may_offer(offer):
        return 1
    title = output_word(offer.title)
    question = output_text(
        "Fetch {title}, too ({size:.0f} MB, {licence}), to confirm each órdago? It is not needed.",
        title=title[0].lower() + title[1:],
        size=offer.bytes / MEGA,
        licence=offer.licence,
    )
    return offer_once(offer, lambda: _agreed(question), lambda: _take(args, offer))


def _take(args: argparse.Namespace, offer: Offer) -> None:
    args.name, args.source, args.sha256 = offer.name, "", ""
    _fetch(args)
    args.names = [SHIPPED, offer.name]
    _use(args)


def _told(args: argparse.Namespace, told: dict[str, Any]) -> int:
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
    return 0


def _say(args: argparse.Namespace, sentence: str) -> None:
    if not args.json:
        print(sentence, flush=True)
