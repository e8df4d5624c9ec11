"""Tests of the examples in docstrings: what stands behind `>>>` gives what the docstring says."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence

import msgspec

from crossval.compare.annotations import parse_expression
from crossval.link.names.targets import running
from engine.generators.functions.doctests_left import refuse_home, refuse_left, refuse_moved, refuse_shared
from engine.generators.functions.doctests_refused import prints, refuse, refuse_settings, shows
from engine.generators.functions.doctests_values import text_lines, value_lines
from engine.generators.functions.examples import (
    TRACEBACK,
    Step,
    asks_member,
    bound,
    importing,
    loaded,
    needed,
    stars,
    steps_before,
)
from engine.generators.functions.facts import (
    NoTestError,
    Surface,
    Surfaces,
    Unit,
    Written,
    cited,
    written_for,
)
from engine.generators.source import literal, merged_imports, name_of
from graph.facts import Fact, Kind, Tag
from graph.literals import is_literal
from planner.cases import Case, Technique
from planner.functions.offered import is_private
from planner.generator import Assertion, Context, Declined, Draft

_RAISED = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: ?(.*))?", re.DOTALL)
# What an object shows, and a remark behind it.
_BEHIND = re.compile(r"(<[^<>\n]*>)[ \t]+# \S[^\n]*")
_ALWAYS = frozenset({"__name__", "__doc__"})


class DoctestGenerator:
    """Writes one test per example of a docstring, with those lines above it that it needs."""

    name = "doctests"

    def __init__(self) -> None:
        self._surfaces = Surfaces()

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        target = case.target
        return case.technique is Technique.EXAMPLE and "example" in target and "function" in target

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        return written_for(self._surfaces, case, context, shown)


def shown(case: Case, fact: Fact, surface: Surface) -> Written:
    """The test of a case that has an example of a fact. Raises NoTestError."""
    before, step = steps_before(fact, str(case.target["example"]), str(case.target["expected"]))
    steps = needed(before, step)
    if remark := _BEHIND.fullmatch(step.expected):
        step = msgspec.structs.replace(step, expected=remark[1])
    refuse(steps, step)
    refuse_settings(before, fact, surface)
    refuse_shared(before, surface)
    refuse_home(steps, step)
    refuse_left(before, [*steps, step], fact)
    refuse_moved(fact)
    _refuse_foreign([*steps, step], surface)
    imports = _imports([*steps, step], fact, surface)
    if not _is_about_project([*steps, step], imports, surface):
        raise NoTestError(f"what the example `{step.source[:60]}` shows of the project")
    arrange = [line for each in steps for line in _lines(each)]
    written = Written("", imports, arrange)
    named = fact.kind not in (Kind.MODULE, Kind.PAGE)
    subject = fact.name if named else surface.module(fact).rpartition(".")[2]
    holder = surface.holder(fact)
    subject = f"{holder.name}_{subject}" if holder is not None else subject
    if TRACEBACK.match(step.expected):
        what = _raising(case, fact, surface, step, written)
    elif isinstance(step.tree.body[-1], ast.Assign) and is_literal(step.expected):
        raise NoTestError(f"whether `{step.source[:60]}` prints something, or what it names is shown")
    elif not isinstance(step.tree.body[-1], ast.Expr) or prints(step.tree):
        what = _printing(case, steps, step, written, is_page=fact.kind is Kind.PAGE)
    elif _may_print(steps) or shows(step) or _is_prose(step.expected, fact):
        what = _shown(case, step, written)
    else:
        what = _valued(case, step, written)
    written.name = name_of(f"test_{subject}_{what}"[:90])
    written.imports = merged_imports(written.imports)
    return written


def _is_about_project(steps: Sequence[Step], imports: Sequence[str], surface: Surface) -> bool:
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


def _refuse_foreign(steps: Sequence[Step], surface: Surface) -> None:
    """Raise NoTestError for an example that imports what neither Python nor the project has or uses."""
    for name in (each for step in steps for each in _packages(step.tree)):
        if not (name in sys.stdlib_module_names or surface.is_package(name) or surface.uses(name)):
            raise NoTestError(f"what `{name}` is, which the example imports")


def _imports(steps: Sequence[Step], fact: Fact, surface: Surface) -> list[str]:
    """The imports of names that the example takes from its module, as doctest gives it all of the module's names."""
    module = surface.module(fact)
    made = {name for each in steps for name in bound(each.tree)}
    free = sorted({name for each in steps for name in loaded(each.tree)} - made - _ALWAYS)
    local = _imported(module, surface)
    opened = stars(fact)
    found = []
    for name in free:
        if origin := next((each for each in opened if surface.at(f"{each}.{name}") is not None), ""):
            found.append(f"from {origin} import {name}")
        elif surface.at(f"{module}.{name}") is not None or name in local:
            found.append(_of_python(name, module, surface) or f"from {module} import {name}")
        elif surface.is_package(name):
            if surface.holder(fact) is not None and asks_member(name, fact, steps, surface):
                raise NoTestError(f"what `{name}` is in the example `{steps[-1].source[:60]}`")
            found.append(f"import {name}")
        elif (only := _only(name, surface)) and not hasattr(builtins, name):
            found.append(only)
        elif not hasattr(builtins, name):
            raise NoTestError(f"what `{name}` is in the example `{steps[-1].source[:60]}`")
    return found


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


