"""The options of ``mus play``, checked before anything is opened, and the settings of the run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assistant.ear.audio import wav_format
from assistant.ear.catalogue import SHIPPED, folder_of
from assistant.eye.deck import deck_folder
from assistant.files.paths import data_dir
from assistant.files.player_names import chosen_seats
from assistant.files.process import UsageError
from assistant.files.profile_files import find_profile, rules_named
from assistant.files.resources import model_dir, read_text
from assistant.files.settings import (
    DEFAULT_PORT,
    EVERYWHERE,
    HTTPS_BEYOND,
    LOCALHOST,
    MAX_PORT,
    MODELS,
    MOST_CHANNELS,
    OPTIONS,
    TELEPHONES,
    Address,
    Settings,
    Value,
    default_journal,
    port_number,
    read_address,
    read_settings,
    whole,
)
from assistant.files.style_files import style_meant
from assistant.hall.hub.wire import TABLE_ID
from assistant.language.phrases import Level
from assistant.language.script import (
    DEFAULT_SEATS,
    Script,
    ScriptError,
    parse_script,
    read_rules,
    read_seats,
    rule_pairs,
)
from assistant.language.script.read import MOST
from assistant.rules.engine import sides_of
from assistant.rules.errors import ProfileError, Translatable
from assistant.rules.profile import Profile
from assistant.speakers.enrolled import ear_model

DEMO = "demo"
AT_THE_TABLE = (
    "hearing",
    "mic",
    "channels",
    "seat_channels",
    "array",
    "learn",
    MODELS,
    "camera",
    "deck",
    "language",
    "profile",
    "rules",
    "seats",
    "hub",
)
"""Settings of the file that do not apply to a recording."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``mus play``."""
    ear = parser.add_argument_group("the ear")
    ear.add_argument("--listen", type=Path, metavar="FILE.wav", help="hear a recording")
    ear.add_argument("--fast", action="store_true", help="hear it as fast as it goes")
    ear.add_argument("--cards", type=Path, metavar="FILE.mus", help="hands shown at the showdowns")
    ear.add_argument("--demo", action="store_true", help="play the deals that ship with mus")
    ear.add_argument(
        "--telephones",
        action="store_true",
        help="the players' telephones are the microphones; serves the local network",
    )
    ear.add_argument("--mic", metavar="NAME", help="microphone to use, by a part of its name")
    ear.add_argument(
        "--channels", type=_channels, metavar="N", help="channels to take of it; default: 1"
    )
    ear.add_argument("--model", type=Path, metavar="DIR", help="speech model to use")
    eye = parser.add_argument_group("the eye")
    eye.add_argument(
        "--camera", metavar="N", help="see the cards: 0 (USB), rpicam, or a URL (http, rtsp)"
    )
    eye.add_argument("--deck", metavar="NAME", help="the deck in play; 'mus deck list' names them")
    eye.add_argument(
        "--table", type=Path, metavar="DIR", help="calibration; default: what 'mus calibrate' wrote"
    )
    voice = parser.add_argument_group("the voice")
    voice.add_argument("--voice", metavar="on|off|FILE.wav", help="speak, or not, or into a file")
    voice.add_argument("--level", choices=[str(level) for level in Level], help="how much is said")
    voice.add_argument("--style", metavar="NAME", help="caller's style; 'mus voice' lists them")
    page = parser.add_argument_group("the dashboard")
    page.add_argument(
        "--port", type=port_number, help=Translatable("default: {it}", it=DEFAULT_PORT)
    )
    page.add_argument(
        "--https-port",
        type=port_number,
        metavar="PORT",
        help=Translatable(
            "of the secure page for telephones; default: {beyond} beyond --port, where the local "
            "network is served",
            beyond=HTTPS_BEYOND,
        ),
    )
    page.add_argument(
        "--lan",
        action=argparse.BooleanOptionalAction,
        help="serve the local network, not just here",
    )
    page.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        help="open it in a browser; by default the first time only",
    )
    game = parser.add_argument_group("the game")
    game.add_argument("--new", action="store_true", help="start anew, leave the game in progress")
    game.add_argument(
        "--profile", metavar="NAME|FILE", help="house rules by name; 'mus profiles' lists them"
    )
    game.add_argument(
        "--rules", metavar="'KEY=VALUE ...'", help="single rules on top: kings=8 target=40"
    )
    game.add_argument(
        "--seats",
        metavar="'NAME ...'",
        help=Translatable(
            "two to six names, anticlockwise, or how many: {names}", names=" ".join(DEFAULT_SEATS)
        ),
    )
    game.add_argument(
        "--mano",
        type=int,
        choices=range(1, MOST + 1),
        help="seat of the first mano; the table is asked if it is not given",
    )
    game.add_argument(
        "--hub", metavar="URL", help="send the game to a hall's hub: mqtts://mesa-1@hub.local"
    )
    game.add_argument("--journal", type=Path, metavar="FILE", help="where the game is kept")
    parser.add_argument("--stay", action="store_true", help="serve on after the recording's end")
    parser.add_argument("--json", action="store_true", help="print the last snapshot as JSON")


