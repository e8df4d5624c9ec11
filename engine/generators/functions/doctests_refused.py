"""Which examples of docstrings and pages no test can hold to: those that change, or leave something behind."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence

from engine.generators.functions.doctests_outside import refuse_outside, texts_in
from engine.generators.functions.example_names import bound, called_names, changed_names, is_import, loaded
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import CHANGES, TRACEBACK, Step
from engine.generators.functions.shown_texts import QUOTING, printed_value
from graph.facts import Fact, Kind
from graph.literals import is_literal, literal_value
from planner.functions.drawn_values import words_of

# Identifiers that are drawn by chance or of the time: UUIDs of such versions, and ULIDs.
_DRAWN = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[1467][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b|\b0[0-9A-HJKMNP-TV-Z]{25}\b",
    re.IGNORECASE,
)
# What says enough to make one of it.
_TELLS_ALL = re.compile(r".{10,}", re.DOTALL)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b|\bid ?[:=] ?\d{7,}")
# What stands for any object, without the place in memory that Python would write.
_LEFT_OUT = re.compile(
    r"<(?:[a-z]+ )*(?:redacted|binary|omitted|output|snipped|truncated|contents?)(?: [a-z]+)*>"
)
_STAND_IN = re.compile(r"<[\w.]+ (?:object|instance)>")
# The end of a traceback that is written otherwise, and paths that stand for any.
_UNSURE = re.compile(r"^[\w.]*(?:Error|Exception)\b: ", re.MULTILINE)
# A comment or another prompt after what is expected, and files that not every machine has.
_REMARK = re.compile(r"\n(?:# [A-Z]|> \w)|(?:\A|\n)>> ")
_BESIDE = re.compile(r"\A[^\n]*\S[ \t]+# [A-Za-z][^\n]*\Z")
_ON_DISK = re.compile(r"(?<!href=)(?<!src=)[\"']/(?:usr|home|etc|var|opt|Users)/|[\"'][A-Z]:\\\\")
_IN_QUOTES = re.compile(r"'[^']*'|\"[^\"]*\"")
_PLACE = re.compile(r"[\"'/]path/to/")
# What another run, machine or day answers otherwise, or what reaches outside.
_CHANGING = frozenset(
    {
        *("random", "secrets", "uuid", "uuid1", "uuid4", "time", "perf_counter", "now", "utcnow", "today", "urlopen"),
        *("requests", "urllib", "socket", "subprocess", "open", "input", "id", "hash", "environ", "getcwd", "getpid"),
        *("platform", "version_info", "exit", "quit", "help", "__file__"),
    }
)  # fmt: skip
# What they give is another text each time, but for ciphers of schools, whose texts are short.
_SEALING = frozenset({"encrypt", "seal", "encipher"})
_SEALED = 40
_SHOWING = frozenset({"show", "print", "display", "draw", "echo"})
_PRINTING = frozenset({"print", "pprint", "pp"})
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"})


def refuse(steps: Sequence[Step], step: Step) -> None:
    """Raise NoTestError for what does not give the same on each run."""
    for each in (*steps, step):
        if (name := _changing_in(each.tree)) == "open":
            raise NoTestError("an example without a file: it uses `open`")
        if name:
            raise NoTestError(f"values that stay the same: the example uses `{name}`")
        for node in ast.walk(each.tree):
            if isinstance(node, ast.Global):
                raise NoTestError("an example without `global`")
            if isinstance(node, ast.Attribute | ast.Subscript) and prints(
                ast.Module([ast.Expr(node.value)], [])
            ):
                raise NoTestError("an example of today's Python: it uses what `print` gives")
            if isinstance(node, ast.Await):
                raise NoTestError("an example without `await` outside a function")
            if isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names):
                raise NoTestError("an example that imports by name")
    if len(step.expected) > _SEALED and (name := _sealing(step.tree)):
        raise NoTestError(f"what `{name}` gives each time")
    if not prints(step.tree) and any(isinstance(node, ast.Expr) for node in step.tree.body[:-1]):
        raise NoTestError(f"the example `{step.source[:60]}` with one result")
    if _shows_inside(step.tree):
        raise NoTestError(f"the example `{step.source[:60]}` without results inside of a statement")
    _refuse_remains(steps, step)
    sets = (node for each in (*steps, step) for node in ast.walk(each.tree) if isinstance(node, ast.Set))
    if (
        "\n" in step.expected
        and not TRACEBACK.match(step.expected)
        and any(len(one.elts) > 1 for one in sets)
    ):
        raise NoTestError("in which order the lines stand that come of a set of several things")
    if _UNSURE.search(step.expected) and not TRACEBACK.match(step.expected):
        raise NoTestError(f"whether the example `{step.source[:60]}` raises, or shows a text about it")
    if any(_PLACE.search(each.source) for each in (*steps, step)):
        raise NoTestError("an example without a file that only its reader has")
    refuse_outside(steps, step)
    if _REMARK.search(step.expected):
        raise NoTestError(f"where the result of `{step.source[:60]}` ends, and what is a remark")
    if prints(step.tree) and _BESIDE.search(step.expected):
        raise NoTestError(f"whether what `{step.source[:60]}` prints ends with a remark")
    if _logs(step.tree):
        raise NoTestError(f"what `{step.source[:60]}` writes, as that depends on how logging is set up")
    is_quoted = prints(step.tree) and isinstance(literal_value(step.expected), str)
    if is_quoted and not QUOTING.search(step.source) and not printed_value(step):
        raise NoTestError(
            f"whether what `{step.source[:60]}` prints stands in quotes, or is shown as a value"
        )
    if (writes := _otherwise_printed(step.tree)) and is_literal(step.expected):
        raise NoTestError(f"what `{writes}` prints, and what it gives")
    if _is_unclosed(step.expected):
        raise NoTestError(f"what `{step.source[:60]}` gives: the value that is shown has no end")
    if _ON_DISK.search(step.expected):
        raise NoTestError("an expected value without a path of its writer's machine")
    if _ADDRESS.search(step.expected) and not is_literal(step.expected):
        raise NoTestError("an expected value without an address in memory")
    if (stand_in := _STAND_IN.search(step.expected)) and not is_literal(step.expected):
        raise NoTestError(f"how what is shown as `{stand_in[0]}` is written")
    if _LEFT_OUT.fullmatch(step.expected):
        raise NoTestError(f"what `{step.source[:60]}` gives: `{step.expected}` stands for it")
    if drawn := _DRAWN.search(step.expected):
        texts = [each for one in (*steps, step) for each in texts_in(one.tree)]
        if not any(drawn[0].lower() in each.lower() or _TELLS_ALL.fullmatch(each) for each in texts):
            raise NoTestError(f"an expected value that is the same each time, not `{drawn[0]}`")
    if "_" in loaded(step.tree) and "_" not in {name for each in steps for name in bound(each.tree)}:
        raise NoTestError("what `_` is in the example")


def _is_unclosed(expected: str) -> bool:
    """Whether one line looks like a value that is held in brackets, and does not close them or its quotes."""
    if expected[:1] not in "[({" or "\n" in expected or "..." in expected or is_literal(expected):
        return False
    bare = _IN_QUOTES.sub("", expected)
    return bool(set(bare) & {"'", '"'}) or any(
        bare.count(begin) > bare.count(end) for begin, end in ("[]", "()", "{}")
    )


def changing(source: str) -> str:
    """The name in an example by which it may answer otherwise the next time, or reach outside; empty without one.

    What cannot be parsed counts with all of its text.
    """
    try:
        return _changing_in(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def _changing_in(tree: ast.AST) -> str:
    for node in ast.walk(tree):
        name = getattr(node, "id", "") or getattr(node, "attr", "") or getattr(node, "module", "")
        if isinstance(node, ast.Import):
            name = node.names[0].name
        if str(name) in _CHANGING:
            return str(name)
    return ""


def _sealing(tree: ast.AST) -> str:
    """The function among those that are called that makes another secret text each time; empty without one."""
    return next((name for name in called_names(tree) if set(words_of(name)) & _SEALING), "")


def _refuse_remains(steps: Sequence[Step], step: Step) -> None:
    """Raise NoTestError for a line whose only purpose is what it leaves behind for the whole process."""
    own = {name for each in steps for name in bound(each.tree)} - {
        name for each in steps for name in bound(each.tree) if is_import(each.tree)
    }
    if changed := changed_names(step.tree) - own - bound(step.tree):
        raise NoTestError(f"an example that leaves nothing behind: it changes `{sorted(changed)[0]}`")
    for number, each in enumerate(steps):
        later = set().union(*(loaded(one.tree) for one in (*steps[number + 1 :], step)))
        if changed := changed_names(each.tree) - own:
            raise NoTestError(f"an example that leaves nothing behind: it changes `{sorted(changed)[0]}`")
        match each.tree.body:
            case [ast.Expr(value=ast.Call() as call)] if not each.expected:
                made: set[str] = set()
            case [ast.Assign(value=ast.Call() as call)]:
                made = bound(each.tree)
            case _:
                continue
        root: ast.expr = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        foreign = isinstance(root, ast.Name) and root.id not in own and not hasattr(builtins, root.id)
        if foreign and not made & later and not loaded(each.tree) & own:
            raise NoTestError(
                f"an example that leaves nothing behind: what `{each.source[:60]}` changes is not said"
            )


def refuse_settings(before: Sequence[Step], fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for a line above that tells a class or module of the project to do something, for all that
    comes after it: `Money.set_currency("EUR")`. On a page, where much stands above, it has to be named for a change.
    """
    module = "" if fact.kind is Kind.PAGE else surface.module(fact)
    made = {name for each in before if not is_import(each.tree) for name in bound(each.tree)}
    for each in before:
        match each.tree.body:
            case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=told)))]:
                known = surface.at(f"{module}.{name}") or surface.class_named(name) or surface.at(name)
                is_own = name not in made and known is not None and known.kind in (Kind.CLASS, Kind.MODULE)
                changes = module or set(words_of(told)) & CHANGES
                if is_own and changes and not each.expected and not loaded(each.tree) & made:
                    raise NoTestError(
                        f"an example that leaves nothing behind: what `{each.source[:60]}` above it changes is not said"
                    )


