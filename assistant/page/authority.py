"""The table's own certificate authority, and the certificate of its secure page.

Browsers give a microphone only to pages with a certificate, and no public authority certifies an
address like 192.168.1.20. So the table has an authority of its own. It is made at the first start
and kept in the user's data folder. On a telephone the user either accepts the browser's warning
once, or installs the authority's certificate and is never warned again.

The authority can certify only this machine's names and addresses of local networks (name
constraints, RFC 5280 4.2.1.10). So a thief of its key could not pose as a bank to the telephones
that trust it.
"""

from __future__ import annotations

import datetime
import fcntl
import ipaddress
import socket
import ssl
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from assistant.files.atomic import write_private
from assistant.files.paths import own_data_dir
from assistant.page.guard import machine_names, own_address

SECURE = "mus.secure"
"""Where an app that is served keeps its ``SecureDoor``, or None."""
FOLDER = "authority"
AUTHORITY_FILE, SERVER_FILE = "authority.pem", "server.pem"
"""Each holds a private key and its certificate, so that the two are replaced together."""
AUTHORITY_DAYS = 3650
SERVER_DAYS = 390
"""iOS and Android accept 398 days at most."""
EARLY_DAYS = 2
"""Days before its making from which a certificate is valid: the clocks of telephones differ."""
RENEW_DAYS = 30
"""A server's certificate that ends within so many days is made anew."""
LOCAL_NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "127.0.0.0/8",
)  # fmt: skip
"""The addresses that the authority may certify (RFC 1918, 3927, 6598, 1122)."""
LOCAL_DOMAINS = ("localhost", "local", "lan", "home.arpa")
"""The domains whose names the authority may certify, beside this machine's own."""
SIOCGIFADDR = 0x8915
"""Asks Linux for the IPv4 address of a network interface (netdevice(7))."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class ServedAs:
    """What this machine is called in its network: host names and IPv4 addresses, in order."""

    names: tuple[str, ...]
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Certified:
    """A private key and its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def as_text(self) -> str:
        secret = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return (secret + self.certificate.public_bytes(Encoding.PEM)).decode("ascii")


def authority_dir() -> Path:
    """The folder of the authority, in the user's data folder (XDG); it need not exist."""
    return own_data_dir() / FOLDER


def served_as() -> ServedAs:
    """This machine's names and addresses at this moment."""
    return ServedAs(tuple(sorted({*machine_names(), "localhost"})), tuple(sorted(_own_addresses())))


