"""What decorators say of the constructors that they make of the fields of dataclasses and classes of `attrs`."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.link.names.found import Found
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Module
from graph.facts import Fact, Kind

_DATACLASS = "dataclasses.dataclass"
# Whether the annotations of a class make its fields; None: if no field that is made by a call lacks one.
_OF_ATTRS: dict[str, bool | None] = {
    **dict.fromkeys(("attr.s", "attr.attrs", "attr.attributes"), False),
    "attr.dataclass": True,
    **dict.fromkeys(
        f"{name}.{kind}" for name in ("attr", "attrs") for kind in ("define", "frozen", "mutable")
    ),
}
_MAKERS = frozenset({_DATACLASS, *_OF_ATTRS})
_PARTIAL = "functools.partial"
_Said = dict[str, str]


class Options(msgspec.Struct, frozen=True):
    """What a class's decorator says of the constructor; `attrs` says that it is one of `attrs`."""

    init: bool = True
    keyword_only: bool = False
    attrs: bool = False
    annotated: bool | None = True


def options(lookup: Lookup, module: Module, class_: Fact) -> Options | None:
    """What the decorator says that makes a constructor of a class's fields; None where it has none that is known.

    The project may give such a decorator a name of its own: `frozen = dataclass(frozen=True)`, or with `partial`.
    """
    for text in class_.aspects.get("decorators", []):
        name = module.scope.resolve(text.partition("(")[0].strip())
        if name in _MAKERS:
            return _options(name, _keywords(lookup, module, parse_expression(text)))
        found = _own(lookup, module, text)
        if found is not None:
            return found
    return None


def _options(maker: str, said: _Said | None) -> Options | None:
    if said is None or "these" in said:
        return None
    return Options(
        init=said.get("init") != "False",
        keyword_only=said.get("kw_only") == "True",
        attrs=maker != _DATACLASS,
        annotated={"True": True, "False": False}.get(
            said.get("auto_attribs", ""), _OF_ATTRS.get(maker, True)
        ),
    )


def _own(lookup: Lookup, module: Module, text: str) -> Options | None:
    """What a decorator says that a variable of the project holds: a call of one that is known, or a part of it."""
    head = text.partition("(")[0].strip()
    found = lookup.find(module, head) if head.isidentifier() else None
    call = parse_expression(_value(found)) if found is not None else None
    if found is None or found.module is None or not isinstance(call, ast.Call):
        return None
    name = found.module.scope.resolve(ast.unparse(call.func))
    if name == _PARTIAL and call.args:
        name = found.module.scope.resolve(ast.unparse(call.args[0]))
    if name not in _MAKERS:
        return None
    held, said = (
        _keywords(lookup, owner, each)
        for owner, each in ((found.module, call), (module, parse_expression(text)))
    )
    return _options(name, held | said) if held is not None and said is not None else None


def _keywords(lookup: Lookup, module: Module, call: ast.expr | None) -> _Said | None:
    """The keywords of a call as they are written, those of `**options` included; None where not all are known."""
    said: _Said = {}
    for word in call.keywords if isinstance(call, ast.Call) else ():
        if word.arg is not None:
            said[word.arg] = ast.unparse(word.value)
            continue
        held = _held(lookup, module, word.value)
        if held is None:
            return None
        said |= held
    return said


def _held(lookup: Lookup, module: Module, value: ast.expr) -> _Said | None:
    """What a dictionary holds that is written out, here or as the value of a variable of the project."""
    if isinstance(value, ast.Name):
        found = lookup.find(module, value.id)
        value = parse_expression(_value(found)) or value
    if isinstance(value, ast.Dict):
        return _pairs(value.keys, value.values)
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "dict" and not value.args:
        written = {word.arg: ast.unparse(word.value) for word in value.keywords if word.arg is not None}
        return written if len(written) == len(value.keywords) else None
    return None


def _pairs(keys: Iterable[ast.expr | None], values: Iterable[ast.expr]) -> _Said | None:
    found: _Said = {}
    for key, value in zip(keys, values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        found[key.value] = ast.unparse(value)
    return found


def _value(found: Found) -> str:
    """The text of the value that a variable has on the target; empty where that is not known."""
    alone = found.facts[0] if len(found.facts) == 1 else None
    if alone is None or alone.kind is not Kind.ATTRIBUTE or alone.aspects.get("guard"):
        return ""
    return alone.aspects.get("value") or ""
