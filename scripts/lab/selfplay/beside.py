"""Deals that the compiled simulator and the real rules play at once, call by call."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistant.rules import calls as c
from assistant.rules.cards import Hand
from assistant.rules.engine import decide, missing_hands, open_game, to_speak
from assistant.rules.phases import BEFORE_LANCES, DECLARING, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.players import sight_of
from assistant.school.players.maestro import Lore
from assistant.school.practice import dealt
from assistant.school.practice.reasons import declaration
from scripts.lab.playing.juego import SEATS, _after
from scripts.lab.selfplay import learn
from scripts.lab.selfplay.deal import (
    ACCEPT,
    BASE,
    BET,
    BETTOR,
    GO_ALL_IN,
    HAND,
    LANCES,
    PASS,
    PHASE,
    ROW,
    SCORE,
    STONES,
    WINNER,
    act,
    count,
    to_act,
)


class DifferError(Exception):
    """The simulator and the rules do not agree. The text says where."""


@dataclass
class Beside:
    """One juego at a time, of random calls. ``play`` raises DifferError at the first difference."""

    deck: tuple[Any, ...]
    profile: Profile
    lore: Lore
    """Any lore, because it only tells where a player looks up its moments."""

    def play(self, seed: int) -> int:
        """Play one juego to its end. Returns the number of its deals."""
        dice = random.Random(seed)
        mano = dice.randrange(4)
        state = _after(None, open_game(self.profile, SEATS, mano + 1))
        meta = np.zeros(learn.META, dtype=np.int64)
        meta[learn.GOAL], meta[learn.MANO] = self.profile.target, mano
        meta[learn.CORRIDO] = 1
        bold = dice.choice([0.02, 0.1, 0.3])
        deals = 0
        while state.phase is not Phase.OVER:
            deals += 1
            state = self._deal(state, meta, dice, bold)
        return deals

    def _deal(self, state: State, meta: Any, dice: random.Random, bold: float) -> State:
        meta[learn.CUT_BY] = -1
        while state.phase in BEFORE_LANCES:
            state = self._mus(state, meta, dice)
        hands = dealt(dice).hands
        row = np.zeros(ROW, dtype=np.int64)
        numbers = np.array([self.lore.hands.number(x.rank for x in hand) for hand in hands])
        cards = (None, None, numbers, None, None)
        _to_lances(meta, cards[2], row)
        _same("corrido", bool(meta[learn.CORRIDO]), state.corrido)
        while (seat := to_act(row)) >= 0:
            state = self._declared(state, hands)
            state = self._call(state, row, seat, meta, dice, bold)
        state = self._declared(state, hands)
        while state.phase is Phase.SHOWDOWN and missing_hands(state):
            shown = missing_hands(state)[0]
            state = decide(state, c.ShowHand(seat=shown, cards=hands[shown - 1])).state
            while state.proposals:
                state = decide(state, c.Verdict(apply=False)).state
        count(row, self.deck[0], self.deck[1])
        return self._ended(state, row, meta)

    def _mus(self, state: State, meta: Any, dice: random.Random) -> State:
        for place in range(4):
            seat = (int(meta[learn.MANO]) + place) & 3
            _same("who speaks of mus", seat + 1, to_speak(state))
            hand = dice.randrange(len(self.lore.hands.values))
            score = learn.seat_score(meta, seat, self.deck[5])
            changes, corrido = state.discards, bool(meta[learn.CORRIDO])
            mine = learn.mus_place(hand, place, changes, corrido, score) // 2
            _same("place of mus", int(mine), self.lore.mus_place(state, seat + 1, hand))
            if dice.random() < 0.3:
                learn.cut(meta, seat)
                return decide(state, c.Cut(seat=seat + 1)).state
            state = decide(state, c.Mus(seat=seat + 1)).state
        if meta[learn.CORRIDO]:
            meta[learn.MANO] = (meta[learn.MANO] + 1) & 3
        _same("mano", int(meta[learn.MANO]) + 1, state.mano)
        return state

    def _declared(self, state: State, hands: tuple[Hand, ...]) -> State:
        while state.phase in DECLARING:
            seat = to_speak(state)
            assert seat is not None
            state = decide(state, declaration(sight_of(state, seat, hands[seat - 1]))).state
        return state

    def _call(
        self, state: State, row: Any, seat: int, meta: Any, dice: random.Random, bold: float
    ) -> State:
        at_table = (int(meta[learn.MANO]) + seat) % 4 + 1
        _same("who speaks", at_table, to_speak(state))
        _same("lance", LANCES[row[PHASE]], state.lance)
        bet = state.pending
        stands = None if bet is None else (bet.stones, bet.base, bet.seat)
        mine = None
        if row[BETTOR] >= 0:
            bettor = (int(meta[learn.MANO]) + int(row[BETTOR])) % 4 + 1
            mine = (int(row[STONES]), int(row[BASE]), bettor)
        _same("bet", mine, stands)
        hand = int(row[HAND + seat])
        looked = learn.place(row, seat, self.deck[2], self.deck[4], self.deck[5])
        lance = int(row[PHASE])
        at = self.lore.place(state, at_table, hand) * learn.ACTIONS + self.deck[4][lance]
        _same("place", int(looked), int(at))
        kind, stones = self._choice(bet is not None, bool(bet and bet.ordago), dice, bold)
        act(row, self.deck[0], kind, stones)
        call: c.Call
        if kind == PASS:
            call = c.Refuse(seat=at_table) if bet else c.Pass(seat=at_table)
        elif kind == ACCEPT:
            call = c.Accept(seat=at_table)
        elif kind == GO_ALL_IN:
            call = c.Ordago(seat=at_table)
        elif bet:
            call = c.Raise(seat=at_table, stones=stones)
        else:
            call = c.Bet(seat=at_table, stones=stones)
        return decide(state, call).state

    def _choice(
        self, pending: bool, all_in: bool, dice: random.Random, bold: float
    ) -> tuple[int, int]:
        if dice.random() < bold / 5 and not all_in:
            return GO_ALL_IN, 0
        if dice.random() < bold and not all_in:
            return BET, dice.choice([1, 2, 3, 5, 8]) if pending else dice.choice([2, 3, 5, 10])
        return (ACCEPT if pending and dice.random() < 0.4 else PASS), 0

    def _ended(self, state: State, row: Any, meta: Any) -> State:
        side = int(meta[learn.MANO]) & 1
        won = state.juego_won or state.winner
        _same("juego", None if row[WINNER] < 0 else "AB"[int(row[WINNER]) ^ side], won)
        if won:
            return state
        ours, theirs = int(row[SCORE]), int(row[SCORE + 1])
        _same("stones", (theirs, ours) if side else (ours, theirs), state.stones)
        meta[learn.POINTS + side], meta[learn.POINTS + 1 - side] = ours, theirs
        meta[learn.CORRIDO] = 0
        meta[learn.MANO] = (meta[learn.MANO] + 1) & 3
        return decide(state, c.NextDeal()).state


def _to_lances(meta: Any, numbers: Any, row: Any) -> None:
    """``learn.to_lances`` with nothing but the numbers."""
    empty = np.zeros(0, dtype=np.int64)
    learn.to_lances(meta, (empty, empty, numbers, np.zeros((0, 0), np.int64), empty), row)


def _same(what: str, mine: object, rules: object) -> None:
    if mine != rules:
        raise DifferError(f"{what}: the simulator has {mine!r}, the rules {rules!r}")
