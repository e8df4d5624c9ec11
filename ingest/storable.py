"""What resolvers conclude, made fit to be kept: a constant of the code may hold what no encoding can carry."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

import msgspec

from graph.facts import Extract

_Value = TypeVar("_Value")
_encode = msgspec.json.Encoder().encode


def storable(extract: Extract) -> Extract:
    """The extract with lone surrogates, as `"\\ud800"` makes one, shown as escapes; nearly always itself."""
    try:
        _encode(extract)
    except UnicodeEncodeError:
        return _shown(extract)
    return extract


def _shown(value: _Value) -> _Value:
    shown: object = value
    if isinstance(value, str) and not isinstance(value, Enum):
        shown = value.encode("utf-8", "backslashreplace").decode()
    elif isinstance(value, msgspec.Struct):
        fields = {name: _shown(getattr(value, name)) for name in value.__struct_fields__}
        shown = msgspec.structs.replace(value, **fields)
    elif isinstance(value, dict):
        shown = {_shown(key): _shown(each) for key, each in value.items()}
    elif isinstance(value, list | tuple | set | frozenset):
        shown = type(value)(_shown(each) for each in value)
    assert isinstance(shown, type(value)), "only texts change"
    return shown