class Authority:
    """The certificate authority in a folder. Not thread-safe but for ``certificate``."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        """Read the authority, or make one. ``clock``: seconds since 1970. Raises OSError."""
        self._folder = folder
        self._clock = clock
        self._own = self._found(AUTHORITY_FILE)
        if self._own is None or self._is_over(self._own, SERVER_DAYS):
            self._own = self._new_authority(served_as().names)
            write_private(folder / AUTHORITY_FILE, self._own.as_text())

    @property
    def certificate(self) -> bytes:
        """The authority's certificate, for a telephone to install (DER)."""
        assert self._own
        return self._own.certificate.public_bytes(Encoding.DER)

    def server_file(self, served: ServedAs) -> tuple[Path, bool]:
        """The PEM file of the server's key and certificate, and whether it was made just now.

        It is made anew if the machine is called otherwise by now, if it ends soon, or if another
        authority signed it. Raises OSError.
        """
        path = self._folder / SERVER_FILE
        found = self._found(SERVER_FILE)
        if found and self._fits(found, served) and not self._is_over(found, RENEW_DAYS):
            return path, False
        write_private(path, self._new_server(served).as_text())
        return path, True

    def _found(self, name: str) -> _Certified | None:
        """The key and certificate of a file; None if it is missing or spoilt. Raises OSError."""
        try:
            data = (self._folder / name).read_bytes()
            key = load_pem_private_key(data, None)
            certificate = x509.load_pem_x509_certificate(data)
        except (FileNotFoundError, ValueError, TypeError):
            return None
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            return None
        return (
            _Certified(key, certificate) if certificate.public_key() == key.public_key() else None
        )

    def _is_over(self, one: _Certified, days: int) -> bool:
        """Whether a certificate ends within so many days, or has not begun by this clock."""
        now = self._now()
        later = now + datetime.timedelta(days=days)
        one_is_valid = one.certificate.not_valid_before_utc <= now
        return not one_is_valid or one.certificate.not_valid_after_utc < later

    def _fits(self, server: _Certified, served: ServedAs) -> bool:
        assert self._own
        try:
            server.certificate.verify_directly_issued_by(self._own.certificate)
            names = server.certificate.extensions.get_extension_for_class(
                x509.SubjectAlternativeName
            )
        except (ValueError, TypeError, x509.ExtensionNotFound, InvalidSignature):
            return False
        return names.value == x509.SubjectAlternativeName(self._certifiable(served))

    def _certifiable(self, served: ServedAs) -> list[x509.GeneralName]:
        """The names and addresses of a machine that the authority may certify."""
        assert self._own
        limits = self._own.certificate.extensions.get_extension_for_class(x509.NameConstraints)
        permitted = limits.value.permitted_subtrees or []
        domains = [one.value for one in permitted if isinstance(one, x509.DNSName)]
        networks = [one.value for one in permitted if isinstance(one, x509.IPAddress)]
        names = [
            x509.DNSName(name)
            for name in served.names
            if any(name == domain or name.endswith(f".{domain}") for domain in domains)
        ]
        addresses = [ipaddress.IPv4Address(one) for one in served.addresses]
        return [
            *names,
            *(
                x509.IPAddress(one)
                for one in addresses
                if any(isinstance(net, ipaddress.IPv4Network) and one in net for net in networks)
            ),
        ]

    def _new_authority(self, names: tuple[str, ...]) -> _Certified:
        key = ec.generate_private_key(ec.SECP256R1())
        title = f"Mus ({socket.gethostname()[:40]})"
        subject = x509.Name(
            [
                x509.NameAttribute(NameOID.COMMON_NAME, title),
                x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Mus"),
            ]
        )
        permitted: list[x509.GeneralName] = [
            *(x509.DNSName(name) for name in sorted({*LOCAL_DOMAINS, *names})),
            *(x509.IPAddress(ipaddress.IPv4Network(net)) for net in LOCAL_NETWORKS),
        ]
        builder = (
            self._blank(subject, key, AUTHORITY_DAYS)
            .issuer_name(subject)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .add_extension(x509.NameConstraints(permitted, None), critical=True)
        )
        return _Certified(key, builder.sign(key, SHA256()))

    def _new_server(self, served: ServedAs) -> _Certified:
        assert self._own
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mus")])
        authority = self._own.certificate
        issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._own.key.public_key())
        builder = (
            self._blank(subject, key, SERVER_DAYS)
            .issuer_name(authority.subject)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName(self._certifiable(served)), critical=False)
            .add_extension(issuer_key, critical=False)
        )
        return _Certified(key, builder.sign(self._own.key, SHA256()))

    def _blank(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
    ) -> x509.CertificateBuilder:
        """What every certificate has, valid for so many days from now."""
        now = self._now()
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=EARLY_DAYS))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
        )

    def _now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._clock(), datetime.UTC)


class SecureDoor:
    """The secure address of a page: its port, its TLS, and the authority behind it.

    ``port`` is the real one once the server is open.
    """

    def __init__(self, port: int, authority: Authority) -> None:
        """Make the server's certificate if need be. Raises OSError."""
        self.port = port
        self.authority = authority
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._load(*authority.server_file(served_as()), first=True)

    def renew(self) -> None:
        """Go on with a new certificate if the machine's address has changed. Raises OSError."""
        self._load(*self.authority.server_file(served_as()))

    def _load(self, path: Path, made: bool, first: bool = False) -> None:
        if made or first:
            self.context.load_cert_chain(path)  # a connection that is open keeps the old one


def _usage(*, signs: bool) -> x509.KeyUsage:
    """What a key is for: to sign certificates, or a server's connections."""
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _own_addresses() -> set[str]:
    """The IPv4 addresses of all interfaces, and always that of the machine itself."""
    found = {"127.0.0.1"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            asked = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):  # an interface without an address
                found.add(socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, asked)[20:24]))
    with suppress(ValueError):  # a name, where there is no network
        found.add(str(ipaddress.IPv4Address(own_address())))
    return found
