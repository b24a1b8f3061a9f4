"""The messages that come into the table's inbox, and the outcomes that the table answers with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from assistant.messages.showdown import Trouble
from assistant.rules.calls import Call
from assistant.rules.cards import Hand
from assistant.rules.events import Event
from assistant.rules.history import Record, number
from assistant.rules.state import State

MOSTLY = 0.5
"""The share that two stretches of time must have in common to be taken for the same."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the recogniser heard it; times in seconds since the ear opened."""

    text: str
    start: float = 0.0
    end: float = 0.0
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class SpeakerEvidence:
    """Who may have spoken from ``start`` to ``end``, in seconds since the ear opened.

    It is about one speaker. ``seats``: the probability of each seat, from the first. The rest up to
    1 is the probability that it was somebody who does not play.
    """

    start: float
    end: float
    seats: tuple[float, ...]

    def share_of(self, start: float, end: float) -> float:
        """The share of both stretches that they have in common, 0 to 1."""
        common = min(end, self.end) - max(start, self.start)
        whole = max(end, self.end) - min(start, self.start)
        return common / whole if common > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One entry of an n-best list; ``probability`` is its share among the kept entries."""

    words: tuple[Word, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The second hearing of an utterance, or of a part of it, with the grammar of the moment.

    ``hypotheses``: its n-best list, with probabilities that sum to 1. ``margin``: the log
    likelihood of the first of them, less that of the likeliest hypothesis for the same sound
    with every word of the table and unknown speech, in nats. That of a hand is above -2, that of
    talk far below. ``probability``: that exactly the first hypothesis was said; None if unknown.
    ``part``: the rest of the utterance was said before or after a pause; of a hand, one of its
    cards may belong to another, or be missing. ``turns``: the calls that several players made one
    right after the other, each a part of the utterance; empty if it is one call at most.
    """

    hypotheses: tuple[Hypothesis, ...]
    margin: float
    probability: float | None = None
    part: bool = False
    turns: tuple[Narrowed, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """One utterance; ``seat`` is set if a script or a speaker score knows who spoke.

    ``words`` is the likeliest hypothesis. ``hypotheses`` is the n-best list, this one among them;
    it is empty if the source is certain, as a script is. ``cut``: it was broken off where
    it may well have gone on, because the assistant began to speak. ``over``: all of it, or its
    beginning, was said while the assistant spoke, so its words are not known. ``disputed``: a
    second ear did not hear the dear part of it. ``distant``: it was much fainter than the table's
    calls usually are, as a television or the next table is. ``noisy``: the room is nearly as loud,
    so that a word may be swallowed. ``voices``: whose voice it sounds like, for every stretch that
    may be a call; empty if nobody has enrolled. ``narrowed``: the second hearing, which may begin
    earlier, with the words just before the utterance.
    """

    words: tuple[Word, ...]
    seat: int | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    cut: bool = False
    over: bool = False
    disputed: bool = False
    distant: bool = False
    voices: tuple[SpeakerEvidence, ...] = ()
    narrowed: Narrowed | None = None
    noisy: bool = False
    end: float = field(init=False, compare=False, repr=False)
    """Stream time, in seconds, at which the utterance ended."""

    def __post_init__(self) -> None:
        """Find the end once, because it is read often."""
        end = max([word.end for word in self.words], default=0.0)
        object.__setattr__(self, "end", end)  # past the frozen class

    @property
    def text(self) -> str:
        """The words as a line of text."""
        return " ".join([word.text for word in self.words])

    @property
    def confidence(self) -> float:
        """The probability that the words are right, 0 to 1; a script is certain."""
        for way in self.hypotheses:
            if way.words == self.words:
                return way.probability
        return min([word.confidence for word in self.words], default=1.0)

    def voice_of(self, words: Sequence[Word]) -> tuple[float, ...]:
        """The probability of each seat to have said these words; empty if nothing is known.

        It is that of the stretch nearest to theirs, if they share half of it or more.
        """
        if not self.voices:
            return ()
        start = min((word.start for word in words), default=0.0)
        end = max((word.end for word in words), default=0.0)
        best = max(self.voices, key=lambda voice: voice.share_of(start, end), default=None)
        return best.seats if best and best.share_of(start, end) >= MOSTLY else ()


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Hands laid open, by seat, as a camera or a person has read them."""

    hands: tuple[tuple[int, Hand], ...]


@dataclass(frozen=True, slots=True)
class Lacking:
    """A seat whose cards the camera cannot read: why, and how many of the four."""

    seat: int
    trouble: Trouble
    cards: int


@dataclass(frozen=True, slots=True)
class CardsUnclear:
    """Hands that lie open but could not be read, by seat: the players are asked to arrange them."""

    lacking: tuple[Lacking, ...]


class Command(StrEnum):
    """A command to the assistant itself."""

    UNDO = "undo"
    REDO = "redo"
    REPEAT = "repeat"
    SCORE = "score"
    PAUSE = "pause"
    RESUME = "resume"
    HELP = "help"
    OWED = "owed"
    COUNT = "count"
    SOFTER = "softer"
    LOUDER = "louder"
    NEW_GAME = "new_game"
    WHERE = "where"
    NOT_SAID = "not_said"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button or a tap: a call, or a command to the assistant.

    ``seen`` is the last seq that the page showed: a button pressed on an old page is refused.
    ``instead``: the call replaces the last call that was heard; a hand replaces the one that the
    same player has laid open.
    """

    what: Call | Command
    seen: int | None = None
    instead: bool = False


Message = Heard | CardsSeen | CardsUnclear | Pressed


@dataclass(frozen=True, slots=True)
class Accepted:
    """A call that moved the game: one batch of events, which is committed all or none.

    ``one_breath``: it answers a bet that was made just before it without a pause, and no voice
    shows that two people spoke.
    ``understood``: earlier calls that this one has revealed, or has shown to be others than they
    were taken for; they are among the events.
    ``before`` and ``after``: the state in which it was decided, and the state that the events lead
    to; None if they were not worked out.
    """

    events: tuple[Event, ...]
    call: Call | Command | None = None
    one_breath: bool = False
    understood: tuple[Event, ...] = ()
    before: State | None = field(default=None, compare=False, repr=False)
    after: State | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the table: which of ``options``, the possible readings, was meant.

    ``call`` is what was said, if it was a call, and ``voice`` whose voice it sounded like.
    ``number``: only a number was heard, perhaps with a lance.
    """

    code: str
    options: tuple[Call, ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    text: str = ""
    call: Call | None = field(default=None, compare=False)
    voice: tuple[float, ...] = field(default=(), compare=False)
    number: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that was understood and is not allowed now, with the reason's code.

    ``call`` is what was said, if it was a call.
    """

    code: str
    params: tuple[tuple[str, str], ...] = ()
    text: str = ""
    call: Call | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Ignored:
    """Words that are no call: table talk, or noise."""

    code: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A command that changes nothing in the game ("repite", "¿cómo vamos?")."""

    command: Command


Outcome = Accepted | Ask | Refused | Ignored | Told


def batches(outcomes: Iterable[Outcome], after: int, at: float) -> list[Record]:
    """The records to commit for these outcomes: one batch for each accepted call."""
    records: list[Record] = []
    for outcome in outcomes:
        if isinstance(outcome, Accepted):
            records.extend(number(outcome.events, after + len(records), at))
    return records
