"""How values are written as JSON and read again, driven by the type hints of frozen dataclasses.

A *form* writes and reads the values of one type. Reading is strict: the exact type, every field
without a default, no field that is unknown; a wrong value is named by its place. The forms of plain
types stand in a table to which others may be added; a dataclass's is made when first met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from assistant.rules.errors import HistoryError, MusError

Json = dict[str, Any]


class CodecError(HistoryError):
    """JSON that is not what is to be read; the text says which field and why."""


class NewerVersionError(CodecError):
    """What a newer version of the assistant wrote."""


@dataclass(frozen=True, slots=True)
class Form:
    """How values of one type are written and read."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def kinds(module: object, base: type) -> dict[str, type[Any]]:
    """The subclasses of ``base`` that a module holds, by the name they are written with."""
    # Not base.__subclasses__(): it also lists the class that slots=True replaced.
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def json_object(value: object, what: str) -> Json:
    """A JSON object as it is. Raises CodecError, naming ``what`` it should have been."""
    if type(value) is not dict:
        raise CodecError(f"{what} is a JSON object, not {short(value)}.")
    return value


def short(value: object) -> str:
    """A value as an error message quotes it: never a page long."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def form_of(hint: Any) -> Form:
    """The form of a type hint, made when first asked for.

    Raises TypeError for a hint that nothing written so far has had.
    """
    form = FORMS.get(hint)
    if form is None:
        form = FORMS[hint] = _made(hint)
    return form


def _made(hint: Any) -> Form:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum_form(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass_form(hint)
    arguments = get_args(hint)
    if get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _tuple_form(form_of(arguments[0]))
    if get_origin(hint) is tuple:
        return _fixed_form([form_of(argument) for argument in arguments])
    if isinstance(hint, UnionType) and len(arguments) == 2 and arguments[1] is NoneType:
        return _optional_form(form_of(arguments[0]))
    raise TypeError(f"The codec has no form for {hint}.")


def _as_is(value: Any) -> Any:
    return value


def _exactly(kind: type, wanted: str) -> Form:
    def decode(value: Any) -> Any:
        # type(), not isinstance(): True is no number of stones.
        if type(value) is not kind:
            raise CodecError(f"{wanted} is needed, not {short(value)}.")
        return value

    return Form(_as_is, decode)


def table_form(table: dict[str, Any], encode: Callable[[Any], Any], wanted: str) -> Form:
    """A type with few values, each with a text of its own."""

    def decode(value: Any) -> Any:
        if type(value) is str and value in table:
            return table[value]
        raise CodecError(f"{wanted} is needed, not {short(value)}.")

    return Form(encode, decode)


def _enum_form(kind: type[StrEnum]) -> Form:
    table = {member.value: member for member in kind}
    return table_form(table, lambda member: member.value, f"One of {', '.join(table)}")


def _tuple_form(item: Form) -> Form:
    def encode(value: Any) -> Any:
        return [item.encode(part) for part in value]

    def decode(value: Any) -> Any:
        if type(value) is not list:
            raise CodecError(f"A list is needed, not {short(value)}.")
        return tuple([item.decode(part) for part in value])

    return Form(encode, decode)


def _fixed_form(items: list[Form]) -> Form:
    """A tuple of so many values, each of its own type."""

    def encode(value: Any) -> Any:
        return [item.encode(part) for item, part in zip(items, value, strict=True)]

    def decode(value: Any) -> Any:
        if type(value) is not list or len(value) != len(items):
            raise CodecError(f"A list of {len(items)} is needed, not {short(value)}.")
        return tuple([item.decode(part) for item, part in zip(items, value, strict=True)])

    return Form(encode, decode)


def _optional_form(item: Form) -> Form:
    def encode(value: Any) -> Any:
        return None if value is None else write(value)

    write = item.encode

    def decode(value: Any) -> Any:
        return None if value is None else item.decode(value)

    return Form(_as_is if write is _as_is else encode, decode)


def _dataclass_form(kind: type[Any]) -> Form:
    hints = get_type_hints(kind)
    forms = {field.name: form_of(hints[field.name]) for field in fields(kind)}
    required = {
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    }

    # Most values are written as they are: only for the others a function is called.
    writers = [(name, form.encode if form.encode is not _as_is else None)
               for name, form in forms.items()]  # fmt: skip

    def encode(value: Any) -> Any:
        return {
            name: write(getattr(value, name)) if write else getattr(value, name)
            for name, write in writers
        }

    def decode(value: Any) -> Any:
        values = {}
        for name, part in json_object(value, kind.__name__).items():
            if name not in forms:
                raise CodecError(f"{kind.__name__} has no field {short(name)}.")
            try:
                values[name] = forms[name].decode(part)
            except CodecError as error:
                raise CodecError(f"{kind.__name__}.{name}: {error}") from error
        if not required <= values.keys():
            missing = ", ".join(sorted(required - values.keys()))
            raise CodecError(f"{kind.__name__} lacks {missing}.")
        try:
            return kind(**values)
        except MusError as error:
            raise CodecError(f"{kind.__name__}: {error}") from error

    return Form(encode, decode)


FORMS: dict[Any, Form] = {
    int: _exactly(int, "A whole number"),
    str: _exactly(str, "A text"),
    bool: _exactly(bool, "true or false"),
}
"""Type hint -> its form. The plain ones stand here; ``form_of`` adds the others."""