def settings_from(args: argparse.Namespace, file: Mapping[str, Value] | None = None) -> Settings:
    """Check the options. What they leave open comes from the settings file, or from ``file``.

    Raises UsageError, ProfileError or AudioError.
    """
    kept = whole(read_settings() if file is None else file)
    listen, cards = args.listen, args.cards
    if args.demo:
        if listen or cards:
            raise UsageError("--demo brings its own recording: leave out --listen and --cards.")
        listen, cards = (data_dir("models") / DEMO / name for name in ("deals.wav", "deals.mus"))
    told_in = str(kept["language"])
    if listen:  # a recording must be heard the same way on every machine
        kept |= {key: OPTIONS[key].default for key in AT_THE_TABLE}
    if args.camera and cards:
        raise UsageError("--camera sees the cards itself: leave out --cards and --demo.")
    if args.fast and not listen:
        raise UsageError("--fast is for a recording: add --listen FILE.wav.")
    for path in (listen, cards):
        if path and not path.is_file():
            raise UsageError("There is no file {path}.", path=path)
    if listen:
        wav_format(listen)  # a file that is no sound is refused before a model is loaded
    script = _script(cards) if cards else None
    profile = rules_asked_for(args.profile, args.rules) or (script.profile if script else None)
    if args.demo and profile and told_in:  # the demo speaks the language of this machine
        profile = replace(profile, voice=told_in)
    seats = (
        _seats(args.seats, chosen=True)
        if args.seats is not None
        else (script.seats if script else None)
    )
    if profile and seats:
        sides_of(profile, len(seats))  # one that was not asked for is the last game's
    if seats and args.mano and args.mano > len(seats):
        raise UsageError("--mano {mano}: only {n} play.", mano=args.mano, n=len(seats))
    models = _models(args.model, listen, str(kept[MODELS]))
    # The game of a recording is not kept, unless --journal says where.
    journal = args.journal or (None if listen else default_journal())
    hub = _hub(args.hub, kept)
    if hub and not journal:
        raise UsageError("--hub sends what a journal keeps: add --journal FILE.")
    if args.telephones and listen:
        raise UsageError("--telephones hears people: leave out --listen and --demo.")
    hearing = TELEPHONES if args.telephones else str(kept["hearing"])
    port = int(kept["port"]) if args.port is None else args.port
    lan = bool(kept["lan"]) or hearing == TELEPHONES if args.lan is None else args.lan
    return Settings(
        listen=listen,
        fast=args.fast,
        aloud=args.demo and not args.fast,
        demo=args.demo,
        cards=cards,
        camera=args.camera or str(kept["camera"]) or None,
        deck=_deck_asked_for(args.deck) or str(kept["deck"]) or None,
        table=args.table,
        journal=journal,
        model=models[0],
        second=models[1] if len(models) > 1 else None,
        hearing=hearing,
        mic=args.mic or str(kept["mic"]) or None,
        channels=int(kept["channels"]) if args.channels is None else args.channels,
        seat_channels=tuple(map(int, str(kept["seat_channels"]).split())),
        array=bool(kept["array"]),
        learn=bool(kept["learn"]),
        voice=_voice(args.voice or ("on" if kept["voice"] else "off")),
        voice_name=str(kept["voice_name"]),
        rate=int(kept["rate"]),
        volume=float(kept["volume"]),
        style=style_meant(args.style or str(kept["style"])),
        level=args.level or str(kept["level"]),
        sounds=bool(kept["sounds"]),
        port=port,
        https_port=_https_port(args.https_port, int(kept["https_port"]), port, lan),
        host=EVERYWHERE if lan else LOCALHOST,
        profile=profile,
        seats=seats,
        mano=args.mano or _recorded_mano(listen, script),
        usual_profile=rules_asked_for(str(kept["profile"]) or None, str(kept["rules"]) or None),
        usual_seats=_seats(str(kept["seats"])) if kept["seats"] else None,
        language=str(kept["language"]),
        hub=hub,
        new=args.new,
        stay=args.stay or args.demo,
        json=args.json,
    )


