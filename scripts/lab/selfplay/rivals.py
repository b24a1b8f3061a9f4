"""Compiled rivals: the novice and the ``Thinker``, against which a pair is trained.

The novice is that of ``beginners``, call by call. The real thinker counts the habits of its rivals
from call to call. Here it plays a deal in one of a few moods, which say what it thinks of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from assistant.odds.deck import NO_KEY
from assistant.rules.cards import Card
from assistant.rules.profile import Profile
from assistant.school.players.strength import CHOOSE, FLOOR, Strength
from assistant.school.players.thinker import PARTNER_BRINGS, SIZES, Temper
from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BASE,
    BET,
    BETTOR,
    GO_ALL_IN,
    HAND,
    HOLDERS,
    JUEGO,
    LANCES,
    PARES,
    PASS,
    PHASE,
    PUNTO,
    SCORE,
    SPOKEN,
    STONES,
    TARGET,
    Arrays,
    Numbers,
    act,
)

TABLE, NOVICE, THINKER = range(3)
"""Kinds of player: what was learnt; the novice; the thinker."""
KINDS, NUMBERS, BELOW, KEYS, KEPT = range(10, 15)
"""Where a deck tells which kind each pair is; then what a thinker looks up."""
LEANS = np.concatenate(
    [np.arange(-0.5, 4.0, 0.25), np.arange(4.0, 8.0, 0.5), np.arange(8.0, 26.0, 1.0)]
)
"""How much better a hand is than a random one, as powers of its rank. These are tabulated."""
(BET_LEAN, RAISED, ALL_LEAN, SIZE_LEAN, PASSED, WANTS, WANTS_SIZE, FOLDS, FOLDS_SIZE, FOLDS_ALL,
 WANTS_ALL, MARGIN, BLUFF, STEEP, FOLDING, EDGE, SHARE) = range(17)  # fmt: skip
MOOD = 2
"""Places of a deck's KINDS: which kind each pair is; the thinker's mood."""
CALM = np.array([[1.0, 1.0, 1.0, 1.0, 0.0]])
"""One mood: its share, trust in bets, trust in all-ins, how rivals fold, how wild they are."""
ROOM = 1 << 22
"""Number of decisions of a thinker that are kept. A later one with the same place replaces it."""


def thinker_tables(kings: int, temper: Temper, moods: Numbers = CALM) -> Arrays:
    """What a compiled thinker looks up: its numbers, chances of hands, and kept decisions."""
    strength = Strength(Profile(kings=kings))
    hands = strength.hands
    count = len(hands.values)
    copies = hands.deck.copies
    ways = CHOOSE[copies, hands.counts].prod(axis=1)
    chance = np.array(
        [CHOOSE[copies - hands.counts[h], hands.counts].prod(axis=1) for h in range(count)]
    )
    most = max(int(hands.classes[lance].max()) for lance in LANCES) + 2
    below = np.zeros((5, count, len(LEANS), most), dtype=np.float32)
    for n, lance in enumerate(LANCES):
        classes = hands.classes[lance]
        plays = classes != NO_KEY
        by_class = np.bincount(classes[plays], ways[plays])
        share = np.cumsum(by_class) / by_class.sum()
        rank = np.where(plays, FLOOR + (1 - FLOOR) * share[classes], FLOOR)
        holds = plays if n in (PARES, JUEGO) else np.ones_like(plays)
        binned = np.zeros((count, most))
        binned[np.arange(count), np.where(plays, classes + 1, 0)] = 1.0
        for at, lean in enumerate(LEANS):
            law = (chance * holds * rank**lean) @ binned
            law /= np.maximum(law.sum(axis=1, keepdims=True), 1e-300)
            below[n, :, at] = np.cumsum(law, axis=1)
    numbers = np.array([_in_mood(temper, mood) for mood in moods])
    numbers[:, SHARE] = np.cumsum(moods[:, 0]) / moods[:, 0].sum()
    keys, kept = np.full(ROOM, -1, dtype=np.int64), np.zeros(ROOM, dtype=np.int8)
    return numbers, below, keys, kept


def _in_mood(temper: Temper, mood: Numbers) -> list[float]:
    _, trust, trust_all, folding, wild = mood.tolist()
    return [
        temper.bet * trust, temper.raised * trust, temper.ordago * trust_all, temper.size * trust,
        temper.passed, temper.wants * folding, temper.wants_size * folding, temper.folds,
        temper.folds_size, temper.folds_ordago, temper.wants_ordago * folding,
        temper.margin / folding, temper.bluff * folding, temper.steep, folding,
        1.0 + wild * (temper.edge - 1.0), 0.0,
    ]  # fmt: skip


def no_thinker() -> Arrays:
    """The same for a table without a thinker."""
    return (
        np.ones((1, 17)), np.zeros((5, 1, 1, 1), dtype=np.float32),
        np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int8),
    )  # fmt: skip


def fixed_habits(kings: int, kind: int, temper: Temper) -> tuple[Numbers, Numbers]:
    """Hand -> whether a rival of this kind says mus, and its throw as bits of places."""
    strength = Strength(Profile(kings=kings))
    hands = strength.hands
    mus = np.zeros(len(hands.values), dtype=bool)
    throws = np.zeros(len(hands.values), dtype=np.int64)
    for n, ranks in enumerate(hands.ranks):
        if kind == THINKER:
            mus[n] = strength.worth()[n] < temper.cut
            thrown = strength.thrown(tuple(Card(rank) for rank in ranks))
            throws[n] = sum(1 << place for place in thrown)
        else:
            value = hands.values[n]
            mus[n] = not (value.points == 31 or (value.pares is not None and value.pares.value > 1))
            throws[n] = _novice_throws(hands.counts[n])
    return mus, throws


def _novice_throws(counts: Numbers) -> int:
    """All but reyes; without a rey, all but ases; at least one. Cards are sorted best first."""
    four = np.repeat(np.arange(len(counts)), counts)
    for wanted in (0, len(counts) - 1):
        bits = sum(1 << place for place in range(4) if four[place] != wanted)
        if bits != 15:
            return bits or 8
    return 15


# ---- The novice ----------------------------------------------------------------------------------


@njit(cache=True)
def novice_worth(row: Numbers, seat: int, deck: Arrays) -> int:
    """How a novice rates its cards: 0, 1 for a small bet, 2 for any bet."""
    lance, hand = row[PHASE], row[HAND + seat]
    four = deck[8][hand]
    last = deck[6].shape[0] - 1
    if lance == 0 or lance == 1:
        wanted, many = (0 if lance == 0 else last), 0
        for place in range(4):
            many += four[place] == wanted
        return max(0, many - 1)
    if lance == PARES:
        return max(0, deck[1][0, hand] - 1)
    if lance == PUNTO:
        return deck[9][1, hand]
    return deck[9][0, hand]


@njit(cache=True)
def novice_speaks(row: Numbers, seat: int, deck: Arrays) -> None:
    """Say the novice's call."""
    classes = deck[0]
    worth = novice_worth(row, seat, deck)
    if row[BETTOR] >= 0:
        dear = row[ALL_IN] or row[STONES] > 5
        act(row, classes, ACCEPT if worth > dear else PASS, 0)
    elif worth:
        act(row, classes, BET, 2)
    else:
        act(row, classes, PASS, 0)


