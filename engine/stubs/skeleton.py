"""Writes the stub of one module from its facts alone."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

from crossval.compare.decorators import unknown_class_decorator
from crossval.link.names.lookup import Lookup
from crossval.link.names.modules import Library, Module
from crossval.link.names.publicity import is_private, is_special
from crossval.link.names.targets import Target
from engine.stubs.attributes import Attributes
from engine.stubs.expressions import parse, roots
from engine.stubs.forms import export_lines, is_name, keyed
from engine.stubs.functions import Functions
from engine.stubs.members import (
    field_maker,
    is_abstract,
    is_member_of_enumeration,
    is_set_anew,
    makes_fields,
    slots,
)
from engine.stubs.names import Names, is_for_type_checkers, variants
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_INDENT = "    "
_UNSHOWN = frozenset(
    {
        *("__builtins__", "__doc__", "__module__", "__dict__", "__weakref__", "__annotations__"),
        *("__test__", "__metaclass__"),
    }
)
_ENUMERATIONS = frozenset({"Enum", "Flag"})
_RECORDS = frozenset({"typing.NamedTuple", "typing.TypedDict"})
_OF_FORMS = frozenset({"typing", "enum"})
_ANY_NAME = "def __getattr__({receiver}name: str) -> {result}: ..."


class _EveryTarget(Target, frozen=True):
    """All versions and platforms at once: a stub keeps the conditions on them."""

    def holds(self, condition: str, *, type_checking: bool) -> bool | None:
        """See `Target.holds`; nothing is decided."""
        return None


_EVERY_TARGET = _EveryTarget((0, 0), "")


class Skeletons:
    """Writes stubs for the modules of one fact source."""

    def __init__(self, source: FactSource) -> None:
        self._library = Library(source, Tag.CODE, _EVERY_TARGET)
        self._lookup = Lookup(self._library)

    @property
    def modules(self) -> list[str]:
        """The dotted names of all modules that a stub can be written for, sorted."""
        return sorted(self._library.names)

    def write(self, name: str) -> str | None:
        """The text of a module's stub; None where the source has no such module of code."""
        module = self._library.module(name)
        if module is None:
            return None
        return _Skeleton(module, self._lookup, frozenset(self._library.names)).text()


