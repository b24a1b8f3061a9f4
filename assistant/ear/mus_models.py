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
from assistant.files.terminal import in_terminal_language
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
    """Ask once for ever, whatever the answer; return 0 if the model was fetched, else 1."""
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
        print(
            f"mus: {in_terminal_language(error)}\nPara más tarde: mus models fetch {offer.name}",
            file=sys.stderr,
        )
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
        mark = "*" if row["used"] else " "
        print(f"{mark} {row['name']:28}{row['bytes'] / MEGA:6.1f} MB  {row['state']:14}"
              f"{', '.join(row['languages'])}; {row['licence']}")  # fmt: skip
        print(f"  {row['title']}. {row['note']}")
        if row["url"]:
            print(f"  sha256: {_checksum(row)}")
    print(f"\n* en uso. Carpeta: {models_dir()}")
    return 0


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
    return f"{row['pinned']} (de la primera descarga)" if row["pinned"] else "no publicado aquí"


def in_use() -> list[str]:
    """The models that the settings name, in their order."""
    return str(whole(read_settings())[MODELS]).split() or [SHIPPED]


def _fetch(args: argparse.Namespace) -> int:
    offer = offer_of(args.name)
    if installed(offer.name):
        _say(args, f"{offer.name} ya está en esta máquina.")
        return _told(args, {"name": offer.name, "folder": str(folder_of(offer.name))})
    _say(args, f"{offer.name}: {offer.bytes / MEGA:.1f} MB, {offer.licence}.")
    try:
        found = install(offer, args.source, args.sha256, _progress(args))
    except KeyboardInterrupt:
        _say(args, "\nInterrumpido: la próxima vez sigue donde estaba.")
        raise
    if found.trusted:
        _say(args, f"Nadie publica aquí su sha256: se toma el que ha llegado, {found.sha256}, y se "
                   "exigirá desde ahora.")  # fmt: skip
    _say(args, f"Instalado en {found.folder}. Para usarlo: mus models use {SHIPPED} {offer.name}")
    told = {"name": offer.name, "folder": str(found.folder), "sha256": found.sha256}
    return _told(args, {**told, "first": found.trusted})


def _progress(args: argparse.Namespace) -> Any:
    shows = not args.json and sys.stderr.isatty()

    def on_progress(done: int, of: int) -> None:
        if shows:
            bar = "█" * (round(BAR * done / of) if of else 0)
            end = "\n" if done == of else ""
            print(f"\r   {bar:·<{BAR}} {done / MEGA:.1f} MB", end=end, file=sys.stderr, flush=True)

    return on_progress


def _use(args: argparse.Namespace) -> int:
    for name in args.names:
        offer_of(name)
        folder_of(name)
    write_settings({MODELS: None if args.names == [SHIPPED] else " ".join(args.names)})
    if len(args.names) > 1:
        _say(args, f"En adelante oye {args.names[0]}; lo caro ha de oírlo también {args.names[1]}.")
    else:
        _say(args, f"En adelante oye {args.names[0]}.")
    return _told(args, {"models": args.names})


def _remove(args: argparse.Namespace) -> int:
    if args.name == SHIPPED:
        raise UsageError(
            "{shipped} ships with the assistant and stays: choose a fetched one.", shipped=SHIPPED
        )
    folder = folder_of(args.name)
    if not args.yes and not _agreed(f"¿Borrar {args.name}?"):
        return 1
    left = [name for name in in_use() if name != args.name]
    if left != in_use():
        write_settings({MODELS: None if left in ([], [SHIPPED]) else " ".join(left)})
        _say(args, f"En adelante oye {(left or [SHIPPED])[0]}.")
    old = folder.with_name(f".{args.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    folder.rename(old)  # a rename is atomic: nobody finds half a model
    shutil.rmtree(old)
    part_of(args.name).forget()
    _say(args, f"{args.name}: borrado.")
    return _told(args, {"removed": args.name, "models": in_use()})


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("Nobody is there to be asked: add --yes.")
    return input(f"{question} [s/N] ").strip().lower() in ("s", "sí", "si", "y", "yes")


def _check(args: argparse.Namespace) -> int:
    offer_of(args.name)
    found = vocabulary_of(folder_of(args.name), load_lexicon(args.language))
    if args.json:
        print(json.dumps({"name": args.name} | found.told(), ensure_ascii=False))
    else:
        _show(args.name, found)
    return int(bool(found.unheard))


def _show(name: str, found: Vocabulary) -> None:
    print(f"{name}: conoce {found.words - len(found.missing)} de {found.words} palabras.")
    for word in found.missing:
        ways = " o ".join(f"«{way}»" for way in found.stand_ins.get(word, ()))
        print(f"  {word:16}{ways or 'no se oye'}")
    if found.unheard:
        print(f"No se oyen {len(found.unheard)} frases:")
        print(*(f"  {phrase}" for phrase in found.unheard[:SHOWN]), sep="\n")


def _offer(args: argparse.Namespace) -> int:
    offer = offer_of(STOCK)
    if not may_offer(offer):
        return 1
    title = offer.title[0].lower() + offer.title[1:]
    size = f"{offer.bytes / MEGA:.0f} MB, {offer.licence}"
    question = f"¿Descargar también {title} ({size}), para confirmar los órdagos? No hace falta."
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