# ---- The thinker ---------------------------------------------------------------------------------


@njit(cache=True)
def lean_at(lean: float) -> int:
    """The place of a lean in LEANS, or the nearest one."""
    if lean < 4.0:
        return max(0, int((lean + 0.5) * 4 + 0.5))
    if lean < 8.0:
        return 18 + int((lean - 4.0) * 2 + 0.5)
    return min(43, 26 + int(lean - 8.0 + 0.5))


@njit(cache=True)
def lean_of(row: Numbers, seat: int, numbers: Numbers) -> float:
    """How much better than random a hand is, by what its player said in this lance."""
    if row[BETTOR] == seat:
        if row[ALL_IN]:
            return numbers[ALL_LEAN]
        raised = numbers[RAISED] if row[BASE] else 0.0
        return numbers[BET_LEAN] + raised + numbers[SIZE_LEAN] * np.log2(max(2, row[STONES]) / 2)
    return numbers[PASSED] if row[SPOKEN] >> seat & 1 else 0.0


@njit(cache=True)
def wins(
    row: Numbers, seat: int, wanted: float, classes: Numbers, numbers: Numbers, below: Numbers
) -> float:
    """The chance of a seat's pair to win the lance; ``wanted`` leans the rivals."""
    lance, hand = row[PHASE], row[HAND + seat]
    here = classes[lance, hand] + 1
    partner, left, right = (seat + 2) & 3, (seat + 1) & 3, (seat + 3) & 3
    takes_left, takes_right = row[HOLDERS] >> left & 1, row[HOLDERS] >> right & 1
    one = below[lance, hand, lean_at(lean_of(row, left, numbers) + wanted)]
    two = below[lance, hand, lean_at(lean_of(row, right, numbers) + wanted)]
    mine = 1.0
    if takes_left:
        mine *= one[here] if left > seat else one[here - 1]
    if takes_right:
        mine *= two[here] if right > seat else two[here - 1]
    if not row[HOLDERS] >> partner & 1:
        return mine if here > 0 else 0.0
    also = below[lance, hand, lean_at(lean_of(row, partner, numbers))]
    first = here if here > 0 and partner < seat else here + 1
    whole = mine * also[first - 1] if here > 0 else 0.0
    before = also[first - 1]
    for held in range(first, also.shape[0]):
        mass = also[held] - before
        before = also[held]
        if mass > 0:
            if takes_left:
                mass *= one[held] if left > partner else one[held - 1]
            if takes_right:
                mass *= two[held] if right > partner else two[held - 1]
            whole += mass
    return whole


