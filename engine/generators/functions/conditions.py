"""Conditions in words, as docstrings write them beside an exception, and the value of a parameter that meets them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter
from planner.functions.drawn_values import is_free

_LEAD = re.compile(
    r"^(?:(?:is |are )?(?:raised|thrown) )?(?:if|when|whenever|where|in case|should|if either|if any of)\b\s*"
)
# What is said at once of something that is marked as a name: "`index` is negative".
_STATED = re.compile(r"\s*(?:`{1,2}|\*)\w+(?:`{1,2}|\*) (?:is|are|was|does|has|contains|cannot|exceeds)\b")
_FILLER = re.compile(r"\b(?:the|a|an|any|given|specified|provided|value of|argument|parameter|that)\b\s*")
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = rf"(?: the range)?(?: of| from)? \[?{_NUMBER}(?: and |-|–| to |, ){_NUMBER}\]?"
_LISTS = r"(?:list|List|Sequence|Iterable|Collection|MutableSequence)"
_QUOTED = r"(?:'[^']*'|\"[^\"]*\")"
_TEXTS = rf"{_QUOTED}(?:(?:,| or|, or| and| nor) ?{_QUOTED})*"
_IS = r"(?:\s+(?:is|are|was|were|be|becomes?)\s+|\s+)"
_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), value)
    for pattern, value in (
        (rf"{_IS}(?:negative|below zero|less than zero|smaller than zero|lower than zero)", "-1"),
        (rf"{_IS}(?:zero or negative|negative or zero|zero or less|not positive|non-?positive)", "0"),
        (rf"{_IS}not (?:above|over|greater than|more than|larger than|higher than|>) (?:zero|0)", "0"),
        (rf"(?:{_IS}(?:equal to )?|\s*==\s*)(?:zero|0)", "0"),
        (rf"{_IS}empty", "EMPTY"),
        (rf"{_IS}(?:None|not (?:given|set|specified|provided))", "None"),
        (rf"{_IS}(?:greater|more|larger|higher|bigger) than {_NUMBER}", "+"),
        (rf"{_IS}(?:above|over) {_NUMBER}|\s+exceeds {_NUMBER}|\s*>\s*{_NUMBER}", "+"),
        (rf"{_IS}(?:less|smaller|lower|fewer) than {_NUMBER}|{_IS}(?:below|under) {_NUMBER}|\s*<\s*{_NUMBER}", "-"),
        (rf"\s*(?:<=|≤)\s*{_NUMBER}|\s*(?:>=|≥)\s*{_NUMBER}|\s*==\s*{_NUMBER}", "="),
        (rf"{_IS}(?:at least|at most|equal to) {_NUMBER}", "="),
        (rf"{_IS}not (?:greater|more|larger|higher) than {_NUMBER}", "="),
        (rf"{_IS}not (?:between|in|within){_RANGE}", "-"),
        (rf"{_IS}outside{_RANGE}", "-"),
        (rf"{_IS}not (?:one of |in |either )?([\[({{]?{_TEXTS},?[\])}}]?)", "CHOICE"),
        (rf"{_IS}(?:not hashable|unhashable)", "UNHASHABLE"),
        (rf"{_IS}not (?:a |an )?(?:str|string|text)", "NOT_STR"),
        (rf"{_IS}not (?:a |an )?(?:int|integer|number|float|numeric)", "NOT_NUMBER"),
        (rf"{_IS}not (?:a |an )?(?:list|dict|dictionary|mapping|sequence|tuple|iterable|callable|function)", "OBJECT"),
    )
)  # fmt: skip
_EMPTY = (
    (re.compile(r"^(?:str|.*\bstr\b)"), '""'),
    (re.compile(r"^(?:typing\.)?(?:dict|Dict|Mapping|MutableMapping)\b"), "{}"),
    (re.compile(rf"^(?:typing\.|collections\.abc\.)?{_LISTS}\b"), "[]"),
    (re.compile(r"^(?:typing\.)?(?:set|Set|AbstractSet)\b"), "set()"),
    (re.compile(r"^(?:typing\.)?(?:tuple|Tuple)\b"), "()"),
    (re.compile(r"^bytes\b"), 'b""'),
)  # fmt: skip


# What is said of something that is not there, behind the name of what it is asked for by.
_ABSENT = re.compile(
    r"(?: (?:key|id|name|identifier|node|item|element|value|entry|object))?"
    r"(?: (?:does not|doesn't|do not|don't) (?:exist|match any \w+)| (?:is not|isn't|was not|cannot be|could not be) "
    r"(?:found|there|present|known|registered|defined|contained|in|part of|a member of)| is (?:unknown|absent|missing))"
    r"(?: (?:in|on|within|of|from)?(?: ?\w+){1,3})?"
)
_KEYED = re.compile(r"_(?:id|key|name)$")


# What is said of an option beside another condition: "if `name` is empty and `strict` is `True`".
_AND = re.compile(r",? (?:and|while|when|but)(?: (?:if|when))? ")
_OPTION = re.compile(
    rf"(?P<name>\w+)(?:{_IS}|\s*==\s*)(?:set to |equal to )?(?P<value>True|False|None|{_QUOTED}|true|false)"
)


class Met(msgspec.Struct, frozen=True):
    """What meets a condition: this value for this parameter, and values of others beside it."""

    parameter: str
    value: str
    beside: tuple[tuple[str, str], ...] = ()


def met(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """The value of one parameter that meets a condition; None where the words say more, or something else.

    Of alternatives (`x is negative or y is empty`), the first that is understood.
    """
    for part in alternatives(words):
        if (said := _said(part, parameters)) is not None:
            made = _value(said.kind, list(said.numbers), said.parameter)
            if made is not None:
                return Met(said.parameter.name, made)
    return _together(words, parameters)


def _together(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """What meets a condition of one parameter beside one of an option, which is left as it is where that meets it."""
    whole = next(iter(alternatives(words)), "")
    parts = _AND.split(whole)
    if " or " in whole or len(parts) != 2:
        return None
    for one, other in (parts, parts[::-1]):
        option, said = _option(other, parameters), _said(one, parameters)
        if option is None or said is None or said.parameter == option[0]:
            continue
        made = _value(said.kind, list(said.numbers), said.parameter)
        if made is not None:
            is_left = option[0].default == option[1]
            return Met(said.parameter.name, made, () if is_left else ((option[0].name, option[1]),))
    return None


def _option(text: str, parameters: Sequence[Parameter]) -> tuple[Parameter, str] | None:
    """The parameter that may be left out of which a part of a condition says that it is a certain value."""
    found = _OPTION.fullmatch(_FILLER.sub("", text).strip())
    if found is None:
        return None
    value = found["value"].capitalize() if found["value"] in ("true", "false") else found["value"]
    return next(
        ((each, value) for each in parameters if each.name == found["name"] and each.default is not None),
        None,
    )


def absent(words: str, parameters: Sequence[Parameter]) -> Met | None:
    """A value for the one that a condition says not to be there, where whatever is asked holds nothing yet."""
    known = sorted(parameters, key=lambda each: -len(each.name))
    for part in alternatives(words):
        text = bare(part)
        for each in known if not re.search(r"\bdefault\b|\band\b", text) else ():
            stem = next((one for one in (each.name, _KEYED.sub("", each.name)) if text.startswith(one)), "")
            if stem and _ABSENT.fullmatch(text[len(stem) :]) and (value := _unheard(each)):
                return Met(each.name, value)
    return None


UNHEARD = ('"absent"', "12345")
"""Keys that nothing is called by, as source."""


def _unheard(parameter: Parameter) -> str:
    """What a key is that nothing is called by, as source; empty where its type asks for something else."""
    annotation = parameter.annotation or "Any"
    if re.search(r"\b(?:str|Any|Hashable|object|_?K\w{0,3}|_?T(?:[A-Z_]\w*)?)\b", annotation):
        return UNHEARD[0]
    return UNHEARD[1] if re.fullmatch(r"(?:Optional\[)?int\]?(?: \| None)?", annotation) else ""


def is_met(words: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> bool | None:
    """Whether values of parameters, by their names, meet a condition; None where its words say more than is understood.

    Of alternatives, all have to be understood.
    """
    if _is_apart(words, parameters, given):
        return False
    whole, *parts = [_said(each, parameters) for each in alternatives(words)] or [None]
    said = [whole] if whole is not None else parts
    if not said:
        return None
    told = [None if each is None else _is_so(each, given) for each in said]
    return True if True in told else None if None in told else False


def _is_apart(words: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> bool:
    """Whether one of two things that a condition says together is not so."""
    whole = next(iter(alternatives(words)), "")
    parts = _AND.split(whole)
    if " or " in whole or len(parts) != 2:
        return False
    for each in parts:
        option, said = _option(each, parameters), _said(each, parameters)
        if (
            option is not None
            and option[0].name in given
            and repr(given[option[0].name]) != option[1].replace('"', "'")
        ):
            return True
        if option is None and said is not None and _is_so(said, given) is False:
            return True
    return False


def bare(part: str) -> str:
    """A part of a condition without articles, "given", and other words that say nothing."""
    return _FILLER.sub("", part.replace("’", "'")).strip()


class _Said(msgspec.Struct, frozen=True):
    """What a condition says of one parameter: a kind of `_WORDS`, and the numbers in it, or the texts that it lists."""

    parameter: Parameter
    kind: str
    numbers: tuple[str, ...]


def alternatives(words: str) -> list[str]:
    """A condition without its first word, as a whole, and then each of its alternatives where there are several."""
    text = " ".join(words.replace("`", "").replace("*", "").split()).partition(". ")[0].rstrip(" .;")
    lead = _LEAD.match(text[:1].lower() + text[1:])
    if lead is None and not _STATED.match(words):
        return []
    whole = text[lead.end() :] if lead is not None else text
    parts = re.split(r",? or |, ", whole)
    return [whole, *(parts if len(parts) > 1 else ())]


def _is_so(said: _Said, given: Mapping[str, object]) -> bool | None:
    """Whether a parameter has such a value; None where that cannot be told."""
    if said.parameter.name not in given:
        return None
    value = given[said.parameter.name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match said.kind:
        case "EMPTY":
            return not value and value is not None and not is_number
        case "None":
            return value is None
        case "UNHASHABLE":
            return isinstance(value, list | dict | set)
        case "NOT_STR":
            return not isinstance(value, str)
        case "NOT_NUMBER":
            return not is_number
        case "CHOICE":
            return value not in re.findall(r"['\"]([^'\"]*)['\"]", said.numbers[0])
        case "OBJECT":
            return None if isinstance(value, str | tuple) else not isinstance(value, list | dict)
    if not isinstance(value, int | float) or isinstance(value, bool) or said.kind == "=":
        return None
    first, *others = [float(each) for each in said.numbers] or [0.0]
    match said.kind:
        case "-1":
            return value < 0
        case "0":
            return value <= 0
        case "+":
            return value > (others or [first])[-1]
    return value < first or any(value > each for each in others)


def _said(text: str, parameters: Sequence[Parameter]) -> _Said | None:
    text = re.sub(r"\b(is|are|was|were)n['’]t\b", r"\1 not", _FILLER.sub("", text).strip())
    # "less than or equal to" becomes a sign, before its "or" parts it.
    text = re.sub(r"(?:is )?(?:less|smaller|lower) than or equal to", "<=", text)
    text = re.sub(r"(?:is )?(?:greater|larger|more) than or equal to", ">=", text)
    named = [each for each in parameters if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]
    if len(named) == 1 and text.startswith(("is ", "are ")):
        text = f"{named[0].name} {text}"  # The argument, as there is no other.
    for parameter in sorted(parameters, key=lambda each: -len(each.name)):
        # Words may spell a name: "the frame rate" is `frame_rate`.
        spellings = (parameter.name, parameter.name.replace("_", " "))
        spelled = next((each for each in spellings if text.startswith(each)), "")
        if parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD) or not spelled:
            continue
        said = text[len(spelled) :]
        for pattern, value in _WORDS:
            found = pattern.fullmatch(said)
            if found is not None:
                return _Said(parameter, value, tuple(each for each in found.groups() if each))
    return None


def _value(kind: str, numbers: list[str], parameter: Parameter) -> str | None:
    """The value, where the parameter's type allows it: `+` and `-` go one beyond the first number."""
    annotation = parameter.annotation or ""
    if kind == "EMPTY":
        is_text = not annotation and is_free(parameter.name)
        return (
            '""' if is_text else next((value for pattern, value in _EMPTY if pattern.match(annotation)), None)
        )
    if kind == "CHOICE":
        return (
            '"none of them"' if not annotation or re.search(r"\b(?:str|Literal|Any)\b", annotation) else None
        )
    if kind == "UNHASHABLE":
        return "[]"
    if kind == "NOT_STR":
        return "1"
    if kind == "NOT_NUMBER":
        return '"text"'
    if kind == "OBJECT":
        return "object()"
    if kind == "None":
        return "None"
    if annotation and not re.search(r"\b(?:int|float|Decimal|complex|Number|Real|Any)\b", annotation):
        return None
    if kind in "+-=":
        step = {"+": 1, "-": -1, "=": 0}[kind]
        return str(Decimal(numbers[-1 if kind == "+" else 0]) + step)
    return kind