def prints(tree: ast.Module) -> bool:
    """Whether a piece of code ends with printing."""
    match tree.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _PRINTING
    return False


def shows(step: Step) -> bool:
    """Whether an example calls something that is named for showing, so that a text without quotes may be printed."""
    value = step.tree.body[-1].value if isinstance(step.tree.body[-1], ast.Expr) else None
    name = next(called_names(value), "") if isinstance(value, ast.Call) else ""
    return bool({*words_of(name)} & _SHOWING) and not is_literal(step.expected)


def _otherwise_printed(tree: ast.Module) -> str:
    """The function that a piece of code ends with calling where its name ends in `print` and is none of Python's."""
    match tree.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name if name.endswith("print") and name not in _PRINTING else ""
    return ""


def _logs(tree: ast.Module) -> bool:
    """Whether a piece of code ends with telling a logger something."""
    match tree.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr=name))):
            words = set(words_of(getattr(value, "attr", "") or getattr(value, "id", "")))
            return name in _LEVELS and bool(words & {"log", "logger", "logging"})
    return False


def _shows_inside(tree: ast.Module) -> bool:
    """Whether a statement with a body holds expressions, whose values a console would show; printing shows its own."""
    waiting = [each for each in tree.body if not isinstance(each, ast.Expr)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and not prints(ast.Module([node], [])):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
    return False
