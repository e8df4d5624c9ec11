"""The form in which a model names a call: functions, parameters and values that facts and words have, and no others."""

from __future__ import annotations

import builtins
import json
import re
from collections.abc import Sequence

from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter, parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.llm.words import numbers_in, texts_in
from graph.facts import Fact, Json, Kind
from graph.retrieval.words import terms

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


_PLAIN = frozenset({"string", "integer", "number", "boolean", "null"})


_MISSING: dict[str, Json] = {
    "type": "object",
    "properties": {"missing": {"type": "string"}},
    "required": ["missing"],
    "additionalProperties": False,
}


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
        "parameters": {each.name: each.annotation or "any type" for each in named_parameters(fact)},
        "returns": fact.aspects.get("returns") or "any type",
        "raises": [str(row[0]) for row in doc.get("raises", ())] if isinstance(doc, dict) else [],
        "says": str(doc.get("summary") or "") if isinstance(doc, dict) else "",
    }


def is_near(fact: Fact, words: str) -> bool:
    """Whether words share one with a function: with its name and module, what it takes and raises, or what it says."""
    told = described(fact)
    said = " ".join([fact.key, *told["parameters"], str(told["says"]), *told["raises"]])
    return bool(set(terms(words)) & set(terms(said)))


def form_of(fact: Fact, words: str) -> dict[str, Json] | None:
    """The JSON schema of a call of a function, with the values that the words have; None where these are none of it."""
    given: dict[str, Json] = {}
    for each in named_parameters(fact):
        values = _values(each.annotation, words)
        if values is not None:
            given[each.name] = values
        elif each.required:
            return None
    raised = sorted(exceptions_of(fact, words))
    gives = _values(fact.aspects.get("returns"), words)
    if gives is None and not raised:
        return None
    properties: dict[str, Json] = {
        "function": {"const": fact.key},
        "arguments": _object(given, [each.name for each in named_parameters(fact) if each.required]),
        "gives": {
            "anyOf": [*([gives] if gives is not None else []), *([{"type": "null"}] if raised else [])]
        },
        "raises": {"enum": ["", *raised]},
    }
    return _object(properties, list(properties))


def schema_of(forms: Sequence[Json]) -> dict[str, Json]:
    """The JSON schema of a reply: one of the calls, or what is missing."""
    return {"anyOf": [*forms, _MISSING]}


def named_parameters(fact: Fact) -> list[Parameter]:
    """The parameters of a function that a call gives one value each."""
    return [each for each in parameters_of(fact) if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]


def exceptions_of(fact: Fact, words: str) -> set[str]:
    """The errors that words name, or that the docstring of a function says are raised."""
    doc = fact.aspects.get("doc")
    told = {str(row[0]) for row in doc.get("raises", ())} if isinstance(doc, dict) else set()
    for word in re.findall(r"\w+", words):
        known = getattr(builtins, word, None)
        if isinstance(known, type) and issubclass(known, Exception):
            told.add(word)
    return told


def fits(value: Json, annotation: Json) -> bool:
    """Whether a value is of the type that an annotation names; True where it names none that JSON has."""
    types = _types(annotation) if isinstance(annotation, str) else []
    if not types:
        return True
    if isinstance(value, bool):
        return "boolean" in types
    return any(isinstance(value, _INSTANCES[each]) for each in types)


def listed(functions: Sequence[Fact]) -> str:
    """The functions as a prompt has them, one a line."""
    return "\n".join(json.dumps(described(each), ensure_ascii=False) for each in functions)


def _types(annotation: str) -> list[str]:
    """The JSON types of a plain annotation; empty where some of it is none."""
    plain = annotation.strip("'\"")
    if plain.startswith(("Optional[", "typing.Optional[")):
        plain = f"{plain[plain.index('[') + 1 : -1]} | None"
    found = [_TYPES.get(each.strip().partition("[")[0].rpartition(".")[2]) for each in plain.split("|")]
    return [each for each in found if each] if all(found) else []


def _object(properties: dict[str, Json], required: list[str]) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _values(annotation: Json, words: str) -> dict[str, Json] | None:
    """The schema of the values of a type that words have; None where they have none."""
    types = _types(annotation) if isinstance(annotation, str) else []
    types = types or ["string", "number", "boolean", "null"]
    if not set(types) <= _PLAIN:
        return {"type": types}
    values: list[Json] = []
    for each in types:
        match each:
            case "string":
                values += texts_in(words)
            case "number":
                values += numbers_in(words)
            case "integer":
                values += [number for number in numbers_in(words) if isinstance(number, int)]
            case "boolean":
                values += [True, False]
            case _:
                values.append(None)
    return {"enum": values} if values else None
