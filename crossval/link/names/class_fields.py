"""The fields of named tuples, dataclasses and classes of `attrs`, from which their constructors are made."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.compare.discrepancies import Comparison
from crossval.link.names.class_options import Options
from crossval.link.names.functional import UNKNOWN_DEFAULT
from crossval.link.names.modules import Module
from graph.facts import Fact, Kind

_NAMED_TUPLE = "typing.NamedTuple"
_NO_FIELDS = frozenset({"typing.ClassVar", "typing.Final"})
_FIELD_OF_DATACLASSES = frozenset({"dataclasses.field"})
_FIELD_OF_ATTRS = frozenset({"attr.ib", "attr.attrib", "attr.attr", "attr.field", "attrs.field"})
_WITH_POSITIONAL_DEFAULT = _FIELD_OF_ATTRS - {"attr.field", "attrs.field"}
_NOTHING = frozenset({"attr.NOTHING", "attrs.NOTHING"})


class Field(msgspec.Struct, frozen=True):
    """One parameter that a field gives to the constructor."""

    name: str
    annotation: str | None
    default: str | None
    keyword_only: bool
    line: int


def is_named_tuple(module: Module, class_: Fact) -> bool:
    """Whether a class is a named tuple by its own base."""
    return any(module.scope.resolve(base) == _NAMED_TUPLE for base in class_.aspects.get("bases", []))


def is_protocol(module: Module, class_: Sequence[Fact]) -> bool:
    """Whether a class says by its own base that it is a protocol."""
    bases = (text.partition("[")[0] for fact in class_ for text in fact.aspects.get("bases", []))
    return any(module.scope.resolve(base) == "typing.Protocol" for base in bases)


def without_setters(comparison: Comparison, stub: Module, local: str) -> Comparison:
    """A comparison without that a member can be set in the stub, where instances of its class never can be changed."""
    class_ = next(iter(stub.definitions.get(local.rpartition(".")[0], ())), None)
    if class_ is None or not any(each.difference.change == "setter" for each in comparison.discrepancies):
        return comparison
    frozen = any("frozen=True" in text.replace(" ", "") for text in class_.aspects.get("decorators", []))
    if not frozen and not is_named_tuple(stub, class_):
        return comparison
    kept = (each for each in comparison.discrepancies if each.difference.change != "setter")
    return msgspec.structs.replace(comparison, discrepancies=tuple(kept))


def fields(module: Module, local: str, options: Options) -> Iterator[Field]:
    """The fields that a class itself adds to its constructor, in their order."""
    keyword_only = options.keyword_only
    facts = [module.definitions[f"{local}.{name}"][0] for name in module.members.get(local, ())]
    # Where a call lists the fields of a named tuple, what the body annotates is none.
    facts = [fact for fact in facts if fact.aspects.get("field")] or facts
    facts = [fact for fact in facts if fact.kind is Kind.ATTRIBUTE and not fact.aspects.get("instance")]
    made = [fact for fact in facts if options.attrs and _is_made(module, fact)]
    annotated = options.annotated
    if annotated is None:
        annotated = all(fact.aspects.get("annotation") for fact in made)
    for fact in facts if annotated else made:
        annotation = fact.aspects.get("annotation")
        if annotated and not annotation:
            continue
        head = module.scope.resolve(annotation.partition("[")[0].strip()) if annotation else ""
        if head == "dataclasses.KW_ONLY":
            keyword_only = True
            continue
        if head in _NO_FIELDS and fact not in made:
            continue
        field = Field(fact.name, annotation, fact.aspects.get("value"), keyword_only, fact.source.line)
        described = _described(module, local, field, attrs=options.attrs)
        if described is not None:
            yield described


def _is_made(module: Module, fact: Fact) -> bool:
    value = fact.aspects.get("value")
    return (
        isinstance(value, str)
        and "(" in value
        and module.scope.resolve(value.partition("(")[0].strip()) in _FIELD_OF_ATTRS
    )


def _described(module: Module, local: str, field: Field, *, attrs: bool) -> Field | None:
    """The field as the call describes it that makes it; None where it is no parameter."""
    name = field.name.lstrip("_") if attrs else field.name
    field = msgspec.structs.replace(field, name=name or field.name)
    unknown = msgspec.structs.replace(field, default=UNKNOWN_DEFAULT)
    makers = _FIELD_OF_ATTRS if attrs else _FIELD_OF_DATACLASSES
    head = (field.default or "").partition("(")[0].strip()
    last = head.rpartition(".")[2]
    if "(" not in (field.default or "") or last not in {name.rpartition(".")[2] for name in makers}:
        return field
    call = parse_expression(field.default or "")
    if not isinstance(call, ast.Call):
        return unknown
    maker = module.scope.resolve(ast.unparse(call.func))
    if maker not in makers or any(word.arg is None for word in call.keywords):
        return unknown
    said = {word.arg: ast.unparse(word.value) for word in call.keywords}
    if call.args and maker in _WITH_POSITIONAL_DEFAULT:
        said["default"] = ast.unparse(call.args[0])
    if said.get("init") == "False":
        return None
    default = said.get("default")
    if default is not None and module.scope.resolve(default) in _NOTHING:
        default = None
    decorated = attrs and _has_default_method(module, local, field.name)
    if default is None and (decorated or "factory" in said or "default_factory" in said):
        default = "..."
    keyword_only = {"True": True, "False": False}.get(said.get("kw_only", ""), field.keyword_only)
    alias = parse_expression(said.get("alias", ""))
    if isinstance(alias, ast.Constant) and isinstance(alias.value, str):
        field = msgspec.structs.replace(field, name=alias.value)
    return msgspec.structs.replace(field, default=default, keyword_only=keyword_only)


def _has_default_method(module: Module, local: str, name: str) -> bool:
    """Whether a method gives the default of a field: `@x.default`."""
    return any(
        text.lstrip("_") == f"{name}.default"
        for member in module.members.get(local, ())
        for fact in module.definitions[f"{local}.{member}"]
        for text in fact.aspects.get("decorators", [])
    )
