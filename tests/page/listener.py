"""A listener to a server's events over a real socket."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any, cast

from assistant.page import DashboardServer
from assistant.table.snapshot import Snapshot


class Listener:
    """An EventSource, as the page has it, in Python."""

    def __init__(
        self,
        server: DashboardServer,
        last_id: str | None = None,
        source: str = "127.0.0.1",
        asked: str = "",
    ) -> None:
        """``asked``: what follows the address, as "?lang=en"."""
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", server.port, timeout=60, source_address=(source, 0)
        )
        self.connection.request("GET", f"/events{asked}", headers={"Last-Event-ID": last_id or ""})
        self.response = self.connection.getresponse()
        self.last_id = last_id

    def fields(self) -> Iterator[tuple[str, str]]:
        """Every line as field and value. The field of a comment is ""."""
        while line := self.response.readline().decode().rstrip("\n"):
            name, _, value = line.partition(":")
            yield name, value.lstrip()

    def next(self) -> Snapshot:
        """The next snapshot."""
        return cast(Snapshot, self.next_data())

    def next_data(self) -> Any:
        """The data of the next message."""
        while True:
            block = dict(self.fields())
            if "id" in block:
                self.last_id = block["id"]
                return json.loads(block["data"])

    def close(self) -> None:
        """Disconnect without notice."""
        self.response.close()
        self.connection.close()
