"""Enrolling a deck by a camera: each photograph is asked for, and again where it is no good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from assistant.app.draft import Draft
from assistant.app.errors import UsageError
from assistant.app.posing import TIMEOUT, still, wait_for
from assistant.rules.cards import Suit
from assistant.vision.errors import EnrolError
from assistant.vision.source import Source, open_source
from assistant.vision.still import moments

SKIP = "n"
NAMES = {
    Suit.OROS: "los oros",
    Suit.COPAS: "las copas",
    Suit.ESPADAS: "las espadas",
    Suit.BASTOS: "los bastos",
}


def photograph(draft: Draft, spec: str, parts: Sequence[Sequence[Suit]]) -> None:
    """Fill a draft by a camera: of each photograph, the suits from the top row down.

    A film or a picture is asked nothing: it shows each part in turn, wherever it stands still.
    Raises UsageError, CameraError, ImageError, and EnrolError where nobody can be asked again.
    """
    with open_source(spec) as source:
        if source.live:
            _ask_all(draft, source, parts)
            return
        shown = moments(source, TIMEOUT)
        for part in parts:
            frames = next(shown, None)
            if frames is None:
                raise UsageError(
                    f"{source.name} stands still too seldom: it has to show {len(parts)} times "
                    "cards that lie still. For one picture of all suits add --shots 1."
                )
            draft.add(frames[-1], part, source.name)


def _ask_all(draft: Draft, source: Source, parts: Sequence[Sequence[Suit]]) -> None:
    for at, part in enumerate(parts, start=1):
        suits = " y debajo ".join(NAMES[suit] for suit in part)
        _until_good(
            f"{at} de {len(parts)}. Pon {suits} en fila, del 1 al rey, y pulsa Intro.",
            partial(_learn, draft, source, part),
        )
    _until_good(
        f"Pon una sola carta boca abajo y pulsa Intro ({SKIP} e Intro: sin dorso).",
        lambda: draft.add_back(still(source)[-1], source.name),
        may_skip=True,
    )


def _learn(draft: Draft, source: Source, suits: Sequence[Suit]) -> None:
    draft.add(still(source)[-1], suits, source.name)


def _until_good(sentence: str, learn: Callable[[], None], *, may_skip: bool = False) -> None:
    """Ask for a photograph until something can be learnt from it."""
    while True:
        if wait_for(sentence) == SKIP and may_skip:
            return
        try:
            learn()
        except EnrolError as error:
            print(f"mus: {error}", file=sys.stderr, flush=True)
        else:
            return
