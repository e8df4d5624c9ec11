"""The examples of a docstring as Python: each step, and the steps above it that it needs."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence

from engine.generators.functions.example_names import bound, loaded
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import Step, needed
from graph.facts import Fact, Json

# What such a step has for its directives.
_LAST = "LAST_VALUE"
_DIRECTIVE = re.compile(r"\s*#\s*doctest:\s*([^\n]*)")


def steps_to(fact: Fact, source: str, expected: str) -> tuple[list[Step], Step]:
    """The steps of a docstring that an example needs, and the example itself. Raises NoTestError."""
    before, step = steps_before(fact, source, expected)
    return needed(before, step), step


def steps_before(fact: Fact, source: str, expected: str, time: int = 1) -> tuple[list[Step], Step]:
    """All steps of a docstring above an example, needed or not, and the example itself, which may be shown several
    times. Raises NoTestError."""
    doc: Json = fact.aspects.get("doc")
    before: list[Step] = []
    for each_source, each_expected, line in doc.get("examples", ()) if isinstance(doc, dict) else ():
        step = _step(each_source, each_expected, section_of(fact, line)[0])
        if (each_source, each_expected) == (source, expected):
            if step is None:
                raise NoTestError(f"the example `{source}` as valid Python")
            time -= 1
            if not time:
                return _with_last_value(before, step), step
        if step is not None:
            before = [*_with_last_value(before, step), step]
        elif each_source.startswith("@"):
            raise NoTestError(f"the definition of which `{each_source}` stands alone above the example")
    raise NoTestError(f"the example `{source}`, which the docstring does not have any more")


def _with_last_value(before: list[Step], step: Step) -> list[Step]:
    """The steps with the value that a console calls `_` named so, where a step below asks for it and no line names
    anything else so."""
    own = {name for each in before if each.directives != _LAST for name in bound(each.tree)}
    if "_" not in loaded(step.tree) or "_" in own or not before:
        return before
    *above, last = before
    match last.tree.body:
        case [ast.Expr(value=value)] if last.expected:
            source = f"_ = {ast.unparse(value)}"
            return [*above, Step(source, ast.parse(source), "", _LAST, last.section)]
    return before


def section_of(fact: Fact, line: int) -> tuple[int, str]:
    """The heading of a page below which a line stands, and where that is; nothing where there is none."""
    doc: Json = fact.aspects.get("doc")
    listed = doc.get("sections", ()) if isinstance(doc, dict) else ()
    above = [(int(place), str(title)) for place, title in listed if place <= line]
    return above[-1] if above else (0, "")


def title_of(fact: Fact, step: Step) -> str:
    """The heading below which an example of a page stands."""
    return section_of(fact, step.section)[1] if step.section else ""


def importing(fact: Fact, name: str) -> str:
    """The statement by which the examples of a docstring or page import a name; empty where none does."""
    doc: Json = fact.aspects.get("doc")
    for source, expected, _ in doc.get("examples", ()) if isinstance(doc, dict) else ():
        step = _step(source, expected)
        for node in step.tree.body if step is not None else ():
            if isinstance(node, ast.ImportFrom) and name in bound(node) and "*" not in bound(node):
                listed = [each for each in node.names if name in (each.name, each.asname)]
                return ast.unparse(ast.ImportFrom(node.module, listed, 0))
    return ""


def _step(source: str, expected: str, section: int = 0) -> Step | None:
    directives = " ".join(found[1] for found in _DIRECTIVE.finditer(source))
    source = textwrap.dedent(_DIRECTIVE.sub("", source)).strip()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Step(source, tree, expected, directives, section) if tree.body else None


def stars(fact: Fact) -> list[str]:
    """The modules of which the examples of a docstring or page import all names."""
    doc: Json = fact.aspects.get("doc")
    steps = [
        _step(source, expected)
        for source, expected, _ in (doc.get("examples", ()) if isinstance(doc, dict) else ())
        if "*" in source and "import" in source
    ]
    return [
        str(node.module)
        for step in steps
        if step is not None
        for node in step.tree.body
        if isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names)
    ]


def asks_member(name: str, fact: Fact, steps: Sequence[Step], surface: Surface) -> bool:
    """Whether the example of a member asks a name for what objects of its class have, and the package has not."""
    asked = {
        node.attr
        for each in steps
        for node in ast.walk(each.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }
    return any(surface.at(f"{name}.{each}") is None for each in asked & {fact.name})
