"""A criterion as a model reads it, in one call: the form asked of it, and whether facts and words bear it out."""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from engine.generators.functions import NoTestError, Surface
from engine.generators.functions_calls import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    parameters_of,
)
from engine.generators.source import literal
from engine.llm.fences import unfenced
from engine.llm.words import leaves, unnamed, words_of
from graph.facts import Fact, Json, Kind

_TYPES = {
    **{"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null"},
    **{"list": "array", "List": "array", "Sequence": "array", "Iterable": "array"},
    **{"dict": "object", "Dict": "object", "Mapping": "object"},
}
_INSTANCES: dict[str, tuple[type, ...]] = {
    **{
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "null": (type(None),),
    },
    **{"array": (list,), "object": (dict,)},
}


class Reply(msgspec.Struct, frozen=True):
    """The call that checks a criterion with what it gives or raises, or which piece is missing."""

    function: str = ""
    arguments: dict[str, Json] = {}
    gives: Json = None
    raises: str = ""
    missing: str = ""


class Call(msgspec.Struct, frozen=True):
    """A call as an example of its function: its source, and what a console would show for it."""

    function: Fact
    source: str
    expected: str


def callable_with_literals(fact: Fact, surface: Surface) -> bool:
    """Whether a fact is a public function of a module that literals can call, and that gives one, by its types."""
    if fact.kind is not Kind.FUNCTION or surface.holder(fact) is not None or fact.aspects.get("async"):
        return False
    if len(surface.overloads(fact)) != 1 or surface.overloads(fact)[0] is not fact:
        return False
    try:
        surface.unit(fact)
    except NoTestError:
        return False
    parameters = [each for each in parameters_of(fact) if each.required]
    known = all(each.annotation is None or _types(each.annotation) for each in parameters)
    return known and (fact.aspects.get("returns") is None or bool(_types(str(fact.aspects["returns"]))))


def described(fact: Fact) -> dict[str, Json]:
    """What a model is told of a function: how it is called, what it raises, and the first words of its docstring."""
    doc = fact.aspects.get("doc") or {}
    return {
        "function": fact.key,
        "parameters": {
            each.name: each.annotation or "any type" for each in parameters_of(fact) if not _is_open(each)
        },
        "returns": fact.aspects.get("returns") or "any type",
        "raises": [str(row[0]) for row in doc.get("raises", ())] if isinstance(doc, dict) else [],
        "says": str(doc.get("summary") or "") if isinstance(doc, dict) else "",
    }


def schema_of(functions: Sequence[Fact], criterion: Fact) -> dict[str, Json]:
    """The JSON schema of a reply: one of the functions, exactly its parameters, values of their types."""
    names = sorted(_exceptions(functions, words_of(criterion)))
    return {"anyOf": [*(_form(each, names) for each in functions), _MISSING]}


_MISSING: dict[str, Json] = {
    "type": "object",
    "properties": {"missing": {"type": "string"}},
    "required": ["missing"],
    "additionalProperties": False,
}


