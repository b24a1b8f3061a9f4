"""What can go wrong in the core. Every error carries a code that the phrases translate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.rules.calls import Call


class MusError(Exception):
    """Base of every error that the core raises on purpose; its text is one sentence for people."""


class CardError(MusError, ValueError):
    """A card or a hand that does not exist."""


class ProfileError(MusError, ValueError):
    """House rules that no table can play; ``key`` is the rule to look at, where there is one."""

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key


class HistoryError(MusError, ValueError):
    """Records that do not fold into a game, or a retraction that would leave such records."""


class CallError(MusError):
    """A call that moved nothing.

    ``code`` names the reason (a key of the phrase files), ``call`` is what was understood, if
    anything was, and ``params`` fill the sentence.
    """

    def __init__(self, code: str, message: str, call: Call | None = None, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.call = call
        self.params = params


class IllegalCall(CallError):  # noqa: N818 - the terms of every notation parser
    """A call that the rules do not allow now."""


class AmbiguousCall(CallError):  # noqa: N818
    """A call with two readings; ``options`` holds the calls it may have meant."""

    def __init__(
        self,
        code: str,
        message: str,
        call: Call | None = None,
        options: tuple[Call, ...] = (),
        **params: object,
    ) -> None:
        super().__init__(code, message, call, **params)
        self.options = options
