"""The table's own authority: private keys, certificates that clients accept, and their renewal."""

from __future__ import annotations

import socket
import ssl
import stat
import time
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509

from assistant.page import authority as authority_module
from assistant.page.authority import (
    AUTHORITY_FILE,
    RENEW_DAYS,
    SERVER_DAYS,
    SERVER_FILE,
    Authority,
    SecureDoor,
    ServedAs,
    served_as,
)

DAY = 86_400.0
NOW = 1_790_000_000.0
MESA = ServedAs(("localhost", "mesa.local"), ("127.0.0.1", "192.168.1.20"))


def certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def shakes_hands(server: ssl.SSLContext, authority: bytes, name: str) -> str:
    """Try a TLS handshake in memory; returns the name of the error, or ""."""
    client = ssl.create_default_context(cadata=authority)
    into_client, into_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(into_client, into_server, server_hostname=name),
        server.wrap_bio(into_server, into_client, server_side=True),
    )
    for _ in range(4):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as error:
                return error.verify_message
    assert ends[0].version() in ("TLSv1.2", "TLSv1.3")
    return ""


def test_keys_are_private_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "authority"
    first = Authority(folder)
    path, made = first.server_file(MESA)
    assert made
    for name in (AUTHORITY_FILE, SERVER_FILE):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    again = Authority(folder)
    assert again.certificate == first.certificate
    assert again.server_file(MESA) == (path, False)
    assert b"PRIVATE" not in first.certificate


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", socket.gethostname().lower()])
def test_a_client_that_trusts_the_authority_accepts_this_machine(tmp_path: Path, name: str) -> None:
    door = SecureDoor(0, Authority(tmp_path))
    assert shakes_hands(door.context, door.authority.certificate, name) == ""


def test_a_client_refuses_another_name_and_another_authority(tmp_path: Path) -> None:
    door = SecureDoor(0, Authority(tmp_path / "one"))
    other = Authority(tmp_path / "other")
    trusted = door.authority.certificate
    assert "mismatch" in shakes_hands(door.context, trusted, "bank.example")
    assert shakes_hands(door.context, other.certificate, "127.0.0.1") != ""


def test_the_authority_answers_for_the_local_network_alone(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    path, _ = authority.server_file(
        ServedAs(("bank.example", "localhost"), ("192.168.1.20", "203.0.113.7"))
    )
    named = certificate(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert named.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(one) for one in named.get_values_for_type(x509.IPAddress)] == ["192.168.1.20"]
    limits = x509.load_der_x509_certificate(authority.certificate).extensions
    assert limits.get_extension_for_class(x509.NameConstraints).critical


def test_a_certificate_lasts_no_longer_than_telephones_accept(tmp_path: Path) -> None:
    path, _ = Authority(tmp_path).server_file(MESA)
    one = certificate(path)
    assert one.not_valid_after_utc - one.not_valid_before_utc <= timedelta(days=397)
    use = one.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert x509.oid.ExtendedKeyUsageOID.SERVER_AUTH in use


def test_another_address_makes_another_certificate_by_the_same_authority(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    path, _ = authority.server_file(MESA)
    before = certificate(path).serial_number
    moved = ServedAs(MESA.names, ("127.0.0.1", "192.168.1.77"))
    assert authority.server_file(moved)[1]
    assert certificate(path).serial_number != before
    certificate(path).verify_directly_issued_by(
        x509.load_der_x509_certificate(authority.certificate)
    )


def test_a_certificate_is_renewed_before_its_end_and_after_a_clock_that_was_wrong(
    tmp_path: Path,
) -> None:
    assert Authority(tmp_path, lambda: NOW).server_file(MESA)[1]
    early = (SERVER_DAYS - RENEW_DAYS - 1) * DAY
    assert not Authority(tmp_path, lambda: NOW + early).server_file(MESA)[1]
    late = Authority(tmp_path, lambda: NOW + early + 2 * DAY)
    assert late.server_file(MESA)[1]
    kept = late.certificate
    # Both were made by a clock that was a year ahead: telephones would not accept them yet.
    back = Authority(tmp_path, lambda: NOW - 365 * DAY)
    assert back.certificate != kept
    assert back.server_file(MESA)[1]


@pytest.mark.parametrize("spoilt", [b"", b"nonsense", None])
def test_a_spoilt_file_is_made_anew(tmp_path: Path, spoilt: bytes | None) -> None:
    first = Authority(tmp_path)
    first.server_file(MESA)
    for name in (AUTHORITY_FILE, SERVER_FILE):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:300] if spoilt is None else spoilt)
    again = Authority(tmp_path)
    assert again.certificate != first.certificate
    assert again.server_file(MESA)[1]


def test_a_door_that_is_open_goes_on_with_the_new_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = SecureDoor(0, Authority(tmp_path))
    trusted = door.authority.certificate
    assert shakes_hands(door.context, trusted, "10.1.2.3") != ""
    monkeypatch.setattr(authority_module, "served_as", lambda: ServedAs((), ("10.1.2.3",)))
    door.renew()
    assert shakes_hands(door.context, trusted, "10.1.2.3") == ""


def test_this_machine_knows_its_names_and_addresses() -> None:
    served = served_as()
    assert "localhost" in served.names
    assert socket.gethostname().lower() in served.names
    assert "127.0.0.1" in served.addresses


def test_to_look_for_another_address_takes_no_time_that_a_stream_would_notice(
    tmp_path: Path,
) -> None:
    door = SecureDoor(0, Authority(tmp_path))
    began = time.process_time()
    for _ in range(10):
        door.renew()
    assert (time.process_time() - began) / 10 < 0.05