def _https_port(asked: int | None, kept: int, port: int, lan: bool) -> int | None:
    """The port of the secure page; None if there is none. 0 is any free one.

    Only other devices need it, so that it is there by itself where the local network is served.
    """
    if asked is not None:
        return asked
    if not lan:
        return None
    if kept != OPTIONS["https_port"].default:
        return kept
    beyond = port + HTTPS_BEYOND
    return beyond if port and beyond <= MAX_PORT else 0


def _deck_asked_for(deck: str | None) -> str | None:
    """The deck that was asked for. Raises UsageError if there is none; a camera may come later."""
    if deck:
        deck_folder(deck)
    return deck


def _models(named: Path | None, listen: Path | None, kept: str) -> list[Path]:
    """The model that was asked for, or those of the settings: one, or two that must agree.

    The shipped model is replaced by the one fitted to this table's voices, if there is one. Not so
    for a recording, which must be heard the same way on every machine.
    """
    if named or listen:
        return [model_dir(named)]
    names = kept.split() or [SHIPPED]
    return [ear_model() if name == SHIPPED else folder_of(name) for name in names]


def _script(path: Path) -> Script:
    """The script whose cards are shown. Its rules and seats are those of the recording."""
    try:
        return parse_script(read_text(path), rules_named)
    except ScriptError as error:
        raise UsageError("{path}: {error}", path=path, error=error) from error


def _recorded_mano(listen: Path | None, script: Script | None) -> int | None:
    """The first mano of a recording, which cannot be asked; ``None`` at a table, which can."""
    return ((script and script.first_mano) or 1) if listen else None


def _hub(url: str | None, kept: Mapping[str, Value]) -> Address | None:
    """The address of the hub from the option or the settings, with this table's name there."""
    if not (url := str(kept["hub"]) if url is None else url):
        return None
    files = {key: str(kept[f"hub_{key}"]) for key in ("password_file", "ca", "cert", "key")}
    address = read_address(url, **files)
    if not TABLE_ID.fullmatch(address.user):
        raise UsageError(
            "--hub {address}: name the table, as in mqtts://mesa-1@{host}.",
            address=address,
            host=address.host,
        )
    return address


def _channels(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_CHANNELS:
        return int(text)
    raise argparse.ArgumentTypeError(
        Translatable("{text!r} channels: choose 1 to {most}.", text=text, most=MOST_CHANNELS)
    )


def _voice(text: str) -> str:
    if text in ("on", "off") or text.endswith(".wav"):
        return text
    raise UsageError("--voice {text}: choose on, off, or a file that ends in .wav.", text=text)


def rules_asked_for(
    name: str | None, rules: str | None, usual: Profile | None = None
) -> Profile | None:
    """The house rules asked for: a named profile, single rules, or both, the rules on top.

    Single rules without a profile change the ``usual`` ones. Raises UsageError, ProfileError.
    """
    base = find_profile(name).profile if name is not None else None
    if rules is None:
        return base
    if base is None:
        base = usual
    try:
        pairs = rule_pairs(rules)
    except ProfileError as error:
        raise UsageError(
            "--rules: {error}", error=error
        ) from error  # those of the file were checked before
    return read_rules(pairs, rules_named, base)


def _seats(text: str, *, chosen: bool = False) -> tuple[str, ...]:
    try:
        return chosen_seats(text) if chosen else read_seats(text)
    except ProfileError as error:
        raise UsageError("--seats: {error}", error=error) from error
