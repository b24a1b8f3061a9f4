"""The composition root: which features a table has, and in which order they begin and end."""

from __future__ import annotations

import logging
import random
from abc import ABC, abstractmethod
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from assistant.cli import demo, mus_odds, script_cards, setup
from assistant.cli.game import Game, open_new, take_up
from assistant.cli.setup import Change, Opening
from assistant.ear import AudioSource, Ear, EchoGate, listening
from assistant.ear.levels import Rehearsal
from assistant.ear.microphone import MicrophoneSource, list_anew
from assistant.eye import at_table as eye
from assistant.eye import hand_photos
from assistant.files.process import UsageError, one_heap
from assistant.files.resources import load_lexicon, load_phrases, nearest
from assistant.files.settings import TELEPHONES, Settings
from assistant.hall import uplinked
from assistant.hall.hub.wire import Called
from assistant.language.lexicon import Lexicon
from assistant.page import DashboardServer
from assistant.page.board import TableBoard
from assistant.page.house import Closeable, House, OpenDoors, Startable, open_house
from assistant.review import history
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile
from assistant.school.apprentice import page as apprentice
from assistant.school.drills import page as drills
from assistant.school.judge.answers import weigh
from assistant.school.lessons import classroom
from assistant.school.practice import game as practice
from assistant.school.practice.dealer import Pace
from assistant.school.practice.game import load_company
from assistant.speakers import self_training, voice_lessons, who_spoke
from assistant.speakers.self_training import SelfTraining
from assistant.table.journal import Journal
from assistant.table.runner import Runner
from assistant.table.table import Table
from assistant.telephones import page as telephones
from assistant.telephones.several import Telephones
from assistant.voice import announcer

log = logging.getLogger("mus")

One = TypeVar("One", bound=Closeable | None)


class App(ABC):
    """A house with its features. Entering opens and starts them; leaving ends them in order.

    What was started last ends first; then what was opened last. An error at the end of one feature
    is raised once the others have ended, too.
    """

    house: House
    server: DashboardServer

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._ending = ExitStack()
        self._ended: list[Closeable] = []

    def __enter__(self) -> Self:
        """Open everything that can fail first, so that no game begins that cannot be played."""
        one_heap()
        try:
            self._open()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._ending.close()
        finally:
            self._ending, self._ended = ExitStack(), []

    @property
    def runner(self) -> Runner:
        """The thread that owns the table."""
        return self.house.runner

    @property
    def board(self) -> TableBoard:
        """What the pages show."""
        return self.house.board

    @abstractmethod
    def _open(self) -> None:
        """Install the features, begin the game, and start them."""

    def _furnish(self, game: Game) -> House:
        """A house for a game: its runner, its board, its page."""
        self._ending.callback(game.journal.close)  # until the runner owns it
        runner = Runner(game.table, game.journal, self._new_game)
        phrases = load_phrases(game.table.state.profile.voice)
        return open_house(self.settings, phrases, runner)

    def _serve(self, house: House) -> OpenDoors:
        """Take the page's port, once all pages are there."""
        doors = self._end(OpenDoors(house))
        self.server = doors.server
        return doors

    def _end(self, one: One) -> One:
        """End this feature when the app ends; None is no feature."""
        if one is not None:
            self._ending.callback(self._end_once, one)
        return one

    def _end_once(self, one: Closeable) -> None:
        """End a feature, unless it has ended already."""
        if not any(one is ended for ended in self._ended):
            self._ended.append(one)
            one.close()

    def _start(self, *those: Startable | None) -> None:
        """Start features in this order. They end in reverse, before those that were only opened."""
        for one in those:
            if one is not None:
                one.start()
                self._end(one)

    def _called(self) -> Called | None:
        """The match that a hall has called to this table, if any."""
        return None

    def _new_game(self) -> tuple[Journal, Table]:
        """Open the next game beside the present one, for the runner."""
        runner = self.house.runner
        last, lexicon = runner.table.state, runner.table.lexicon
        # The ear was opened for the languages of this table; the next game keeps them.
        game = open_new(
            self.settings, lambda _profile: lexicon, last, self._called(), runner.journal
        )
        game.begin()
        return game.journal, game.table


