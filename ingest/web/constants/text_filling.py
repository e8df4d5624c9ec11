"""Texts with gaps that known values fill: `"%s/%s" % (a, b)` and `"{}/{name}".format(a, name=b)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from types import EllipsisType
from typing import Final

from graph.facts import Json

_PERCENT: Final = re.compile(r"%(?:\((\w+)\))?([sd%])|%")
_PLAIN: Final = re.compile(r"\w*$")
_SIZE: Final = 10_000


def formatted(text: str, value: object, *, several: bool) -> Json | EllipsisType:
    """What `text % value` gives, where `several` tells that the value is a tuple; `...` where that is not known."""
    given: Sequence[object] = value if several and isinstance(value, list) else [value]
    names = value if isinstance(value, dict) and not several else {}
    gaps = list(_PERCENT.finditer(text))
    if any(not gap.group(2) for gap in gaps):
        return ...
    wanted = [gap for gap in gaps if gap.group(2) != "%"]
    named = [gap.group(1) for gap in wanted if gap.group(1)]
    if named:
        values = [names.get(name) for name in named] if len(named) == len(wanted) else []
    else:
        values = list(given)
    if len(values) != len(wanted) or not all(map(_is_plain, values)) or len(text) > _SIZE:
        return ...
    if any(gap.group(2) == "d" and isinstance(v, str) for gap, v in zip(wanted, values, strict=True)):
        return ...
    rest = iter(values)
    return _PERCENT.sub(lambda gap: "%" if gap.group(2) == "%" else str(next(rest)), text)


def filled(text: object, values: Sequence[object], names: Mapping[str, object]) -> Json | EllipsisType:
    """What `text.format(…)` gives; `...` where that is not known."""
    if not isinstance(text, str) or len(text) > _SIZE or not all(map(_is_plain, [*values, *names.values()])):
        return ...
    try:
        gaps = [(name, form, how) for _, name, form, how in Formatter().parse(text) if name is not None]
        if any(form or how or not _PLAIN.match(name) for name, form, how in gaps):
            return ...
        return text.format(*values, **names)
    except (ValueError, IndexError, KeyError):
        return ...


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
