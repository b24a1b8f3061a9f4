"""The speed of the compiled simulator: deals a second, with random calls."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

from scripts.lab.selfplay import learn
from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BET,
    BETTOR,
    GO_ALL_IN,
    PASS,
    ROW,
    SCORE,
    WINNER,
    act,
    count,
    deal_out,
    to_act,
)


@njit(cache=True, nogil=True)
def random_deals(deals: int, seed: int, deck: Any, cards: Any, row: Any) -> tuple[int, int]:
    """Play whole deals with mus, discards, lances and count, in juegos to 40.

    Returns the number of finished juegos, and of calls.
    """
    np.random.seed(seed)
    pack, left, hands, held, thrown = cards
    meta = np.zeros(learn.META, dtype=np.int64)
    meta[learn.GOAL] = 40
    juegos = calls = 0
    for _ in range(deals):
        meta[learn.CHANGES] = 0
        left[0], left[1] = 16, 0
        deal_out(pack, deck[7], deck[6], hands, held)
        while True:
            calls += 1
            if np.random.random() < 0.5:
                break
            calls += 3
            for seat in range(4):
                thrown[seat] = 1 + int(15 * np.random.random())
            learn.exchange(meta, cards, deck)
        learn.cut(meta, meta[learn.MANO])
        learn.to_lances(meta, cards, row)
        while to_act(row) >= 0:
            calls += 1
            dice = np.random.random()
            if row[ALL_IN]:
                act(row, deck[0], ACCEPT if dice < 0.1 else PASS, 0)
            elif dice < 0.02:
                act(row, deck[0], GO_ALL_IN, 0)
            elif dice < 0.25:
                act(row, deck[0], BET, 2)
            else:
                act(row, deck[0], ACCEPT if row[BETTOR] >= 0 and dice < 0.6 else PASS, 0)
        count(row, deck[0], deck[1])
        side = meta[learn.MANO] & 1
        meta[learn.POINTS + side], meta[learn.POINTS + 1 - side] = row[SCORE], row[SCORE + 1]
        if row[WINNER] >= 0:
            juegos += 1
            meta[learn.POINTS] = meta[learn.POINTS + 1] = 0
        meta[learn.MANO] = (meta[learn.MANO] + 1) & 3
    return juegos, calls


def room(deck: Any) -> tuple[Any, Any]:
    """The arrays in which one thread plays: the cards, and a deal's row."""
    return learn.cards_of(deck[7]), np.zeros(ROW, dtype=np.int64)


def deals_a_second(deck: Any, deals: int, threads: int) -> dict[str, float]:
    """Play on this many threads at once. Deals a second by the clock, and by processor time."""
    random_deals(1, 0, deck, *room(deck))
    began, busy = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        played = list(
            pool.map(lambda n: random_deals(deals, n + 1, deck, *room(deck)), range(threads))
        )
    clock, spent = time.perf_counter() - began, time.process_time() - busy
    return {
        "deals": deals * threads,
        "juegos": sum(juegos for juegos, _ in played),
        "calls_a_deal": sum(calls for _, calls in played) / (deals * threads),
        "a_second": deals * threads / clock,
        "a_core_second": deals * threads / spent,
    }
