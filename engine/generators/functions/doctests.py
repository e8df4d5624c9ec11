"""Tests of the examples in docstrings: what stands behind `>>>` gives what the docstring says."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from textwrap import shorten

from crossval.compare.annotations import parse_expression
from engine.generators.functions.doctests_imports import (
    example_imports,
    foreign,
    is_about_project,
    unshadowed,
)
from engine.generators.functions.doctests_left import (
    refuse_drawn,
    refuse_home,
    refuse_left,
    refuse_lying,
    refuse_moved,
    refuse_old,
    refuse_shared,
)
from engine.generators.functions.doctests_refused import prints, refuse, refuse_settings, shows
from engine.generators.functions.doctests_values import (
    is_shown_as_json,
    json_lines,
    json_value,
    text_lines,
    value_lines,
)
from engine.generators.functions.examples import importing, steps_before, title_of
from engine.generators.functions.facts import (
    NoTestError,
    Surface,
    Surfaces,
    Unit,
    cited,
    written_for,
)
from engine.generators.functions.idle_lines import without_idle
from engine.generators.functions.kept_outside import refuse_reopened
from engine.generators.functions.needed_steps import TRACEBACK, Step, needed
from engine.generators.functions.shown_objects import named_as_shown, text_of_an_object
from engine.generators.functions.shown_texts import meant, printed_value
from engine.generators.functions.unmade_names import runnable
from engine.generators.functions.written import Written
from engine.generators.source import literal, merged_imports, name_of
from graph.facts import Fact, Kind
from graph.literals import NO_LITERAL, is_literal, literal_value
from planner.cases import Case, Technique
from planner.generator import Assertion, Context, Declined, Draft

_RAISED = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: ?(.*))?", re.DOTALL)
# So much of the heading of a page stands in the name of a test.
_HEADING = 45
_PRINTS = re.compile(r"\bprint\(")


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
    example, expected = str(case.target["example"]), str(case.target["expected"])
    before, step = steps_before(fact, example, expected, int(case.target.get("time", 1)))
    before = unshadowed(before, step, fact, surface)
    if fact.kind is Kind.PAGE:
        before = without_idle(runnable(before), step, surface)
    steps = needed(before, step)
    refuse_reopened(before, [*steps, step])
    step = meant(step)
    refuse(steps, step)
    refuse_settings(before, fact, surface)
    refuse_shared(before, surface)
    refuse_home(steps, step)
    refuse_left(before, [*steps, step], fact)
    refuse_lying([*steps, step], surface)
    refuse_old(fact)
    refuse_moved(fact)
    refuse_drawn(steps, step, fact, surface)
    imports = example_imports([*steps, step], fact, surface)
    others = foreign([*steps, step], imports, surface)
    if not is_about_project([*steps, step], imports, surface):
        raise NoTestError(f"what the example `{step.source[:60]}` shows of the project")
    arrange = [line for each in steps for line in (*_lines(each), *named_as_shown(each, step.expected))]
    written = Written("", imports, arrange, others=tuple(others))
    named = fact.kind not in (Kind.MODULE, Kind.PAGE)
    subject = fact.name if named else surface.module(fact).rpartition(".")[2]
    holder = surface.holder(fact)
    subject = f"{holder.name}_{subject}" if holder is not None else subject
    if heading := title_of(fact, step):
        written.heading = heading
        subject = shorten(heading, _HEADING, placeholder="")
    if TRACEBACK.match(step.expected):
        what = _raising(case, fact, surface, step, written)
    elif printed := printed_value(step):
        what = _printed_or_told(case, printed, step, written)
    elif isinstance(step.tree.body[-1], ast.Assign) and is_literal(step.expected):
        raise NoTestError(f"whether `{step.source[:60]}` prints something, or what it names is shown")
    elif not isinstance(step.tree.body[-1], ast.Expr) or prints(step.tree):
        what = _printing(case, steps, step, written, is_page=fact.kind is Kind.PAGE)
    elif is_shown_as_json(step):
        _acted(step, written)
        written.assertions = cited(case, json_lines(step, written))
        what = f"gives_{step.expected[:40]}"
    elif _may_print([*steps, step], step.expected) or shows(step) or _is_prose(step.expected, fact):
        what = _shown(case, step, written)
    elif text := text_of_an_object(step, fact, surface):
        _acted(step, written)
        written.assertions = cited(case, [f"assert repr(found) == {literal(text)}"])
        what = f"gives_{step.expected[:40]}"
    else:
        what = _valued(case, step, written)
    written.name = name_of(f"test_{subject}_{what}"[:90])
    written.imports = merged_imports(written.imports)
    return written


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
    is_whole = "..." not in message and step.expected.rstrip().endswith(rows[-1].rstrip())
    exact = message and is_whole and "IGNORE_EXCEPTION_DETAIL" not in step.directives
    own = bool(reached.imported) or name in ("ValueError", "KeyError", "LookupError")
    lines = [f"with pytest.raises({reached.expression}){' as raised' if exact and own else ''}:"]
    lines += [f"    {line}" for line in _lines(step)]
    if exact and own:
        lines.append(f"assert str(raised.value) == {literal(message)}")
    written.assertions = [Assertion("\n".join(lines), case.cites)]
    written.negative = True
    return f"raises_{name}"


def _printing(case: Case, steps: Sequence[Step], step: Step, written: Written, *, is_page: bool) -> str:
    if any("print" in each.source or _tells(each) for each in steps):
        written.arrange.append("capsys.readouterr()")
    written.fixtures = ("capsys",)
    written.act = _lines(step)
    number = literal_value(step.expected)
    if is_page and isinstance(number, float):
        # A page that shows 1.0 says how much it is, and not how it is written.
        written.assertions = cited(
            case, [f"assert float(capsys.readouterr().out) == pytest.approx({number!r}, rel=1e-9)"]
        )
        return f"prints_{step.expected[:40]}"
    if is_page and (value := json_value(step.expected)) is not NO_LITERAL:
        # How JSON is laid out is not said by who shows it.
        written.top.append("import json")
        written.assertions = cited(case, [f"assert json.loads(capsys.readouterr().out) == {value!r}"])
        return f"prints_{step.expected[:40]}"
    # Pages are set by hand, and blanks between lines with them.
    end = "" if is_page and "\n" in step.expected else "\n"
    written.assertions = cited(case, text_lines("capsys.readouterr().out", step, end, written))
    return f"prints_{step.expected[:40]}"


def _tells(step: Step) -> bool:
    """Whether a step that has no value is shown with an output: what it calls prints."""
    return bool(step.expected) and not isinstance(step.tree.body[-1], ast.Expr)


def _printed_or_told(case: Case, printed: str, step: Step, written: Written) -> str:
    """What is printed, or its value, is what is shown: writers of docstrings do not always tell them apart."""
    written.act = [f"found = {printed}"]
    written.assertions = cited(case, [f"assert {literal(step.expected)} in (str(found), repr(found))"])
    return f"prints_{step.expected[:40]}"


def _may_print(steps: Sequence[Step], expected: str) -> bool:
    """Whether code that the example itself has prints, so that what is expected may be printed or be the value: a
    function of its own, or a text that is run. A function that prints and gives something shows both, or only what
    it gives, as an assertion does."""
    nodes = [node for step in steps for node in ast.walk(step.tree)]
    defined = [
        each for each in nodes if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    ]
    return any(
        isinstance(node, ast.Name) and node.id in ("print", "pprint")
        for each in defined
        if not (is_literal(expected) and _gives(each))
        for node in ast.walk(each)
    ) or any(isinstance(node, ast.Constant) and _PRINTS.search(str(node.value)) for node in nodes)


def _gives(function: ast.AST) -> bool:
    """Whether a function returns a value of its own."""
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _shown(case: Case, step: Step, written: Written) -> str:
    """What a console shows: what is printed, and the value where there is one; of a text its words, as they are shown
    without quotes."""
    _acted(step, written)
    written.arrange.append("capsys.readouterr()")
    written.fixtures = ("capsys",)
    quoted = isinstance(literal_value(step.expected), str)  # as a console shows a text
    written.act.append(
        f"told = {'repr(found)' if quoted else 'found if isinstance(found, str) else repr(found)'}"
    )
    written.act.append('shown = capsys.readouterr().out + ("" if found is None else f"{told}\\n")')
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
