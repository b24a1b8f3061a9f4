"""The settings of one run of a table, and the settings file of this machine.

A broker's address is one URL, with files for the secrets.
"""

from __future__ import annotations

import argparse
import difflib
import hmac
import json
import re
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

from assistant.files.atomic import write_whole
from assistant.files.paths import own_config_dir, own_data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages
from assistant.files.style_files import USUAL_STYLE
from assistant.language.phrases import Level
from assistant.language.script import read_seats, rule_pairs
from assistant.messages.documents import parse_toml
from assistant.rules.errors import MusError, ProfileError, Translatable
from assistant.rules.profile import Profile, read_values

# ---- A broker's address, and the identity with which a table or hub connects to it --------------

MARK = 32
"""The letters of a client's id that nobody can guess."""
PORTS = {"mqtt": 1883, "mqtts": 8883}
_HOST = re.compile(r"[A-Za-z0-9.:_-]+", re.ASCII)


class AddressError(MusError):
    """An address that cannot be used; the text is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """A broker and an identity.

    ``user``: the name that the broker admits; at a table, the table's own. ``ca``: the certificate
    that vouches for the broker, if the system does not know it. ``cert`` and ``key``: one's own, in
    place of a password.
    """

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @property
    def client_id(self) -> str:
        """The id of this connection: the broker drops it if another one comes with the same id.

        It depends on the password or the key, so only somebody who may be this user can make it.
        """
        secret = self.password.encode()
        with suppress(OSError):  # the connection will tell that the key cannot be read
            secret = self.key.read_bytes() if self.key else secret
        mark = hmac.new(secret, self.user.encode(), sha256).hexdigest()[:MARK]
        return f"{self.user}-{mark}" if secret else self.user

    def __str__(self) -> str:
        """The address without its password."""
        user = f"{self.user}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mqtt{'s' if self.tls else ''}://{user}{host}:{self.port}"


def read_address(
    url: str,
    *,
    password_file: str = "",
    ca: str = "",
    cert: str = "",
    key: str = "",
) -> Address:
    """The address that a URL and files make: ``mqtts://mesa-7@hub.local``. Raises AddressError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _no_url(url) from None
    if parts.scheme not in PORTS or not parts.hostname or not _HOST.fullmatch(parts.hostname):
        raise _no_url(url)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise AddressError("Nothing stands behind a hub's host and port: leave it out.")
    if bool(cert) != bool(key):
        raise AddressError("A certificate needs its key, and a key its certificate: give both.")
    tls = parts.scheme == "mqtts"
    if (ca or cert) and not tls:
        raise AddressError("Certificates are for mqtts://; with mqtt:// nothing is encrypted.")
    return Address(
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        tls=tls,
        user=unquote(parts.username or ""),
        password=_password(password_file) or unquote(parts.password or ""),
        ca=_file(ca),
        cert=_file(cert),
        key=_file(key),
    )


def _no_url(url: str) -> AddressError:
    shown = re.sub(r"//[^@]*@", "//...@", url)[:100]  # the message must not show a password
    return AddressError(
        "{shown!r} is no hub: write it like mqtts://mesa-1@hub.local:8883.", shown=shown
    )


def _password(path: str) -> str:
    if not path:
        return ""
    try:
        return Path(path).expanduser().read_text("utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise AddressError(
            "The password's file {path} cannot be read: check its name.", path=path
        ) from None


def _file(path: str) -> Path | None:
    if not path:
        return None
    file = Path(path).expanduser()
    if not file.is_file():
        raise AddressError("There is no certificate or key {path}: check its name.", path=path)
    return file


# ---- One run of the table -----------------------------------------------------------------------


LOCALHOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
MAX_PORT = 65535
DEFAULT_PORT = 8765
HTTPS_BEYOND = 443
"""The number added to the plain page's port for that of the secure page."""
MICROPHONE, TELEPHONES, TAPS = "microphone", "telephones", "taps"
HEARINGS = (MICROPHONE, TELEPHONES, TAPS)
"""What a table listens with: one microphone in the middle, the players' telephones, or nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run of the table.

    listen   recording to hear instead of the microphone; fast: without waiting for its real time;
             aloud: played on the loudspeaker, too; demo: it is the one that ships with mus
    cards    script whose ``cards`` lines are shown at each showdown
    camera   what looks at the table, or None; deck: which it reads; table: its calibration's folder
    journal  file that keeps the game; ``None`` keeps it in memory only
    hearing  MICROPHONE, TELEPHONES or TAPS: what the table listens with
    model    what hears; second: what must have heard a dear call, too, or None; learn: whether it
             learns the players' voices while they play
    voice    "on", "off", or the WAV file that takes what would be said; voice_name: which one, by
             a part of its name; rate, volume: how it speaks; style: how it words things; sounds:
             whether tones go before an órdago, a juego and the match
    profile, seats, mano  of a new game; ``None`` if they were not asked for
    usual_profile, usual_seats  of a new game for which nothing else was asked
    language of voice and page, whatever the rules say; "": as the rules say
    mano     ``None``: the table is asked
    https_port  of the secure page beside the plain one; 0 for any free one, None for no such page
    hub      where the game is sent, or None
    stay     keep serving the page after the recording's end
    """

    listen: Path | None
    fast: bool
    aloud: bool
    demo: bool
    cards: Path | None
    camera: str | None
    deck: str | None
    table: Path | None
    journal: Path | None
    model: Path
    second: Path | None
    hearing: str
    mic: str | None
    channels: int
    seat_channels: tuple[int, ...]
    array: bool
    learn: bool
    voice: str
    voice_name: str
    rate: int
    volume: float
    style: str
    level: str
    sounds: bool
    port: int
    https_port: int | None
    host: str
    profile: Profile | None
    seats: tuple[str, ...] | None
    mano: int | None
    usual_profile: Profile | None
    usual_seats: tuple[str, ...] | None
    language: str
    hub: Address | None
    new: bool
    stay: bool
    json: bool

    @property
    def voice_file(self) -> Path:
        """The file that takes what would be said."""
        return Path(self.voice)


def default_journal() -> Path:
    """The journal of this machine's table, in the user's data folder (XDG)."""
    return own_data_dir() / "table.sqlite3"


def kept_journal(named: Path | None) -> Path:
    """The journal to read: the one named, or this machine's. Raises UsageError if it is missing."""
    path = named or default_journal()
    if path.exists():
        return path
    if named is None:
        raise UsageError(
            "Nothing was played on this machine yet ({path} is missing): play first, or name "
            "another journal with --journal.",
            path=path,
        )
    raise UsageError("There is no journal {path}: check the name given with --journal.", path=path)


def port_number(text: str) -> int:
    """A typed port as a number. Raises argparse.ArgumentTypeError."""
    if text.isascii() and text.isdigit() and 0 <= int(text) <= MAX_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(
        Translatable(
            "{text!r} is no port: choose 1 to {most}, or 0 for any.", text=text, most=MAX_PORT
        )
    )


# ---- The settings file: TOML, read strictly, and replaced atomically ----------------------------


