"""The Spanish lexicon, read and made once for all tests of a process."""

from __future__ import annotations

from functools import cache

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon


@cache
def spanish() -> Lexicon:
    """The shipped lexicon of Spanish.

    A lexicon has no state, so all tables may share it. Making one takes as long as a short test.
    """
    return load_lexicon()
