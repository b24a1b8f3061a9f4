"""A recording that is played to the real ear, lexicon and table, and compared with the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from assistant.ear import Ear, EchoGate, FileSource, Recogniser, SpeechError
from assistant.ear.hearing import attend
from assistant.language.lexicon import Lexicon
from assistant.messages import CardsSeen, Heard
from assistant.rules import events as e
from assistant.rules.engine import missing_hands
from scripts.lab.rendering.answering import Player
from scripts.lab.rendering.dealing import Deal, new_table, take

SPOKEN = (
    e.MusAsked,
    e.MusCut,
    e.Passed,
    e.BetMade,
    e.BetRaised,
    e.OrdagoMade,
    e.BetAccepted,
    e.BetRefused,
    e.Declared,
)
PATIENCE = 120.0
"""Seconds that hearing one deal may take."""
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How one deal was understood.

    exact  whether the stones and juegos are those at the end of the deal
    right  for each call that was said, whether it happened at the table
    false  calls that happened and nobody said
    asked  questions that the table asked
    heard  what the ear heard
    """

    exact: bool
    right: tuple[bool, ...]
    false: int
    asked: int
    heard: tuple[Heard, ...]


def hear(wav: Path, player: Player, recogniser: Recogniser, lexicon: Lexicon) -> Result:
    """Play a recording as ``mus play --listen --fast --cards`` does. Raises SpeechError."""
    table, deal = new_table(lexicon), player.deal
    happened: list[e.Event] = []
    all_heard: list[Heard] = []
    failures: list[SpeechError | None] = []

    def on_heard(heard: Heard) -> None:
        all_heard.append(heard)
        happened.extend(player.take(table, heard))
        missing = missing_hands(table.state)
        shown = tuple((seat, hand) for seat, hand in deal.shown if seat in missing)
        if shown:
            take(table, CardsSeen(shown))

    attend(recogniser, lexicon, lambda: table.state, lambda: table.question)
    source = FileSource(wav, realtime=False)
    ear = Ear(source, recogniser, EchoGate(), on_heard, on_end=failures.append)
    ear.start()
    if not ear.join(PATIENCE):
        raise SpeechError(f"{wav} was not heard to its end in {PATIENCE:.0f} s.")
    for failure in failures:
        if failure is not None:
            raise failure
    right, false = compare(deal, happened)
    state = table.state
    exact = (state.stones, state.juegos) == (deal.stones, deal.juegos)
    return Result(exact, right, false, player.asked, tuple(all_heard))


def words_between(heard: Sequence[Heard], start: float, end: float) -> str:
    """The words that were heard between two times, in seconds."""
    words = (word for utterance in heard for word in utterance.words)
    return " ".join(word.text for word in words if start < (word.start + word.end) / 2 < end)


def compare(deal: Deal, happened: list[e.Event]) -> tuple[tuple[bool, ...], int]:
    """Which of the deal's calls happened, in their order, and how many others happened."""
    said: list[Key] = []
    first: list[int] = []
    for spoken in deal.spoken:
        first.append(len(said))  # a call's own event comes before those that it implies
        said += [_key(event) for event in spoken.events if isinstance(event, SPOKEN)]
    found = [_key(event) for event in happened if isinstance(event, SPOKEN)]
    matches = SequenceMatcher(None, said, found, autojunk=False).get_matching_blocks()
    right = {match.a + i for match in matches for i in range(match.size)}
    return tuple(place in right for place in first), len(found) - len(right)


def _key(event: e.Event) -> Key:
    """An event as what was said, whether it was inferred or not."""
    kept = (field.name for field in fields(event) if field.name != "implied")
    return (type(event).__name__, *(getattr(event, name) for name in kept))
