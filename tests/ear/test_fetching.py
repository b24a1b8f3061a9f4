"""Downloads: they resume where they broke off, have a limit, and fail with one sentence."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.ear import fetching
from assistant.ear.fetching import FetchError, Part, download
from tests.ear.model_server import Server, serving

CONTENT = bytes(range(256)) * 2000
HALF = len(CONTENT) // 2


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(CONTENT) as told:
        yield told


@pytest.fixture
def part(tmp_path: Path) -> Part:
    return Part(tmp_path / "models" / "model.zip.part")


def fetch(server: Server, part: Part, **more: Any) -> list[tuple[int, int]]:
    seen: list[tuple[int, int]] = []
    download(server.url, part, len(CONTENT), lambda *at: seen.append(at), **more)
    return seen


def test_a_complete_file_is_fetched_and_its_progress_reported(server: Server, part: Part) -> None:
    seen = fetch(server, part)
    assert part.path.read_bytes() == CONTENT
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert seen == sorted(seen)


def test_a_broken_connection_is_resumed_where_it_broke_off(server: Server, part: Part) -> None:
    server.cut_after = [HALF, 1000]
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT
    assert server.asked == ["", f"bytes={HALF}-", f"bytes={HALF + 1000}-"]


def test_the_fetched_part_is_kept_for_the_next_attempt(server: Server, part: Part) -> None:
    server.cut_after = [HALF, 0]
    with pytest.raises(FetchError, match=r"broke off after 0\.3 MB.*goes on from there"):
        fetch(server, part)
    assert part.size == HALF
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT
    assert server.asked[-1] == f"bytes={HALF}-"


def test_a_connection_that_keeps_breaking_is_given_up(server: Server, part: Part) -> None:
    server.cut_after = [100] * 50
    with pytest.raises(FetchError, match="broke off"):
        fetch(server, part)
    assert len(server.asked) == fetching.ATTEMPTS


def test_a_part_of_another_version_is_not_resumed(server: Server, part: Part) -> None:
    server.cut_after = [HALF, 0]
    with pytest.raises(FetchError):
        fetch(server, part)
    server.content, server.etag = CONTENT[::-1], '"two"'
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT[::-1]


def test_a_part_from_another_address_is_not_resumed(server: Server, part: Part) -> None:
    server.cut_after = [HALF, 0]
    with pytest.raises(FetchError):
        fetch(server, part)
    with serving(CONTENT[::-1]) as other:
        fetch(other, part)
        assert other.asked == [""]
    assert part.path.read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("etag", ["", 'W/"one"'])
def test_without_an_etag_the_whole_file_is_fetched_again(
    server: Server, part: Part, etag: str
) -> None:
    server.etag, server.cut_after = etag, [HALF]
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT
    assert server.asked == ["", ""]


def test_a_server_that_ignores_the_range_sends_the_whole_file(server: Server, part: Part) -> None:
    server.deaf, server.cut_after = True, [HALF]
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT


def test_a_server_with_a_wrong_range_is_asked_for_the_whole_file(
    server: Server, part: Part
) -> None:
    server.lies, server.cut_after = True, [HALF]
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT
    assert server.asked == ["", f"bytes={HALF}-", ""]


def test_a_part_longer_than_the_file_is_fetched_again(server: Server, part: Part) -> None:
    fetch(server, part)
    server.content = CONTENT[:HALF]
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT[:HALF]


@pytest.mark.parametrize("endless", [False, True])
def test_more_bytes_than_the_model_has_are_refused_and_deleted(
    server: Server, part: Part, endless: bool
) -> None:
    server.content, server.endless = CONTENT if endless else CONTENT * 2, endless
    with pytest.raises(FetchError, match=r"too much for this model|has no end"):
        fetch(server, part)
    assert part.size == 0


def test_a_silent_server_is_given_up_after_a_while(server: Server, part: Part) -> None:
    server.pause = 2.0
    with pytest.raises(FetchError, match="timed out"):
        fetch(server, part, timeout=0.2)


@pytest.mark.parametrize(
    ("status", "said"), [(404, "There is nothing at http"), (503, "answers 503")]
)
def test_an_error_status_of_the_server_is_reported(
    server: Server, part: Part, status: int, said: str
) -> None:
    server.status = status
    with pytest.raises(FetchError, match=said):
        fetch(server, part)
    assert not list(part.path.parent.iterdir())


def test_a_missing_network_is_reported_with_advice(part: Part) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        gone = Server(b"", url=f"http://127.0.0.1:{nobody.getsockname()[1]}/model.zip")
    with pytest.raises(FetchError, match=r"is there a network\? Without one, --from FILE\.zip"):
        fetch(gone, part)


def test_an_unknown_host_is_reported(part: Part) -> None:
    gone = Server(b"", url="http://models.invalid/model.zip")
    with pytest.raises(FetchError, match=r"No connection to models\.invalid"):
        fetch(gone, part)


def test_two_downloads_of_one_file_at_once_are_refused(server: Server, part: Part) -> None:
    server.pause = 0.0

    def meanwhile(at: int, _of: int) -> None:
        if at == 0:
            with pytest.raises(FetchError, match="Another mus is fetching"):
                fetch(server, part)

    download(server.url, part, len(CONTENT), meanwhile)
    assert part.path.read_bytes() == CONTENT


def test_a_full_disk_is_reported_and_the_part_is_kept(server: Server, part: Part) -> None:
    def full(at: int, _of: int) -> None:
        if at > HALF:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(FetchError, match=r"The disk is full after .* MB: make room"):
        download(server.url, part, len(CONTENT), full)
    assert part.size > HALF
    fetch(server, part)
    assert part.path.read_bytes() == CONTENT


def test_ctrl_c_keeps_the_fetched_part(server: Server, part: Part) -> None:
    def stopped(at: int, _of: int) -> None:
        if at > HALF:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(server.url, part, len(CONTENT), stopped)
    kept = part.size
    assert kept > HALF
    fetch(server, part)
    assert server.asked[-1] == f"bytes={kept}-"
    assert part.path.read_bytes() == CONTENT