def _form(fact: Fact, exceptions: Sequence[str]) -> dict[str, Json]:
    parameters = [each for each in parameters_of(fact) if not _is_open(each)]
    given = {
        "type": "object",
        "properties": {each.name: _schema(each.annotation) for each in parameters},
        "required": [each.name for each in parameters if each.required],
        "additionalProperties": False,
    }
    properties: dict[str, Json] = {
        "function": {"const": fact.key},
        "arguments": given,
        "gives": _schema(fact.aspects.get("returns"), nullable=bool(exceptions)),
        "raises": {"enum": ["", *exceptions]},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def parsed(reply: str) -> Reply:
    """A reply read. Raises NoTestError where it does not have the form."""
    try:
        return msgspec.json.decode(unfenced(reply), type=Reply)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NoTestError(f"a call in the form that the model was asked for ({error})") from None


def checked(reply: Reply, criterion: Fact, functions: Sequence[Fact]) -> Call:
    """The call of a reply, once its signature is kept and all its values are told. Raises NoTestError."""
    fact = next((each for each in functions if each.key == reply.function), None)
    if fact is None:
        raise NoTestError(reply.missing or f"what to call: the model named {reply.function or 'no function'}")
    given = dict(_bound(fact, reply.arguments))
    words = words_of(criterion)
    for value in unnamed(list(given.values()), words):
        raise NoTestError(f"where {value!r} for {fact.name} comes from: the criterion does not have it")
    source = f"{fact.name}({', '.join(_arguments(fact, given))})"
    if reply.raises:
        if reply.raises not in _exceptions([fact], words):
            raise NoTestError(f"an error {reply.raises} of {fact.name}, which the model made up")
        return Call(fact, source, f"Traceback (most recent call last):\n{reply.raises}")
    if reply.gives is None:
        raise NoTestError(f"what {fact.name} gives: the model does not say")
    if not _fits(reply.gives, fact.aspects.get("returns")):
        raise NoTestError(f"a value of the type {fact.aspects['returns']}: the model gave {reply.gives!r}")
    for value in unnamed(reply.gives, words, leaves(given)):
        raise NoTestError(f"where the expected {value!r} comes from: the criterion does not have it")
    return Call(fact, source, literal(reply.gives))


def _bound(fact: Fact, arguments: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The arguments in the order of the parameters. Raises NoTestError where they are no call of the function."""
    parameters = {each.name: each for each in parameters_of(fact) if not _is_open(each)}
    for name in arguments:
        if name not in parameters:
            raise NoTestError(f"a parameter {name} of {fact.name}, which the model made up")
    for name, parameter in parameters.items():
        if name in arguments:
            if not _fits(arguments[name], parameter.annotation):
                raise NoTestError(f"a value of the type {parameter.annotation} for {name} of {fact.name}")
            yield name, arguments[name]
        elif parameter.required:
            raise NoTestError(f"what {fact.name} is given as {name}")


def _arguments(fact: Fact, given: Mapping[str, Json]) -> Iterator[str]:
    """What stands between the brackets: by position up to the first that is left out, by name from there on."""
    by_place = True
    for each in parameters_of(fact):
        by_place = by_place and each.name in given and each.kind not in (KEYWORD_ONLY, VAR_POSITIONAL)
        if each.name in given:
            value = literal(given[each.name])
            if not by_place and each.kind == POSITIONAL_ONLY:
                raise NoTestError(f"what {fact.name} is given before {each.name}")
            yield value if by_place else f"{each.name}={value}"


def _exceptions(functions: Sequence[Fact], words: str) -> set[str]:
    """The errors that words name, or that the docstrings of functions say are raised."""
    told = {str(row[0]) for each in functions for row in (each.aspects.get("doc") or {}).get("raises", ())}
    for word in words.replace("`", " ").replace(",", " ").replace(".", " ").split():
        known = getattr(builtins, word, None)
        if isinstance(known, type) and issubclass(known, Exception):
            told.add(word)
    return told


def _is_open(parameter: Parameter) -> bool:
    return parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD)


def _types(annotation: str) -> list[str]:
    """The JSON types of a plain annotation; empty where some of it is none."""
    plain = annotation.strip("'\"")
    if plain.startswith(("Optional[", "typing.Optional[")):
        plain = f"{plain[plain.index('[') + 1 : -1]} | None"
    found = [_TYPES.get(each.strip().partition("[")[0].rpartition(".")[2]) for each in plain.split("|")]
    return [each for each in found if each] if all(found) else []


def _schema(annotation: Json, *, nullable: bool = False) -> dict[str, Json]:
    types = _types(annotation) if isinstance(annotation, str) else []
    if not types:
        return {"type": ["string", "integer", "number", "boolean", "null"]}
    types = [*types, *(["null"] if nullable and "null" not in types else [])]
    return {"type": types[0] if len(types) == 1 else types}


def _fits(value: Json, annotation: Json) -> bool:
    types = _types(annotation) if isinstance(annotation, str) else []
    if not types:
        return True
    if isinstance(value, bool):
        return "boolean" in types
    return any(isinstance(value, _INSTANCES[each]) for each in types)


def listed(functions: Sequence[Fact]) -> str:
    """The functions as a prompt has them, one a line."""
    return "\n".join(json.dumps(described(each), ensure_ascii=False) for each in functions)
