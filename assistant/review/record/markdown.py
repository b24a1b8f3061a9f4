"""The record of a match as a page of text (Markdown), for a judge who was not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime

from assistant.language.phrases import Phrases
from assistant.language.sentences import Wording
from assistant.review.record.shape import (
    ROWS,
    CallTold,
    DealRecord,
    HandRecord,
    LanceRecord,
    MatchTold,
    Message,
    RecordedBet,
    RecordedMove,
    RecordedScore,
    RecordedVerdict,
    RecordLine,
    TakenBack,
)
from assistant.rules.events import How, LanceDecided, StonesWon, Why
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

# ---- The record's own sentences: one TOML file for each language, which players may edit --------
# The phrases word the events; these are the headings and reasons of the page.


SHAPE: dict[str, str] = {
    "page.title": "table",
    "page.players": "sides",
    "page.side": "names side",
    "page.versus": "",
    "page.seats": "seats",
    "page.began": "date time",
    "page.score": "score",
    "page.score_side": "side stones",
    "page.juegos": "juegos",
    "page.winner": "side",
    "page.left_out": "n",
    "page.legend": "",
    "page.rules_default": "",
    "page.rules": "",
    "page.rule": "key value meaning",
    "deal.title": "deal",
    "deal.mano": "name",
    "deal.times": "began ended",
    "deal.running": "",
    "deal.before": "score",
    "deal.after": "score",
    "said.title": "",
    "said.not_kept": "",
    "said.silent": "",
    "said.inferred_turn": "name",
    "said.inferred_pair": "name",
    "said.inferred_voice": "name",
    "said.inferred": "name",
    "said.taken_back": "time",
    "said.taken_back_by": "time words",
    "said.lost": "",
    "said.more_talk": "n",
    "verdict.ask": "text",
    "verdict.refused": "text",
    "verdict.ignored": "text",
    "verdict.told": "text",
    "lances.title": "",
    "lances.lance": "",
    "lances.how": "",
    "lances.bets": "",
    "lances.agreed": "",
    "lances.winner": "",
    "lances.cards": "",
    "lances.won": "",
    "lances.none": "",
    "lances.by": "side name",
    "bet.bet": "stones name",
    "bet.raise": "stones name total",
    "bet.ordago": "name",
    "hands.title": "",
    "hands.player": "",
    "hands.cards": "",
    "hands.pares": "",
    "hands.juego": "",
    "hands.said": "",
    "hands.worth": "text stones",
    "hands.points": "points",
    "hands.no_pares": "",
    "hands.pares_yes": "",
    "hands.pares_no": "",
    "hands.juego_yes": "",
    "hands.juego_no": "",
    "moves.title": "",
    "moves.none": "",
    "moves.when": "",
    "moves.stones": "",
    "moves.side": "",
    "moves.why": "",
    "moves.rule": "",
    "moves.score": "",
    "moves.capped": "text",
    "moves.note": "text note",
    "moves.lance": "lance text",
    "when.at_once": "",
    "when.count": "",
    "when.table": "",
    "when.end": "",
    "decisions.title": "",
    "checks.title": "",
    "checks.agrees": "",
    "checks.differs": "",
    "checks.sum": "about says found",
    "checks.prize": "about says found",
    "checks.winner": "about says found",
    "checks.skipped": "",
    "list.title": "",
    "list.empty": "",
    "list.table": "table date began ended sides score",
    "list.more": "n",
    **{f"how.{how}": "" for how in How},
    **{f"why.{code}": "" for code in ROWS},
    **{f"rules.{field.name}": "" for field in fields(Profile)},
}
"""Every sentence and the words that the code fills into it."""


# ---- The record as a page of text (Markdown) for a judge who was not there ----------------------


TALK_SHOWN = 3
"""The most utterances of table talk in a row that are printed; the others are only counted."""
WORDS_SHOWN = 200
"""The most letters of one utterance that are printed."""
DASH = "—"


def markdown(told: MatchTold, words: Wording, phrases: Phrases) -> str:
    """The whole page; it ends with a line feed."""
    page = _Page(told, words, phrases)
    return "\n".join([*page.header(), *(line for deal in told.deals for line in page.deal(deal))])


def clean(text: str) -> str:
    """Escape text that people wrote, so that it has no markup and no control characters."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return "".join(f"\\{char}" if char in "\\`*_~|<>[]#" else char for char in shown)


class _Page:
    """The sentences of one record."""

    def __init__(self, told: MatchTold, words: Wording, phrases: Phrases) -> None:
        self.told = told
        self.words = words
        self.language = phrases.language

    def header(self) -> Iterator[str]:
        """The players, the time, the rules and the score."""
        told, words = self.told, self.words
        sides = words("page.versus").join(
            words("page.side", names=self.side(side), side=side) for side in told.sides
        )
        seats = ", ".join(f"{i} {clean(name)}" for i, name in enumerate(told.seats, start=1))
        yield f"# {words('page.title', table=clean(told.table))}"
        yield ""
        yield f"- {words('page.players', sides=sides)}."
        yield f"- {words('page.seats', seats=seats)}."
        yield f"- {words('page.began', date=f'{told.began:%Y-%m-%d}', time=_time(told.began))}."
        yield from self.rules()
        yield f"- {words('page.score', score=self.score(told.score))}."
        if told.winner:
            yield f"- {words('page.winner', side=self.side(told.winner))}."
        if told.left_out:
            yield f"- {words('page.left_out', n=told.left_out)}"
        yield ""
        yield f"*{words('page.legend')}*"
        yield ""

    def rules(self) -> Iterator[str]:
        """The house rules that are not the default."""
        if not self.told.rules:
            yield f"- {self.words('page.rules_default')}."
            return
        yield f"- {self.words('page.rules')}"
        for key, value in self.told.rules.items():
            meaning = self.words(f"rules.{key}")
            yield f"    - {self.words('page.rule', key=key, value=clean(value), meaning=meaning)}"

    def deal(self, deal: DealRecord) -> Iterator[str]:
        """One deal."""
        words = self.words
        times = words("deal.times", began=_time(deal.began), ended=_time(deal.ended))
        yield f"## {words('deal.title', deal=deal.deal)}"
        yield ""
        yield f"- {words('deal.mano', name=self.name(deal.mano))}. {times}."
        if not deal.finished:
            yield f"- {words('deal.running')}."
        yield f"- {words('deal.before', score=self.score(deal.before))}."
        yield f"- {words('deal.after', score=self.score(deal.after))}."
        yield ""
        yield from self.said(deal)
        yield from self.section("lances.title", self.lances(deal))
        if deal.hands:
            yield from self.section("hands.title", self.hands(deal.hands))
        yield from self.section("moves.title", self.moves(deal))
        if deal.decisions:
            lines = [f"- {_time_of(deal, line)}{clean(line.text)}." for line in deal.decisions]
            yield from self.section("decisions.title", lines)
        yield from self.section("checks.title", self.checks(deal))

    def section(self, title: str, lines: Iterable[str]) -> Iterator[str]:
        """A heading with its lines, and an empty one after them."""
        yield f"### {self.words(title)}"
        yield ""
        yield from lines
        yield ""

    def said(self, deal: DealRecord) -> Iterator[str]:
        """Everything that was said, in order of time."""
        lines = [] if deal.heard_is_kept else [f"*{self.words('said.not_kept')}*", ""]
        talk = 0
        for message in deal.messages:
            if _is_talk(message):
                talk += 1
                if talk > TALK_SHOWN:
                    continue
            else:
                lines += self.more_talk(talk)
                talk = 0
            lines += self.message(message)
        yield from self.section("said.title", [*lines, *self.more_talk(talk)])

    def more_talk(self, talk: int) -> list[str]:
        """How many utterances are not printed."""
        more = talk - TALK_SHOWN
        return [f"- {self.words('said.more_talk', n=more)}"] if more > 0 else []

    def message(self, message: Message) -> Iterator[str]:
        """An utterance and the calls that it was taken for, each on a line of its own."""
        who = "?" if message.seat is None else self.name(message.seat)
        heard = (
            f"*{self.words('said.silent')}*"
            if message.words is None
            else f"{who}: «{clean(message.words[:WORDS_SHOWN])}»"
        )
        told = [line for call in message.calls for line in self.call(call)]
        told += [self.verdict(verdict) for verdict in message.verdicts]
        head = f"- **{_time(message.at)}** {heard}"
        if len(told) == 1:
            yield f"{head} → {told[0]}"
            return
        yield head
        yield from (f"    - {line}" for line in told)

    def call(self, call: CallTold) -> list[str]:
        """A call line by line; one that no longer counts is struck through."""
        lines = [line for line in call.lines if not _is_of_the_count(line)]
        told = [clean(line.text) for line in lines]
        if call.taken_back and told:
            told = [f"~~{line}~~" for line in told]
            told[-1] += f" ({self.taken_back(call.taken_back)})"
        if call.inferred is not None and told:
            said = next((i for i, line in enumerate(lines) if not line.implied), 0)
            key = f"said.inferred_{call.why}"
            known = key if key in self.words.texts else "said.inferred"
            told[said] += f" *({self.words(known, name=self.name(call.inferred))})*"
        return told

    def taken_back(self, back: TakenBack) -> str:
        """When, and with which words, a call was taken back."""
        time = _time(back.at)
        if back.words is None:
            return self.words("said.taken_back", time=time)
        return self.words("said.taken_back_by", time=time, words=clean(back.words[:WORDS_SHOWN]))

    def verdict(self, verdict: RecordedVerdict) -> str:
        """What became of words that moved nothing."""
        key = f"verdict.{verdict.outcome}"
        if key not in self.words.texts:
            return f"*{self.words('said.lost')}*"
        return f"*{self.words(key, text=clean(verdict.text))}*"

    def lances(self, deal: DealRecord) -> Iterator[str]:
        """How each lance was closed and who won it, with which cards."""
        if not deal.lances:
            yield self.words("lances.none")
            return
        columns = ("lance", "how", "bets", "agreed", "winner", "cards", "won")
        rows = [self.lance_row(lance) for lance in deal.lances]
        yield from _table([self.words(f"lances.{column}") for column in columns], rows)

    def lance_row(self, lance: LanceRecord) -> list[str]:
        """One lance as a row."""
        winner = self.side(lance.side) if lance.side else DASH
        if lance.seat and lance.side:
            winner = self.words("lances.by", side=winner, name=self.name(lance.seat))
        return [
            self.lance(lance.lance),
            self.words(f"how.{lance.how}"),
            "; ".join(self.bet(bet) for bet in lance.bets) or DASH,
            str(lance.agreed or DASH),
            winner,
            lance.cards or DASH,
            str(lance.won or DASH),
        ]

    def bet(self, bet: RecordedBet) -> str:
        """One bet in a few words."""
        name = self.name(bet.seat)
        if bet.kind == "ordago":
            return self.words("bet.ordago", name=name)
        if bet.kind == "raise":
            return self.words("bet.raise", stones=bet.stones, name=name, total=bet.total)
        return self.words("bet.bet", stones=bet.stones, name=name)

    def hands(self, hands: Sequence[HandRecord]) -> Iterator[str]:
        """The cards, what they are worth, and what was said of them."""
        columns = ("player", "cards", "pares", "juego", "said")
        rows = [self.hand_row(hand) for hand in hands]
        yield from _table([self.words(f"hands.{column}") for column in columns], rows)

    def hand_row(self, hand: HandRecord) -> list[str]:
        """One hand as a row."""
        pares = self.words("hands.no_pares")
        if hand.pares:
            pares = self.words("hands.worth", text=hand.pares, stones=hand.pares_stones)
        points = self.words("hands.points", points=hand.points)
        if hand.juego_stones:
            points = self.words("hands.worth", text=points, stones=hand.juego_stones)
        said = [
            self.words(f"hands.{lance}_{'yes' if holds else 'no'}")
            for lance, holds in (("pares", hand.said_pares), ("juego", hand.said_juego))
            if holds is not None
        ]
        return [self.name(hand.seat), hand.cards, pares, points, ", ".join(said) or DASH]

    def moves(self, deal: DealRecord) -> Iterator[str]:
        """Every stone with its reason and the score after it."""
        if not deal.moves:
            yield self.words("moves.none")
            return
        columns = ("when", "stones", "side", "why", "rule", "score")
        rows = [self.move_row(move) for move in deal.moves]
        yield from _table([self.words(f"moves.{column}") for column in columns], rows)

    def move_row(self, move: RecordedMove) -> list[str]:
        """One change of the score as a row."""
        why = self.words(f"why.{move.why}")
        if move.capped:
            why = self.words("moves.capped", text=why)
        if move.note:
            why = self.words("moves.note", text=why, note=clean(move.note))
        if move.lance:
            why = self.words("moves.lance", lance=self.lance(move.lance), text=why)
        return [
            f"{self.words(f'when.{move.when}')}, {_time(move.at)}",
            f"{move.stones:+d}" if move.stones else DASH,
            self.side(move.side),
            why,
            ", ".join(move.rows) or DASH,
            self.juegos(move.score) if move.when == "end" else self.stones(move.score.stones),
        ]

    def checks(self, deal: DealRecord) -> Iterator[str]:
        """Whether the recount comes to the same; each number that does not."""
        skipped = any(check.agrees is None for check in deal.checks)
        agrees = "checks.skipped" if skipped else "checks.agrees"
        yield self.words(agrees if deal.agrees else "checks.differs")
        for check in deal.checks:
            if check.agrees is False:
                told = {"about": check.about, "says": check.says, "found": check.found}
                yield f"- {self.words(f'checks.{check.code}', **told)}"

    def name(self, seat: int) -> str:
        """A player's name."""
        return clean(self.told.seats[seat - 1])

    def side(self, side: str) -> str:
        """The names of a side."""
        return clean(self.language.join(self.told.sides[side]))

    def lance(self, lance: str) -> str:
        """The name of a lance."""
        return self.language.lance(Lance(lance), "name")

    def stones(self, stones: Mapping[str, int]) -> str:
        """The stones by side letter: "A 12, B 7"."""
        return ", ".join(
            self.words("page.score_side", side=side, stones=n) for side, n in stones.items()
        )

    def score(self, score: RecordedScore) -> str:
        """Stones and juegos."""
        return f"{self.stones(score.stones)}; {self.juegos(score)}"

    def juegos(self, score: RecordedScore) -> str:
        """The juegos by side letter."""
        return self.words("page.juegos", juegos=self.stones(score.juegos))


def _is_talk(message: Message) -> bool:
    return not message.calls and all(v.outcome == "ignored" for v in message.verdicts)


def _is_of_the_count(line: RecordLine) -> bool:
    """Whether a line is about the count, which the tables below show better."""
    event = line.event
    if isinstance(event, StonesWon):
        return event.why is not Why.DEJE
    return isinstance(event, LanceDecided)


def _time(at: datetime) -> str:
    return f"{at:%H:%M:%S}"


def _time_of(deal: DealRecord, line: RecordLine) -> str:
    """The time of the message that a line belongs to; "" if there is none."""
    for message in deal.messages:
        if any(line.seq == other.seq for call in message.calls for other in call.lines):
            return f"**{_time(message.at)}** "
    return ""


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