class Session(App):
    """Everything that ``mus play`` runs.

    ``fresh``: nothing was ever set on this machine, so the page begins with the set-up, and the
    voice waits for it. ``source``: sound in place of that of the settings. ``change``: what
    somebody changed on the page; its reader calls ``open_anew``.
    """

    def __init__(
        self, settings: Settings, *, fresh: bool = False, source: AudioSource | None = None
    ) -> None:
        super().__init__(settings)
        self.change: Change | None = None
        self._opening = Opening(1, fresh)
        self._greets = not fresh
        self._source = source
        self._rehearsal = Rehearsal()
        self._learns: SelfTraining | None = None

    def open_anew(self, settings: Settings, *, greet: bool, fault: str = "") -> None:
        """Close all, and open it again with other settings; the page keeps its address.

        ``greet``: say how the game stands; ``fault``: why the attempt before this one failed.
        Raises MusError, and then all is closed.
        """
        port = settings.port or self.server.port
        https_port = settings.https_port
        if https_port == 0 and self.server.secure:
            https_port = self.server.secure.port
        opening = Opening(self._opening.number + 1, self.setup.fresh(), fault)
        self.change = None
        self.speaker.silence()
        self.__exit__(None, None, None)
        list_anew()
        self.settings = replace(settings, port=port, https_port=https_port)
        self._opening, self._greets = opening, greet
        self.__enter__()

    def settle(self) -> None:
        """Wait until the table has dealt with everything that was heard."""
        self.runner.drain()

    def summary(self, language: str) -> str:
        """The score in one sentence."""
        return load_phrases(nearest("phrases", language)).score(self.runner.table.state)

    def _open(self) -> None:
        gate = EchoGate()
        deals = script_cards.scripted_hands(self.settings.cards)
        game = take_up(self.settings, _tongue)
        house = self.house = self._furnish(game)

        # What hears and sees. Nothing is heard or seen before the start.
        hears = listening.hearing(house)
        phones = _telephones(house, gate)
        learns = self._learns = self._end(self_training.install(house, hears, self._learns))
        known = self._end(who_spoke.install(house, learns or hears))
        self.ear = ear = listening.install(
            house,
            known or learns or hears,
            gate,
            source=self._source or phones,
            rehearsal=self._rehearsal,
            on_note=self._complain,
            on_over=self._invite,
        )
        looks = self._end(eye.install(house))

        # What the pages show, and who reads the records.
        if phones:
            telephones.install(house, phones)
        self._demo = demo.install(house, self._reopen)
        self.setup = setup.install(house, self._opening, ear, looks, gate, self._changed)
        self._end(apprentice.install(house, gate.hold))
        house.tell(house.board)  # after the apprentice: his page asks once the board has changed
        voices = voice_lessons.install(house, ear.ear, self._reopen, learns)
        self._end(classroom.install(house, lambda: ear.ear, lambda: voices.reading, gate.hold))
        self._end(drills.install(house, lambda: ear.ear, lambda: voices.reading))
        history.install(house, looks.evidence if looks else None, weigh)
        mus_odds.install(house)
        hand_photos.install(house, looks)
        doors = self._serve(house)

        # Who gets the news.
        self.speaker = self._end(announcer.install(house, gate))
        self._line = self._end(uplinked.install(house, self.speaker.announces))
        script_cards.install(house, deals)

        game.begin()  # not before: if a start fails, the last game must stay the last one
        self.settings = replace(self.settings, new=False)  # it is begun: go on with it
        self.resumed = game.resumed
        self._start(self._line, doors)
        if self._greets:
            (self.speaker.resumed if game.resumed else self.speaker.opened)(game.table)
        self._start(announcer.aloud(house.settings), ear)
        self._end(voices)
        self._start(looks)

    def _called(self) -> Called | None:
        return self._line.called if self._line else None

    def _reopen(self) -> None:
        self._changed(Change({}, new=False))

    def _changed(self, change: Change) -> None:
        self.change = change

    def _complain(self, note: str) -> None:
        self.speaker.hears_badly(note, self.runner.table)

    def _invite(self) -> None:
        """Invite the people at the table to play, because the demo is over."""
        if self._demo:
            self._demo.over()
            self.speaker.invites(self.runner.table)


class PracticeSession(App):
    """Everything that ``mus practice`` runs: a table where the computer plays the other seats."""

    def __init__(
        self, settings: Settings, *, name: str, speed: float, seed: int | None, listens: bool
    ) -> None:
        """``name``: the person's; ``seed``: of the cards, None for any; ``listens``: by ear."""
        self._company = load_company()
        names = tuple(character.name for character in self._company)
        if name in names:
            raise UsageError(
                "--name {name}: somebody at the table is called so; choose another.", name=name
            )
        super().__init__(replace(settings, seats=(name, *names), mano=None))
        self._pace, self._dice = Pace(speed), random.Random(seed)
        self._listens = listens
        self._ear: listening.TableEar | None = None

    def _open(self) -> None:
        gate = EchoGate()
        game = open_new(self.settings, _tongue)
        house = self.house = self._furnish(game)

        self.practice = practice.install(house, gate, self._company, self._pace, self._dice)
        house.tell(house.board)  # after the dealer: it shows the cards that he has just dealt
        self._end(self.practice.umpire)
        self._end(classroom.install(house, self._lent_ear, lambda: False, gate.hold))
        self._end(drills.install(house, self._lent_ear, lambda: False))
        history.install(house, weigh=weigh)
        mus_odds.install(house)
        doors = self._serve(house)

        game.begin()
        self._start(doors, self.practice)
        if self._listens:
            self._listen(house, gate)

    def _listen(self, house: House, gate: EchoGate) -> None:
        """Open the ear; if that fails, the person taps the calls."""
        try:
            hears = listening.hearing(house)
        except MusError as error:
            _tap_instead(error)
            return
        learns = self._end(self_training.install(house, hears))
        self._ear = listening.install(
            house, learns or hears, gate, seat=practice.ME, on_failure=_tap_instead
        )
        self._start(self._ear)

    def _lent_ear(self) -> Ear | None:
        return self._ear.ear if self._ear else None


def _tongue(profile: Profile) -> Lexicon:
    """The words of the languages that the house rules name."""
    return load_lexicon(profile.calls)


def _telephones(house: House, gate: EchoGate) -> Telephones | None:
    """The ear of several telephones, if the table hears with them.

    A microphone in the middle that somebody named is one more of them.
    """
    settings = house.settings
    if settings.hearing != TELEPHONES:
        return None
    middle = MicrophoneSource(settings.mic, channels=settings.channels) if settings.mic else None
    seats = len(house.runner.table.state.seats)
    return Telephones(seats, middle=middle, speaking=gate.is_shut)


def _tap_instead(error: MusError) -> None:
    log.warning("%s Tap your calls on the page.", error)