def _lines(step: Step) -> list[str]:
    """The lines of a step; a text over several lines keeps its content when it is indented."""
    if "\n" in step.source and ('"""' in step.source or "'''" in step.source or "\\\n" in step.source):
        return ast.unparse(step.tree).splitlines()
    return step.source.splitlines()


def _is_prose(expected: str, fact: Fact) -> bool:
    """Whether a text is no Python: printed, or the `repr` of something. Raises NoTestError where only a part may be.

    Pages often show a part of what is printed over several lines, docstrings all of it.
    """
    tree = parse_expression(expected)
    # What has lines and signs between its words is drawn, though it could be read as a calculation.
    drawn = isinstance(tree, ast.BinOp | ast.UnaryOp) and "\n" in expected and not is_literal(expected)
    if (tree is not None and not drawn) or expected.startswith("<") or "..." in expected:
        return False
    if "\n" in expected and fact.kind is Kind.PAGE:
        raise NoTestError("what of the expected text is printed, and what is the value")
    return True


def _expression(step: Step) -> list[str]:
    """`found = …` for the expression of an example."""
    lines = _lines(step)
    if len(lines) > 1:
        return [f"found = {ast.unparse(step.tree)}"]
    return [f"found = {lines[0].rstrip(';')}"]


def _raising(case: Case, fact: Fact, surface: Surface, step: Step, written: Written) -> str:
    rows = [
        row for row in step.expected.splitlines()[1:] if row.strip("\t .") and not row.startswith((" ", "\t"))
    ]
    raised = _RAISED.fullmatch("\n".join(rows))
    if raised is None:
        raise NoTestError(f"the exception of the example `{step.source[:60]}`")
    name, message = raised[1].rpartition(".")[2], (raised[2] or "").strip()
    module = surface.module(fact)
    known = {each for one in (*written.arrange, *_lines(step)) for each in re.findall(r"\w+", one)}
    reached = surface.named(name, module)
    if reached is None and raised[1].startswith(f"{module}."):
        reached = surface.named(raised[1].removeprefix(f"{module}."), module)
    holder = raised[1].rpartition(".")[0]
    if reached is None and holder and surface.at(holder) is not None:
        reached = surface.named(name, holder)
    if reached is None and (statement := importing(fact, name)):
        reached = Unit(statement, name)
    if reached is None and (known_class := surface.class_named(name)) is not None:
        reached = surface.unit(known_class)
    if reached is None:
        raise NoTestError(f"where {raised[1]} is imported from")
    if name not in known or reached.imported:
        written.imports.append(reached.imported)
    exact = message and "..." not in message and "IGNORE_EXCEPTION_DETAIL" not in step.directives
    own = bool(reached.imported) or name in ("ValueError", "KeyError", "LookupError")
    lines = [f"with pytest.raises({reached.expression}){' as raised' if exact and own else ''}:"]
    lines += [f"    {line}" for line in _lines(step)]
    if exact and own:
        lines.append(f"assert str(raised.value) == {literal(message)}")
    written.assertions = [Assertion("\n".join(lines), case.cites)]
    written.negative = True
    return f"raises_{name}"


def _printing(case: Case, steps: Sequence[Step], step: Step, written: Written, *, is_page: bool) -> str:
    if any("print" in each.source for each in steps):
        written.arrange.append("capsys.readouterr()")
    written.fixtures = ("capsys",)
    written.act = _lines(step)
    # Pages are set by hand, and blanks between lines with them.
    end = "" if is_page and "\n" in step.expected else "\n"
    written.assertions = cited(case, text_lines("capsys.readouterr().out", step, end, written))
    return f"prints_{step.expected[:40]}"


def _may_print(steps: Sequence[Step]) -> bool:
    """Whether a function of the example itself prints, so that what is expected may be printed or be the value."""
    defined = (
        node
        for step in steps
        for node in ast.walk(step.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    )
    return any(
        isinstance(node, ast.Name) and node.id in ("print", "pprint")
        for each in defined
        for node in ast.walk(each)
    )


def _shown(case: Case, step: Step, written: Written) -> str:
    """What a console shows: what is printed, and the value where there is one."""
    _acted(step, written)
    written.arrange.append("capsys.readouterr()")
    written.fixtures = ("capsys",)
    shown = 'capsys.readouterr().out + ("" if found is None else f"{found!r}\\n")'
    written.act.append(f"shown = {shown}")
    written.assertions = cited(
        case, text_lines("shown", step, "" if "\n" in step.expected else "\n", written)
    )
    return f"shows_{step.expected[:40]}"


def _valued(case: Case, step: Step, written: Written) -> str:
    _acted(step, written)
    written.assertions = cited(case, value_lines(step, written))
    return f"gives_{step.expected[:40]}"


def _acted(step: Step, written: Written) -> None:
    """Name the value of a step `found`, after what it does before."""
    *before, last = step.tree.body
    written.arrange += [line for each in before for line in ast.unparse(each).splitlines()]
    written.act = [f"found = {ast.unparse(last)}"] if before else _expression(step)
