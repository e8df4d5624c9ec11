"""The facts of a Python file's attributes: what its module and classes, and instances of these, bind to names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.facts import Extract, Fact, Json, Kind, Relation, Verb
from graph.patterns import pattern
from ingest.python.bindings import Assignment, class_of_module, receiving
from ingest.python.digests import Digests
from ingest.python.guards import guard_text
from ingest.python.imports import STAR, Import
from ingest.python.made_names import Made
from ingest.python.module import Module
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUE_LIMIT = 200
# What a class lists of its own names is told whole.
_LISTS = frozenset({"__slots__", "__match_args__", "_fields"})
_LIST_LIMIT = 4_000
_CLASS_MAKERS = (b"namedtuple", b"NamedTuple", b"TypedDict", b"Enum", b"Flag")
_DEFAULTS = pattern(rb"(\w+)\.__new__\.__defaults__")
_EXPORTS = "__all__"
_REGISTERED = pattern(
    rb"(?m)^[ \t]*([A-Za-z_][\w.]*)\.register\([ \t]*([A-Za-z_][\w.]*)[ \t]*\)[ \t]*(?:#[^\n]*)?$"
)
# It begins with a line feed, since that is looked for quickly.
_HANDED = pattern(rb"\n[A-Za-z_][\w.]*\(([A-Za-z_]\w*),[ \t]*[\"']([A-Za-z_]\w*)[\"']")
_MEMBER = pattern(rb"([A-Za-z_][\w.]*)\s*\.\s*([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=")
_RECEIVERS = (b"self", b"cls")
_STATEMENTS = frozenset({"global", "nonlocal"})
_DISPLAYS = frozenset({"expression_list", "tuple", "list"})
_UNTOLD = frozenset({"comment", "list_splat", "list_splat_pattern"})
# Which type a value has whose text is too long to be told whole.
_FORMS = {
    **dict.fromkeys(("list", "list_comprehension"), "list"),
    **dict.fromkeys(("dictionary", "dictionary_comprehension"), "dict"),
    **dict.fromkeys(("set", "set_comprehension"), "set"),
    **dict.fromkeys(("tuple", "expression_list"), "tuple"),
}


def tell_attributes(
    module: Module, extract: Extract, digests: Digests | None, late: frozenset[str] = frozenset()
) -> None:
    """Add one fact per name, scope and guard. A value that is assigned more than once is not told."""
    scopes = module.scopes
    declared = {(item.scope, item.name) for item in module.assignments if not item.instance}
    given = {(item.scope, item.name) for item in module.assignments if item.instance}
    groups: dict[tuple[Scope, str, tuple[str, ...]], list[Assignment]] = {}
    for item in module.assignments:
        owner = item.scope, item.name
        if item.scope.lost or item.name == _EXPORTS:
            continue
        if item.instance:
            if owner not in declared and owner not in scopes.members:
                groups.setdefault((*owner, item.scope.guard), []).append(item)
            continue
        place = item.node or item.place
        guard = scopes.guard(place, item.start, item.scope) if place is not None else item.scope.guard
        if guard is not None:
            groups.setdefault((*owner, guard), []).append(item)
    for (scope, name, guard), items in groups.items():
        fact = _attribute_fact(module, scope, name, guard, items, digests, late)
        if not items[0].instance and (scope, name) in given:
            fact.aspects["of_instances"] = True
        extract.facts.append(fact)
        extract.relations.append(Relation(Verb.CONTAINS, scope.id, fact.id, fact.source.line))
    for imported in module.imports.all:
        scope = imported.scope
        if scope.kind is Kind.CLASS and imported.local != STAR and imported.binds[0] not in scope.outside:
            fact = _imported_fact(module, imported)
            extract.facts.append(fact)
            extract.relations.append(Relation(Verb.CONTAINS, scope.id, fact.id, fact.source.line))


def tell_made(module: Module, extract: Extract, made: Made) -> list[str]:
    """Add one fact per name that the module gives itself with a value that is written out; return the other names."""
    scope = module.scopes.module
    bound = {item.name for item in module.assignments if item.scope is scope}
    bound |= {name for holder, name in (*module.scopes.members, *module.imports.bindings) if holder is scope}
    told = {name: (key, value) for name, key, value in made.values if name not in bound}
    for name, (key, value) in told.items():
        text = value if isinstance(value, str) else module.source.flat(value, _VALUE_LIMIT)
        end = key.end_byte if isinstance(value, str) else value.end_byte
        fact = Fact(
            tag=module.tag,
            kind=Kind.ATTRIBUTE,
            key=module.scopes.number(Kind.ATTRIBUTE, scope.inner(name)),
            name=name,
            source=module.source.location(key.start_byte, end),
            aspects={"value": text, "made": True},
        )
        if not isinstance(value, str) and end - value.start_byte > _VALUE_LIMIT and value.type in _FORMS:
            fact.aspects["form"] = _FORMS[value.type]
        extract.facts.append(fact)
        extract.relations.append(Relation(Verb.CONTAINS, scope.id, fact.id, fact.source.line))
    return [name for name in made.names if name not in told]


def set_by_functions(module: Module, late: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names that functions declare `global`, and the `late` ones that they give to `globals()`, in order: those
    that no statement of the module itself binds, and those that one does."""
    if not late and b"global " not in module.source.data:
        return [], []
    scopes = module.scopes
    functions = [scope for scope in scopes.all if scope.kind is Kind.FUNCTION]
    # What is declared nonlocal belongs to a function around.
    inner = {name for scope in functions for name in scope.bound}
    own = {item.name for item in module.assignments if item.scope is scopes.module}
    outside = {name for scope in functions for name in scope.outside} - inner
    names = outside.union(late) - _STATEMENTS
    return sorted(names - own), sorted(names & own)


