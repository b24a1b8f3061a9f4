#!/usr/bin/env python3
"""How many taps and seconds do ten tasks of a new user take, on the real pages in Chromium?

    python scripts/lab/bench_tasks.py
    python scripts/lab/bench_tasks.py --before TREE    # the same on another checkout, beside
    python scripts/lab/bench_tasks.py --only mend --shots DIR

Each task runs on the real product: ``mus play`` in a process of its own, or its composition root if
calls have to be heard. The device fits the task; if nothing else is said, it is a telephone of 360
x 740, used by touch. It needs chromium and what the tests need.

Each row is a task. ``taps`` counts every touch: a button, a link, a field that is typed into, a
swipe. The first time is the machine's, without a person: from the opening of the page to the wished
state. The second time adds a person by the keystroke-level model (Card, Moran and Newell, The
Psychology of Human-Computer Interaction, 1983): 1.1 s for pointing, 1.35 s of thinking before each
decision, 0.28 s a letter; and 250 words a minute for what has to be read.

The exit status is 1 if a task cannot be finished, and 2 if the bench cannot run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

POINT_S, THINK_S, LETTER_S = 1.1, 1.35, 0.28
"""The operators P, M and K of the keystroke-level model; K is that of an average typist."""
WORDS_A_MINUTE = 250
WITHIN_MS = 20_000
"""The longest wait for anything on a page."""

PHONE, TABLET, TELEVISION = (360, 740), (1024, 768), (1920, 1080)
NAMES = ("Ana", "Luis", "Carmen", "Julio")
MILLIMETRE_PX = 1920 / 531.4
"""Pixels in a millimetre of a television of 24 inches."""
AFAR_MM = 3000
READABLE_MINUTES = 20
"""Arc minutes that a letter needs to be read with ease (ISO 9241-303)."""
HANDS = ("R R 5 1", "4 4 5 6", "7 7 4 4", "5 5 S S")
"""Four hands. All have pares and nobody has juego."""

AT = """(node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return [top, bottom, innerHeight];
}"""
INK = """(node) => {
  const style = getComputedStyle(node);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return pen.measureText(node.textContent.replace(/[^\\p{L}\\p{N}]/gu, "")).actualBoundingBoxAscent;
}"""
"""A script that measures how high the figures of a node are, in pixels."""


class UnfinishedError(Exception):
    """A task that cannot be finished. The text is one sentence."""


@dataclass
class Done:
    """The figures of one task."""

    task: str
    device: str
    taps: int = 0
    decisions: int = 0
    letters: int = 0
    words: int = 0
    seconds: float = 0.0
    fault: str = ""
    note: str = ""

    @property
    def modelled(self) -> float:
        """Seconds with a person, by the keystroke-level model."""
        person = self.taps * POINT_S + self.decisions * THINK_S + self.letters * LETTER_S
        return self.seconds + person + self.words * 60 / WORDS_A_MINUTE


@dataclass
class User:
    """A person at a page, whose actions are counted."""

    page: Page
    done: Done
    touch: bool = True
    began: float = field(default_factory=time.monotonic)

    def look(self, what: Locator, *, whole: bool = True) -> Locator:
        """Find something on the page. Swipe there if it is not in view, or not ``whole``."""
        from playwright.sync_api import TimeoutError as LateError

        try:
            what.first.wait_for(state="visible", timeout=WITHIN_MS)
        except LateError as error:
            raise UnfinishedError(f"there is no {what}") from error
        top, bottom, high = what.first.evaluate(AT)
        away = max(bottom - high, -top, 0) if whole else max(top - high, -bottom, 0)
        if away > 0:
            self.done.taps += math.ceil(away / (0.7 * high))
            what.first.scroll_into_view_if_needed()
        return what.first

    def read(self, what: Locator) -> str:
        """Read all words of a part of the page that is at least partly in view."""
        text = self.look(what, whole=False).inner_text()
        self.done.words += len(re.findall(r"\w+", text))
        return text

    def tap(self, what: Locator, *, thinks: bool = True) -> None:
        """Touch something. ``thinks``: the person decides first; it is not the next of a row."""
        one = self.look(what)
        self.done.taps += 1
        self.done.decisions += thinks
        if self.touch:
            one.tap(timeout=WITHIN_MS)
        else:
            one.click(timeout=WITHIN_MS)

    def type(self, what: Locator, text: str, *, thinks: bool = True) -> None:
        """Touch a field and type into it."""
        self.tap(what, thinks=thinks)
        self.done.letters += len(text)
        what.first.fill(text)

    def sees(self, what: Locator, text: str | re.Pattern[str] | None = None) -> None:
        """Wait until the page shows this."""
        from playwright.sync_api import expect

        try:
            if text is None:
                expect(what.first).to_be_visible(timeout=WITHIN_MS)
            else:
                expect(what.first).to_have_text(text, timeout=WITHIN_MS)
        except AssertionError as error:
            raise UnfinishedError(str(error).partition("\n")[0]) from error

    def button(self, label: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=label, exact=True)

    def there(self, query: str) -> bool:
        """Whether the page shows such a part now."""
        return self.page.locator(query).first.is_visible()

    def comes(self, query: str) -> bool:
        """Whether the page shows such a part within a second."""
        end = time.monotonic() + 1
        while time.monotonic() < end and not self.there(query):
            self.page.wait_for_timeout(20)
        return self.there(query)

    def leave(self, path: str) -> None:
        """Go to another page by the menu."""
        self.tap(self.page.locator("#menu-open"))
        link = self.page.locator(f'#menu a[href="{path}"]')
        self.read(link.locator("xpath=.."))  # its group
        self.tap(link)
        self.ready()

    def ready(self) -> None:
        """Wait until the page has its contents."""
        self.sees(self.page.locator("main[aria-busy=false]"))


@dataclass
class Room:
    """What the tasks need: a browser, an empty folder for each task, and a place for pictures."""

    browser: Browser
    folder: Path
    tree: Path
    shots: Path | None

    def user(self, done: Done, size: tuple[int, int], *, touch: bool = True) -> User:
        """A person with a device, whose clock starts now."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            locale="es-ES",
            reduced_motion="reduce",
        )
        return User(context.new_page(), done, touch)

    def finish(self, user: User) -> None:
        """Stop the clock."""
        user.done.seconds = time.monotonic() - user.began
        if self.shots:
            user.page.screenshot(path=self.shots / f"{user.done.task}.png")

    def own(self) -> Path:
        """A folder that nobody has used."""
        return Path(tempfile.mkdtemp(dir=self.folder))

    @contextmanager
    def process(self, *options: str, fresh: bool = False) -> Iterator[str]:
        """Run ``mus play`` in a process. Yields the address that it prints.

        With ``fresh`` nothing was ever set on its machine. Otherwise four players sit there, and
        the first one is mano.
        """
        home = str(self.own())
        words = ["play", "--port", "0", "--voice", "off", "--mic", "nobody's", *options]
        if not fresh:
            kept = Path(home) / "mus" / "settings.toml"
            kept.parent.mkdir()
            kept.write_text(f'seats = "{" ".join(NAMES)}"\n', encoding="utf-8")
            words += ["--mano", "1"]
        process = subprocess.Popen(
            [sys.executable, "-m", "assistant.cli.main", *words],
            cwd=self.tree,
            env={
                **os.environ,
                "PYTHONPATH": str(self.tree),
                "XDG_CONFIG_HOME": home,
                "XDG_DATA_HOME": home,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with process:
            try:
                assert process.stdout
                yield process.stdout.readline().split()[-1]
            finally:
                process.terminate()

    @contextmanager
    def table(self, *options: str) -> Iterator[Heard]:
        """A table whose calls this bench says."""
        from assistant.cli.app import Session
        from assistant.cli.play_options import add_arguments, settings_from

        folder = self.own()
        silence = folder / "silence.wav"
        with wave.open(str(silence), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(16000)
            sound.writeframes(bytes(32000))
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        words = ["--listen", str(silence), "--stay", "--voice", "off", "--port", "0", "--new"]
        words += ["--seats", " ".join(NAMES), "--mano", "1", *options]
        words += ["--journal", str(folder / "table.sqlite3")]
        with Session(settings_from(parser.parse_args(words))) as session:
            yield Heard(session)


class Heard:
    """A running table whose calls are heard, or tapped by others."""

    def __init__(self, session: Any) -> None:
        self.url: str = session.server.url
        self._runner = session.runner
        self._at = 0.0

    @property
    def state(self) -> Any:
        return self._runner.table.state

    def tap(self, *calls: Any) -> None:
        """Let others at the table tap this call."""
        from assistant.messages import Pressed

        for call in calls:
            self._runner.post(Pressed(call)).result(20)

    def say(self, **ways: float) -> None:
        """Let the table hear an utterance with these hypotheses; "_" stands for a space."""
        from assistant.messages import Heard, Hypothesis, Word

        self._at += 3.0
        hypotheses = []
        for text, probability in ways.items():
            said = text.split("_")
            words = [Word(w, self._at + i / 3, self._at + i / 3 + 0.3) for i, w in enumerate(said)]
            hypotheses.append(Hypothesis(tuple(words), probability))
        best = hypotheses[0].words
        self._runner.post(Heard(best, hypotheses=tuple(hypotheses))).result(20)

    def to_showdown(self) -> None:
        """Play to the showdown: a bet at pares is accepted, and nobody has juego."""
        from assistant.rules.calls import Accept, Bet, Cut, Declare, Pass
        from assistant.rules.phases import Phase

        self.tap(Cut(seat=1))
        while self.state.phase is not Phase.SHOWDOWN:
            match self.state.phase:
                case Phase.PARES_SAY:
                    self.tap(Declare(holds=True))
                case Phase.JUEGO_SAY:
                    self.tap(Declare(holds=False))
                case Phase.PARES if self.state.pending is not None:
                    self.tap(Accept())
                case Phase.PARES:
                    self.tap(Bet(stones=2))
                case _:
                    self.tap(Pass())

    def show(self) -> None:
        """Lay all hands open."""
        from assistant.messages import CardsSeen
        from assistant.rules.cards import parse_hand

        for seat, hand in enumerate(HANDS, start=1):
            self._runner.post(CardsSeen(((seat, parse_hand(hand)),))).result(20)


# ---- The ten tasks ------------------------------------------------------------------------------
# If a checkout lacks a newer way, the task uses the older one.


def start(room: Room, done: Done) -> None:
    """A fresh machine: four names, and the game begins."""
    with room.process(fresh=True) as url:
        user = room.user(done, TABLET)
        user.page.goto(url.removesuffix("setup"))
        user.ready()
        user.read(user.page.locator("#who"))
        for place, name in enumerate(NAMES, start=1):
            user.type(user.page.locator(f'[data-place="{place}"] input'), name, thinks=place == 1)
        user.tap(user.button("Empezar la partida"))
        user.sees(user.page.locator("#seats"))
        user.ready()
        user.read(user.page.locator("#centre"))
        user.tap(user.page.locator("#question, #centre").get_by_role("button", name=NAMES[0]))
        user.sees(user.page.locator(".seat.turn .name"), NAMES[0])
        room.finish(user)


def join(room: Room, done: Done) -> None:
    """A player reads the address and the PIN off the table's screen, and calls from a telephone."""
    with room.process("--lan") as url:
        table = room.user(done, TABLET)
        table.page.goto(url)
        table.ready()
        table.tap(table.page.locator("#menu-open"))
        table.read(table.page.locator(".join"))
        address = scanned(table.page.locator(".join img"))
        pin = re.sub(r"\D", "", table.page.locator(".join .pin").inner_text())
        user = room.user(done, PHONE)
        user.began = table.began
        done.decisions += 1  # the code is photographed
        user.page.goto(address)
        user.ready()
        if not user.there("#enter input"):
            user.tap(user.page.locator("#menu-open"))
        field = user.page.locator("#enter input, #menu-enter input").locator("visible=true")
        user.read(user.page.locator("#enter, #menu-enter").locator("visible=true"))
        user.type(field, pin)
        user.tap(user.page.locator(".enter .primary").locator("visible=true"), thinks=False)
        user.sees(user.page.locator("#actions .call > button"))
        call(user, "No hay mus")
        user.sees(user.page.locator(".main"), "Grande")
        room.finish(user)


def scanned(code: Locator) -> str:
    """What a telephone reads in a QR code on a screen."""
    import cv2
    import numpy as np

    picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise UnfinishedError("the QR code cannot be seen")
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(picture, None, fx=3, fy=3))
    if not text:
        raise UnfinishedError("the QR code cannot be read")
    return str(text)


def call(user: User, label: str, *, thinks: bool = True) -> None:
    """Tap a call, and wait until the page shows that it counts."""
    from playwright.sync_api import expect

    page = user.page.locator("main")
    version = page.get_attribute("data-version") or ""
    calls = user.page.locator("#actions, #centre")
    user.tap(calls.get_by_role("button", name=label, exact=True), thinks=thinks)
    expect(page).not_to_have_attribute("data-version", version, timeout=WITHIN_MS)


def answer(room: Room, done: Done) -> None:
    """The table has heard an órdago faintly, and asks whether it was one."""
    from assistant.rules.calls import Cut

    with room.table() as table:
        table.tap(Cut(seat=1))
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        table.say(órdago=0.6, paso=0.4)
        user.read(user.page.locator("#question"))
        user.tap(user.page.locator("#question .primary"))
        user.sees(user.page.locator(".main.ordago"))
        room.finish(user)


def mend(room: Room, done: Done) -> None:
    """The table has heard "envido", but "envido tres" was said."""
    from assistant.rules.calls import Cut

    with room.table() as table:
        table.tap(Cut(seat=1))
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        table.say(envido=0.93, envido_tres=0.04, envido_doce=0.02, órdago=0.01)
        user.sees(user.page.locator(".main.bet"), "2")
        if user.comes(".others"):
            user.read(user.page.locator(".others"))
            user.tap(user.page.locator(".others").get_by_role("button", name="Envido 3"))
        else:
            user.read(user.page.locator(".heard"))
            user.tap(user.page.locator("#undo"))
            bet = user.page.locator("#actions .call").filter(has_text="Envido")
            user.read(user.page.locator("#actions"))
            user.tap(bet.get_by_role("button", name="3", exact=True))
        user.sees(user.page.locator(".main.bet"), "3")
        room.finish(user)


def pares(room: Room, done: Done) -> None:
    """A deal has been counted: who won pares, and with what?"""
    with room.table() as table:
        table.to_showdown()
        table.show()
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        row = user.page.locator("#lances li").nth(2)
        won = re.compile(r"(duples|medias|pareja).*", re.IGNORECASE | re.DOTALL)
        if won.search(row.inner_text()):
            told = user.read(row)
        else:
            user.read(row)
            user.leave("/showdown")
            told = user.read(user.page.locator("#lances li").nth(2))
        if not won.search(told) or not any(name in told for name in NAMES):
            raise UnfinishedError(f"the page says only: {' '.join(told.split())}")
        done.note = " ".join(told.split())
        room.finish(user)


def stones(room: Room, done: Done) -> None:
    """The next game goes to thirty stones."""
    with room.process() as url:
        user = room.user(done, TABLET)
        user.page.goto(url)
        user.ready()
        user.leave("/setup")
        switch = user.page.locator('[data-rule="target"]')
        if switch.count() == 0:
            raise UnfinishedError("no page has a switch for the stones; only --rules target=30 has")
        user.read(switch)
        user.tap(switch.get_by_role("radio", name="a 30", exact=True))
        user.read(user.page.locator(".go"))
        user.tap(user.page.locator(".go button").last)
        if not user.page.url.endswith("/"):
            again = user.page.locator(".go button").last
            if "primary" not in (again.get_attribute("class") or "") and again.is_enabled():
                user.tap(again, thinks=False)
        user.page.wait_for_url(lambda at: not at.endswith("setup"), timeout=WITHIN_MS)
        user.ready()
        shown = user.page.request.get(f"{url}api/snapshot").json()
        if shown["target"] != 30:
            raise UnfinishedError(f"the game goes to {shown['target']}")
        room.finish(user)


def deje(room: Room, done: Done) -> None:
    """A bet waits, and the page speaks of its deje. What does that mean?"""
    from assistant.rules.calls import Bet, Cut

    with room.table() as table:
        table.tap(Cut(seat=1), Bet(seat=1, stones=2))
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        user.read(user.page.locator("#centre"))
        user.leave("/glossary")
        user.type(user.page.locator("#word"), "deje")
        user.sees(user.page.locator("#terms h2"), "deje")
        done.note = user.read(user.page.locator("#terms li").first.locator("p").first)
        room.finish(user)


def afar(room: Room, done: Done) -> None:
    """The score on a television of 24 inches, three metres away."""
    from assistant.rules.calls import Bet, Cut, SetStones

    with room.table() as table:
        table.tap(SetStones(stones=(28, 17)), Cut(seat=1), Bet(seat=1, stones=2))
        user = room.user(done, TELEVISION, touch=False)
        user.page.goto(f"{table.url}watch")
        user.ready()
        user.sees(user.page.locator('.side[data-side="A"] .count'), "28")
        user.read(user.page.locator("#sides"))
        ink = min(node.evaluate(INK) for node in user.page.locator(".side .count").all())
        names = min(node.evaluate(INK) for node in user.page.locator(".side .names").all())
        figures, letters = (math.degrees(px / MILLIMETRE_PX / AFAR_MM) * 60 for px in (ink, names))
        done.note = f"figures {ink:.0f} px, {figures:.0f}'; names {names:.0f} px, {letters:.0f}'"
        if figures < READABLE_MINUTES:
            raise UnfinishedError(f"the figures are too small: {done.note}")
        room.finish(user)


def touch(room: Room, done: Done) -> None:
    """A whole deal without a word: the calls, a bet, four hands, the count."""
    with room.table() as table:
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        labels = ["No hay mus", "Paso", "Envido 2", "Quiero", *["Paso"] * 4, "Pares no", "Pares sí"]
        labels += [*["Pares no"] * 2, *["Juego no"] * 4, *["Paso"] * 4]
        for label in labels:
            call(user, label)
        for hand in ("RC54", "RR54", "S764", "C765"):
            for rank in hand:
                card = user.page.locator(f'#showdown .rank[data-rank="{rank}"]')
                user.tap(card, thinks=rank == hand[0])
            user.tap(user.button("Poner cartas"), thinks=False)
            user.page.wait_for_timeout(150)
        user.sees(user.page.locator(".main"), re.compile("Contado|Fin de la mano"))
        user.read(user.page.locator("#sides"))
        done.note = " ".join(user.page.locator(".side .count").all_inner_texts())
        if done.note != "2 3":
            raise UnfinishedError(f"the stones are {done.note}")
        room.finish(user)


def rematch(room: Room, done: Done) -> None:
    """A match is over: who won, and the same again."""
    from assistant.rules.calls import Accept, Cut, Ordago

    with room.table("--rules", "juegos=1 vacas=1") as table:
        table.tap(Cut(seat=1), Ordago(seat=1), Accept(seat=2))
        table.show()
        user = room.user(done, PHONE)
        user.page.goto(table.url)
        user.ready()
        if user.there("#final"):
            user.read(user.page.locator("#final"))
            user.tap(user.page.locator("#final .primary"))
        else:
            user.read(user.page.locator("#centre"))
            user.tap(user.page.locator("#centre button, #actions button").first)
        user.sees(user.page.locator('.side[data-side="A"] .count'), "0")
        user.sees(user.page.locator("#actions .call > button, #centre button"))
        room.finish(user)


TASKS: dict[str, tuple[Callable[[Room, Done], None], str, str]] = {
    "start": (start, "start a game", "tablet"),
    "join": (join, "join by telephone", "telephone"),
    "answer": (answer, "answer a question", "telephone"),
    "mend": (mend, "mend a wrong call", "telephone"),
    "pares": (pares, "find who won pares and why", "telephone"),
    "stones": (stones, "change to 30 stones", "tablet"),
    "deje": (deje, "learn what deje is", "telephone"),
    "afar": (afar, "read the score from afar", "television"),
    "touch": (touch, "play a deal by touch alone", "telephone"),
    "rematch": (rematch, "end and rematch", "telephone"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench."""
    args = _parser().parse_args(argv)
    names = args.only or list(TASKS)
    try:
        now = measured(args.tree.resolve(), names, args.shots)
        before = elsewhere(args.before.resolve(), names) if args.before else {}
    except (OSError, ImportError, subprocess.SubprocessError) as error:
        print(f"bench_tasks: {error}", file=sys.stderr)
        return 2
    if args.json:
        told = {"now": [as_row(one) for one in now], "before": list(before.values())}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(table_of(now, before))
    return 1 if any(one.fault for one in now) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=list(TASKS), help="only these tasks")
    parser.add_argument(
        "--tree", type=Path, default=ROOT, metavar="TREE", help="checkout whose pages are used"
    )
    parser.add_argument(
        "--before",
        type=Path,
        metavar="TREE",
        help="also measure another checkout, and print its figures beside these",
    )
    parser.add_argument(
        "--shots", type=Path, metavar="DIR", help="write a picture of the end of each task here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def measured(tree: Path, names: list[str], shots: Path | None) -> list[Done]:
    """Do these tasks on the pages of a checkout."""
    from playwright.sync_api import Error as BrowserError
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(tree))
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        raise FileNotFoundError("There is no chromium: apt install chromium.")
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    told = []
    with (
        tempfile.TemporaryDirectory(prefix="mus-tasks-") as folder,
        patch.dict(os.environ, {"XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}),
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=[*FLAGS])
        room = Room(browser, Path(folder), tree, shots)
        for name in names:
            act, _, device = TASKS[name]
            done = Done(name, device)
            try:
                act(room, done)
            except (UnfinishedError, BrowserError, AssertionError) as error:
                done.fault = str(error).partition("\n")[0]
            for context in browser.contexts:
                context.close()
            told.append(done)
        browser.close()
    return told


def elsewhere(tree: Path, names: list[str]) -> dict[str, dict[str, Any]]:
    """Do the same on another checkout, in a process of its own."""
    words = [sys.executable, __file__, "--json", "--tree", str(tree), "--only", *names]
    env = {**os.environ, "PYTHONPATH": str(tree)}
    told = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=env, check=False).stdout
    return {row["task"]: row for row in json.loads(told)["now"]}


def as_row(done: Done) -> dict[str, Any]:
    """The figures of a task as JSON."""
    return {
        "task": done.task,
        "device": done.device,
        "taps": done.taps,
        "letters": done.letters,
        "decisions": done.decisions,
        "words": done.words,
        "machine_s": round(done.seconds, 1),
        "modelled_s": round(done.modelled, 1),
        "fault": done.fault,
        "note": done.note,
    }


def table_of(now: list[Done], before: dict[str, dict[str, Any]]) -> str:
    """The tasks as a Markdown table."""

    def cells(row: dict[str, Any] | None) -> list[str]:
        if row is None:
            return []
        if row["fault"]:
            return ["-", f"not done: {row['fault']}"]
        return [
            str(row["taps"]),
            f"{row['machine_s']:.1f} + {row['modelled_s'] - row['machine_s']:.1f}",
        ]

    title = ["task", "device", "taps", "seconds", *(["taps before", "before"] if before else [])]
    lines = [title, ["---"] * len(title)]
    for done in now:
        told = TASKS[done.task][1]
        lines.append([told, done.device, *cells(as_row(done)), *cells(before.get(done.task))])
    notes = [f"{TASKS[one.task][1]}: {one.note}" for one in now if one.note]
    earlier = [row for row in before.values() if row["note"]]
    notes += [f"{TASKS[row['task']][1]}, before: {row['note']}" for row in earlier]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", *notes])


if __name__ == "__main__":
    sys.exit(main())
