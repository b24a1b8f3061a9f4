"""How large a tournament may be, what its texts must be like, and the house rules it shares."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from assistant.hall.tournament.errors import TournamentError
from assistant.messages.forms import short
from assistant.rules.errors import ProfileError
from assistant.rules.profile import OPTIONS, Profile, differences, profile_from, rules_of

# ---- How large a tournament may be, and what its texts and numbers must be like -----------------


MAX_PAIRS = 2_600
MAX_NUMBER = 999_999
"""The highest number of a pair, and the highest seed place."""
MAX_TEXT = 120
"""Letters in a name, or in who did something."""
MAX_REASON = 500
MAX_STONES = 9_999
MAX_JUEGOS = 15
MAX_ROUNDS = 60
MAX_SEED = 2**53 - 1
"""The highest seed of a draw: the highest number that a web page keeps exactly."""


def within(number: int, least: int, most: int, what: str, of: str) -> None:
    """Raise TournamentError for a number out of its span, in the words "what 1 to 9 of"."""
    if not least <= number <= most:
        of = f" {of}" if of else ""
        facts = {"what": what, "least": least, "most": most, "of": of, "number": short(number)}
        raise TournamentError("out_of_span", **facts)


def text(given: str, what: str, optional: bool = False, most: int = MAX_TEXT) -> None:
    """Raise TournamentError for a text that is missing, too long, or no line of text."""
    if not given.strip() and not (optional and not given):
        raise TournamentError("missing", what=what)
    if len(given) > most:
        raise TournamentError("too_long", what=what, most=most)
    if not given.isprintable():
        raise TournamentError("unreadable", what=what)


def reasoned(reason: str, by: str) -> None:
    """Raise TournamentError unless somebody gives a reason."""
    text(reason, "The reason", most=MAX_REASON)
    text(by, "Who did it")


def score(juegos: tuple[int, int], stones: tuple[int, int]) -> None:
    """Raise TournamentError for a result that no match has."""
    if juegos[0] == juegos[1]:
        raise TournamentError("no_winner")
    for won in juegos:
        within(won, 0, MAX_JUEGOS, "A pair wins", "juegos")
    for count in stones:
        within(count, 0, MAX_STONES, "A pair has", "stones")


def plain(given: str) -> str:
    """A text as people mean it: without accents, capitals and double spaces."""
    apart = unicodedata.normalize("NFD", given)
    letters = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(letters.casefold().split())


# House rules that all tables of a tournament share, as one line of text: what ``--rules`` takes.
# A match settles by itself how long it is and who plays, and each table in which language it
# talks: these rules are never shared.


ELSEWHERE = ("juegos", "vacas", "sides", "senas", "calls", "voice")
"""Rules that the match settles, or each table for itself."""
SHARED = tuple(key for key in OPTIONS if key not in ELSEWHERE)
ALWAYS = ("kings", "target")
"""Rules that are told also where they are the usual ones: everybody asks for them."""
MAX_RULES = 1_000
"""Letters; all rules, written out, are half of it."""


def check_rules(rules: str) -> None:
    """Raise TournamentError for a text that is no rules; "" is none, and right."""
    text(rules, "The rules", optional=True, most=MAX_RULES)
    profile_of(rules)


def profile_of(rules: str, base: Profile | None = None) -> Profile:
    """The house rules of a text, on top of those of ``base``. Raises TournamentError."""
    values: dict[str, object] = {}
    for word in rules.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals:
            raise TournamentError("rules_unreadable", word=f"{word!r:.40}")
        if key in values:
            raise TournamentError("rule_twice", rule=key)
        if key in ELSEWHERE:
            raise TournamentError("rule_elsewhere", rule=key)
        if key not in OPTIONS:
            raise TournamentError("no_rule", rule=f"{key!r:.40}", known=", ".join(SHARED))
        values[key] = value
    try:
        return profile_from(_shared(base or Profile()) | values)
    except ProfileError as error:
        rule = error.key or ""
        facts = {"rule": rule, "values": OPTIONS[rule].values.told if rule in OPTIONS else ""}
        raise TournamentError("rule_wrong", why=f"{error!s:.200}", **facts) from None


def written(profile: Profile) -> str:
    """Every shared rule: a default that changes later leaves old tournaments as they are."""
    return " ".join(f"{key}={value}" for key, value in _shared(profile).items())


def told(rules: str) -> dict[str, str]:
    """What people are told of rules: where they are not the usual ones; {} for none."""
    if not rules:
        return {}
    profile = profile_of(rules)
    return {key: _shared(profile)[key] for key in ALWAYS} | differences(profile)


def at_table(usual: Profile, rules: str) -> Profile:
    """The house rules of a text at a table that plays by ``usual`` elsewhere."""
    shared = profile_of(rules)
    return replace(shared, senas=usual.senas, calls=usual.calls, voice=usual.voice)


def plays_by(profile: Profile, rules: str) -> bool:
    """Whether a game by these house rules is one by those of a text; "" takes any."""
    return not rules or _shared(profile) == _shared(profile_of(rules))


def _shared(profile: Profile) -> dict[str, str]:
    all_rules = rules_of(profile)
    return {key: all_rules[key] for key in SHARED}
