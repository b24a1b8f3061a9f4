"""A tournament's acts in one signed file, and a check of it that anybody can run.

The file is a ZIP: the acts, the journal of each game that gave a result, and a manifest with the
SHA-256 of each, signed by the hall's key (Ed25519, RFC 8032). The file alone is enough to repeat
the draw from its seed, and each result from the journal of its game. The signature shows which hall
it comes from; the hall publishes the key's fingerprint.
"""

from __future__ import annotations

import base64
import json
import re
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from sqlalchemy import Engine

from assistant.hall.hub.database import get_or_create
from assistant.hall.hub.ledger import Ledger, LedgerEntry
from assistant.hall.hub.scoring import played, result_of
from assistant.hall.hub.store import JournalReader
from assistant.hall.hub.wire import game_id
from assistant.hall.tournament import (
    Drawn,
    ResultEntered,
    RoundDrawn,
    StageKind,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    check,
    players,
)
from assistant.messages.codec import CodecError, event_from_json, event_to_json
from assistant.rules.errors import HistoryError, MusError, Translatable
from assistant.rules.history import Record

FORM = 1
"""The version of the file's form."""
MANIFEST, SIGNATURE, ACTS, GAMES = "manifest.json", "manifest.sig", "acts.jsonl", "games/"
KEY = "release_key"
"""The name in the database of the hall's key; a backup has it, too."""
MOST_BYTES = 256 * 1024 * 1024
"""Bytes of the whole file, unpacked: ten thousand matches take half of it."""
_DAMAGE = (BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, RuntimeError)
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


class ReleaseError(MusError):
    """A file that is no release of a tournament; the text says why."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a check.

    ``key``: the fingerprint of the key that signed. ``draws``: draws that their seed gives.
    ``journals``: results that their journal gives. ``people``: results that people entered.
    ``gone``: results whose journal the file lacks, because it was pruned before. ``wrong``:
    contradictions, in sentences.
    """

    tournament: str
    key: str
    acts: int
    draws: int
    journals: int
    people: int
    gone: int
    wrong: tuple[str, ...]


# ---- Writing ------------------------------------------------------------------------------------


def release(engine: Engine, tournament: int, target: Path) -> str:
    """Write the file; returns the fingerprint of the key that signed it.

    It is written atomically. Raises TournamentError, CodecError, DatabaseError, OSError.
    """
    ledger, reader = Ledger(engine), JournalReader(engine)
    name = ledger.standing(tournament).tournament.name
    entries = ledger.entries(tournament)
    files = {ACTS: "".join(_act_line(entry) for entry in entries).encode()}
    for entry in entries:
        if isinstance(entry.act, ResultEntered) and entry.act.game:
            files |= _game_file(reader, entry.act)
    key = _key_of(engine)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    manifest = json.dumps(
        {
            "form": FORM,
            "tournament": name,
            "made": time.time(),
            "key": base64.b64encode(public).decode(),
            "files": {path: sha256(content).hexdigest() for path, content in files.items()},
        }
    ).encode()
    partly = target.with_name(f".{target.name}.part")
    try:
        with ZipFile(partly, "w", ZIP_DEFLATED) as archive:
            for path, content in files.items():
                archive.writestr(path, content)
            archive.writestr(MANIFEST, manifest)
            archive.writestr(SIGNATURE, key.sign(manifest))
        partly.replace(target)
    finally:
        partly.unlink(missing_ok=True)
    return fingerprint(public)


def fingerprint(public: bytes) -> str:
    """A key in eight groups of four letters, which people can compare."""
    digest = sha256(public).hexdigest()[:32]
    return " ".join(digest[at : at + 4] for at in range(0, 32, 4))


def _key_of(engine: Engine) -> Ed25519PrivateKey:
    def make() -> str:
        raw = (Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return base64.b64encode(Ed25519PrivateKey.generate().private_bytes(*raw)).decode()

    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(get_or_create(engine, KEY, make)))


def _act_line(entry: LedgerEntry) -> str:
    told = {"seq": entry.seq, "at": entry.at, "act": json.loads(act_to_json(entry.act))}
    return json.dumps(told, ensure_ascii=False) + "\n"


def _game_file(reader: JournalReader, act: ResultEntered) -> dict[str, bytes]:
    """The journal that a result came from; nothing if it was pruned."""
    game = next((game for game in reader.games(act.by) if game.game == act.game), None)
    if game is None:
        return {}
    records = reader.records(game.id, 0, game.stored)
    lines = [[r.seq, r.batch, r.at, event_to_json(r.event)] for r in records]
    return {_path_of(act): "".join(json.dumps(line) + "\n" for line in lines).encode()}


def _path_of(act: ResultEntered) -> str:
    return f"{GAMES}{_UNSAFE.sub('_', act.by)}/{_UNSAFE.sub('_', act.game)}.jsonl"


# ---- Checking -----------------------------------------------------------------------------------


