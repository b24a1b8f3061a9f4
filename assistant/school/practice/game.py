"""The practice game of a house: the three computer players, their voices, and the person's taps.

Files, which a player may also write, say who the three are and how each plays.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml
from assistant.files.style_files import find_style
from assistant.language.phrases import Level
from assistant.messages import Ask, Command, Told
from assistant.page import BoardError
from assistant.page.house import House
from assistant.rules.phases import AFTER_DEAL, Phase
from assistant.rules.profile import Profile, Senas, Sides
from assistant.school.lessons.mus_senas import load_senas
from assistant.school.players import Novice, Player
from assistant.school.players.maestro import Maestro, read_lore, why_untaught
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Temper, Thinker
from assistant.school.practice.dealer import Dealer, Pace
from assistant.school.practice.levels import LEVELS
from assistant.school.practice.page import (
    PracticeChanceView,
    ReviewView,
    chance_views,
    practice_pages,
    review_view,
    show_practice,
)
from assistant.school.practice.reviewing import Reviewer
from assistant.school.practice.signing import Signing, listed_signs
from assistant.table.runner import News
from assistant.table.table import Table
from assistant.voice import Gate, Pyttsx3Voice, SpokenLine, Timbre, Voice
from assistant.voice.announcer import Speaker, voice_of

log = logging.getLogger("mus.practice")


# ---- The computer players that ship, by name: how each plays stands in ``models/players`` -------


TEMPERS = ("fuerte", "prudente", "farolero")
"""The strongest; one who waits for good cards; one who bluffs."""


def temper_named(name: str) -> Temper:
    """How a player plays. Raises UsageError for a name or a file that is not right."""
    if name not in TEMPERS:
        raise UsageError(
            "There is no player {name!r}: choose from {known}.",
            name=name[:20],
            known=", ".join(TEMPERS),
        )
    path = data_dir("models") / "players" / f"{name}.toml"
    table = load_toml(path)
    known = {field.name for field in fields(Temper)}
    if wrong := [key for key in table if key not in known]:
        raise UsageError("{path}: {wrong!r} is no number of a player.", path=path, wrong=wrong[0])
    if wrong := [key for key, value in table.items() if not isinstance(value, int | float)]:
        raise UsageError("{path}: {wrong!r} has to be a number.", path=path, wrong=wrong[0])
    return Temper(**{key: float(value) for key, value in table.items()})


# ---- The three who sit at a practice table: names, voices, and how each plays at which level ----


NOVICE, MAESTRO = "novato", "maestro"
COUNT = 3
LONGEST_NAME = 12


@dataclass(frozen=True, slots=True)
class Character:
    """One of the company: its name, its voice, and its temper at each level.

    ``slips``: how often, at a level, it calls by a novice's rules of thumb instead.
    """

    name: str
    timbre: Timbre
    tempers: Mapping[str, str]
    slips: Mapping[str, float]


def load_company() -> tuple[Character, ...]:
    """The company that ships, or the one that a player wrote. Raises UsageError."""
    path = data_dir("models") / "practice" / "company.toml"
    table = load_toml(path)
    players, slips = table.get("player", []), table.get("slips", {})
    if not isinstance(players, list) or len(players) != COUNT:
        raise UsageError(
            "{path}: write three [[player]]: a rival, the partner, a rival.", path=path
        )
    try:
        often = {level: float(slips.get(level, 0.0)) for level in LEVELS}
        return tuple(_character(player, often) for player in players)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(
            "{path}: a player's {error} is missing, or is not right.", path=path, error=error
        ) from error


def _character(table: Mapping[str, Any], slips: Mapping[str, float]) -> Character:
    tempers = {level: str(table[level]) for level in LEVELS}
    for level, temper in tempers.items():
        if temper not in (NOVICE, MAESTRO, *TEMPERS):
            raise ValueError(level)
    timbre = Timbre(str(table["variant"]), float(table["rate"]), int(table["pitch"]))
    name = str(table["name"])
    if not name.isalpha() or len(name) > LONGEST_NAME:
        raise ValueError("name")
    return Character(name, timbre, tempers, slips)


def player_of(
    character: Character, level: str, profile: Profile, strength: Strength, dice: random.Random
) -> Player:
    """Seat one of them to play at a level. Raises UsageError for a temper that is not right.

    Under house rules that ``maestro`` never learnt, the strongest of the others takes its seat.
    """
    temper = character.tempers[level]
    if temper == NOVICE:
        return Novice()
    if temper != MAESTRO:
        numbers = replace(temper_named(temper), slips=character.slips[level])
        return Thinker(strength, numbers, dice.randrange(2**32))
    second = Thinker(strength, temper_named(TEMPERS[0]), dice.randrange(2**32))
    lore = read_lore(data_dir("models") / "players" / "maestro.npz")
    if rule := why_untaught(profile, lore.kings):
        log.info("maestro never learnt a table with this %s: %s plays", rule, TEMPERS[0])
        return second
    return Maestro(lore, second, dice.randrange(2**32))


# ---- The game: its voices, and what the person asks for -----------------------------------------


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
    """The assistant's own voice: it gives the count and answers; the company speaks for itself."""

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
        reviewer: Reviewer,
    ) -> None:
        """See ``install``. The ``umpire`` is closed by itself, after the table is."""
        self.umpire = umpire
        self.dealer = dealer
        self._house = house
        self._company = company
        self._dice = dice
        self._reviewer = reviewer

    def start(self) -> None:
        """Begin to deal, once somebody has chosen a level."""
        self.dealer.start()

    def close(self) -> None:
        """Deal no more."""
        self.dealer.close()
        self._reviewer.close()

    def begin(self, level: str, *, senas: bool = False) -> None:
        """Begin a game at a level, whatever is in progress. Raises BoardError.

        ``senas``: the company makes señas, where the table has any.
        """
        if level not in LEVELS:
            raise BoardError(
                "There is no level {level!r}: choose from {known}.",
                level=level[:20],
                known=", ".join(LEVELS),
            )
        profile = self._house.runner.table.state.profile
        players = {
            seat: player_of(character, level, profile, self.dealer.strength, self._dice)
            for seat, character in enumerate(self._company, start=ME + 1)
        }
        self.dealer.seat({}, "")  # nobody calls while the cards are gathered
        if self._house.runner.table.state.deal > 0:
            self._gather()
        self.dealer.seat(players, level, senas=senas)

    def throw(self, places: Sequence[int]) -> bool:
        """Throw own cards by their places; False if it is not the moment."""
        return self.dealer.throw(places)

    def answer_sign(self, number: int, choice: int) -> bool:
        """Tell what a seña was, by its number; False if that is not asked."""
        return self.dealer.answer_sign(number, choice)

    def chances(self) -> list[PracticeChanceView]:
        """What the person's cards promise now."""
        return chance_views(self.dealer)

    def review(self) -> ReviewView:
        """How the finished game was played; it goes on in the background."""
        table = self._house.runner.table
        over = table.state.phase is Phase.OVER
        moves = self.dealer.own_moves(table.records) if over else ()
        return review_view(self._reviewer, moves, over=over)

    def _gather(self) -> None:
        try:
            self._house.runner.begin_anew(lambda _table: True).result(OPENS_IN)
        except TimeoutError:
            raise BoardError("The table did not answer in time: press again.") from None


