"""Cards from a script, shown at the showdowns of a recording, which has no camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assistant.cli.mus_score import Play, play_script, script_lexicon
from assistant.files.process import UsageError
from assistant.files.profile_files import rules_named
from assistant.files.resources import read_text
from assistant.language.script import Cards, Mano, Said, Script, ScriptError, parse_script
from assistant.messages import CardsSeen, Message
from assistant.page.house import House
from assistant.rules.cards import Hand
from assistant.rules.events import DealStarted, HandShown
from assistant.rules.history import effective
from assistant.rules.phases import Phase
from assistant.rules.prizes import missing_hands
from assistant.table.runner import News
from assistant.table.table import Table

Hands = tuple[tuple[int, Hand], ...]


def hands_by_deal(script: Script) -> tuple[Hands, ...]:
    """The ``cards`` lines of a script, grouped by the deal that they belong to.

    If the script can be played, the rules say which deal it is. A script that goes with a recording
    may lack some of its words; then it is read line by line.
    """
    play = play_script(script, script_lexicon(script.profile))
    return _by_lines(script) if play.failure else _by_rules(play)


def _by_rules(play: Play) -> tuple[Hands, ...]:
    deals: list[list[tuple[int, Hand]]] = []
    for record in effective(play.table.records):
        match record.event:
            case DealStarted():
                deals.append([])
            case HandShown(seat=seat, cards=cards):
                deals[-1].append((seat, cards))
    return tuple(tuple(deal) for deal in deals)


def _by_lines(script: Script) -> tuple[Hands, ...]:
    """Group line by line: a ``mano`` line, or the first call after cards, begins a deal."""
    deals: list[list[tuple[int, Hand]]] = [[]]
    said = False
    for step in script.steps:
        match step:
            case Mano() if said or deals[-1]:
                deals.append([])
                said = False
            case Said():
                if deals[-1]:
                    deals.append([])
                said = True
            case Cards():
                deals[-1].append((step.seat, step.hand))
    return tuple(tuple(deal) for deal in deals)


class CardFeeder:
    """The listener that shows the scripted hands when a deal comes to its showdown."""

    def __init__(self, deals: tuple[Hands, ...], post: Callable[[Message], object]) -> None:
        self._deals = deals
        self._post = post

    def told(self, news: News, table: Table) -> None:
        """Show the hands of this deal as soon as the table waits for cards, or for more of them."""
        state = table.state
        waited_for = [missing_hands(update.before) for update in news.updates[:1]]
        if state.phase is not Phase.SHOWDOWN or missing_hands(state) in waited_for:
            return
        if 0 < state.deal <= len(self._deals):
            wanted = missing_hands(state)
            hands = tuple((s, hand) for s, hand in self._deals[state.deal - 1] if s in wanted)
            if hands:
                self._post(CardsSeen(hands))


def scripted_hands(path: Path | None) -> tuple[Hands, ...]:
    """The hands of a script, deal by deal; empty without a script. Raises UsageError."""
    if path is None:
        return ()
    try:
        return hands_by_deal(parse_script(read_text(path), rules_named))
    except ScriptError as error:
        raise UsageError("{path}: {error}", path=path, error=error) from error


def install(house: House, deals: tuple[Hands, ...]) -> None:
    """Show the hands of a script's ``deals`` in a house, if there are any."""
    if deals:
        house.tell(CardFeeder(deals, house.post))