def verify(source: Path) -> Verified:
    """Check a file: its signature, every act, each draw, each result. Raises ReleaseError."""
    try:
        with ZipFile(source) as archive:
            if sum(info.file_size for info in archive.infolist()) > MOST_BYTES:
                raise ReleaseError("{source} is too large for a tournament.", source=source)
            files = {info.filename: archive.read(info) for info in archive.infolist()}
        manifest = json.loads(files[MANIFEST])
        if manifest["form"] != FORM:
            raise ReleaseError(
                "{source} was made by another version of mus: update mus.", source=source
            )
        public = base64.b64decode(manifest["key"], validate=True)
        wrong = [*_signed(public, files), *_whole(manifest["files"], files)]
        entries = [_entry(line) for line in files[ACTS].decode().splitlines()]
        name = str(manifest["tournament"])
    except OSError as error:
        raise ReleaseError(
            "{path} cannot be read: {why}.", path=source, why=error.strerror or error
        ) from error
    except _DAMAGE as error:
        raise ReleaseError(
            "{source} is damaged or no released tournament ({error}).", source=source, error=error
        ) from error
    found = _Check(files)
    found.follow(entries)
    return Verified(
        tournament=name,
        key=fingerprint(public),
        acts=len(entries),
        draws=found.draws,
        journals=found.journals,
        people=found.people,
        gone=found.gone,
        wrong=(*wrong, *found.wrong),
    )


def _signed(public: bytes, files: dict[str, bytes]) -> Iterator[str]:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(files[SIGNATURE], files[MANIFEST])
    except InvalidSignature:
        yield Translatable("The signature is not that of this file.")


def _whole(wanted: dict[str, str], files: dict[str, bytes]) -> Iterator[str]:
    there = files.keys() - {MANIFEST, SIGNATURE}
    for path in sorted(wanted.keys() | there):
        if path not in there:
            yield Translatable("{path} is missing.", path=path)
        elif path not in wanted:
            yield Translatable("{path} was added after it was signed.", path=path)
        elif sha256(files[path]).hexdigest() != wanted[path]:
            yield Translatable("{path} was changed after it was signed.", path=path)


def _entry(line: str) -> LedgerEntry:
    told = json.loads(line)
    return LedgerEntry(int(told["seq"]), float(told["at"]), act_from_json(json.dumps(told["act"])))


class _Check:
    """Plays the acts again, and looks at each draw and each result."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.draws = self.journals = self.people = self.gone = 0
        self.wrong: list[str] = []
        self._files = files

    def follow(self, entries: Sequence[LedgerEntry]) -> None:
        """Take the acts in their order, up to the first that may not follow."""
        now: Tournament | None = None
        for number, entry in enumerate(entries, 1):
            act = entry.act
            if entry.seq != number:
                self.wrong.append(Translatable("Act {act} is missing.", act=number))
                return
            try:
                if now is not None:
                    check(now, act)
                    self._look(now, entry)
                now = apply(now, act)
            except TournamentError as error:
                self.wrong.append(
                    Translatable("Act {act} may not follow ({code}).", act=number, code=error.code)
                )
                return

    def _look(self, now: Tournament, entry: LedgerEntry) -> None:
        act = entry.act
        if isinstance(act, Drawn | RoundDrawn) and act.bag:
            return  # people drew it: there is nothing to repeat
        if isinstance(act, Drawn) or (
            isinstance(act, RoundDrawn)
            and now.stages[act.phase - 1].kind is not StageKind.SWISS  # that is paired by points
        ):
            self.draws += 1  # its check has repeated it
        elif isinstance(act, ResultEntered) and not act.game:
            self.people += 1
        elif isinstance(act, ResultEntered):
            self._result(now, act, entry.seq)

    def _result(self, now: Tournament, act: ResultEntered, seq: int) -> None:
        content = self._files.get(_path_of(act))
        if content is None:
            self.gone += 1
            return
        try:
            records = [_record(line) for line in content.decode().splitlines()]
            first = records[0]
            if not act.game.endswith(game_id("", first.at, event_to_json(first.event))):
                self.wrong.append(
                    Translatable(
                        "Act {act}: {game} is the name of another journal.", act=seq, game=act.game
                    )
                )
                return
            given = any(now.given(act.match, players(now, act.match)))
            end = played(records, unfinished=given)
        except (HistoryError, CodecError, ValueError, IndexError, TypeError) as error:
            self.wrong.append(
                Translatable(
                    "Act {act}: the journal of {match} cannot be read: {error}",
                    act=seq,
                    match=act.match,
                    error=error,
                )
            )
            return
        told = result_of(now, act.match, act.game, end) if end else "unfinished"
        if isinstance(told, ResultEntered) and (told.juegos, told.stones) == (
            act.juegos,
            act.stones,
        ):
            self.journals += 1
        else:
            self.wrong.append(
                Translatable(
                    "Act {act}: the journal of {match} gives another result.",
                    act=seq,
                    match=act.match,
                )
            )


def _record(line: str) -> Record:
    seq, batch, at, event = json.loads(line)
    return Record(int(seq), int(batch), float(at), event_from_json(event))