def signing_of(senas: Senas, language: str, dice: random.Random) -> Signing:
    """The señas of a table, by its list, in a language. Raises MusError where a file is broken."""
    if senas is Senas.OFF:
        return Signing((), senas, ME, dice)
    signs = load_toml(data_dir("models") / "senas" / f"{senas}.toml")["signs"]
    return Signing(listed_signs(signs, load_senas(senas, language)["sena"]), senas, ME, dice)


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
    style = find_style(house.settings.style)
    said, level = phrases.styled(style), style.level(Level.ESSENTIAL)
    umpire = Umpire(voice, said, level, house.settings.volume)
    try:
        timbres = {seat: one.timbre for seat, one in enumerate(company, start=ME + 1)}
        voices = Cast(voice, timbres)
        dealer = Dealer(table, house.post, voices, phrases.label, pace, dice, ME)
        dealer.signing = signing_of(table.state.profile.senas, phrases.code, dice)
        adviser = show_practice(house.board, dealer, phrases, table)
    except BaseException:
        umpire.close()
        raise
    runner.may_undo = dealer.may_undo
    reviewer = Reviewer(adviser.judge, phrases.label, adviser.words)
    game = PracticeGame(house, umpire, dealer, company, dice, reviewer)
    house.show(practice_pages(game))
    house.tell(dealer)
    house.tell(umpire)
    return game
