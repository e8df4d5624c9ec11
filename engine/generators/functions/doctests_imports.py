"""What an example has of the project, and what it needs imported that its own lines do not import."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence

from crossval.link.names.targets import running
from engine.generators.functions.example_names import bound, loaded
from engine.generators.functions.examples import asks_member, stars
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import Step
from engine.generators.functions.standard_names import ALIASES, standard_import
from engine.generators.functions.step_names import rebound
from graph.facts import Fact, Kind, Tag
from planner.functions.offered import is_private

_IMPORTED = re.compile(r"(?:from|import)[ \t]+(\w+)")
_ALWAYS = frozenset({"__name__", "__doc__"})


def is_about_project(steps: Sequence[Step], imports: Sequence[str], surface: Surface) -> bool:
    """Whether an example has anything of the project, by its own imports or those that its test begins with."""
    trees = [ast.parse(each) for each in imports] + [each.tree for each in steps]
    return any(surface.is_package(name) for tree in trees for name in _packages(tree))


def _packages(tree: ast.AST) -> Iterator[str]:
    """The packages that a piece of code imports from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def foreign(steps: Sequence[Step], imports: Sequence[str], surface: Surface) -> list[str]:
    """The packages of others that an example needs. Raises NoTestError where it imports what the project does not."""
    told = [name for step in steps for name in _packages(step.tree)]
    found = [name for name in told if not (name in sys.stdlib_module_names or surface.is_package(name))]
    for name in found:
        if not surface.uses(name):
            raise NoTestError(f"what `{name}` is, which the example imports")
    added = [name for each in imports for name in _packages(ast.parse(each))]
    found += [name for name in added if not (name in sys.stdlib_module_names or surface.is_package(name))]
    return sorted({*found} - {"pytest"})


def example_imports(steps: Sequence[Step], fact: Fact, surface: Surface) -> list[str]:
    """The imports of names that the example takes from its module, as doctest gives it all of the module's names."""
    module = surface.module(fact)
    made = {name for each in steps for name in bound(each.tree)}
    free = sorted({name for each in steps for name in loaded(each.tree)} - made - _ALWAYS)
    local = _imported(module, surface)
    opened = stars(fact)
    found = []
    for name in free:
        if origin := next((each for each in opened if _has(name, each, surface)), ""):
            found.append(f"from {origin} import {name}")
        elif surface.at(f"{module}.{name}") is not None or name in local:
            found.append(_of_python(name, module, surface) or f"from {module} import {name}")
        elif surface.is_package(name):
            if surface.holder(fact) is not None and asks_member(name, fact, steps, surface):
                raise NoTestError(f"what `{name}` is in the example `{steps[-1].source[:60]}`")
            found.append(f"import {name}")
        elif hasattr(builtins, name):
            continue
        elif name in ALIASES and surface.uses(ALIASES[name].partition(".")[0]):
            found.append(f"import {ALIASES[name]} as {name}")
        elif name not in sys.stdlib_module_names and _has(
            name, root := _root(fact, module, surface), surface
        ):
            found.append(f"from {root} import {name}")
        elif known := _only(name, surface) or standard_import(name, [each.tree for each in steps]):
            found.append(known)
        else:
            raise NoTestError(f"what `{name}` is in the example `{steps[-1].source[:60]}`")
    return found


def unshadowed(before: Sequence[Step], step: Step, fact: Fact, surface: Surface) -> list[Step]:
    """The steps without those of other parts of a page that take a name which the part of an example calls, and which
    the page has from a module with all of its names: `a = div()`, and below another heading `a("here")`."""
    opened = stars(fact)
    near = [each.tree for each in before if each.section == step.section] + [step.tree]
    called = {
        node.func.id
        for tree in near
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    given = {name for name in called if any(_has(name, module, surface) for module in opened)}
    return [each for each in before if each.section == step.section or not rebound(each.tree) & given]


def _has(name: str, module: str, surface: Surface) -> bool:
    """Whether a module gives a name to who imports all of its names: its own, or one that it imports by name."""
    return surface.at(f"{module}.{name}") is not None or (
        name[0] != "_" and name in _imported(module, surface)
    )


def _root(fact: Fact, module: str, surface: Surface) -> str:
    """The package that holds a module, or the only one of the project that a page imports from."""
    if fact.kind is not Kind.PAGE:
        return module.partition(".")[0]
    doc = fact.aspects.get("doc")
    texts = [str(row[0]) for row in (doc.get("examples", ()) if isinstance(doc, dict) else ())]
    roots = {found[1] for each in texts if (found := _IMPORTED.match(each)) and surface.is_package(found[1])}
    return roots.pop() if len(roots) == 1 else ""


def _of_python(name: str, module: str, surface: Surface) -> str:
    """The import of a module of the standard library that a module of the project imports; empty for all else."""
    targets = {target for local, target in surface.imports(module) if local == name}
    only = targets.pop() if len(targets) == 1 and surface.at(f"{module}.{name}") is None else ""
    is_standard = only in sys.stdlib_module_names and not surface.is_package(only)
    return (f"import {only}" if name == only else f"import {only} as {name}") if is_standard else ""


def _imported(module: str, surface: Surface) -> set[str]:
    """The local names that a module has of others where it runs, and not for type checkers alone."""
    found, target = set(), running()
    for tag in (Tag.SPEC, Tag.CODE):
        fact = surface.facts.get(f"{tag}:{Kind.MODULE}:{module}")
        aspects = {} if fact is None else fact.aspects
        guards = dict(aspects.get("import_guards", ()))
        for name, _, line in aspects.get("imports", ()):
            if line not in guards or target.holds(guards[line], type_checking=False) is not False:
                found.add(str(name))
    return found


def _only(name: str, surface: Surface) -> str:
    """The import of the only public class or module of the project that is called so; empty where that is not sure."""
    if (known := surface.class_named(name)) is not None and "." not in surface.unit(known).expression:
        return surface.unit(known).imported
    homes = {
        fact.key.rpartition(".")[0]
        for fact in surface.facts.values()
        if fact.kind is Kind.MODULE and fact.key.rpartition(".")[2] == name and not is_private(fact.key)
    }
    return f"from {homes.pop()} import {name}" if len(homes) == 1 and "" not in homes else ""
