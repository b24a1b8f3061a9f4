"""Offering the Spanish model once, to whoever starts the table by hand where there is a network."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

from assistant.app.catalogue import Offer, installed, models_dir
from assistant.rules.errors import MusError

PATIENCE = 2.0
"""Seconds in which the network must show: nobody waits longer for a question."""
ASKED = ".offered"
"""The file that remembers that it was asked; scripts/run looks for it, too."""


def may_offer(offer: Offer) -> bool:
    """Whether to ask: somebody is there, it was never asked, and the model could be fetched."""
    asked = (models_dir() / ASKED).exists()
    somebody = sys.stdin.isatty() and sys.stderr.isatty() and not os.environ.get("CI")
    return somebody and not asked and not installed(offer.name) and _reachable(offer.url)


def offer_once(offer: Offer, ask: Callable[[], bool], take: Callable[[], None]) -> int:
    """Ask, and never again, whatever is answered; returns 0 where the model was taken, else 1."""
    models_dir().mkdir(parents=True, exist_ok=True)
    (models_dir() / ASKED).touch()
    try:
        if not ask():
            return 1
        take()
    except EOFError:
        return 1
    except MusError as error:
        # The table is played with what there is.
        print(f"mus: {error}\nPara más tarde: mus models fetch {offer.name}", file=sys.stderr)
        return 1
    return 0


def _reachable(url: str) -> bool:
    """Whether the model's server answers soon; the system may take minutes to find its name."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    answered = threading.Event()

    def knock() -> None:
        try:
            socket.create_connection((parts.hostname or "", port), PATIENCE).close()
            answered.set()
        except OSError:
            return

    knocking = threading.Thread(target=knock, daemon=True)
    knocking.start()
    knocking.join(PATIENCE)
    return answered.is_set()
