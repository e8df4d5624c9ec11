"""The facts of a Python file: its module, classes, functions and attributes, and how they relate."""

from __future__ import annotations

from graph.compiled import compiled
from graph.facts import Extract, Fact, Json, Kind, Relation, Tag, Unknown, Verb
from ingest.python.attributes import (
    handed_members,
    redefaulted,
    registered,
    set_by_functions,
    set_on_others,
    tell_attributes,
    tell_made,
)
from ingest.python.claims import docstring_claims
from ingest.python.described import described_unknown
from ingest.python.digests import Digests
from ingest.python.docstrings import docstring, documented, module_docstring
from ingest.python.dynamic import Dynamic, dynamic_scopes
from ingest.python.exports import Exports, read_exports
from ingest.python.guards import guard_text
from ingest.python.handing_on import hands_on_others
from ingest.python.imports import STAR
from ingest.python.metaclasses import members_set
from ingest.python.module import Module
from ingest.python.nested_steps import nested_steps, steps_by_calls
from ingest.python.results import results
from ingest.python.scopes import Scope
from ingest.python.signatures import is_overload, returns
from ingest.python.step_types import step_types

# How classes get a metaclass in the code of both Pythons: `@six.add_metaclass(M)`, `class C(six.with_metaclass(M, A))`.
_OF_SIX = compiled(r"(?:\w+\.)*(add_|with_)metaclass\(\s*([\w.]+)\s*((?:,\s*[\w.]+\s*)*),?\)")


def tell(module: Module) -> Extract:
    """All facts and relations of a file of code or of a stub."""
    extract = Extract()
    dynamic = dynamic_scopes(module)
    module.assignments.extend(dynamic.members)
    digests = Digests(module) if module.tag is Tag.CODE else None
    late = redefaulted(module)
    _tell_module(module, extract, dynamic, digests)
    for scope in module.scopes.all[1:]:
        if scope.kind is Kind.FUNCTION:
            extract.facts.append(function_fact(module, scope, digests))
        else:
            extract.facts.append(_class_fact(module, scope, dynamic, digests, late))
            _relate(module, extract.relations, scope, Verb.INHERITS, _base_names(scope))
        assert scope.parent is not None, "only the module has no parent"
        extract.relations.append(
            Relation(Verb.CONTAINS, scope.parent.id, scope.id, module.source.line(scope.start))
        )
        if module.tag is not Tag.SPEC and scope.kind is Kind.FUNCTION:
            _relate_flow(module, extract.relations, scope)
    tell_attributes(module, extract, digests, late)
    if others := tell_made(module, extract, dynamic.made):
        extract.facts[0].aspects["made_names"] = others
    return extract


