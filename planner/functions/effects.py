"""The test cases for what the result of a function owes to its arguments, where a stub says no more than types.

A parameter that changed nothing would not be asked for: another value of one that has to be given gives another
result. A default that is given is as one that is left out, and what is asked twice is answered alike. Nothing is
planned where a type does not say which values a function takes, so that nobody is asked for some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from graph.facts import Fact, Json, Kind
from planner.cases import Case
from planner.functions.ancestors import Known, ancestors, base_names
from planner.functions.drawn_values import is_counted, is_drawn, is_value
from planner.functions.law_case import law_case
from planner.functions.laws import UNDOING

_CALLED = frozenset({"function", "method", "classmethod", "staticmethod"})
_VARIADIC = frozenset({"var-positional", "var-keyword"})
# What such functions are given has a form that no type states, or has to be there already.
_OF_A_FORM = UNDOING | frozenset(
    {
        *("parse", "load", "loads", "read", "from", "verify", "validate", "check", "match", "compile", "convert"),
        *("extract",),
        *("get", "find", "lookup", "fetch", "pop", "remove", "delete", "index", "main", "run", "call", "open", "cast"),
    }
)  # fmt: skip
_OF_DIGITS = frozenset(
    {"checksum", "checksums", "checkdigit", "luhn", "verhoeff", "damm", "iban", "isbn", "ean"}
)
# What `one_to_other` may be given without more being said.
_MADE_OF_ANY = frozenset(
    {
        *(
            "text",
            "string",
            "str",
            "bytes",
            "int",
            "integer",
            "float",
            "number",
            "name",
            "date",
            "datetime",
            "list",
        ),
        *("dict", "bool", "value"),
    }
)
# What makes a number of what may be a text: `int64`, `to_float`.
_READ_NUMBER = re.compile(
    r"(?:to_?|as_?)?(?:u?int|integer|float|double|long|decimal|number)\d*", re.IGNORECASE
)
# What says how much is taken or shown makes no difference where there is little.
_BOUNDING = frozenset(
    {
        *(
            "width",
            "size",
            "length",
            "len",
            "limit",
            "max",
            "min",
            "maximum",
            "minimum",
            "num",
            "count",
            "digits",
        ),
        *(
            "precision",
            "places",
            "depth",
            "maxlen",
            "timeout",
            "indent",
            "level",
            "tolerance",
            "threshold",
            "step",
            "low",
            "high",
            "lower",
            "upper",
            "bound",
        ),
    }
)
# What they give is the same for many values.
MEASURING = frozenset(
    {
        *("len", "length", "size", "sizeof", "getsizeof", "count", "compare", "cmp", "depth"),
        *("argsort", "argmin", "argmax", "rank", "max", "min", "maximum", "minimum", "quarter", "weekday"),
        *("quot", "quotient", "div", "divide", "floordiv", "rem", "remainder", "divmod", "fmod", "wrap", "days"),
        *("shorten", "truncate", "crop", "abbreviate", "elide", "ellipsis", "ellipsize", "shrink"),
        *("sgn", "signum", "clamp", "clip", "round", "floor", "ceil", "trunc", "mod", "modulo", "gcd", "quantize"),
    }
)  # fmt: skip
"""The words of functions that give how much or which of two there is."""
_NUMBERS = frozenset({"int", "float", "Decimal", "Fraction"})
_TEXTS = re.compile(r"\b(?:str|bytes|AnyStr)\b")
# What makes a number of all of a text.
_DIGESTING = frozenset(
    {"hash", "checksum", "crc", "crc32", "adler32", "digest", "fingerprint", "murmur", "fnv"}
)
# What they give is never twice the same, or depends on when it is asked.
_RANDOM = re.compile(r"random|randbits|randint|randrange|shuffle|(?<![a-z])sample|choice|choose|jitter")
_CHANCE = re.compile(
    rf"{_RANDOM.pattern}|uu?id|guid|token|nonce|secret|today|time|clock|generat|elapsed|counter|unique|"
    r"(?<![a-z])(?:age|ago|new|next|now|salt)(?![a-z])"
)
# What is looked for is often not there, and what is a last resort not needed.
_SOUGHT = frozenset({"prefix", "suffix", "sep", "separator", "default", "fallback"})
# Options with which a function may refuse what it took, look somewhere, or do what tests should not.
_REFUSING = frozenset(
    {
        *(
            "strict",
            "raise",
            "raises",
            "error",
            "errors",
            "check",
            "validate",
            "verify",
            "exact",
            "force",
            "require",
        ),
        *(
            "required",
            "wait",
            "block",
            "blocking",
            "async",
            "download",
            "fetch",
            "remote",
            "online",
            "overwrite",
        ),
        *("inplace", "place", "prompt", "interactive", "copy", "cache", "lock", "safe", "allow", "full"),
    }
)
_TAKING = frozenset({"remove", "strip", "split", "replace", "trim", "filter", "drop", "exclude", "partition"})
_PLAIN_BASES = frozenset({"object", "Generic", "ABC"})


def effect_cases(fact: Fact, members: Mapping[str, Sequence[Fact]], known: Known) -> Iterator[Case]:
    """The cases of one function of a stub: one for each argument that has to be given, and one for all defaults.

    `members` are those of each module and class by their qualified names, `known` the classes of all.
    """
    kind = fact.aspects.get("kind", "function")
    returns = str(fact.aspects.get("returns") or "None")
    if (
        fact.aspects.get("async")
        or fact.aspects.get("overload")
        or returns == "None"
        or not is_value(returns)
    ):
        return
    if not is_answered(fact, members, known):
        return
    for name, _, annotation, default, _ in _rows(fact):
        if annotation == "bool" and default in ("True", "False") and not _words(str(name)) & _REFUSING:
            told = f"{fact.name} returns {returns} with another {name}"
            yield law_case(fact, "option", told, {"parameter": str(name)})
    words, aliases, holder = _words(fact.name), aliases_of(fact, members), fact.key.rpartition(".")[0]
    rows = _rows(fact)
    is_random = _RANDOM.search(fact.key.lower()) is not None
    if is_value(returns, told=True) and not words & MEASURING and not is_random:
        taking = any(fact.name.lower().startswith(each) for each in _TAKING)
        for name, _, annotation, default, _ in rows[:1] if taking else rows:
            if not annotation or default is not None or _words(str(name)) & (_SOUGHT | _BOUNDING):
                continue
            if returns in _NUMBERS and _TEXTS.search(str(annotation)) and not words & _DIGESTING:
                continue  # A number of a text is most often a measure.
            if returns in _NUMBERS and is_counted(str(name), "int"):
                continue  # Many a year has as many days.
            if is_drawn(str(name), str(annotation), aliases, other=True):
                told = f"Another {name} gives another result of {fact.name}"
                yield law_case(fact, "effect", told, {"parameter": str(name)})
    if _CHANCE.search(fact.name.lower()) or (kind == "method" and _CHANCE.search(holder.lower())):
        return
    if any(default is not None and place not in _VARIADIC for _, place, _, default, _ in rows):
        yield law_case(fact, "default", f"{fact.name} gives the same where its defaults are given", {})
    else:
        yield law_case(fact, "again", f"{fact.name} gives the same when it is asked again", {})


def is_answered(fact: Fact, members: Mapping[str, Sequence[Fact]], known: Known) -> bool:
    """Whether a function is asked for something, with values that types and names tell, and answers by itself.

    `members` are those of each module and class by their qualified names, `known` the classes of all.
    """
    kind = fact.aspects.get("kind", "function")
    if kind not in _CALLED or fact.name.startswith("__") or "~" in fact.key or is_of_a_form(fact.name):
        return False
    rows = _rows(fact)
    if is_about_digits(fact.key) and any("str" in str(row[2]) for row in rows):
        return False
    if not any(
        default is None and (type_ or not str(kind).startswith("var-")) for _, kind, type_, default, _ in rows
    ):
        return False  # What takes just anything asks for something that its names do not say.
    is_made = kind != "method" or _is_made(fact.key.rpartition(".")[0], members, known)
    return is_made and can_be_called(rows, aliases_of(fact, members))


def is_of_a_form(name: str) -> bool:
    """Whether a function is given what has a form that no type states, or has to be there, by the function's name."""
    return bool(_words(name) & _OF_A_FORM) or is_conversion(name) or _READ_NUMBER.fullmatch(name) is not None