class _Skeleton:
    """The stub of one module while it is written."""

    def __init__(self, module: Module, lookup: Lookup, modules: frozenset[str]) -> None:
        self._module = module
        self._lookup = lookup
        self._modules = modules
        self._names = Names(module)
        self._functions = Functions(module, self._names)
        self._attributes = Attributes(module, self._names, self._functions)

    def text(self) -> str:
        """The whole stub."""
        self._export()
        module = self._module
        public = {name for name in module.top_level if _is_shown(name, module.exports or frozenset())}
        written = self._settle(public)
        body = _spaced([self._set_late(), *(written[name] for name in sorted(written, key=self._place))])
        made = module.computed_exports or any(fact.aspects.get("dynamic") for fact in module.facts)
        if made and "__getattr__" not in module.definitions:
            body.append(_ANY_NAME.format(receiver="", result=self._functions.incomplete()))
        exports = export_lines(module)
        head = self._names.lines(module.exports or frozenset())
        parts = ["\n".join(part) for part in (head, exports, body) if part]
        return "\n\n".join(parts) + "\n" if parts else ""

    def _settle(self, public: set[str]) -> dict[str, list[str]]:
        """The lines of each top-level definition: of the public ones, and of what those need."""
        shown = set(public)
        while True:
            before = len(self._names.wanted)
            written = {name: self._define(name, "") for name in sorted(shown)}
            shown |= {local.partition(".")[0] for local in self._names.wanted}
            if shown == set(written) and len(self._names.wanted) == before:
                return written

    def _export(self) -> None:
        """Ask for the imported names that the module offers as its own."""
        module = self._module
        package = any(fact.aspects.get("package") for fact in module.facts)
        if module.exports is None and package:
            inside = f"{module.name.partition('.')[0]}."
            for local, target in self._names.imported():
                own = local != target and target.startswith(inside) and not is_private(local)
                if own and local not in module.definitions:
                    self._names.export(local)
        for name in sorted(module.exports or ()):
            if name in module.definitions or self._names.export(name):
                continue
            if f"{module.name}.{name}" in self._modules:
                self._names.export_submodule(name)

    def _set_late(self) -> list[str]:
        """The exported names that only functions set."""
        late = {name for fact in self._module.facts for name in fact.aspects.get("set_by_functions", ())}
        names = sorted(late & (self._module.exports or frozenset()) - set(self._module.definitions))
        return [f"{name}: {self._functions.incomplete()}" for name in names]

    def _place(self, local: str) -> tuple[int, str]:
        return self._module.definitions[local][0].source.line, local

    def _order(self, local: str) -> tuple[bool, int]:
        """Where a member stands: what methods assign comes first, as it would in a class written by hand.

        Those of one line, as the fields that a call lists, stay in the order in which the module has them.
        """
        first = self._module.definitions[local][0]
        return not first.aspects.get("instance", False), first.source.line

    def _define(self, local: str, holder: str) -> list[str]:
        """The lines of one definition, each variant under the condition that it needs."""
        found = self._module.definitions[local]
        if self._names.is_of_older_python(local, found):
            return []
        kind = _kind(found)
        lines = []
        for guard, facts in variants(tuple(fact for fact in found if fact.kind is kind)):
            written = self._write(local, facts, holder)
            if guard and written:
                self._names.need_module("sys")
                written = [f"if {guard}:", *_indented(written)]
            lines += written
        return lines

    def _write(self, local: str, facts: Sequence[Fact], holder: str) -> list[str]:
        if facts[0].kind is Kind.FUNCTION:
            return self._functions.write(facts, holder)
        if facts[0].kind is Kind.CLASS:
            return self._class(local, facts[-1])
        return self._attributes.write(facts, holder)

    def _class(self, local: str, fact: Fact) -> list[str]:
        holder = local.rpartition(".")[0]
        keys = self._module.members.get(local, ())
        if not all(map(is_name, keys)):
            fields = [self._module.definitions[f"{local}.{name}"][0] for name in keys]
            types = {each.name: self._functions.type(each.aspects["annotation"], holder) for each in fields}
            return keyed(fact, self._names.add("typing", "TypedDict"), types)
        with self._names.parametrised(fact, holder) as given:
            return self._class_lines(local, fact, holder, given)

    def _class_lines(self, local: str, fact: Fact, holder: str, given: str) -> list[str]:
        listed = [self._base(text, holder) for text in fact.aspects["bases"]]
        for name, text in fact.aspects["keywords"].items():
            shown = self._expression(text, holder)
            if shown is None and name == "metaclass":
                shown = self._functions.incomplete()
            if shown is not None:
                listed.append(f"{name}={shown}")
        decorators = [f"@{text}" for text in self._functions.decorators(fact, holder)]
        if is_for_type_checkers(fact.aspects.get("guard", "")):
            decorators.insert(0, f"@{self._names.add('typing', 'type_check_only')}")
        head = f"class {fact.name}{given}({', '.join(listed)}):" if listed else f"class {fact.name}{given}:"
        members = self._members(local, fact)
        if not members:
            return [*decorators, f"{head} ..."]
        return [*decorators, head, *_indented(members)]

    def _base(self, text: str, holder: str) -> str:
        shown = self._expression(text, holder, callable_=("collections.namedtuple", "typing.NamedTuple"))
        module, _, name = text.rpartition(".")
        if shown is None and module in _OF_FORMS:
            # What a call makes, `namedtuple("Point", "x y")`, is written out as a class, whatever the module imports.
            return self._names.add(module, name)
        return self._functions.incomplete() if shown is None else shown

    def _expression(self, text: str, holder: str, callable_: tuple[str, ...] = ()) -> str | None:
        """A base or keyword as written, where it names something or is a literal; None for what must be run."""
        parsed = parse(text)
        if parsed is None:
            return None
        for node in ast.walk(parsed):
            if (
                isinstance(node, ast.Call)
                and self._module.scope.resolve(ast.unparse(node.func)) not in callable_
            ):
                return None
        plain = isinstance(parsed, ast.Name | ast.Attribute | ast.Subscript | ast.Constant | ast.Call)
        return ast.unparse(parsed) if plain and self._names.need_all(roots(parsed), holder) else None

    def _members(self, local: str, fact: Fact) -> list[str]:
        module = self._module
        lineage = self._lookup.lineage(module, local)
        fields = any(map(makes_fields, fact.aspects["decorators"])) or any(
            owner.scope.resolve(base) in _RECORDS
            for owner, class_ in lineage.classes
            for each in owner.definitions[class_]
            for base in each.aspects.get("bases", [])
        )
        enumeration = bool(lineage.names & _ENUMERATIONS)
        # Such a decorator may make anything of what the class sets.
        decorator = unknown_class_decorator(fact, module.scope)
        maker = field_maker(fact, module.scope)
        blocks = []
        for name in sorted(module.members.get(local, ()), key=lambda name: self._order(f"{local}.{name}")):
            facts = module.definitions[f"{local}.{name}"]
            first = facts[0]
            field = fields and first.kind is Kind.ATTRIBUTE and "annotation" in first.aspects
            if not (field or self._is_member(f"{local}.{name}", name, facts)) or is_set_anew(first, lineage):
                continue
            if decorator is not None and first.kind is Kind.ATTRIBUTE and "annotation" not in first.aspects:
                blocks.append([f"{name}: {self._functions.incomplete()}"])
            elif field:
                blocks.append(self._attributes.field(first, local))
            elif name == "__slots__":
                blocks.append(slots(first))
            elif enumeration and is_member_of_enumeration(first):
                blocks.append(self._attributes.member(first, local))
            else:
                block = self._define(f"{local}.{name}", local)
                if maker is not None and first.aspects.get("instance") and len(block) == 1:
                    # What methods set is nothing that the constructor takes.
                    block = [f"{block[0].partition(' = ')[0]} = {self._names.add(*maker)}(init=False)"]
                blocks.append(block)
        if fact.aspects.get("dynamic") and f"{local}.__getattr__" not in module.definitions:
            blocks.append([_ANY_NAME.format(receiver="self, ", result=self._functions.incomplete())])
        return [line for block in blocks for line in block]

    def _is_member(self, local: str, name: str, facts: tuple[Fact, ...]) -> bool:
        """Whether a class's stub shows this member: what is public, Python's own, or needed by those."""
        if local in self._names.wanted or any(map(is_abstract, facts)):
            return True
        return name not in _UNSHOWN and (is_special(name) or not is_private(name))


def _is_shown(name: str, exports: frozenset[str]) -> bool:
    return name in exports or (name not in _UNSHOWN and (is_special(name) or not is_private(name)))


def _kind(facts: Iterable[Fact]) -> Kind:
    """What a name is, where the code defines it in several ways: a class or function before an attribute.

    A class is none that makes what is called so then: `Plain = Plain("Plain", (object,), {})`.
    """
    listed = list(facts)
    kinds = {fact.kind for fact in listed}
    if any(str(fact.aspects.get("value")).startswith(f"{fact.name}(") for fact in listed):
        kinds -= {Kind.CLASS}
    return next(kind for kind in (Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE) if kind in kinds)


def _indented(lines: Iterable[str]) -> list[str]:
    return [textwrap.indent(line, _INDENT) for line in lines]


def _spaced(blocks: list[list[str]]) -> list[str]:
    """All lines, with an empty one around each class that has members."""
    blocks = [block for block in blocks if block]
    if not blocks:
        return []
    lines = list(blocks[0])
    for one, other in pairwise(blocks):
        if _is_long(one) or _is_long(other):
            lines.append("")
        lines += other
    return lines


def _is_long(block: list[str]) -> bool:
    return any(line.startswith(_INDENT) for line in block)
