"""The constructors that dataclasses and named tuples get from their fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.discrepancies import Comparison
from crossval.compare.parameters import KEYWORD_ONLY, POSITIONAL_OR_KEYWORD
from crossval.compare.signatures import compare_functions
from crossval.link.lookup import Found, Lookup, Presence
from crossval.link.modules import Module
from crossval.pairs import Stricter
from graph.facts import Fact, Json, Kind

_DATACLASS = "dataclasses.dataclass"
_NAMED_TUPLE = "typing.NamedTuple"
_FIELD = "dataclasses.field"
_NO_FIELDS = frozenset({"typing.ClassVar", "typing.Final"})
_ORDERED = frozenset({"order", "default", "kind"})


class Constructor(msgspec.Struct, frozen=True):
    """A constructor as a function's fact, and whether the class's fields make it."""

    fact: Fact
    module: Module
    generated: bool


class _Options(msgspec.Struct, frozen=True):
    """What a `@dataclass` says of the constructor."""

    init: bool = True
    keyword_only: bool = False


class _Field(msgspec.Struct, frozen=True):
    """One parameter that a field gives to the constructor."""

    name: str
    annotation: str | None
    default: str | None
    keyword_only: bool
    line: int


def constructor(lookup: Lookup, found: Found) -> Constructor | None:
    """The `__init__` of a class: written out in it or a class of the project, or made of fields; else None."""
    module, local = found.module, found.local
    if module is None or len(found.facts) != 1:
        return None
    own = f"{local}.__init__"
    if (
        own not in module.definitions
        and (rows := _generated(lookup, module, found.facts[0], local)) is not None
    ):
        fact = msgspec.structs.replace(
            found.facts[0],
            kind=Kind.FUNCTION,
            key=f"{found.facts[0].key}.__init__",
            name="__init__",
            aspects={"kind": "method", "parameters": rows, "returns": "None", "decorators": []},
        )
        return Constructor(fact, module, generated=True)
    inner = lookup.find(module, own)
    if inner.presence is not Presence.PRESENT or inner.module is None or len(inner.facts) != 1:
        return None
    return Constructor(inner.facts[0], inner.module, generated=False)


def compare_constructors(spec: Constructor, code: Constructor) -> Comparison:
    """How two constructors differ of which one at least is generated; what the fields tell themselves is left out."""
    compared = compare_functions(spec.fact, code.fact, spec.module.scope, code.module.scope)
    both = spec.generated and code.generated
    kept = tuple(
        found
        for found in compared.discrepancies
        if found.place
        and found.difference.change != "type"
        and (not both or _is_about_order(found.difference.change, found.difference.stricter))
    )
    return Comparison(kept)


def is_generated(lookup: Lookup, module: Module, local: str) -> bool:
    """Whether a class's own decorator or base makes its constructor, even if the fields are not known."""
    return any(
        _options(module, fact) is not None or _is_named_tuple(module, fact)
        for owner, name in lookup.lineage(module, local).classes
        for fact in owner.definitions.get(name, ())
    )


def _is_about_order(change: str, stricter: Stricter) -> bool:
    return change in _ORDERED and (change != "default" or stricter is not Stricter.NEITHER)


def _generated(lookup: Lookup, module: Module, class_: Fact, local: str) -> list[Json] | None:
    """The parameters that the fields of a class make; None where they make none, or not all are known."""
    if _is_named_tuple(module, class_):
        fields = list(_fields(module, local, _Options()))
    else:
        options = _options(module, class_)
        lineage = lookup.lineage(module, local)
        if options is None or not options.init or lineage.unknown or lineage.metaclass:
            return None
        if any(ancestor is not object for ancestor in lineage.standard):
            return None
        fields = _inherited(module, lineage.classes)
    if any(field.default == "?" for field in fields):
        return None
    ordered = sorted(fields, key=lambda field: field.keyword_only)
    rows: list[Json] = [["self", POSITIONAL_OR_KEYWORD, None, None, class_.source.line]]
    for field in ordered:
        kind = KEYWORD_ONLY if field.keyword_only else POSITIONAL_OR_KEYWORD
        rows.append([field.name, kind, field.annotation, field.default, field.line])
    return rows


def _inherited(module: Module, classes: Sequence[tuple[Module, str]]) -> list[_Field]:
    """The fields of a dataclass and its ancestors: those of ancestors first, where they stand in the first of them."""
    found: dict[str, _Field] = {}
    for owner, local in reversed(classes):
        for fact in owner.definitions.get(local, ()):
            options = _options(owner, fact)
            if options is None:
                continue
            for field in _fields(owner, local, options):
                # What a class of another module writes is read in that module's scope, not in this one's.
                known = field if owner is module else msgspec.structs.replace(field, annotation=None)
                found[field.name] = known
    return list(found.values())


def _fields(module: Module, local: str, options: _Options) -> Iterator[_Field]:
    keyword_only = options.keyword_only
    for name in module.members.get(local, ()):
        fact = module.definitions[f"{local}.{name}"][0]
        annotation = fact.aspects.get("annotation")
        if fact.kind is not Kind.ATTRIBUTE or not annotation or fact.aspects.get("instance"):
            continue
        head = module.scope.resolve(annotation.partition("[")[0].strip())
        if head == "dataclasses.KW_ONLY":
            keyword_only = True
            continue
        if head in _NO_FIELDS:
            continue
        field = _Field(name, annotation, fact.aspects.get("value"), keyword_only, fact.source.line)
        described = _described(module, field)
        if described is not None:
            yield described


def _described(module: Module, field: _Field) -> _Field | None:
    """The field as `field(…)` describes it; None where it is no parameter, the default `?` where that is unknown."""
    if field.default is None or not field.default.partition("(")[0].endswith("field"):
        return field
    call = parse_expression(field.default)
    if not isinstance(call, ast.Call):
        return msgspec.structs.replace(field, default="?")
    if module.scope.resolve(ast.unparse(call.func)) != _FIELD or any(
        word.arg is None for word in call.keywords
    ):
        return msgspec.structs.replace(field, default="?")
    said = {word.arg: ast.unparse(word.value) for word in call.keywords}
    if said.get("init") == "False":
        return None
    default = said.get("default") or ("..." if "default_factory" in said else None)
    keyword_only = {"True": True, "False": False}.get(said.get("kw_only", ""), field.keyword_only)
    return msgspec.structs.replace(field, default=default, keyword_only=keyword_only)


def _options(module: Module, class_: Fact) -> _Options | None:
    """What the class's `@dataclass` says; None where it has none."""
    for text in class_.aspects.get("decorators", []):
        if module.scope.resolve(text.partition("(")[0].strip()) != _DATACLASS:
            continue
        call = parse_expression(text)
        words = call.keywords if isinstance(call, ast.Call) else []
        said = {word.arg: ast.unparse(word.value) for word in words}
        return _Options(init=said.get("init") != "False", keyword_only=said.get("kw_only") == "True")
    return None


def _is_named_tuple(module: Module, class_: Fact) -> bool:
    return any(module.scope.resolve(base) == _NAMED_TUPLE for base in class_.aspects.get("bases", []))