def module_fact(module: Module, exports: Exports, dynamic: Dynamic, digests: Digests | None = None) -> Fact:
    """The fact of the file itself; `dynamic` says where there may be names which the text does not show."""
    aspects: dict[str, Json] = {
        "package": module.package,
        "star": any(imported.local == STAR for imported in module.imports.all),
        "imports": [
            [imported.local, imported.target, imported.line]
            for imported in module.imports.all
            if imported.scope is module.scopes.module
        ],
    }
    guarded = [
        [imported.line, guard_text(imported.guard)]
        for imported in module.imports.all
        if imported.guard and imported.scope is module.scopes.module
    ]
    if guarded:
        aspects["import_guards"] = guarded
    again = [imported.local for imported in module.imports.all if imported.again]
    if again and module.tag is Tag.SPEC:
        aspects["reexports"] = again
    if exports.names is not None:
        aspects["exports"] = exports.names
    elif exports.computed_at or exports.of:
        aspects["exports_computed"] = True
        if exports.known:
            aspects["exports_known"] = exports.known
        if exports.of or not exports.computed_at:
            aspects["exports_with" if exports.computed_at else "exports_of"] = exports.of
        if exports.surely:
            aspects["exports_surely"] = True
    if module.scopes.module in dynamic.scopes:
        aspects["dynamic"] = True
    elif dynamic.classes:
        aspects["dynamic_classes"] = dynamic.classes
    if dynamic.replaced:
        aspects["replaced"] = True
    if module.scopes.module.guard:
        aspects["guard"] = guard_text(module.scopes.module.guard)
    if steps := nested_steps(module):
        aspects["nested_steps"] = steps
    if line := steps_by_calls(module):
        aspects["steps_by_calls"] = line
    if types := step_types(module):
        aspects["step_types"] = types
    if dynamic.made.of:
        aspects["made_members"] = list(dynamic.made.of)
    if others := dynamic.others.union(set_on_others(module)) if module.tag is Tag.CODE else ():
        aspects["set_on_others"] = sorted(others)
    if counted := registered(module):
        aspects["registered"] = counted
    if handed := handed_members(module) if module.tag is Tag.CODE else ():
        aspects["handed_members"] = list(handed)
    if dynamic.answers is not None:
        aspects["answers"] = sorted(dynamic.answers.names)
        if dynamic.answers.targets:
            aspects["answers_with"] = dynamic.answers.targets
    later, anew = set_by_functions(module, dynamic.made.late)
    if later:
        aspects["set_by_functions"] = later
    if anew:
        aspects["set_anew"] = anew
    found = module_docstring(module.source)
    if found is not None and (doc := documented(module.source, found)):
        aspects["doc"] = doc
    scope = module.scopes.module
    if digests is not None:
        aspects["body"] = digests.of(scope, found[1] if found is not None else 0)
    return Fact(
        tag=module.tag,
        kind=Kind.MODULE,
        key=scope.key,
        name=scope.name,
        source=module.source.location(0, scope.end),
        aspects=aspects,
    )


def import_relations(module: Module) -> list[Relation]:
    """What the file imports, wherever in it, each target once."""
    first = module.scopes.module.id
    lines: dict[str, int] = {}
    for imported in module.imports.all:
        lines.setdefault(imported.target, imported.line)
    prefix = _reference(module)
    return [Relation(Verb.IMPORTS, first, prefix + target, line) for target, line in lines.items()]


def function_fact(module: Module, scope: Scope, digests: Digests | None = None) -> Fact:
    """The fact of one function or method. A stub says nothing of what its body would do."""
    source = module.source
    aspects: dict[str, Json] = {
        "kind": scope.form,
        "async": source.data.startswith(b"async", scope.start),
        "parameters": scope.signature,
        "decorators": list(scope.decorators),
    }
    annotation = returns(source, scope.node)
    if annotation is not None:
        aspects["returns"] = annotation
    if scope.decorators and is_overload(scope):
        aspects["overload"] = True
    if _is_given_a_signature(module, scope):
        aspects["signature_set"] = True
    if scope.decorators and hands_on_others(module, scope):
        aspects["hands_on_others"] = True
    if module.tag is not Tag.SPEC:
        aspects["generator"] = scope.generator
        aspects["raises"] = [[name, source.line(place)] for name, place in scope.raises]
        if scope.always_raises:
            aspects["always_raises"] = scope.always_raises
        aspects.update(results(source, scope))
    elif scope.generator:
        aspects["generator"] = True
    return _definition(module, scope, aspects, digests)


def _is_given_a_signature(module: Module, scope: Scope) -> bool:
    """Whether the function around it sets the `__signature__` of a function, which says how it is called."""
    around = scope.parent
    if around is None or around.kind is not Kind.FUNCTION:
        return False
    sets = f"{scope.name}.__signature__ =".encode()
    return module.source.data.find(sets, around.body, around.end) >= 0


