"""The broker's configuration: it admits the right clients, and nobody writes as another."""

from __future__ import annotations

import gc
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from assistant.files.settings import Address, AddressError, read_address
from assistant.hall.hub.broker import BrokerError, check_names, table_names
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription
from assistant.hall.hub.wire import TABLES, topic
from scripts import broker_config
from scripts.lab.hubbench.servers import free_port, until
from tests.tables import each_row


def written(folder: Path, *options: str) -> dict[str, str]:
    """Run the script. Returns the passwords that it made."""
    command = ["--tables", "2", "--host", "127.0.0.1", "--out", str(folder), *options]
    args = broker_config.parsed(command)
    broker_config.write(folder, broker_config.wanted(args), args)
    return broker_config.kept(folder)


@contextmanager
def broker(folder: Path) -> Iterator[None]:
    """A Mosquitto with the configuration in a folder."""
    command = [shutil.which("mosquitto", path="/usr/bin:/usr/sbin") or "", "-c"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, folder / "mosquitto.conf"], stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def linked(
    address: Address, wishes: Sequence[str] = (), heard: Callable[[str], None] = lambda _name: None
) -> Iterator[Link]:
    """A link to the broker under a client name of its own."""

    def message(name: str, _payload: bytes, done: Callable[[], None]) -> None:
        heard(name)
        done()

    ears = LinkCallbacks(lambda: None, lambda: None, message)
    link = Link(address, address.user, ears, [Subscription(wish) for wish in wishes])
    link.start()
    try:
        yield link
    finally:
        link.stop()


pytestmark = pytest.mark.skipif(
    None in (shutil.which("mosquitto_passwd"), shutil.which("openssl")),
    reason="not installed: mosquitto, openssl",
)


@pytest.mark.slow
def test_the_files_are_readable_by_their_owner_alone_and_passwords_are_hashed(
    tmp_path: Path,
) -> None:
    words = written(tmp_path / "hall", "--tls")
    assert sorted(words) == ["hub", "mesa-1", "mesa-2"]
    assert len(set(words.values())) == 3
    for path in (tmp_path / "hall").iterdir():
        if path.suffix not in (".pem", ".srl"):  # the others are public
            assert path.stat().st_mode & 0o077 == 0, path
    hashed = (tmp_path / "hall" / "passwords").read_text()
    assert not [word for word in words.values() if word in hashed]


@pytest.mark.slow
def test_a_second_run_keeps_passwords_and_certificates(tmp_path: Path) -> None:
    words = written(tmp_path, "--tls")
    vouches = (tmp_path / "ca.pem").read_bytes()
    assert written(tmp_path, "--tls") == words
    assert (tmp_path / "ca.pem").read_bytes() == vouches


@pytest.mark.slow
def test_a_table_keeps_its_password_when_fewer_tables_are_asked_for(tmp_path: Path) -> None:
    four = written(tmp_path, "--tables", "4")
    assert written(tmp_path, "--tables", "2") == four
    assert written(tmp_path, "--tables", "4") == four
    assert {**written(tmp_path, "--names", "bar"), **four} == broker_config.kept(tmp_path)
    hashed = (tmp_path / "passwords").read_text().splitlines()
    assert {line.partition(":")[0] for line in hashed} == {*four, "bar"}


@pytest.mark.slow
def test_without_a_number_the_existing_tables_are_kept(tmp_path: Path) -> None:
    bare = broker_config.parsed(["--out", str(tmp_path)])
    assert len(broker_config.wanted(bare)) == 8
    names = [name for name in written(tmp_path, "--tables", "12") if name != "hub"]
    assert broker_config.wanted(bare) == tuple(names) == table_names(12)


@pytest.mark.slow
def test_a_broker_with_a_new_name_is_trusted_with_the_old_ca(tmp_path: Path) -> None:
    port = free_port()
    options = ["--tls", "--port", str(port), "--host", "127.0.0.2"]
    words = written(tmp_path, *options, "--name", "hub.local")
    vouches, old = (tmp_path / "ca.pem").read_bytes(), (tmp_path / "broker.pem").read_bytes()
    written(tmp_path, *options, "--name", "hub.local")
    assert (tmp_path / "broker.pem").read_bytes() == old
    written(tmp_path, *options, "--name", "127.0.0.2")
    assert (tmp_path / "ca.pem").read_bytes() == vouches
    url = f"mqtts://mesa-1:{words['mesa-1']}@127.0.0.2:{port}"
    ca = str(tmp_path / "ca.pem")
    with broker(tmp_path), linked(read_address(url, ca=ca)) as link:
        until(lambda: link.up)


