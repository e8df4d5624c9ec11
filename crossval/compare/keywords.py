"""Where two schemas of one value differ in a keyword that narrows it, and which of them admits less."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

import msgspec

from crossval.compare.spelled import length_is_spelled, pattern_difference, spelled_values, values_of
from crossval.compare.stated import pattern_shape
from crossval.compare.untyped import unchecked
from crossval.pairs import Difference, Direction, Stricter
from graph.facts import Json
from graph.schema_algebra import Schema

_CARRIED_BY_A_TYPE = frozenset({"date-time", "date", "uuid", "email", "uri", "binary"})
_COMPARABLE = _CARRIED_BY_A_TYPE | {"time", "duration", "ipv4", "ipv6"}
_ONLY_SHOWN = ("", "password")
"""Formats that say how a text is shown, and nothing of what it may be."""
_SAME_FORMAT = {"url": "uri", "uuid4": "uuid", "datetime": "date-time"}
_COUNTS = {
    "minLength": True,
    "minItems": True,
    "minProperties": True,
    "maxLength": False,
    "maxItems": False,
    "maxProperties": False,
}
_COUNTED = {"Length": "string", "Items": "array", "Properties": "object"}
_MACHINE_LIMITS = frozenset(
    limit
    for bits in (8, 16, 32, 53, 64)
    for half in (2 ** (bits - 1), 2**bits)
    for limit in (half - 1, 1 - half if bits == 53 else -half)
)
"""The least and greatest integers of a machine's or database's types, and those that JavaScript keeps exact."""
_ABOVE_NOTHING = {"minimum": (0, 1), "exclusiveMinimum": (0,)}


class Setting(msgspec.Struct, frozen=True):
    """How keywords are to be judged at one place.

    `declared` says that the code's schema is all that the code checks, so that a keyword absent there admits
    everything; otherwise the code may check by hand, and what it leaves out is not known. `textual` says that
    values travel as text (parameters, forms), where null cannot be told apart.
    """

    flow: Direction
    declared: bool = True
    textual: bool = False


def canonical(value: Json) -> str:
    """A text that is equal for equal JSON values: 1 and 1.0 are one number, but true is none."""
    return json.dumps(_plain(value), sort_keys=True)


def keyword_differences(
    spec: Schema, code: Schema, setting: Setting, patterns: Collection[str] = ()
) -> Iterator[Difference]:
    """The differences in enum, format, bounds and pattern of two schemas whose types overlap.

    Of an answer whose form the code does not declare, what only one side says is not known to differ.
    What the code surely checks nowhere (`x-unchecked`) is known nevertheless.
    What the framework may demand by itself, though the code does not state it (`x-implied`), is no difference,
    unless it is a pattern of one of the shapes that the contract states elsewhere (`patterns`).
    """
    implied = code.get("x-implied")
    if isinstance(implied, list):
        spec = {
            key: value for key, value in spec.items() if key in code or not _is_implied(key, value, implied)
        }
        if pattern_shape(code.get("pattern")) in patterns:
            implied = [keyword for keyword in implied if keyword != "pattern"]
        code = {key: value for key, value in code.items() if key in spec or key not in implied}
    for difference in _all(spec, code):
        one_sided = difference.spec is None or difference.code is None
        undecided = difference.code is None or setting.flow is Direction.RESPONSE
        if setting.declared or unchecked(code, difference.change) or not (one_sided and undecided):
            yield difference


def _is_implied(keyword: str, value: Json, implied: list[Json]) -> bool:
    """Whether the framework may demand this by itself; `range`, `positive` and `filled` name limits of one value."""
    if keyword in implied:
        return True
    if keyword in _ABOVE_NOTHING and value in _ABOVE_NOTHING[keyword] and "positive" in implied:
        return True
    if keyword in ("minimum", "maximum") and "range" in implied:
        return value in _MACHINE_LIMITS
    return keyword == "minLength" and "filled" in implied and value == 1


def type_difference(spec: frozenset[str], code: frozenset[str], flow: Direction) -> Difference | None:
    """How the types that two schemas admit differ; an integer is a number, so a response may be that narrow."""
    wide, narrow = _covers(code, spec), _covers(spec, code)
    if wide and narrow:
        return None
    stricter = Stricter.SPEC if wide else Stricter.CODE if narrow else Stricter.NEITHER
    if stricter is Stricter.CODE and flow is Direction.RESPONSE and "integer" in code - spec:
        return None
    return Difference(change="type", spec=_type(spec), code=_type(code), stricter=stricter)


def default_difference(spec: Schema, code: Schema) -> Difference | None:
    """The difference of two stated defaults; null is no default."""
    first, second = spec.get("default"), code.get("default")
    if first is None or second is None or canonical(first) == canonical(second):
        return None
    return Difference(change="default", spec=first, code=second)


def _all(spec: Schema, code: Schema) -> Iterator[Difference]:
    yield from _enum(spec, code)
    if "enum" in spec or "enum" in code:
        return
    yield from _format(spec, code)
    yield from _limits(spec, code, lower=True)
    yield from _limits(spec, code, lower=False)
    yield from _steps(spec, code)
    texts_are_formed = _form(code) in _COMPARABLE - {"binary"}
    for keyword, lower in _COUNTS.items():
        if not (_is_countable(keyword, spec) and _is_countable(keyword, code)):
            continue
        if length_is_spelled(keyword, spec, code) or length_is_spelled(keyword, code, spec):
            continue
        if not (texts_are_formed and keyword.endswith("Length") and keyword not in code):
            yield from _count(keyword, lower, spec, code)
    if not (texts_are_formed and "pattern" not in code):
        yield from _pattern(spec, code)


def _enum(spec: Schema, code: Schema) -> Iterator[Difference]:
    first, second = values_of(spec), values_of(code)
    if (first is None) != (second is None):
        # A pattern may be how the other side lists its values.
        first, second = first or spelled_values(spec), second or spelled_values(code)
    if "blank" in code.get("x-implied", ()):
        first, second = _filled(first), _filled(second)
    if first is None and second is None:
        return
    if first is None or second is None:
        stricter = Stricter.CODE if first is None else Stricter.SPEC
        yield Difference(change="enum", spec=first, code=second, stricter=stricter)
    elif (difference := enum_difference(first, second)) is not None:
        yield difference


def enum_difference(first: list[Json], second: list[Json]) -> Difference | None:
    """How two lists of values differ, in whatever order."""
    ours, theirs = {canonical(v) for v in first}, {canonical(v) for v in second}
    if ours == theirs:
        return None
    stricter = Stricter.CODE if theirs < ours else Stricter.SPEC if ours < theirs else Stricter.NEITHER
    return Difference(change="enum", spec=first, code=second, stricter=stricter)


def _format(spec: Schema, code: Schema) -> Iterator[Difference]:
    first, second = _form(spec), _form(code)
    if first == second:
        return
    if first in _COMPARABLE and second in _COMPARABLE:
        yield Difference(change="format", spec=first, code=second)
    elif first in _CARRIED_BY_A_TYPE and second in _ONLY_SHOWN and "pattern" not in code:
        yield Difference(change="format", spec=first, code=None, stricter=Stricter.SPEC)
    elif second in _COMPARABLE and first in _ONLY_SHOWN and "pattern" not in spec:
        yield Difference(change="format", spec=None, code=second, stricter=Stricter.CODE)


def _limits(spec: Schema, code: Schema, *, lower: bool) -> Iterator[Difference]:
    first, second = _limit(spec, lower=lower), _limit(code, lower=lower)
    if first == second:
        return
    sign = 1 if lower else -1
    if first is None or second is None:
        stricter = Stricter.CODE if first is None else Stricter.SPEC
    else:
        tight_spec, tight_code = (sign * first[1], first[2]), (sign * second[1], second[2])
        # Where numbers are kept as 64-bit floats, the limits of 64-bit integers lose their last digit.
        if tight_spec == tight_code or (
            tight_spec[1] == tight_code[1] and float(tight_spec[0]) == float(tight_code[0])
        ):
            return
        stricter = Stricter.SPEC if tight_spec > tight_code else Stricter.CODE
    keyword = (first or second or ("", 0, False))[0]
    yield Difference(
        change=keyword, spec=_stated(first, keyword), code=_stated(second, keyword), stricter=stricter
    )


def _limit(schema: Schema, *, lower: bool) -> tuple[str, float, bool] | None:
    """Keyword, value and exclusiveness of the tightest limit; over integers always an inclusive one."""
    plain, exclusive = ("minimum", "exclusiveMinimum") if lower else ("maximum", "exclusiveMaximum")
    sign = 1 if lower else -1
    found: list[tuple[str, float, bool]] = []
    for keyword in (plain, exclusive):
        value = schema.get(keyword)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if keyword == exclusive and schema.get("type") == "integer" and float(value).is_integer():
            found.append((plain, int(value) + sign, False))
        else:
            found.append((keyword, value, keyword == exclusive))
    return max(found, key=lambda limit: (sign * limit[1], limit[2]), default=None)


def _stated(limit: tuple[str, float, bool] | None, keyword: str) -> Json:
    if limit is None:
        return None
    return limit[1] if limit[0] == keyword else {limit[0]: limit[1]}


def _steps(spec: Schema, code: Schema) -> Iterator[Difference]:
    first, second = spec.get("multipleOf"), code.get("multipleOf")
    if canonical(first) != canonical(second):
        if first is None or second is None:
            stricter = Stricter.CODE if first is None else Stricter.SPEC
        elif isinstance(first, int) and isinstance(second, int) and first and second:
            stricter = (
                Stricter.CODE
                if second % first == 0
                else Stricter.SPEC
                if first % second == 0
                else Stricter.NEITHER
            )
        else:
            stricter = Stricter.NEITHER
        yield Difference(change="multipleOf", spec=first, code=second, stricter=stricter)
    unique, distinct = bool(spec.get("uniqueItems")), bool(code.get("uniqueItems"))
    if unique != distinct:
        yield Difference(
            change="uniqueItems",
            spec=True if unique else None,
            code=True if distinct else None,
            stricter=Stricter.SPEC if unique else Stricter.CODE,
        )


def _is_countable(keyword: str, schema: Schema) -> bool:
    """Whether a schema admits values of the one type whose parts a keyword counts."""
    counted = next(name for ending, name in _COUNTED.items() if keyword.endswith(ending))
    types = schema.get("type", counted)
    return counted in (types if isinstance(types, list) else [types])


def _count(keyword: str, lower: bool, spec: Schema, code: Schema) -> Iterator[Difference]:
    first, second = spec.get(keyword), code.get(keyword)
    if lower:
        first, second = first or None, second or None
    if first == second:
        return
    if first is None or second is None:
        stricter = Stricter.CODE if first is None else Stricter.SPEC
    else:
        stricter = Stricter.SPEC if (first > second) is lower else Stricter.CODE
    yield Difference(change=keyword, spec=first, code=second, stricter=stricter)


def _pattern(spec: Schema, code: Schema) -> Iterator[Difference]:
    first, second = spec.get("pattern"), code.get("pattern")
    if (first and not second and _form(code)) or (second and not first and _form(spec)):
        return
    if first and second:
        # A pattern that a framework writes by itself has its anchors in some of its versions only.
        bare = code.get("x-by-framework") is True and str(first).strip("^$") == str(second).strip("^$")
        yield from () if bare else pattern_difference(str(first), str(second))
    elif first or second:
        stricter = Stricter.CODE if not first else Stricter.SPEC
        yield Difference(change="pattern", spec=first, code=second, stricter=stricter)


def _filled(values: list[Json] | None) -> list[Json] | None:
    """The values without the empty text, which stands for none of the others."""
    return None if values is None else [value for value in values if value != ""]


def _form(schema: Schema) -> str:
    form = str(schema.get("format") or "").lower()
    return _SAME_FORMAT.get(form, form)


def _covers(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    return all(name in wide or (name == "integer" and "number" in wide) for name in narrow)


def _type(types: frozenset[str]) -> Json:
    names = sorted(types)
    return names[0] if len(names) == 1 else names


def _plain(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    return value
