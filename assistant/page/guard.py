"""The guard of the page: which requests are answered, and limits on what strangers may use."""

from __future__ import annotations

import ipaddress
import socket
from collections import Counter, OrderedDict
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlsplit

import cv2
import numpy as np
from flask import Flask, Request, Response, current_app, request
from werkzeug.exceptions import Forbidden, MisdirectedRequest

# ---- The page's address in the local network, also as a QR code ---------------------------------


PORTS = "mus.ports"
"""Where an app keeps the ``Ports`` on which it is served."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address that belongs to nobody (RFC 5737)."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of a page: the plain one, and the secure one if there is one."""

    plain: int
    secure: int | None


def own_address() -> str:
    """This machine's address in its network, or its name if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # picks a route; with UDP nothing is sent
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def plain_url(request: Request) -> str:
    """The plain address of the page for other devices, whichever one is asked."""
    ports: Ports | None = current_app.extensions.get(PORTS)
    port = ports.plain if ports else request.environ["SERVER_PORT"]
    return f"http://{own_address()}:{port}/"


def secure_url(request: Request) -> str | None:
    """The secure address of the page under the name by which it is asked; None if there is none."""
    ports: Ports | None = current_app.extensions.get(PORTS)
    name = _host_name(request.host)
    return f"https://{name}:{ports.secure}/" if ports and ports.secure else None


QUIET_ZONE = 4
"""Modules that stay white around a QR code. OpenCV's encoder leaves two, and its reader fails more
often then."""


def qr_svg(text: str) -> str:
    """A QR code as SVG, with the quiet zone of four modules that readers need (ISO/IEC 18004)."""
    drawn = np.asarray(cv2.QRCodeEncoder.create().encode(text)) == 0
    dark_rows, dark_columns = drawn.any(axis=1).nonzero()[0], drawn.any(axis=0).nonzero()[0]
    code = drawn[dark_rows[0] : dark_rows[-1] + 1, dark_columns[0] : dark_columns[-1] + 1]
    modules = np.pad(code, QUIET_ZONE)
    size = len(modules)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules).tolist())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>'
        f'<path d="{dark}"/></svg>'
    )


# ---- Which requests are answered: hosts, origins and what a browser may load --------------------
# The page of a table has no password, so no other web page may reach it:
#
# - The Host header must name this machine. A foreign site that points its own name at 127.0.0.1
#   (DNS rebinding) sends its own name and is turned away. An address in digits cannot be rebound;
#   it is accepted if the page is open to the local network.
# - A POST must be JSON, which no foreign form can send, and come from our own origin.
# - The Content-Security-Policy lets the page load its own files and nothing else.


FOREIGN = "This request comes from another site's page."
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; font-src 'self'; media-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def guard(app: Flask, *, lan: bool) -> None:
    """Add the checks before every request, and the headers to every answer."""
    names = LOOPBACK | (machine_names() if lan else frozenset())

    @app.before_request
    def _check() -> None:
        check_host(request.host, names, digits=lan)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            check_origin(request)

    @app.after_request
    def _add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response


def machine_names() -> frozenset[str]:
    """The names under which other devices of the local network find this machine."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"} - {""})


def check_host(host: str, names: frozenset[str], *, digits: bool) -> None:
    """Raise MisdirectedRequest unless the Host header names this machine.

    ``digits``: accept any address in digits, too.
    """
    name = _host_name(host)
    if name in names or (digits and _is_address(name)):
        return
    raise MisdirectedRequest("This page answers to this machine's own name and address alone.")


def check_origin(request: Request) -> None:
    """Raise Forbidden if a browser says that another site's page sends this.

    Every browser sends Origin with a POST. A program that sends neither header is no browser, so it
    cannot carry out the orders of a foreign page.
    """
    check_socket_origin(request)
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise Forbidden(FOREIGN)


def check_socket_origin(request: Request) -> None:
    """Raise Forbidden if a browser says that another site's page opens this WebSocket.

    Every browser sends Origin with it. What Sec-Fetch-Site says of one differs from browser to
    browser, because ``wss`` is another scheme than ``https``.
    """
    origin = request.headers.get("Origin")
    if origin is not None and origin != request.host_url.rstrip("/"):
        raise Forbidden(FOREIGN)


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


# ---- Limits for strangers, so that the table's own devices are never shut out -------------------
# A stranger is an address that is neither this machine's nor that of a device which gave the PIN.
# One stranger too many is sent away at once, so that a bar full of guests, or one guest with a
# thousand connections, does not stop the table's page, voice or ear.


GUESTS = "mus.guests"
"""Where an app keeps its ``Guests``."""
AT_HOME = ("127.0.0.1", "::1")
MOST, MOST_EACH = 420, 24
"""The most connections of all strangers, and of one address; a browser opens six to eight."""
MOST_STREAMS, MOST_STREAMS_EACH = 320, 8
"""The same for streams of events; each open page has one."""
KNOWN_KEPT = 500
"""The most addresses that gave the PIN and are remembered, until the next start."""


class Guests:
    """The open connections by address, and whether one more may open. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._connections: Counter[str] = Counter()
        self._streams: Counter[str] = Counter()

    def trust(self, address: str) -> None:
        """Count an address among the table's own from now on, because it gave the PIN."""
        with self._lock:
            self._known[address] = None
            self._known.move_to_end(address)
            while len(self._known) > KNOWN_KEPT:
                self._known.popitem(last=False)

    def is_own(self, address: str) -> bool:
        """Whether an address is this machine's, or gave the PIN."""
        with self._lock:
            return self._is_own(address)

    def connects(self, address: str) -> bool:
        """Accept a connection, or refuse it. Call ``leaves`` when an accepted one ends."""
        return self._enter(self._connections, address, MOST, MOST_EACH)

    def leaves(self, address: str) -> None:
        """A connection has ended."""
        self._leave(self._connections, address)

    def listens(self, address: str) -> bool:
        """Accept a stream, or refuse it. Call ``stops`` when an accepted one ends."""
        return self._enter(self._streams, address, MOST_STREAMS, MOST_STREAMS_EACH)

    def may_listen(self, address: str) -> bool:
        """Whether a stream would be accepted now."""
        with self._lock:
            return self._has_room(self._streams, address, MOST_STREAMS, MOST_STREAMS_EACH)

    def stops(self, address: str) -> None:
        """A stream has ended."""
        self._leave(self._streams, address)

    def _enter(self, there: Counter[str], address: str, most: int, each: int) -> bool:
        with self._lock:
            room = self._has_room(there, address, most, each)
            if room:
                there[address] += 1
            return room

    def _has_room(self, there: Counter[str], address: str, most: int, each: int) -> bool:
        if self._is_own(address):
            return True
        own = sum(there[one] for one in (*AT_HOME, *self._known))
        return there[address] < each and there.total() - own < most

    def _is_own(self, address: str) -> bool:
        return address in AT_HOME or address in self._known

    def _leave(self, there: Counter[str], address: str) -> None:
        with self._lock:
            there[address] -= 1
            if there[address] <= 0:
                del there[address]