@each_row("options", [["--port", "999999"], ["--port", "0"], ["--port", "x"], ["--tables", "0"]])
def test_an_impossible_number_gives_one_sentence_and_exit_code_2(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        broker_config.parsed([*options, "--out", str(tmp_path / "hall")])
    told = capsys.readouterr().err
    assert (caught.value.code, len(told.splitlines())) == (2, 1)
    assert ": choose 1 to " in told


# paho leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_an_encrypted_link_with_a_password_works(tmp_path: Path) -> None:
    port = free_port()
    words = written(tmp_path, "--tls", "--port", str(port))
    with broker(tmp_path):
        url = f"mqtts://mesa-1:{words['mesa-1']}@localhost:{port}"
        with linked(read_address(url, ca=str(tmp_path / "ca.pem"))) as link:
            until(lambda: link.up)
        with linked(read_address(url)) as unknown:  # no CA vouches for this broker
            until(lambda: "ca.pem" in unknown.trouble)
            assert not unknown.up
        gc.collect()  # collect it here, where its warning is expected
        with linked(read_address(url.replace("mqtts:", "mqtt:"))) as plain:
            until(lambda: "mqtts" in plain.trouble)


@pytest.mark.slow
def test_a_certificate_gives_a_table_its_name(tmp_path: Path) -> None:
    port = free_port()
    written(tmp_path, "--clients", "--port", str(port))
    files = {"ca": str(tmp_path / "ca.pem")}
    heard: list[str] = []
    with broker(tmp_path):

        def shown(name: str) -> Address:
            pair = {"cert": str(tmp_path / f"{name}.pem"), "key": str(tmp_path / f"{name}.key")}
            return read_address(f"mqtts://{name}@localhost:{port}", **files, **pair)

        wish = f"{TABLES}/+/+/status"
        with linked(shown("hub"), [wish], heard.append) as hub, linked(shown("mesa-1")) as table:
            until(lambda: hub.up and table.up)
            table.publish(topic("mesa-2", "status"), b"{}")  # a topic of another table
            table.publish(topic("mesa-1", "status"), b"{}")
            until(lambda: heard)
            assert heard == [topic("mesa-1", "status")]
        # Another user name beside the certificate has no effect.
        liar = replace(shown("mesa-1"), user="mesa-2")
        with linked(liar) as link:
            until(lambda: link.up)
            link.publish(topic("mesa-2", "status"), b"{}")
            until(lambda: "authorized" in link.trouble)


def test_an_unknown_host_and_a_silent_one_are_reported() -> None:
    with linked(read_address("mqtt://mesa-1@nowhere.invalid")) as link:
        until(lambda: "is nowhere" in link.trouble)
    with linked(read_address(f"mqtt://mesa-1@127.0.0.1:{free_port()}")) as link:
        until(lambda: "does not answer" in link.trouble)


@pytest.mark.slow
def test_a_table_reconnects_within_fifteen_seconds_after_any_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.hall.hub.link.SOONEST", (4.0, 4.0))  # as after some attempts
    port, refused = free_port(), list[float]()
    ears = LinkCallbacks(lambda: None, lambda: None, lambda *_: None)
    link = Link(read_address(f"mqtt://mesa-1@127.0.0.1:{port}"), "x", ears)
    tell = link.client.on_connect_fail
    assert tell

    def failed(client: Client, data: object) -> None:
        refused.append(time.monotonic())
        tell(client, data)

    link.client.on_connect_fail = failed
    link.start()
    until(lambda: len(refused) == 3, 60)
    link.stop()
    assert max(after - before for before, after in pairwise(refused)) < 15


def test_a_hall_that_loses_its_broker_does_not_come_back_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each link draws its delays anew, so no second of an outage sees most of the hall."""
    drawn: list[tuple[float, float]] = []
    monkeypatch.setattr(
        Client, "reconnect_delay_set", lambda _self, first, last: drawn.append((first, last))
    )
    ears = LinkCallbacks(lambda: None, lambda: None, lambda *_: None)
    link = Link(read_address("mqtt://mesa-1@127.0.0.1:1"), "x", ears)
    lost: Any = link.client.on_disconnect
    for _ in range(500):
        lost(link.client, None, None, ReasonCode(PacketTypes.DISCONNECT), None)
    firsts = sorted(first for first, _ in drawn)
    assert max(sum(at <= other < at + 0.5 for other in firsts) for at in firsts) < 200
    assert max(last for _, last in drawn) <= 8


@each_row("names", [["hub"], ["Mesa 1"], ["a", "a"], ["a/b"], ["+"], ["#"], [""]])
def test_impossible_table_names_are_refused(names: list[str]) -> None:
    with pytest.raises(BrokerError):
        check_names(names)


@each_row(
    "url, options",
    [
        ("mesa-1", {}),
        ("http://mesa-1@hub", {}),
        ("mqtt://", {}),
        ("mqtt://hub:99999", {}),
        ("mqtt://hub/topic", {}),
        ("mqtt://hub", {"ca": "x.pem"}),
        ("mqtts://hub", {"ca": "/nowhere/x.pem"}),
        ("mqtts://hub", {"cert": "x.pem"}),
        ("mqtts://hub", {"password_file": "/nowhere/x"}),
        ("mqtts://a b@ñ", {}),
    ],
)
def test_an_impossible_address_is_refused(url: str, options: dict[str, str]) -> None:
    with pytest.raises(AddressError):
        read_address(url, **options)


def test_a_password_is_never_shown() -> None:
    address = read_address("mqtts://mesa-1:secreto@hub.local")
    assert (address.port, address.user, address.password) == (8883, "mesa-1", "secreto")
    assert "secreto" not in f"{address} {address!r}"
    with suppress(AddressError):
        read_address("mqtts://mesa-1:secreto@hub.local/x")
    with pytest.raises(AddressError) as error:
        read_address("mqtz://mesa-1:secreto@hub.local")
    assert "secreto" not in str(error.value)


def test_a_client_id_cannot_be_made_without_the_secret(tmp_path: Path) -> None:
    table = read_address("mqtts://mesa-1:secreto@hub.local")
    assert table.client_id == read_address("mqtts://mesa-1:secreto@other.local").client_id
    assert table.client_id.startswith("mesa-1-")
    assert "secreto" not in table.client_id
    others = [replace(table, password="otro"), replace(table, user="mesa-2")]
    (tmp_path / "key").write_text("a key")
    others.append(replace(table, key=tmp_path / "key"))
    assert len({one.client_id for one in (table, *others)}) == 4


def test_files_that_are_no_certificates_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("Querida peña")
    address = read_address("mqtts://mesa-1@localhost", ca=str(tmp_path / "ca.pem"))
    with pytest.raises(AddressError, match="PEM"):
        Link(address, "x", LinkCallbacks(lambda: None, lambda: None, lambda *_: None))
