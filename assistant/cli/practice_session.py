"""The wiring of a practice game: a table whose other players are the computer."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType

from assistant.cli.game import open_new
from assistant.cli.pages import create_app
from assistant.ear import Ear, EarState, EchoGate, MicrophoneSource, SpeechError
from assistant.ear.hearing import open_ear
from assistant.files.errors import UsageError
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_phrases, odds_table
from assistant.files.settings import LOCALHOST, Settings
from assistant.language.lexicon import Lexicon
from assistant.language.phrases import Level
from assistant.messages import Ask, Command, Heard, Told
from assistant.page import BoardError, serve
from assistant.page.door import keys_path, page_keys
from assistant.review.history import Replay
from assistant.review.report_page import LiveReport
from assistant.rules.errors import MusError
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import Profile, Sides
from assistant.school.lessons.classroom import classroom_of
from assistant.school.practice.board import PracticeBoard, chance_views
from assistant.school.practice.company import LEVELS, Pace, load_company, player_of
from assistant.school.practice.dealer import Dealer
from assistant.school.practice.page import PracticeChanceView
from assistant.table.journal import Journal
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from assistant.voice import Pyttsx3Voice, SpokenLine, Timbre, Voice
from assistant.voice.announcer import Speaker, voice_of

log = logging.getLogger("mus")

ME = 1
PATIENCE = 10.0
"""Seconds that a new game may take to open."""


class Cast:
    """The company's voices: one mouth, and a timbre for each seat."""

    def __init__(self, voice: Voice, timbres: dict[int, Timbre]) -> None:
        self._voice, self._timbres = voice, timbres

    @property
    def busy(self) -> bool:
        """Whether one of them speaks, or is about to."""
        return isinstance(self._voice, Pyttsx3Voice) and self._voice.busy

    def call(self, seat: int, text: str, seq: int) -> None:
        """Say something in a seat's own voice."""
        self._voice.say(SpokenLine(text.lower(), self._timbres[seat]), seq=seq)

    def silence(self) -> None:
        """Break off."""
        self._voice.silence()


class Umpire(Speaker):
    """The assistant's own voice: it tells the count and answers; the company speaks for itself."""

    def told(self, news: News, table: Table) -> None:
        """Say how a deal ended, and what somebody asked for."""
        asked = any(isinstance(one, Told) for one in news.outcomes)
        over = any(update.after.phase in AFTER_DEAL for update in news.updates)
        question = any(isinstance(o, Ask) and o.code != "spoken_over" for o in news.outcomes)
        if (asked and Told(Command.NEW_GAME) not in news.outcomes) or over or question:
            super().told(news, table)


