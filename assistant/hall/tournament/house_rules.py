"""The house rules that all tables of a tournament share: one line of text, ``kings=4 target=30``.

Some rules are never shared: how many juegos win and who plays depend on the match, the languages
and the señas on the table.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.hall.tournament.errors import TournamentError, check_text
from assistant.rules.errors import ProfileError
from assistant.rules.profile import OPTIONS, Profile, differences, profile_from, rules_of

ELSEWHERE = ("juegos", "vacas", "sides", "senas", "calls", "voice")
"""Rules that are never shared, because they depend on the match or on the table."""
SHARED = tuple(key for key in OPTIONS if key not in ELSEWHERE)
ALWAYS = ("kings", "target")
"""Rules that are always shown, even at their defaults: everybody asks for them."""
MAX_RULES = 1_000
"""Letters of the text. All rules, written out, take half of it."""


def check_rules(rules: str) -> None:
    """Raise TournamentError for a text that names no valid rules; "" means none and is valid."""
    check_text(rules, "The rules", optional=True, most=MAX_RULES)
    profile_of(rules)


def profile_of(rules: str, base: Profile | None = None) -> Profile:
    """The house rules of a text, applied on top of ``base``. Raises TournamentError."""
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


def written_rules(profile: Profile) -> str:
    """Every shared rule as text, so that a default that changes later changes no old tournament."""
    return " ".join(f"{key}={value}" for key, value in _shared(profile).items())


def notable_rules(rules: str) -> dict[str, str]:
    """The rules worth showing: those that differ from the defaults, and ``ALWAYS``; {} for none."""
    if not rules:
        return {}
    profile = profile_of(rules)
    return {key: _shared(profile)[key] for key in ALWAYS} | differences(profile)


def table_profile(usual: Profile, rules: str) -> Profile:
    """The house rules of a text for a table whose own profile is ``usual``."""
    shared = profile_of(rules)
    return replace(shared, senas=usual.senas, calls=usual.calls, voice=usual.voice)


def plays_by(profile: Profile, rules: str) -> bool:
    """Whether a profile agrees with the rules of a text; every profile agrees with ""."""
    return not rules or _shared(profile) == _shared(profile_of(rules))


def _shared(profile: Profile) -> dict[str, str]:
    all_rules = rules_of(profile)
    return {key: all_rules[key] for key in SHARED}
