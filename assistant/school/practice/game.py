"""The practice game of a house: three computer players, their voices, and the person's taps."""

from __future__ import annotations

import random
from collections.abc import Sequence

from assistant.files.process import UsageError
from assistant.language.phrases import Level
from assistant.messages import Ask, Command, Told
from assistant.page import BoardError
from assistant.page.house import House
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import Sides
from assistant.school.practice.company import LEVELS, Character, Pace, player_of
from assistant.school.practice.dealer import Dealer
from assistant.school.practice.page import (
    PracticeChanceView,
    chance_views,
    practice_pages,
    show_practice,
)
from assistant.table.runner import News
from assistant.table.table import Table
from assistant.voice import Gate, Pyttsx3Voice, SpokenLine, Timbre, Voice
from assistant.voice.announcer import Speaker, voice_of

ME = 1
"""The person's seat."""
OPENS_IN = 10.0
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


class PracticeGame:
    """A game against the company; called from any thread."""

    def __init__(
        self,
        house: House,
        umpire: Umpire,
        dealer: Dealer,
        company: Sequence[Character],
        dice: random.Random,
    ) -> None:
        """See ``install``. The ``umpire`` is closed by itself, after the table is."""
        self.umpire = umpire
        self.dealer = dealer
        self._house = house
        self._company = company
        self._dice = dice

    def start(self) -> None:
        """Begin to deal, once somebody has chosen a level."""
        self.dealer.start()

    def close(self) -> None:
        """Deal no more."""
        self.dealer.close()

    def begin(self, level: str) -> None:
        """Begin a game at a level, whatever is in progress. Raises BoardError."""
        if level not in LEVELS:
            raise BoardError(f"There is no level {level[:20]!r}: choose from {', '.join(LEVELS)}.")
        players = {
            seat: player_of(character, level, self.dealer.strength, self._dice)
            for seat, character in enumerate(self._company, start=ME + 1)
        }
        self.dealer.seat({}, "")  # nobody calls while the cards are gathered
        if self._house.runner.table.state.deal > 0:
            self._gather()
        self.dealer.seat(players, level)

    def throw(self, places: Sequence[int]) -> bool:
        """Throw own cards by their places; False if it is not the moment."""
        return self.dealer.throw(places)

    def chances(self) -> list[PracticeChanceView]:
        """What the person's cards promise now."""
        return chance_views(self.dealer)

    def _gather(self) -> None:
        try:
            self._house.runner.begin_anew(lambda _table: True).result(OPENS_IN)
        except TimeoutError:
            raise BoardError("The table did not answer in time: press again.") from None


def install(
    house: House, gate: Gate, company: Sequence[Character], pace: Pace, dice: random.Random
) -> PracticeGame:
    """Seat the ``company`` at the table of a house; its page is the game's.

    ``dice`` deal the cards and choose for the players. Raises MusError where the house rules have
    no pairs, where nothing can speak, or where the texts that explain a count cannot be used.
    """
    table, runner, phrases = house.runner.table, house.runner, house.phrases
    if table.state.profile.sides is not Sides.TWO:
        raise UsageError("Practice is played in two pairs: choose rules with sides=two.")
    voice = voice_of(house.settings, phrases, gate)
    umpire = Umpire(voice, phrases, Level.ESSENTIAL, house.settings.volume)
    try:
        timbres = {seat: one.timbre for seat, one in enumerate(company, start=ME + 1)}
        voices = Cast(voice, timbres)
        dealer = Dealer(table, house.post, voices, phrases.label, pace, dice, ME)
        show_practice(house.board, dealer, phrases, table)
    except BaseException:
        umpire.close()
        raise
    runner.may_undo = dealer.may_undo
    game = PracticeGame(house, umpire, dealer, company, dice)
    house.show(practice_pages(game))
    house.tell(dealer)
    house.tell(umpire)
    return game