Value = str | bool | int | float
FILE = "settings.toml"
MOST_BYTES = 100_000
MODELS = "models"
LONGEST = 200
"""The most letters of a text; the longest useful one is a camera's address."""
MOST_CHANNELS = 32
"""The most channels of a microphone; no device at a table has more."""
HEAD = (
    "What mus takes for granted at this table. Any line may be changed or taken away, and the "
    "command line goes before it. 'mus settings' shows all, 'mus settings KEY VALUE' changes one."
)


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: its default, its meaning, and what is wrong with a value ("" if nothing)."""

    default: Value
    means: str
    fault: Callable[[Value], str] = lambda _value: ""


def _one_of(*words: str) -> Callable[[Value], str]:
    return lambda value: (
        "" if value in words else Translatable("choose from {known}.", known=", ".join(words))
    )


def _between(least: float, most: float) -> Callable[[Value], str]:
    def fault(value: Value) -> str:
        inside = isinstance(value, int | float) and least <= value <= most
        return (
            ""
            if inside
            else Translatable("it goes from {least:g} to {most:g}.", least=least, most=most)
        )

    return fault


def _seats(value: Value) -> str:
    try:
        if value:
            read_seats(str(value))
    except ProfileError as error:
        return str(error)
    return ""


def _rules(value: Value) -> str:
    try:
        pairs = rule_pairs(str(value))
        read_values(dict(pairs))
    except ProfileError as error:
        return str(error)
    return "" if len(dict(pairs)) == len(pairs) else "a rule is set twice."


def _models(value: Value) -> str:
    names = str(value).split()
    return "" if len(names) <= 2 and len({*names}) == len(names) else "name one model, or two."


def _seat_channels(value: Value) -> str:
    words = str(value).split()
    good = all(word.isascii() and word.isdigit() and 1 <= int(word) <= 16 for word in words)
    if good and len(set(words)) == len(words):
        return ""
    return "name one channel for each seat, as in '1 2 3 4'."


def _language(value: Value) -> str:
    known = languages("phrases")
    if value == "" or value in known:
        return ""
    return Translatable("choose from {known}.", known=", ".join(known))


OPTIONS: dict[str, Option] = {
    "mic": Option("", "microphone, by a part of its name"),
    "hearing": Option(
        MICROPHONE,
        "what it hears with: microphone (one in the middle), telephones or taps (it is tapped)",
        _one_of(*HEARINGS),
    ),
    "channels": Option(1, "channels to take of the microphone", _between(1, MOST_CHANNELS)),
    "seat_channels": Option(
        "", "the channel before each seat, in their order, as 1 2 3 4", _seat_channels
    ),
    "array": Option(
        False, "whether the channels are those of an array that is steered at whoever speaks"
    ),
    "learn": Option(True, "whether the ear learns the players' voices while they play"),
    MODELS: Option("", "the ear's models, one or two; 'mus models list' names them", _models),
    "camera": Option("", "camera: 0 (USB), rpicam or an address"),
    "deck": Option("", "deck in play; 'mus deck list' names them"),
    "voice": Option(True, "whether it speaks"),
    "voice_name": Option("", "installed voice, by a part of its name"),
    "rate": Option(180, "words a minute", _between(80, 450)),
    "volume": Option(1.0, "the voice's volume, from 0 to 1", _between(0, 1)),
    "style": Option(USUAL_STYLE, "caller's style, which words what it says"),
    "level": Option(
        "essential",
        "how much it says: silent, essential (as much as its style tells) or full (every call)",
        _one_of(*(str(level) for level in Level)),
    ),
    "sounds": Option(True, "whether tones go before an órdago, a juego and the match"),
    "port": Option(DEFAULT_PORT, "port of the page", _between(0, MAX_PORT)),
    "https_port": Option(
        DEFAULT_PORT + HTTPS_BEYOND,
        "port of the secure page, which telephones need to be microphones",
        _between(0, MAX_PORT),
    ),
    "lan": Option(False, "whether other devices may open the page"),
    "language": Option(
        "",
        "language of the voice, the page and the terminal: es, eu or en; empty: that of the rules, "
        "and of the machine",
        _language,
    ),
    "hub": Option(
        "", "the hall that the game is sent to, as mqtts://mesa-1@hub.local; empty: none"
    ),
    "hub_password_file": Option("", "file with the table's password in the hall"),
    "hub_ca": Option("", "certificate that vouches for the hall"),
    "hub_cert": Option("", "the table's certificate, in place of a password"),
    "hub_key": Option("", "the key of that certificate"),
    "profile": Option("", "house rules; 'mus profiles' names them"),
    "rules": Option("", "single rules on top of the house rules, as target=30 kings=4", _rules),
    "seats": Option("", "players, anticlockwise", _seats),
}
"""Every key of the file. A test checks that ``mus play`` takes each of them."""


class SettingsError(UsageError):
    """The file, or a value for it, is wrong; the text is one sentence that says what to do."""


def settings_path() -> Path:
    """The path of the settings file (XDG); it need not exist."""
    return own_config_dir() / FILE


def read_settings(path: Path | None = None) -> dict[str, Value]:
    """What the file sets, key by key; empty if there is no file. Raises SettingsError."""
    path = path or settings_path()
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SettingsError(
                "{path} is too long to be settings: mend it, or take it away.", path=path
            )
        table = parse_toml(data.decode("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            "{path} cannot be read: mend it, or take it away.", path=path
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            "{path} is no TOML file ({error}): mend it.", path=path, error=error
        ) from error
    return {key: checked(key, value, f"{path}: ") for key, value in table.items()}


def whole(kept: Mapping[str, Value]) -> dict[str, Value]:
    """Every setting, as it was set or by default."""
    return {key: kept.get(key, option.default) for key, option in OPTIONS.items()}


def write_settings(changes: Mapping[str, Value | None], path: Path | None = None) -> None:
    """Set some keys, or remove them (None); the others stay. Raises SettingsError, OSError."""
    path = path or settings_path()
    kept = read_settings(path)
    for key, value in changes.items():
        if value is None:
            option_of(key)
            kept.pop(key, None)
        else:
            kept[key] = checked(key, value)
    write_whole(path, _text(kept))


def option_of(key: str, where: str = "") -> Option:
    """The option of a key. Raises SettingsError."""
    if key in OPTIONS:
        return OPTIONS[key]
    if near := difflib.get_close_matches(key, OPTIONS, 1):
        meant = Translatable("did you mean {near!r}?", near=near[0])
    else:
        meant = Translatable("choose from {known}.", known=", ".join(OPTIONS))
    raise SettingsError(
        "{where}there is no setting {key!r}: {meant}", where=where, key=key[:40], meant=meant
    )


def checked(key: str, value: object, where: str = "") -> Value:
    """Check a value and return it as it is kept. Raises SettingsError."""
    option = option_of(key, where)
    kind = type(option.default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind or not isinstance(value, str | bool | int | float):
        raise SettingsError("{where}{key} must be {kind}.", where=where, key=key, kind=_KINDS[kind])
    if isinstance(value, str) and (len(value) > LONGEST or not value.isprintable()):
        raise SettingsError(
            "{where}{key} must be one line of {most} letters at most.",
            where=where,
            key=key,
            most=LONGEST,
        )
    if fault := option.fault(value):
        raise SettingsError(
            "{where}{key} cannot be {value!r}: {fault}",
            where=where,
            key=key,
            value=value,
            fault=fault,
        )
    return value


def spoken(key: str, text: str) -> Value:
    """A typed value in the form of the file: "sí" is true, "off" is false. Raises SettingsError."""
    kind = type(option_of(key).default)
    if kind is bool:
        if text.lower() not in _WORDS:
            raise SettingsError("{key} is on or off, not {text!r}.", key=key, text=text[:40])
        return _WORDS[text.lower()]
    try:
        return checked(key, kind(text))
    except ValueError:
        raise SettingsError(
            "{key} must be {kind}, not {text!r}.", key=key, kind=_KINDS[kind], text=text[:40]
        ) from None


_KINDS: dict[type, str] = {
    str: 'a text in quotes ("...")',
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}
_WORDS = {"on": True, "off": False, "sí": True, "si": True, "no": False, "yes": True,
          "true": True, "false": False}  # fmt: skip


def _text(kept: Mapping[str, Value]) -> str:
    from assistant.files.terminal import help_text  # it asks the settings for the language

    lines = [*textwrap.wrap(help_text(HEAD), 98, initial_indent="# ", subsequent_indent="# "), ""]
    for key, option in OPTIONS.items():
        mark = "" if key in kept else "# "
        # JSON's texts, numbers, true and false are TOML's.
        value = json.dumps(kept.get(key, option.default), ensure_ascii=False)
        lines += [f"# {help_text(option.means)}", f"{mark}{key} = {value}", ""]
    return "\n".join(lines)
