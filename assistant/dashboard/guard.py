"""Who may talk to the page: hosts, origins and what a browser may load.

A page at a table has no password, so it must at least be reachable by nobody else's web page:

- The Host header must name this machine. A foreign site that points its own name at 127.0.0.1
  (DNS rebinding) sends its own name and is turned away; an address written in digits cannot be
  rebound and passes where the page is open to the local network.
- A POST must be JSON (which no foreign form can send) and come from our own origin.
- The Content-Security-Policy lets the page load its own files and nothing else.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import Forbidden, MisdirectedRequest

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def guard(app: Flask, *, lan: bool) -> None:
    """Put the checks before every request and the headers on every answer."""
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

    ``digits`` also lets any address written in digits pass.
    """
    name = _host_name(host)
    if name in names or (digits and _is_address(name)):
        return
    raise MisdirectedRequest("This page answers to this machine's own name and address alone.")


def check_origin(request: Request) -> None:
    """Raise Forbidden where a browser says that another site's page sends this.

    Every browser sends Origin with a POST. A program that sends neither header is no browser, so no
    foreign page can be behind it.
    """
    origin = request.headers.get("Origin")
    own = request.host_url.rstrip("/")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if (origin is not None and origin != own) or site != "same-origin":
        raise Forbidden("This request comes from another site's page.")


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