@njit(cache=True)
def draw_mood(deck: Arrays) -> None:
    """Put a thinker of the deck into one of its moods."""
    numbers, dice = deck[NUMBERS], np.random.random()
    mood = 0
    while mood < len(numbers) - 1 and dice >= numbers[mood, SHARE]:
        mood += 1
    deck[KINDS][MOOD] = mood


@njit(cache=True)
def likely(folds: float, folding: float) -> float:
    """How often rivals refuse what most refuse with a frequency of ``folds``."""
    odds = folding * folds
    return min(0.97, max(0.0, odds / (1.0 - folds + odds)))


@njit(cache=True)
def leaves(ours: float, theirs: float, steep: float, edge: float) -> float:
    """The chance to win the juego with this many stones still needed."""
    if ours <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    good, bad = edge * theirs**steep, ours**steep
    return good / (good + bad)


@njit(cache=True)
def thinks(row: Numbers, seat: int, deck: Arrays, numbers: Numbers, below: Numbers) -> int:
    """The thinker's choice without bluffs: 0 least, 1 accepts, 2 to 5 stones of SIZES, 6 all in."""
    classes, stones_of = deck[0], deck[1]
    lance, hand, side = row[PHASE], row[HAND + seat], seat & 1
    steep, edge, margin = numbers[STEEP], numbers[EDGE], numbers[MARGIN]
    folding = numbers[FOLDING]
    left = max(1, row[TARGET] - row[SCORE + side])
    theirs_left = max(1, row[TARGET] - row[SCORE + 1 - side])
    ours = theirs = 0.0
    if lance == PUNTO:
        ours = theirs = 1.0
    elif lance >= PARES:
        usual = BRINGS[lance - PARES]
        ours = stones_of[lance - PARES, hand] + (
            usual if row[HOLDERS] >> ((seat + 2) & 3) & 1 else 0.0
        )
        for step in (1, 3):
            if row[HOLDERS] >> ((seat + step) & 3) & 1:
                theirs += usual
    now = wins(row, seat, 0.0, classes, numbers, below)
    pending = row[BETTOR] >= 0
    found = 0
    if not pending:
        even = 0 if lance in (PARES, JUEGO) else 1
        most = (
            now * leaves(left - even - ours, theirs_left, steep, edge)
            + (1 - now) * leaves(left, theirs_left - even - theirs, steep, edge)
            + margin
        )
        refused = leaves(left - 1 - ours, theirs_left, steep, edge)
        for n in range(4):
            stones = STAKED[n]
            doubled = np.log2(stones / 2)
            later = wins(
                row, seat, numbers[WANTS] + numbers[WANTS_SIZE] * doubled, classes, numbers, below
            )
            wanted = later * leaves(left - stones - ours, theirs_left, steep, edge)
            wanted += (1 - later) * leaves(left, theirs_left - stones - theirs, steep, edge)
            folds = likely(numbers[FOLDS] + numbers[FOLDS_SIZE] * doubled, folding)
            brings = folds * refused + (1 - folds) * wanted
            if brings > most:
                found, most = 2 + n, brings
    else:
        bet = row[STONES]
        all_in = row[ALL_IN] > 0
        most = leaves(left, theirs_left - max(1, row[BASE]) - theirs, steep, edge)
        won = 1.0 if all_in else leaves(left - bet - ours, theirs_left, steep, edge)
        lost = 0.0 if all_in else leaves(left, theirs_left - bet - theirs, steep, edge)
        brings = now * won + (1 - now) * lost
        if brings > most:
            found, most = 1, brings
        if all_in:
            return found
        refused = leaves(left - bet - ours, theirs_left, steep, edge)
        if bet < max(left, theirs_left):
            for n in range(3):
                whole = bet + STAKED[n]
                doubled = np.log2(whole / 2)
                later = wins(
                    row,
                    seat,
                    numbers[WANTS] + numbers[WANTS_SIZE] * doubled,
                    classes,
                    numbers,
                    below,
                )
                wanted = later * leaves(left - whole - ours, theirs_left, steep, edge)
                wanted += (1 - later) * leaves(left, theirs_left - whole - theirs, steep, edge)
                folds = likely(numbers[FOLDS] + numbers[FOLDS_SIZE] * doubled, folding) / 2
                brings = folds * refused + (1 - folds) * wanted
                if brings > most + margin:
                    found, most = 2 + n, brings
    sure = wins(row, seat, numbers[WANTS_ALL], classes, numbers, below)
    folds = likely(numbers[FOLDS_ALL], folding)
    if pending:
        folds /= 2
    return 6 if folds * refused + (1 - folds) * sure > most + margin else found


