"""Downloading a file: resumed where it broke off, with limits on size, time and attempts."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import http.client
import json
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from assistant import __version__
from assistant.files.process import UsageError
from assistant.messages.documents import parse_json
from assistant.rules.errors import Translatable

TIMEOUT = 20.0
"""Seconds within which a server must answer, and then keep sending."""
ATTEMPTS = 5
"""How often a broken connection is resumed at once, if it brought anything."""
AT_ONCE = 1 << 16
MEGA = 1_000_000
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")

OnProgress = Callable[[int, int], None]
"""Called with the bytes that are there, and the bytes of the whole (0: unknown)."""


class FetchError(UsageError):
    """A file that cannot be downloaded; the text says why, and what to do."""


class _BrokenOffError(Exception):
    """The connection broke, or the part at hand is of no use: another attempt may succeed."""


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a file that is there so far; beside it stands the version that it belongs to."""

    path: Path

    @property
    def _told(self) -> Path:
        return self.path.with_name(self.path.name + ".json")

    @property
    def size(self) -> int:
        """Bytes so far."""
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self, url: str) -> str:
        """The server's mark of the version it is a part of; "" if the part is of no use."""
        try:
            told = parse_json(self._told.read_text(encoding="utf-8"))
            return str(told["version"]) if told["url"] == url else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def begins(self, url: str, version: str) -> None:
        """Write down which version the part will belong to."""
        self._told.write_text(json.dumps({"url": url, "version": version}), encoding="utf-8")

    def forget(self) -> None:
        """Delete the part."""
        self.path.unlink(missing_ok=True)
        self._told.unlink(missing_ok=True)


def download(
    url: str, part: Part, most: int, on_progress: OnProgress, timeout: float = TIMEOUT
) -> None:
    """Download the whole file, ``most`` bytes at most, resuming from the part that is there.

    Whatever ends this, the part that came is kept. Raises FetchError, OSError.
    """
    part.path.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, ATTEMPTS + 1):
        before = part.size
        try:
            with part.path.open("ab") as file, _alone(file, part.path):
                _go_on(url, part, file, most, on_progress, timeout)
            return
        except _BrokenOffError as error:
            if attempt == ATTEMPTS or part.size == before:
                raise FetchError(
                    "The connection to {host} broke off after {size:.1f} MB ({error}): "
                    "run it again, and it goes on from there.",
                    host=_host(url),
                    size=part.size / MEGA,
                    error=error,
                ) from error
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise FetchError(
                "The disk is full after {size:.1f} MB: make room in {folder} and run "
                "it again; it goes on from there.",
                size=part.size / MEGA,
                folder=part.path.parent,
            ) from error


@contextlib.contextmanager
def _alone(file: IO[bytes], path: Path) -> Iterator[None]:
    """Lock the part: two downloads would write over each other. Raises FetchError."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FetchError("Another mus is fetching {name}: wait for it.", name=path.name) from None
    yield


def _go_on(
    url: str, part: Part, file: IO[bytes], most: int, on_progress: OnProgress, timeout: float
) -> None:
    """Download what is missing. Raises FetchError, _BrokenOffError."""
    at = part.size if (version := part.version(url)) else 0
    try:
        answer = _opened(url, at, version, timeout)
    except FetchError:
        if not part.size:
            part.forget()
        raise
    with answer as response:
        at, total = _begun(response)
        if at == 0:
            file.truncate(0)
            part.begins(url, _version(response))
        if max(at, total) > most:
            part.forget()
            raise FetchError(
                "{url} is {total:.1f} MB, too much for this model.", url=url, total=total / MEGA
            )
        on_progress(at, total)
        while data := _read(response):
            if at + len(data) > (total or most):
                part.forget()
                raise FetchError("{url} has no end: it is not this model.", url=url)
            file.write(data)
            at += len(data)
            on_progress(at, total)
        file.flush()
    if at < total:
        raise _BrokenOffError(f"{total / MEGA:.1f} MB were promised")


def _opened(url: str, at: int, version: str, timeout: float) -> http.client.HTTPResponse:
    headers = {"User-Agent": f"mus-assistant/{__version__}", "Accept-Encoding": "identity"}
    if at:
        headers |= {"Range": f"bytes={at}-", "If-Range": version}
    try:
        response: http.client.HTTPResponse = urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=timeout
        )
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and at:
            return _opened(url, 0, "", timeout)  # there is no more of it: begin anew
        raise FetchError(_refused(url, error)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FetchError(_unreachable(url, error)) from error
    if at and response.status == http.HTTPStatus.PARTIAL_CONTENT and _begun(response)[0] != at:
        response.close()
        return _opened(url, 0, "", timeout)  # not the part asked for: begin anew
    return response


def _begun(response: http.client.HTTPResponse) -> tuple[int, int]:
    """Where the answer begins, and the size of the whole (0: unknown)."""
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if response.status == http.HTTPStatus.PARTIAL_CONTENT and found:
        return int(found[1]), 0 if found[2] == "*" else int(found[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isascii() and length.isdigit() else 0


def _version(response: http.client.HTTPResponse) -> str:
    """The mark by which a server shows whether the file is the same; "" if it has none."""
    tag = response.headers.get("ETag", "")
    if tag and not tag.startswith("W/"):  # a weak one does not vouch for the bytes
        return str(tag)
    return str(response.headers.get("Last-Modified", ""))


def _read(response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read1(AT_ONCE)
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenOffError(str(error) or type(error).__name__) from error


def _refused(url: str, error: urllib.error.HTTPError) -> str:
    if error.code in (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE):
        return Translatable(
            "There is nothing at {url} ({code}): name another place with --from.",
            url=url,
            code=error.code,
        )
    return Translatable(
        "{host} answers {code} {reason}: try again later, or name another place with --from.",
        host=_host(url),
        code=error.code,
        reason=error.reason,
    )


def _unreachable(url: str, error: Exception) -> str:
    why: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(why, ssl.SSLCertVerificationError):
        return Translatable(
            "{host} cannot be trusted ({why}): is the clock right?",
            host=_host(url),
            why=why.verify_message,
        )
    reason = getattr(why, "strerror", None) or str(why) or type(why).__name__
    return Translatable(
        "No connection to {host} ({reason}): is there a network? Without one, "
        "--from FILE.zip takes the model from a stick.",
        host=_host(url),
        reason=reason,
    )


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