def set_on_others(module: Module) -> list[str]:
    """The names that statements set on what is neither an own instance nor a class of the file: `worker.hub = …`,
    `self.worker.hub = …`."""
    scopes, data = module.scopes, module.source.data
    names = set()
    for node in (*module.found.get("assign.attribute", ()), *module.found.get("assign.chain", ())):
        match = _MEMBER.match(data, node.start_byte)
        if match is None or match[1] in _RECEIVERS:
            continue
        scope, owner = scopes.at(node.start_byte), match[1].decode("utf-8", "replace")
        if receiving(scope, owner) is None and class_of_module(scopes, scope, owner) is None:
            names.add(match[2].decode("utf-8", "replace"))
    return sorted(names)


def registered(module: Module) -> list[list[str]]:
    """The abstract classes that a statement of the module counts another class among, each with it: `A.register(B)`."""
    data = module.source.data
    pairs = _REGISTERED.findall(data) if b".register(" in data else ()
    return [[base.decode("utf-8", "replace"), class_.decode("utf-8", "replace")] for base, class_ in pairs]


def handed_members(module: Module) -> list[list[str]]:
    """The names that statements at the top hand to a function together with a class, each behind the class's name:
    `define_property(Node, "length")`."""
    scopes = module.scopes
    pairs = [(each[1].decode(), each[2].decode()) for each in _HANDED.finditer(module.source.data)]
    classes = {
        scope.name for scope in scopes.all if scope.kind is Kind.CLASS and scope.parent is scopes.module
    }
    return [[class_, name] for class_, name in pairs if class_ in classes]


def redefaulted(module: Module) -> frozenset[str]:
    """The names of classes to whose constructors the file gives other defaults than the classes say."""
    data = module.source.data
    if b"__defaults__" not in data:
        return frozenset()
    return frozenset(name.decode("utf-8", "replace") for name in _DEFAULTS.findall(data))