BRINGS = np.array([PARTNER_BRINGS[lance] for lance in LANCES[PARES : JUEGO + 1]])
STAKED = np.array(SIZES)


@njit(cache=True)
def kept_need(need: int) -> int:
    """Classes of need for kept decisions: each up to twelve, then three at a time."""
    return need if need <= 12 else 12 + (need - 10) // 3


@njit(cache=True)
def thinker_speaks(row: Numbers, seat: int, deck: Arrays) -> None:
    """Say the thinker's call. A decision at the same place is not worked out again."""
    mood = deck[KINDS][MOOD]
    numbers, below, keys, kept = deck[NUMBERS][mood], deck[BELOW], deck[KEYS], deck[KEPT]
    side = seat & 1
    key = (row[PHASE] * 330 + row[HAND + seat]) * 16 + mood
    key = key * 4 + seat
    key = key * 16 + row[HOLDERS]
    key = key * 16 + row[SPOKEN]
    key = key * 6 + (5 if row[ALL_IN] else row[BETTOR] + 1)
    key = key * 64 + (0 if row[ALL_IN] else min(63, row[STONES]))
    key = key * 64 + min(63, row[BASE])
    key = key * 32 + kept_need(max(1, row[TARGET] - row[SCORE + side]))
    key = key * 32 + kept_need(max(1, row[TARGET] - row[SCORE + 1 - side]))
    at = (key * 0x5851F42D4C957F2D >> 33) & (len(keys) - 1)
    if keys[at] == key:
        said = kept[at]
    else:
        said = thinks(row, seat, deck, numbers, below)
        keys[at], kept[at] = key, said
    classes = deck[0]
    if said == 0 and row[BETTOR] < 0 and np.random.random() < numbers[BLUFF]:
        said = 2
    if said == 0:
        act(row, classes, PASS, 0)
    elif said == 1:
        act(row, classes, ACCEPT, 0)
    elif said == 6:
        act(row, classes, GO_ALL_IN, 0)
    else:
        act(row, classes, BET, STAKED[said - 2])


@njit(cache=True)
def rival_speaks(kind: int, row: Numbers, seat: int, deck: Arrays) -> None:
    """Say the call of a rival that does not learn."""
    if kind == NOVICE:
        novice_speaks(row, seat, deck)
    else:
        thinker_speaks(row, seat, deck)