def is_about_digits(key: str) -> bool:
    """Whether a function, by its qualified name, works out or checks digits of texts, as it stands in a module or class
    that is named for that: of `checksum.weighted`, but not of `tools.checksum`, which may take any text."""
    return any(_words(each) & _OF_DIGITS for each in key.split(".")[:-1])


def is_conversion(name: str) -> bool:
    """Whether a function is named for what it is given, which is of a form: `words_to_int`, but not `int_to_words`."""
    first, to, _ = name.partition("_to_")
    return bool(to and not _words(first) & _MADE_OF_ANY)


def _rows(fact: Fact) -> Sequence[Json]:
    """The parameters of a function, without that of the object or class that it is called on."""
    received = fact.aspects.get("kind") in ("method", "classmethod")
    rows: Sequence[Json] = fact.aspects["parameters"][1 if received else 0 :]
    return rows


def _words(name: str) -> set[str]:
    """The words of a name in either spelling, in lower case."""
    apart = "".join(f"_{each.lower()}" if each.isupper() else each for each in name)
    return {name.lower(), *(part for each in apart.split("_") for part in (each, each.rstrip("0123456789")))}


def aliases_of(fact: Fact, members: Mapping[str, Sequence[Fact]]) -> dict[str, str]:
    """What stands for a type in the module of a fact."""
    parts = fact.key.split(".")
    return {
        each.name: str(each.aspects["value"])
        for length in range(1, len(parts))
        for each in members.get(".".join(parts[:length]), ())
        if each.kind is Kind.ATTRIBUTE and "value" in each.aspects
    }


def can_be_called(rows: Sequence[Json], aliases: Mapping[str, str]) -> bool:
    """Whether values are known for all that has to be given; any number of something is given twice."""
    return all(
        default is not None or place == "var-keyword" or is_drawn(str(name), str(annotation or ""), aliases)
        for name, place, annotation, default, _ in rows
    )


def _is_made(owner: str, members: Mapping[str, Sequence[Fact]], known: Known) -> bool:
    """Whether an object of a class can be made of something, and is nothing that holds what others put in.

    An object that is made of nothing, or derives from what is not known, answers alike whatever it is asked.
    """
    place, _, name = owner.rpartition(".")
    found = [each for each in members.get(place, ()) if each.kind is Kind.CLASS and each.name == name]
    for each in (one for fact in found for one in (fact, *ancestors(fact, known))):
        inside = members.get(each.key, ())
        if any(one.name in ("__getitem__", "__contains__", "__enter__", "__next__") for one in inside):
            return False
        bases = [base for base in base_names(each) if base.rpartition(".")[2] not in _PLAIN_BASES]
        made = [one for one in inside if one.kind is Kind.FUNCTION and one.name == "__init__"]
        if made:
            rows = made[0].aspects["parameters"][1:]
            is_told = any(default is None for _, _, _, default, _ in rows)
            return not bases and is_told and can_be_called(rows, aliases_of(made[0], members))
        if len(bases) != 1:
            return False
    return False
