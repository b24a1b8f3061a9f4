"""Authorisation on the page: who may press its buttons, and the PIN that other devices give."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

from flask import Flask, Request, Response, current_app, jsonify, request, session
from werkzeug.exceptions import Forbidden, TooManyRequests

from assistant.files.atomic import write_private
from assistant.files.paths import own_data_dir
from assistant.messages.documents import parse_json
from assistant.page.guard import AT_HOME, GUESTS, Guests, plain_url, qr_svg
from assistant.page.incoming import body_of, pin_of

# ---- The PIN of this machine's page and the key that signs its cookies, made once and kept ------


FILE = "page.json"
DIGITS = 6
SECRET_BYTES = 32


def keys_path() -> Path:
    """The file of the keys, in the user's data folder (XDG). If it is missing, the PIN is new."""
    return own_data_dir() / FILE


def page_keys(path: Path) -> Keys:
    """The keys in a file; new ones if it is missing or has none. Raises OSError."""
    keys = found_keys(path)
    if keys is None:
        keys = new_keys()
        write_private(path, keys_as_text(keys))
    return keys


def found_keys(path: Path) -> Keys | None:
    """The keys in a file, if there are any. Raises OSError."""
    try:
        return keys_of_text(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def new_keys() -> Keys:
    """New random keys."""
    return Keys(secrets.token_bytes(SECRET_BYTES), f"{secrets.randbelow(10**DIGITS):0{DIGITS}}")


def keys_as_text(keys: Keys) -> str:
    """The keys as the text of their file."""
    return json.dumps({"pin": keys.pin, "secret": keys.secret.hex()})


def keys_of_text(text: str) -> Keys:
    """The keys in such a text. Raises ValueError, KeyError, TypeError if there are none."""
    told = parse_json(text)
    keys = Keys(bytes.fromhex(told["secret"]), str(told["pin"]))
    if len(keys.secret) < SECRET_BYTES or not keys.pin:
        raise ValueError("no keys")
    return keys


# ---- Who may press buttons: the table's own screen, and every device that has given the PIN ------
# All others in the local network only look on. A device that gave the PIN keeps a cookie. Its
# signature's key outlives a restart; a new PIN makes all such cookies worthless.


COOKIE = "mus"
KEEPS = timedelta(days=90)
FREE = 3
"""Wrong PINs that a device may give before it has to wait."""
LONGEST = 60.0
"""The longest wait in seconds: people mistype, and a million PINs would still take two years."""
COMMON_FREE, COMMON_SECONDS = 60, 10.0
"""Wrong PINs that all devices together may give, and the seconds until one more. Somebody with many
addresses has 420 guesses in the first hour and 360 in each later one, and needs a month."""
REMEMBERED = 1000
"""The most devices whose wrong PINs are remembered; nobody at the table has as many."""
ENTER = "/api/enter"
PIN = "mus.pin"
"""Where an app that has a door keeps its PIN."""
NOT_TOLD = "Tell the table's PIN first: it stands on the table's own screen."
MAY_TOUCH = "mus.may_touch"
"""Where an app keeps the function that says whether the present request may press buttons."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that open the table to other devices.

    ``secret``: signs cookies; ``pin``: six digits that people at the table give each other.
    """

    secret: bytes
    pin: str


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0


class Patience:
    """The waits after wrong PINs: the more a device gives, the longer it waits."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        free: int = FREE,
        longest: float = LONGEST,
        common: int | None = None,
    ) -> None:
        """``common``: wrong PINs that all devices together may give before all have to wait."""
        self._clock = clock
        self._common = common
        self._spent, self._since = 0.0, clock()
        self._free = free
        self._longest = longest
        self._lock = threading.Lock()
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def left(self, address: str) -> float:
        """Seconds until the device may try again; 0 if it may now."""
        with self._lock:
            tries = self._tries.get(address)
            own = max(0.0, tries.until - self._clock()) if tries else 0.0
            return max(own, self._all_wait())

    def wrong(self, address: str) -> float:
        """Remember a wrong PIN; returns the seconds to wait."""
        with self._lock:
            tries = self._tries.setdefault(address, _Tries())
            self._tries.move_to_end(address)
            while len(self._tries) > REMEMBERED:
                self._tries.popitem(last=False)
            tries.wrong += 1
            self._spent += 1.0
            over = tries.wrong - self._free
            wait = min(self._longest, 2.0 ** min(over, 30)) if over > 0 else 0.0
            tries.until = self._clock() + wait
            return wait

    def _all_wait(self) -> float:
        """Seconds until any device may give another PIN."""
        if self._common is None:
            return 0.0
        now = self._clock()
        self._spent = max(0.0, self._spent - (now - self._since) / COMMON_SECONDS)
        self._since = now
        return max(0.0, self._spent + 1.0 - self._common) * COMMON_SECONDS

    def right(self, address: str) -> int:
        """Forget the device's wrong PINs; returns how many there were."""
        with self._lock:
            tries = self._tries.pop(address, None)
            return tries.wrong if tries else 0

    def forgive(self, address: str, many: int) -> None:
        """Forget ``many`` of the device's wrong PINs."""
        with self._lock:
            if tries := self._tries.get(address):
                tries.wrong = max(0, tries.wrong - many)


def add_door(
    app: Flask,
    keys: Keys,
    patience: Patience | None = None,
    free: Callable[[str], bool] = lambda _path: False,
) -> None:
    """Refuse every change that comes neither from the table's own screen nor with the PIN.

    ``free``: whether a path is exempt, because it asks for another proof by itself.
    """
    app.secret_key = keys.secret
    app.config.update(
        SESSION_COOKIE_NAME=COOKIE,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=KEEPS,
    )
    waits = patience or Patience(common=COMMON_FREE)
    mark = _mark(keys)
    guests: Guests = app.extensions[GUESTS]

    @app.before_request
    def _only_who_may() -> None:
        if request.remote_addr not in AT_HOME and _told_the_pin(mark):
            guests.trust(request.remote_addr or "")
        touching = request.method not in ("GET", "HEAD", "OPTIONS")
        if not touching or request.path == ENTER or free(request.path):
            return
        if not _may_touch(request, mark):
            raise Forbidden(NOT_TOLD)

    app.extensions[MAY_TOUCH] = lambda: _may_touch(request, mark)
    app.extensions[PIN] = keys.pin

    @app.get("/api/me")
    def me() -> Response:
        may = _may_touch(request, mark)
        return jsonify(may_touch=may, pin=keys.pin if may else None, address=plain_url(request))

    @app.get("/qr.svg")
    def qr() -> Response:
        return Response(qr_svg(f"{plain_url(request)}phone"), mimetype="image/svg+xml")

    @app.post(ENTER)
    def enter() -> Response:
        told, address = pin_of(body_of(request)), request.remote_addr or ""
        if not proved(waits, address, hmac.compare_digest(told, keys.pin)):
            raise Forbidden("That is not the table's PIN.")
        guests.trust(address)
        session.permanent = True
        session["mark"] = mark
        return jsonify(may_touch=True, pin=keys.pin, address=plain_url(request))


def check_may_touch() -> None:
    """Raise Forbidden if the device of the present request may only look on."""
    if not current_app.extensions[MAY_TOUCH]():
        raise Forbidden(NOT_TOLD)


def table_pin() -> str | None:
    """The PIN of the present app; None if it has no door. Only for answers that need the PIN."""
    pin: str | None = current_app.extensions.get(PIN)
    return pin


def proved(waits: Patience, address: str, right: bool) -> bool:
    """Whether a device gave the right secret. Raises TooManyRequests if it has to wait."""
    if left := waits.left(address):
        must_wait(left)
    if right:
        waits.right(address)
    elif wait := waits.wrong(address):
        must_wait(wait)
    return right


def add_no_door(app: Flask) -> None:
    """Allow everything: only this machine is served."""
    app.extensions[MAY_TOUCH] = lambda: True

    @app.get("/api/me")
    def me() -> Response:
        return jsonify(may_touch=True, pin=None, address=None)


def _may_touch(request: Request, mark: str) -> bool:
    return request.remote_addr in AT_HOME or _told_the_pin(mark)


def _told_the_pin(mark: str) -> bool:
    """Whether the cookie of the present request proves that the PIN was given."""
    return hmac.compare_digest(str(session.get("mark", "")).encode(), mark.encode())


def _mark(keys: Keys) -> str:
    """The content of a cookie: it proves that the PIN was given, and does not reveal it."""
    return hmac.new(keys.secret, keys.pin.encode(), sha256).hexdigest()


def must_wait(seconds: float) -> NoReturn:
    """Raise TooManyRequests: the device has to wait for so long."""
    raise TooManyRequests(
        f"Too many wrong PINs: try again in {round(seconds)} seconds.", retry_after=round(seconds)
    )