def _makes_a_class(module: Module, value: Node) -> bool:
    """Whether a value is the call that makes a class of the names that it lists."""
    if value.type != "call":
        return False
    head = module.source.data[value.start_byte : value.end_byte].partition(b"(")[0]
    return head.rstrip().endswith(_CLASS_MAKERS)


def _imported_fact(module: Module, imported: Import) -> Fact:
    """What an import in the body of a class makes: an attribute that stands for the imported thing."""
    name, target = imported.binds
    source = module.source
    start = source.line_start(imported.line)
    aspects: dict[str, Json] = {"value": target, "imported": True}
    if imported.guard:
        aspects["guard"] = guard_text(imported.guard)
    return Fact(
        tag=module.tag,
        kind=Kind.ATTRIBUTE,
        key=module.scopes.number(Kind.ATTRIBUTE, imported.scope.inner(name)),
        name=name,
        source=source.location(start, start + 1),
        aspects=aspects,
    )


def _beside(targets: Node, place: int) -> Node | None:
    """The value of the target at a place, where as many values stand beside them: `WIDTH, HEIGHT = 80, 24`."""
    statement = targets.parent
    value = statement.child_by_field_name("right") if statement is not None else None
    if value is None or value.type not in _DISPLAYS or value.named_child_count != targets.named_child_count:
        return None
    if any(each.type in _UNTOLD for each in (*targets.named_children, *value.named_children)):
        return None
    pairs = zip(targets.named_children, value.named_children, strict=True)
    return next((given for target, given in pairs if target.start_byte == place), None)


def _is_loaded(module: Module, targets: Node, name: str) -> bool:
    """Whether a call that gives several names is told this one: `A, B = load("shop", ["A", "B"])`."""
    statement = targets.parent
    value = statement.child_by_field_name("right") if statement is not None else None
    if value is None or value.type != "call":
        return False
    text = module.source.text(value)
    return f'"{name}"' in text or f"'{name}'" in text


def _attribute_fact(
    module: Module,
    scope: Scope,
    name: str,
    guard: tuple[str, ...],
    items: list[Assignment],
    digests: Digests | None,
    late: frozenset[str],
) -> Fact:
    aspects: dict[str, Json] = {}
    values = 0
    for item in items:
        values += 1
        if item.node is None:
            if item.place is not None and _is_loaded(module, item.place, name):
                aspects["loaded"] = True
            value = _beside(item.place, item.start) if item.place is not None else None
            if value is None:
                continue
        else:
            annotation, value = item.node.child_by_field_name("type"), item.node.child_by_field_name("right")
            if annotation is not None:
                aspects.setdefault("annotation", module.source.flat(annotation))
        while value is not None and value.type == "assignment":
            value = value.child_by_field_name("right")
        if value is None:
            values -= 1
        elif not item.changes:
            limit = _LIST_LIMIT if name in _LISTS or _makes_a_class(module, value) else _VALUE_LIMIT
            aspects.setdefault("value", module.source.flat(value, limit))
            if value.end_byte - value.start_byte > limit:
                if digests is not None:
                    aspects.setdefault("body", digests.of_value(value))
                if value.type in _FORMS:
                    aspects.setdefault("form", _FORMS[value.type])
    if values != 1:
        for aspect in ("value", "body", "form"):
            aspects.pop(aspect, None)
    first = items[0]
    if first.node is not None and first.node.type == "type_alias_statement":
        left = first.node.child_by_field_name("left")
        aspects["type_parameters"] = module.source.flat(left).removeprefix(name) if left is not None else ""
    if name in late:
        aspects["redefaulted"] = True
    if first.instance:
        aspects["instance"] = True
    if all(item.target for item in items):
        aspects["target"] = True
    if guard:
        aspects["guard"] = guard_text(guard)
    return Fact(
        tag=module.tag,
        kind=Kind.ATTRIBUTE,
        key=module.scopes.number(Kind.ATTRIBUTE, scope.inner(name)),
        name=name,
        source=module.source.location(first.start, first.end),
        aspects=aspects,
    )
