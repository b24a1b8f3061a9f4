"""``mus practice``: a game against three computer players, by voice or by tapping."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.cli.app import PracticeSession
from assistant.cli.game import told_in
from assistant.cli.mus_play import has_screen
from assistant.cli.play_options import add_arguments, rules_asked_for, settings_from
from assistant.files.atomic import write_whole
from assistant.files.player_names import check_name
from assistant.files.process import UsageError, stop_on_signals
from assistant.files.settings import Settings
from assistant.files.terminal import (
    OUTPUT,
    TerminalFormatter,
    output_text,
    terminal_texts,
    translated,
)
from assistant.rules.errors import Translatable
from assistant.rules.profile import Corrido, Penalty, Profile
from assistant.school.practice.game import PracticeGame
from assistant.school.practice.levels import LEVELS
from assistant.school.practice.page import ReviewView

SLOWEST, FASTEST = 0.1, 1000.0
UNNAMED = "Alex"
"""A player who gives no name; a name that a woman or a man may have, and that the ear knows."""
REVIEW_S = 1.0
"""Seconds after which the review is asked how far it is."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "practice",
        help="play against three computer players",
        description="Play a juego of Mus with three computer players, by voice or by tapping. "
        "Open the page that it names; the page tells the rest.",
        epilog="example: mus practice --level normal --voice off",
    )
    parser.add_argument("--level", choices=LEVELS, help="begin at once, at this level")
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N", help="2: twice as fast; default: 1"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="deal the same cards again")
    parser.add_argument("--name", help="what you are called; default: Alex")
    parser.add_argument("--no-mic", action="store_true", help="do not listen: tap instead")
    parser.add_argument("--mic", metavar="NAME", help="microphone to use, by a part of its name")
    parser.add_argument("--voice", metavar="on|off|FILE.wav", help="let them speak, or not")
    parser.add_argument("--language", metavar="CODE", help="of the page and the voices: es, eu, en")
    parser.add_argument("--port", type=int, metavar="N", help="of the page; 0 takes any")
    parser.add_argument(
        "--lan",
        action=argparse.BooleanOptionalAction,
        help="let your telephone open the page, too: whoever looks at it sees your cards",
    )
    parser.add_argument(
        "--open", action=argparse.BooleanOptionalAction, help="open the page in a browser"
    )
    parser.add_argument("--profile", metavar="NAME|FILE", help="house rules by name")
    parser.add_argument("--rules", metavar="'KEY=VALUE ...'", help="single rules: target=20")
    parser.add_argument(
        "--review",
        metavar="FILE.json",
        type=Path,
        help="write there what each call of yours cost, once a game is over",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(TerminalFormatter("mus: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[terminal])
    settings = practice_settings(args)
    stop = threading.Event()
    stop_on_signals(stop)
    with PracticeSession(
        settings,
        name=args.name or unnamed(settings),
        speed=args.speed,
        seed=args.seed,
        listens=not args.no_mic,
    ) as session:
        if args.level:
            session.practice.begin(args.level)
        page = f"{session.server.url}practice"
        if has_screen() if args.open is None else args.open:
            webbrowser.open(page)
        lines = [output_text("Open this page to play: {url}", url=page)]
        if session.server.lan_url:
            url = f"{session.server.lan_url}practice"
            lines.append(output_text("From your telephone: {url}", url=url))
        print("\n".join([*lines, output_text("Ctrl-C ends it.")]), flush=True)
        if args.review:
            _keep_reviews(session.practice, args.review, stop)
        stop.wait()
    return 0


def _keep_reviews(practice: PracticeGame, path: Path, stop: threading.Event) -> None:
    """Write the review of each game that ends, until somebody stops the command."""
    kept: ReviewView | None = None
    while not stop.wait(REVIEW_S):
        review = practice.review()
        if review["over"] and review["done"] == review["of"] and review != kept:
            kept = review
            try:
                write_whole(path, json.dumps(review, ensure_ascii=False, indent=1) + "\n")
            except OSError as error:
                why = error.strerror or str(error)
                raise UsageError("{path} cannot be written: {why}.", path=path, why=why) from error


def practice_settings(args: argparse.Namespace) -> Settings:
    """The settings of a practice table, whose game is kept in memory.

    Raises UsageError, ProfileError.
    """
    name = args.name
    if name is not None and not (name.replace(" ", "").isalpha() and len(name) <= 20):
        raise UsageError("--name {name!r}: write a name of up to 20 letters.", name=name[:20])
    if name is not None:
        check_name(name)
    if args.port is not None and not 0 <= args.port <= 65535:
        raise UsageError("--port {port}: choose 1 to 65535, or 0 for any.", port=args.port)
    play = argparse.ArgumentParser()
    add_arguments(play)
    usual = play.parse_args([])
    for key in ("mic", "voice", "port", "lan", "profile", "rules"):
        setattr(usual, key, getattr(args, key))
    usual.new = True
    return _at_home(settings_from(usual), args)


def unnamed(settings: Settings) -> str:
    """The name of a player who gives none, in the language of the table."""
    profile = settings.profile or settings.usual_profile or Profile()
    return translated(UNNAMED, terminal_texts(OUTPUT, settings.language or profile.voice))


def _at_home(settings: Settings, args: argparse.Namespace) -> Settings:
    """The settings without journal and camera: one juego, by the plainest rules unless asked.

    Single rules change what they name, and nothing else.
    """
    plain = Profile(juegos=1, corrido=Corrido.OFF, penalty=Penalty.OFF)
    language = args.language or settings.language
    asked = rules_asked_for(args.profile, args.rules, told_in(plain, language))
    return replace(
        settings,
        journal=None,
        camera=None,
        # A profile that was asked for keeps its own language, unless --language names another.
        profile=asked and told_in(asked, args.language or ""),
        usual_profile=plain,
        usual_seats=None,
        language=language,
    )


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if SLOWEST <= speed <= FASTEST:
        return speed
    raise argparse.ArgumentTypeError(
        Translatable(
            "{text!r}: choose {slowest} to {fastest:.0f}; 1 is usual.",
            text=text,
            slowest=SLOWEST,
            fastest=FASTEST,
        )
    )