class PracticeSession:
    """Everything that ``mus practice`` runs. Entering it opens and starts, leaving it ends."""

    def __init__(
        self, settings: Settings, *, name: str, speed: float, seed: int | None, listens: bool
    ) -> None:
        """``name``: the person's; ``seed``: of the cards, None for any; ``listens``: by an ear."""
        self.company = load_company()
        names = tuple(character.name for character in self.company)
        if name in names:
            raise UsageError(f"--name {name}: somebody at the table is called so; choose another.")
        self.settings = replace(settings, seats=(name, *names), mano=None)
        self._pace, self._dice = Pace(speed), random.Random(seed)
        self._listens = listens
        self._ear: Ear | None = None
        self._stack = ExitStack()

    def __enter__(self) -> PracticeSession:
        """Open what can fail first. Raises MusError."""
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def begin(self, level: str) -> None:
        """Begin a game at a level, whatever is in progress. Raises BoardError."""
        if level not in LEVELS:
            raise BoardError(f"There is no level {level[:20]!r}: choose from {', '.join(LEVELS)}.")
        strength, dice = self.dealer.strength, self._dice
        players = {
            seat: player_of(character, level, strength, dice)
            for seat, character in enumerate(self.company, start=ME + 1)
        }
        self.dealer.seat({}, "")  # nobody calls while the cards are gathered
        if self.runner.table.state.deal > 0:
            self._gather()
        self.dealer.seat(players, level)

    def throw(self, places: Sequence[int]) -> bool:
        """Throw own cards by their places; False where it is not the moment."""
        return self.dealer.throw(places)

    def chances(self) -> list[PracticeChanceView]:
        """What the person's cards promise now."""
        return chance_views(self.dealer)

    def _gather(self) -> None:
        try:
            self.runner.begin_anew(lambda _table: True).result(PATIENCE)
        except TimeoutError:
            raise BoardError("The table did not answer in time: press again.") from None

    def _open(self) -> None:
        settings = self.settings
        game = open_new(settings, _tongue)
        self._stack.callback(game.journal.close)  # until the runner owns it; twice does no harm
        if game.table.state.profile.sides is not Sides.TWO:
            raise UsageError("Practice is played in two pairs: choose rules with sides=two.")
        self.phrases = load_phrases(game.table.state.profile.voice)
        self.runner = Runner(game.table, game.journal, self._new_game)
        self.gate = EchoGate()
        voice = voice_of(settings, self.phrases, self.gate)
        umpire = Umpire(voice, self.phrases, Level.ESSENTIAL, settings.volume)
        self._stack.callback(umpire.close)
        timbres = {seat: one.timbre for seat, one in enumerate(self.company, start=ME + 1)}
        self.dealer = Dealer(
            game.table,
            self.runner.post,
            Cast(voice, timbres),
            self.phrases.label,
            self._pace,
            self._dice,
            ME,
        )
        self.board = PracticeBoard(self.runner, self.phrases, self.dealer)
        self.dealer.changed = self.board.refresh
        self.runner.may_undo = self.dealer.may_undo
        keys = None if settings.host == LOCALHOST else page_keys(keys_path())
        classroom = classroom_of(
            settings, self.phrases.code, lambda: self._ear, lambda: False, self.gate.hold
        )
        self._stack.callback(classroom.close)
        app = create_app(
            self.board,
            web_dir=data_dir("web"),
            keys=keys,
            history=Replay(self.runner, self.phrases),
            classroom=classroom,
            practice=self,
            reports=LiveReport(self.runner),
            odds=odds_table(self.runner.table.state.profile),
        )
        self.server = serve(app, settings.host, settings.port)
        self._stack.callback(self.server.stop)  # until it serves; twice does no harm
        game.begin()
        # The dealer first: what the board shows has the cards of the deal that just began.
        self.runner.listeners.extend([self.dealer, self.board, umpire])
        self.runner.start()
        self._stack.callback(self.runner.stop)
        self.server.start()
        self._stack.callback(self.server.stop)
        self._stack.callback(self.board.close)
        self.dealer.start()
        self._stack.callback(self.dealer.close)
        if self._listens:
            self._listen()

    def _listen(self) -> None:
        """Open the ear; without one the game is tapped."""
        try:
            table = self.runner.table
            hears = open_ear(
                self.settings,
                table.lexicon,
                lambda: self.runner.table.state,
                lambda: self.runner.table.asked,
                table.state.seats,
            )
        except MusError as error:
            log.warning("%s Tap your calls on the page.", error)
            return
        self._ear = Ear(
            MicrophoneSource(self.settings.mic, channels=self.settings.channels),
            hears,
            self.gate,
            on_heard=self._heard,
            on_partial=self.board.partial,
            on_state=self._ear_state,
            on_end=_ended,
        )
        self._ear.start()
        self._stack.callback(self._ear.stop)

    def _heard(self, heard: Heard) -> None:
        """Only one person sits here: whatever is heard is said by the person's seat."""
        self.runner.post(replace(heard, seat=ME))

    def _ear_state(self, state: EarState, note: str) -> None:
        self.board.ear(state.value, "" if state in (EarState.OFF, EarState.LOST) else note)

    def _new_game(self) -> tuple[Journal, Table]:
        game = open_new(self.settings, self._same_tongue, self.runner.table.state)
        game.begin()
        return game.journal, game.table

    def _same_tongue(self, _profile: Profile) -> Lexicon:
        return self.runner.table.lexicon


def _tongue(profile: Profile) -> Lexicon:
    return load_lexicon(profile.calls)


def _ended(failure: SpeechError | None) -> None:
    if failure:
        log.warning("%s Tap your calls on the page.", failure)
