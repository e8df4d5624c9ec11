"""Tests of laws that stubs suggest: what one function makes another undoes, containers keep, constructors hand on.

No spec says them in so many words: their assertions are `inferred`, and never stand against a change of the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from crossval.compare.annotations import parse_expression
from engine.generators.functions import mapping_laws
from engine.generators.functions.calls import Parameter, parameters_of
from engine.generators.functions.constructors import (
    constructor,
    is_untold,
    refuse_shown_refusal,
    refuse_together,
)
from engine.generators.functions.facts import NoTestError, Surface, Surfaces, cited, written_for
from engine.generators.functions.fallbacks import fallback
from engine.generators.functions.keeping_laws import kept_inside
from engine.generators.functions.known_answers import known
from engine.generators.functions.law_effects import again, default, effect, option
from engine.generators.functions.left_out import left_as_told
from engine.generators.functions.made import call_of, spoken
from engine.generators.functions.made_again import remade
from engine.generators.functions.object_laws import (
    beside_others,
    filled,
    held,
    kept_when_set,
    made,
    of_equals,
    unequal,
)
from engine.generators.functions.raising import refuse_raising
from engine.generators.functions.standing_alone import refuse_alone
from engine.generators.functions.told_forms import is_of_some_form
from engine.generators.functions.type_checks import TAKING_ANY, takes, types_in
from engine.generators.functions.values import Maker
from engine.generators.functions.written import ALL, ARRANGE, Written
from engine.generators.source import local_of, merged_imports
from engine.generators.values.known_values import NAMED, Value
from graph.facts import Fact, Kind
from planner.cases import Case, Technique
from planner.functions.drawn_values import formed, is_called_as, is_checked, is_free, words_of
from planner.functions.known_answers import KNOWN
from planner.generator import Context, Declined, Draft

# Values that an inverse has to carry whole, and others beside them.
_WHOLE = {
    "str": ("'a \"text\" & <more>'", '"another text"'),
    "bytes": ("b'a \"text\" & <more>'", 'b"another text"'),
    "int": ("258", "3"),
    "float": ("2.5", "0.25"),
    "Any": ('{"name": "text"}', '{"name": "other"}'),
}
# Several of one type, and what takes them.
_SEVERAL = re.compile(r"(?:(?:\w+\.)*(?:list|List|Sequence|Iterable|Collection))\[(str|bytes|int|float)\]")
# What has a length or form of its own, as `encode_timestamp` is given it.
_PACKED = frozenset(
    {"address", "date", "entropy", "header", "id", "mac", "random", "randomness", "time", "timestamp", "uuid"}
)
# What is done with texts, whether or not a type says so.
_OF_TEXTS = frozenset({"escape", "quote"})
_KEYED = re.compile(r"(?:\w+\.)?(?:dict|Dict|Mapping|MutableMapping)\[str, (?:\w+\.)?(?:Any|object)\]")
# What is often kept in another form: with a slash at its end, or with more words.
_BASE = re.compile(r"^(?:base|root|api).*ur[li]|^ur[li].*(?:base|root)")
# Numbers of which not any is taken.
_NUMBERED = [[each] for each in NAMED]
_WORDS = frozenset({"msg", "message"})
_ERROR = re.compile(r"(?:Error|Exception|Warning)$")
# Laws of what is asked with made-up values; in the others an error of what is asked shows that the law does not hold.
_ANSWERED = frozenset(
    {
        "fallback",
        "kept",
        "left out",
        "made",
        "set",
        "effect",
        "default",
        "option",
        "again",
        "unequal",
        "equal",
    }
)


class LawGenerator:
    """Writes one test per law that the names and types of a stub suggest."""

    name = "laws"

    def __init__(self) -> None:
        self._surfaces = Surfaces()

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique is Technique.PROPERTY and case.target.get("law") in _WRITERS

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        return written_for(self._surfaces, case, context, _of_law)


def _of_law(case: Case, fact: Fact, surface: Surface) -> Written:
    """What the law of a case asks for, and which of its steps nobody told the values of."""
    law = str(case.target["law"])
    written = _WRITERS[law](case, fact, surface)
    if law != KNOWN:
        written.made_up = ALL if law in _ANSWERED else ARRANGE
    return written


def _undone(case: Case, fact: Fact, surface: Surface) -> Written:
    """`decode(encode(value)) == value`, for a value of the type that both agree on."""
    other = surface.facts[str(case.target["other"])]
    on = surface.facts.get(str(case.target.get("on")))
    given, back = _only(fact, surface), _only(other, surface)
    made = str(fact.aspects.get("returns", ""))
    if _PACKED & set(words_of(fact.name)) and back.annotation != "Any":
        raise NoTestError(f"which {given.name} {fact.name} takes")
    is_untold = not (made or given.annotation or back.annotation or other.aspects.get("returns"))
    if is_untold and fact.name.split("_")[0] in _OF_TEXTS:
        value, made, back = _WHOLE["str"], "str", msgspec.structs.replace(back, annotation="str")
    else:
        value = _value(str(other.aspects.get("returns", "")), given.annotation)
    narrow = made in ("int", "float") and not value[0][0].isdigit()
    if made in ("", "None") or narrow or not (takes(back.annotation, made) or _is_open(made, fact, surface)):
        raise NoTestError(f"whether {other.name} takes what {fact.name} returns")
    call = call_of(fact, surface, Maker(surface), {given.name: value[0]}, on)
    if on is None:
        refuse_raising(fact, call.source, [given], surface)
    undo = call_of(other, surface, Maker(surface), {back.name: call.source}, on)
    return Written(
        f"test_{spoken(fact, surface, on)}_is_undone_by_{other.name}",
        merged_imports([*call.imports, *undo.imports]),
        arrange=call.arrange,
        act=[f"found = {undo.source}"],
        assertions=cited(case, [f"assert found == {value[0]}"], inferred=True),
    )


def _checked(case: Case, fact: Fact, surface: Surface) -> Written:
    """`verify(value, get(value))` holds, and `verify(other, get(value))` does not."""
    other = surface.facts[str(case.target["other"])]
    on = surface.facts.get(str(case.target.get("on")))
    if other.aspects.get("returns") != "bool" or fact.aspects.get("returns") in (None, "None"):
        raise NoTestError(f"that {other.name} answers with true or false")
    wanted, taken = _required(fact, surface), _required(other, surface)
    if not wanted or [each.name for each in taken[:-1]] != [each.name for each in wanted][: len(taken) - 1]:
        raise NoTestError(f"what {other.name} compares with what {fact.name} returns")
    if len(taken) not in (1, len(wanted) + 1) or (len(taken) == 1 and len(wanted) != 1):
        raise NoTestError(f"what {other.name} compares with what {fact.name} returns")
    types = [next((name for name in ("bytes", "str") if takes(each.annotation, name)), "") for each in wanted]
    if not all(types):
        raise NoTestError(f"a value for `{wanted[types.index('')].name}`")
    values = {each.name: _WHOLE[type_][0] for each, type_ in zip(wanted, types, strict=True)}
    others = {**values, wanted[-1].name: _WHOLE[types[-1]][1]}
    call = call_of(fact, surface, Maker(surface), values, on)
    lines, imports = [], list(call.imports)
    # What knows a result alone is shown a part of it.
    changed = "made[1:]" if len(taken) == 1 else "made"
    sliced = fact.aspects["returns"] in ("str", "bytes")
    for given, shown, expected in ((values, "made", "is True"), (others, changed, "is False")):
        if len(taken) == 1 and given is others and not sliced:
            continue
        check = call_of(other, surface, Maker(surface), {**given, taken[-1].name: shown}, on)
        imports += check.imports
        lines.append(f"assert {check.source} {expected}")
    return Written(
        f"test_{spoken(fact, surface, on)}_is_known_to_{other.name}",
        merged_imports(imports),
        arrange=call.arrange,
        act=[f"made = {call.source}"],
        assertions=cited(case, lines, inferred=True),
    )


def _dumped(case: Case, fact: Fact, surface: Surface) -> Written:
    """What is written to a file is read of it."""
    other = surface.facts[str(case.target["other"])]
    on = surface.facts.get(str(case.target.get("on")))
    thing, file = _required(fact, surface)
    (read,) = _required(other, surface)
    value = _value(str(other.aspects.get("returns", "")), thing.annotation)[0]
    kind = "BytesIO" if re.search("bytes|Binary", str(file.annotation)) else "StringIO"
    write = call_of(fact, surface, Maker(surface), {thing.name: value, file.name: "file"}, on)
    back = call_of(other, surface, Maker(surface), {read.name: "file"}, on)
    return Written(
        f"test_{spoken(fact, surface, on)}_is_read_by_{other.name}",
        merged_imports([f"from io import {kind}", *write.imports, *back.imports]),
        arrange=[*write.arrange, f"file = {kind}()"],
        act=[write.source, "file.seek(0)", f"found = {back.source}"],
        assertions=cited(case, [f"assert found == {value}"], inferred=True),
    )


def _once(case: Case, fact: Fact, surface: Surface) -> Written:
    """What was done once is not changed when it is done again."""
    (given,) = _required(fact, surface)
    value = {given.name: "'Some  Text, and MORE of it'"} if given.annotation == "str" else {}
    call = call_of(fact, surface, Maker(surface), value)
    again = call_of(fact, surface, Maker(surface), {given.name: "done"})
    return Written(
        f"test_{spoken(fact, surface)}_changes_nothing_of_what_it_gave",
        merged_imports(call.imports),
        arrange=[*call.arrange, f"done = {call.source}"],
        act=[f"found = {again.source}"],
        assertions=cited(case, ["assert found == done"], inferred=True),
    )


def _kept(case: Case, fact: Fact, surface: Surface) -> Written:
    """What a class is made with can be read of its object under the same name."""
    maker = Maker(surface, likely=True)
    name = str(case.target["attribute"])
    fields, module = constructor(fact, surface)
    parameter = next((each for each in fields if each.name == name), None)
    member = next((each for each in surface.members(fact) if each.name == name), None)
    if parameter is None or member is None:
        raise NoTestError(f"that {fact.name} is made with {name}")
    if _BASE.search(name) or (name in _WORDS and _ERROR.search(fact.name)):
        raise NoTestError(f"that {name} is read of a {fact.name} as it was given")
    read = member.aspects.get("returns" if member.kind is Kind.FUNCTION else "annotation")
    if not isinstance(read, str) or read in TAKING_ANY or not takes(parameter.annotation, read):
        raise NoTestError(f"that {name} is read of a {fact.name} as it was given")
    if len({*types_in(parse_expression(read))} - {"None"}) != 1:
        raise NoTestError(f"as which of its types {name} is kept")
    if is_checked(name) or is_called_as(name, fact.name):
        raise NoTestError(f"of which form the {name} of a {fact.name} is")
    if "str" in read:
        refuse_shown_refusal(fact, surface)
    if is_of_some_form(fact, name, surface):
        raise NoTestError(f"of which form the {name} of a {fact.name} is")
    refuse_together(name, fields, fact)
    refuse_alone(member, fact, surface)
    if len(fields) > 1 and all(map(is_untold, fields)):
        raise NoTestError(f"what else an object of {fact.name} is made of, of which nothing has to be given")
    if parameter.default == "..." or re.fullmatch(r"(['\"])[^\w\s'\"]{2,}\1", parameter.default or ""):
        raise NoTestError(f"of which form the {name} of a {fact.name} is")
    value = maker.of(read, module, name)
    if is_free(name) or not (formed(name) or words_of(name)[-1:] in _NUMBERED):
        value = _plain(read) or value
    if value.expression == "None" or value.expression.startswith(
        ("lambda", "object()", "StringIO()", "iter(")
    ):
        raise NoTestError(f"a value for `{name}` that can be compared")
    local, arrange, sign = local_of(fact.name), [], "=="
    if any(surface.is_package(each.split()[1].partition(".")[0]) for each in value.imports):
        if parameter.default is not None:
            raise NoTestError(
                f"whether a {fact.name} keeps a {name} that may be left out, or one that is made of it"
            )
        # Objects of the project may be equal to none but themselves.
        arrange, sign, value = [f"given = {value.expression}"], "is", Value("given", value.imports)
    whole = maker.instance(fact, given={name: value.expression})
    return Written(
        f"test_{fact.name}_keeps_its_{name}",
        merged_imports([*whole.imports, *value.imports]),
        arrange=arrange,
        act=[f"{local} = {whole.expression}"],
        assertions=cited(case, [f"assert {local}.{name} {sign} {value.expression}"], inferred=True),
    )


def _required(fact: Fact, surface: Surface) -> list[Parameter]:
    """What every call has to give, where all signatures ask for the same."""
    first, *others = (
        [each for each in parameters_of(one) if each.required] for one in surface.overloads(fact)
    )
    if any(each != first for each in others):
        raise NoTestError(f"which of its signatures {fact.name} is called with")
    return first


def _only(fact: Fact, surface: Surface) -> Parameter:
    required = _required(fact, surface)
    if len(required) != 1:
        raise NoTestError(f"an example of a call of {fact.name}")
    return required[0]


def _value(returned: str, annotation: str | None) -> tuple[str, str]:
    """A value of what comes back, if it can be put in too."""
    only = [each for each in types_in(parse_expression(returned)) if each != "None"]
    for name in ("str", "bytes", "int", "float"):
        if only == [name] and takes(annotation, name):
            return _WHOLE[name]
    several, taken = _SEVERAL.fullmatch(returned), _SEVERAL.search(annotation or "")
    if several is not None and taken is not None and several[1] == taken[1]:
        one, other = _WHOLE[several[1]]
        return f"[{one}, {other}]", f"[{other}]"
    if _KEYED.fullmatch(returned) and _KEYED.fullmatch(annotation or ""):
        return _WHOLE["Any"]
    if returned in TAKING_ANY and (annotation or "Any") in TAKING_ANY:
        return _WHOLE["Any"]
    raise NoTestError(f"a value that is of type {returned or 'unknown'} and that may be given as well")


def _is_open(annotation: str, fact: Fact, surface: Surface) -> bool:
    """Whether a type is a variable, or a name of which nobody says what it stands for."""
    known = surface.at(surface.resolved(annotation, surface.module(fact)))
    value = "" if known is None or known.kind is not Kind.ATTRIBUTE else str(known.aspects.get("value", ""))
    told = "" if known is None else str(known.aspects.get("annotation", ""))
    return "TypeVar(" in value or told.rpartition(".")[2] == "Incomplete"


def _plain(annotation: str) -> Value | None:
    """A value that tells by itself whether it was kept."""
    plain = {"str": '"kept"', "bytes": 'b"kept"', "int": "3", "float": "0.5"}
    return next(
        (Value(plain[each]) for each in types_in(parse_expression(annotation)) if each in plain), None
    )


_WRITERS: dict[str, Callable[[Case, Fact, Surface], Written]] = {
    "undone": _undone,
    "checked": _checked,
    "dumped": _dumped,
    "once": _once,
    "remade": remade,
    "kept": _kept,
    "made": made,
    "left out": left_as_told,
    "fallback": fallback,
    **mapping_laws.WRITERS,
    **dict.fromkeys(("equal", "hashed", "unordered"), of_equals),
    "unequal": unequal,
    **dict.fromkeys(("apart", "level", "uncompared"), beside_others),
    **dict.fromkeys(("counted", "contained", "cleared", "indexed", "duplicated", "itemized"), held),
    **dict.fromkeys(("put", "grown", "taken"), filled),
    "set": kept_when_set,
    "effect": effect,
    "default": default,
    "option": option,
    "again": again,
    KNOWN: known,
    **dict.fromkeys(("found", "given", "put again"), kept_inside),
}