def _class_fact(
    module: Module, scope: Scope, dynamic: Dynamic, digests: Digests | None, late: frozenset[str]
) -> Fact:
    keywords = {}
    listed = scope.node.child_by_field_name("superclasses")
    for child in listed.named_children if listed is not None else ():
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                keywords[module.source.text(name)] = module.source.flat(value)
    bases = list(scope.bases)
    for text in (*scope.decorators, *scope.bases):
        found = _OF_SIX.fullmatch(text)
        if found is not None:
            keywords.setdefault("metaclass", found[2])
            if found[1] == "with_":
                bases = [base.strip() for base in found[3].split(",") if base.strip()]
    aspects: dict[str, Json] = {
        "bases": list(bases),
        "keywords": keywords,
        "decorators": list(scope.decorators),
    }
    if scope.name in late:
        aspects["redefaulted"] = True
    if digests is not None and (names := members_set(module.source, module.scopes, scope)) is not None:
        aspects["sets_members"] = names
    if scope in dynamic.scopes:
        aspects["dynamic"] = "instances" if scope in dynamic.instances else True
    return _definition(module, scope, aspects, digests)


def _definition(module: Module, scope: Scope, aspects: dict[str, Json], digests: Digests | None) -> Fact:
    found = docstring(module.source, scope.body)
    if found is not None and (doc := documented(module.source, found)):
        aspects["doc"] = doc
        if scope.kind is Kind.FUNCTION:
            if module.tag is Tag.CODE and (unknown := described_unknown(module.source, scope, doc)):
                aspects["described_unknown"] = unknown
            first = module.source.line(scope.body)
            aspects.update(docstring_claims(found[0], doc.get("params") or {}, first))
    if (given := scope.node.child_by_field_name("type_parameters")) is not None:
        aspects["type_parameters"] = module.source.flat(given)
    if scope.guard:
        aspects["guard"] = guard_text(scope.guard)
    if scope.deleted:
        aspects["deleted"] = True
    if digests is not None:
        aspects["body"] = digests.of(scope, found[1] if found is not None else 0)
    return Fact(
        tag=module.tag,
        kind=scope.kind,
        key=scope.key,
        name=scope.name,
        source=module.source.location(scope.start, scope.end),
        aspects=aspects,
    )


def _tell_module(module: Module, extract: Extract, dynamic: Dynamic, digests: Digests | None) -> None:
    exports = read_exports(module)
    extract.facts.append(module_fact(module, exports, dynamic, digests))
    if exports.computed_at:
        extract.unknown.append(
            Unknown(
                module.scopes.module.id,
                "exports",
                module.source.path,
                exports.computed_at,
                "`__all__` is computed",
            )
        )
    extract.relations.extend(import_relations(module))


def _relate_flow(module: Module, relations: list[Relation], scope: Scope) -> None:
    if scope.calls:
        called = {name.decode("utf-8", "replace"): place for name, place in scope.calls.items()}
        _relate(module, relations, scope, Verb.CALLS, called)
    if not scope.raises:
        return
    raised: dict[str, int] = {}
    for name, place in scope.raises:
        raised.setdefault(name, place)
    _relate(module, relations, scope, Verb.RAISES, raised)


def _relate(
    module: Module, relations: list[Relation], scope: Scope, verb: Verb, names: dict[str, int]
) -> None:
    """Relate a scope to what these names mean in it, each target once, at the place where it first stands."""
    lines: dict[str, int] = {}
    resolve = module.names.resolve
    holder = scope.parent if scope.kind is Kind.CLASS and scope.parent is not None else scope
    for name, place in names.items():
        for target in resolve(holder, name):
            if target not in lines:
                lines[target] = place
    if lines:
        first, prefix, line = scope.id, _reference(module), module.source.line
        relations += [Relation(verb, first, prefix + target, line(place)) for target, place in lines.items()]


def _base_names(scope: Scope) -> dict[str, int]:
    """The plain names of a class's bases, without their type arguments; what is computed has none."""
    names = (base.partition("[")[0].strip() for base in scope.bases)
    return {name: scope.start for name in names if name.replace(".", "_").isidentifier()}


def _reference(module: Module) -> str:
    """How ids of unknown kind begin: a stub refers to what stubs say, everything else to code."""
    return "spec:*:" if module.tag is Tag.SPEC else "code:*:"
