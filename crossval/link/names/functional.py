"""Classes that calls make: `Point = namedtuple("Point", "x y")`, and `class Point(namedtuple("Point", "x y"))`.

A metaclass that is called with a name, bases and a namespace makes one as well, and so does `type`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.typenames import resolve
from graph.compiled import compiled
from graph.facts import Fact, Json, Kind

UNKNOWN_DEFAULT = "?"
"""The default of a field of which it is not known how the constructor takes it."""

_FORMS = {
    "collections.namedtuple": "typing.NamedTuple",
    "typing.NamedTuple": "typing.NamedTuple",
    "typing.TypedDict": "typing.TypedDict",
    **{f"enum.{name}": f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")},
}
_CALL = compiled(
    r"(?:\w+\.)*(?:(?:namedtuple|NamedTuple|TypedDict|(?:Int|Str)?Enum|(?:Int)?Flag)\s*\(|\w+\(\s*[\"']\w+[\"'],\s*\()"
)
_ANY = "typing.Any"
_Members = dict[str, tuple[str | None, str | None]]
"""Name → annotation and value, each None where there is none."""


class _Made(msgspec.Struct, frozen=True):
    """What a call makes: its bases, its keywords, and its members; `dynamic` if it may have more than these."""

    bases: list[str]
    keywords: dict[str, str]
    members: _Members
    dynamic: bool = False


def written_out(own: dict[str, list[Fact]], names: Mapping[str, str]) -> dict[str, list[Fact]]:
    """The definitions of a module, where each class that a call makes of known names is as if it were written out.

    `names` maps the module's own names to what they stand for.
    """
    found: dict[str, list[Fact]] = {}
    for local, variants in own.items():
        variants = _made_anew(local, variants, names)
        fact = variants[0]
        made = _of_attribute(fact, names) if len(variants) == 1 else None
        if made is not None:
            aspects: dict[str, Json] = {
                "bases": list(made.bases),
                "keywords": made.keywords,
                "decorators": [],
            }
            if made.dynamic:
                aspects["dynamic"] = True
            aspects |= {name: fact.aspects[name] for name in ("guard", "instance") if name in fact.aspects}
            found[local] = [msgspec.structs.replace(fact, kind=Kind.CLASS, aspects=aspects)]
        elif len(variants) == 1 and fact.kind is Kind.CLASS:
            found[local], made = _with_bases(fact, names)
        else:
            found[local] = variants
        unknown = UNKNOWN_DEFAULT if fact.aspects.get("redefaulted") else None
        for name, (annotation, value) in made.members.items() if made is not None else ():
            if f"{local}.{name}" not in own:
                found[f"{local}.{name}"] = [_member(fact, name, annotation, unknown or value)]
    return found


def _member(owner: Fact, name: str, annotation: str | None, value: str | None) -> Fact:
    aspects: dict[str, Json] = {"field": True}
    if annotation is not None:
        aspects["annotation"] = annotation
    if value is not None:
        aspects["value"] = value
    return msgspec.structs.replace(
        owner, kind=Kind.ATTRIBUTE, key=f"{owner.key}.{name}", name=name, aspects=aspects
    )


def _made_anew(local: str, variants: list[Fact], names: Mapping[str, str]) -> list[Fact]:
    """The one class where `Base = Meta("Base", (Base,), {})` follows it, which gives it a metaclass as both lines of
    Python write it; else what is given."""
    if [fact.kind for fact in variants] != [Kind.CLASS, Kind.ATTRIBUTE]:
        return variants
    class_, made = variants[0], _of_attribute(variants[1], names)
    if made is None or made.bases != [local] or made.members or "metaclass" not in made.keywords:
        return variants
    keywords = {**class_.aspects.get("keywords", {}), "metaclass": made.keywords["metaclass"]}
    return [msgspec.structs.replace(class_, aspects={**class_.aspects, "keywords": keywords})]


def _of_attribute(fact: Fact, names: Mapping[str, str]) -> _Made | None:
    value = fact.aspects.get("value")
    if fact.kind is not Kind.ATTRIBUTE or not isinstance(value, str) or "annotation" in fact.aspects:
        return None
    return _made(value, names)


def _with_bases(class_: Fact, names: Mapping[str, str]) -> tuple[list[Fact], _Made | None]:
    """The class with the base that a call makes put by its form, and what that call makes."""
    bases: list[str] = class_.aspects.get("bases", [])
    for index, text in enumerate(bases):
        made = _made(text, names)
        if made is not None:
            aspects = {**class_.aspects, "bases": [*bases[:index], *made.bases, *bases[index + 1 :]]}
            if "metaclass" in made.keywords:
                aspects["keywords"] = {"metaclass": made.keywords["metaclass"]} | aspects.get("keywords", {})
            if made.dynamic:
                aspects["dynamic"] = True
            return [msgspec.structs.replace(class_, aspects=aspects)], made
    return [class_], None


def _made(text: str, names: Mapping[str, str]) -> _Made | None:
    call = parse_expression(text) if _CALL.match(text) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
        return None
    form = resolve(ast.unparse(call.func), names)
    keywords = {word.arg: word.value for word in call.keywords if word.arg is not None}
    listed = call.args[1] if len(call.args) > 1 else keywords.pop(_LISTED.get(form, ""), None)
    if len(call.args) == 3 and not call.keywords and form not in _FORMS:
        return _by_metaclass(ast.unparse(call.func), *call.args[1:])
    if form not in _FORMS or len(call.args) > 2 or any(word.arg is None for word in call.keywords):
        return None
    if form == "collections.namedtuple":
        members = _fields(listed, keywords.pop("defaults", None))
        keywords.pop("module", None)
    elif form == "typing.TypedDict":
        members = _typed(listed.keys, listed.values) if isinstance(listed, ast.Dict) else None
    elif form == "typing.NamedTuple":
        rows = [row.elts for row in _items(listed) or [] if isinstance(row, ast.Tuple) and len(row.elts) == 2]
        whole = len(rows) == len(_items(listed) or [])
        members = _typed([row[0] for row in rows], [row[1] for row in rows]) if whole and listed else None
    else:
        members = _enumerated(listed)
        keywords = {name: value for name, value in keywords.items() if name not in _OF_ENUMERATIONS}
    if members is None or any(name != "total" for name in keywords):
        return None
    said = {name: ast.unparse(value) for name, value in keywords.items()}
    return _Made([_FORMS[form]], said, members)


def _by_metaclass(metaclass: str, bases: ast.expr, namespace: ast.expr) -> _Made | None:
    """The class that a metaclass makes of a name, bases and a namespace; what that computes is not known."""
    listed = _items(bases)
    if listed is None or any(not isinstance(base, ast.Name | ast.Attribute) for base in listed):
        return None
    keys = namespace.keys if isinstance(namespace, ast.Dict) else [None]
    known = {
        str(key.value): (None, ast.unparse(value))
        for key, value in zip(keys, getattr(namespace, "values", []), strict=False)
        if isinstance(key, ast.Constant)
    }
    texts = [text for text in map(ast.unparse, listed) if text != "object"]
    keywords = {} if metaclass == "type" else {"metaclass": metaclass}
    return _Made(texts, keywords, dict(known), dynamic=len(known) < len(keys))


_OF_ENUMERATIONS = frozenset({"module", "qualname", "start"})
_LISTED = {"collections.namedtuple": "field_names", "typing.NamedTuple": "fields"} | dict.fromkeys(
    (name for name in _FORMS if name.startswith("enum.")), "names"
)


def _fields(listed: ast.expr | None, defaults: ast.expr | None) -> _Members | None:
    names = _names(listed)
    given = [] if defaults is None else _items(defaults)
    if names is None or given is None or len(given) > len(names):
        return None
    last = len(names) - len(given)
    return {
        name: (_ANY, ast.unparse(given[index - last]) if index >= last else None)
        for index, name in enumerate(names)
    }


def _typed(keys: list[ast.expr | None] | list[ast.expr], values: list[ast.expr]) -> _Members | None:
    if not all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys):
        return None
    texts = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
    return {text: (ast.unparse(value), None) for text, value in zip(texts, values, strict=True)}


def _enumerated(listed: ast.expr | None) -> _Members | None:
    if isinstance(listed, ast.Dict):
        keys = [str(key.value) for key in listed.keys if isinstance(key, ast.Constant)]
        if len(keys) != len(listed.keys):
            return None
        return {key: (None, ast.unparse(value)) for key, value in zip(keys, listed.values, strict=True)}
    names = _names(listed)
    return None if names is None else dict.fromkeys(names, (None, None))


def _names(listed: ast.expr | None) -> list[str] | None:
    """Names as one text, or as a list of texts or of pairs that begin with one; None where they are computed."""
    if isinstance(listed, ast.Constant) and isinstance(listed.value, str):
        return listed.value.replace(",", " ").split()
    items = _items(listed)
    heads = [item.elts[0] if isinstance(item, ast.Tuple) and item.elts else item for item in items or ()]
    names = [head.value for head in heads if isinstance(head, ast.Constant) and isinstance(head.value, str)]
    return names if items is not None and len(names) == len(items) else None


def _items(listed: ast.expr | None) -> list[ast.expr] | None:
    return listed.elts if isinstance(listed, ast.List | ast.Tuple) else None
