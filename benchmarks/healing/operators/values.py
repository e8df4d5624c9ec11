"""What code says by values: exceptions, constants, defaults, what is returned, and what is there at all.

Such a change is right only where the specs changed with it; the tests to mend are those that are red.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.healing.editing import Editor, lines_of
from benchmarks.healing.operators.calls import called, calls, with_texts
from benchmarks.healing.sources import Change, FunctionNode, Sources, definitions, is_mentioned, parse, unique

_EXCEPTIONS = ("ValueError", "TypeError", "KeyError", "RuntimeError", "LookupError", "ArithmeticError")


def change_exception(sources: Sources, random: Random) -> Iterator[Change]:
    """A function raises a builtin exception of another type."""
    found = [
        (each, node)
        for each in definitions(sources)
        if isinstance(each.node, FunctionNode)
        for node in ast.walk(each.node)
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
    ]
    for each, node in random.sample(found, len(found)):
        assert isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name), "chosen above"
        old = node.exc.func.id
        if old not in _EXCEPTIONS:
            continue
        new = random.choice([name for name in _EXCEPTIONS if not _are_related(name, old)])
        editor = Editor(sources.code[each.path])
        for other in ast.walk(each.node):
            # All of one function's: its documentation says one thing.
            raised = other.exc if isinstance(other, ast.Raise) else None
            if isinstance(raised, ast.Call) and ast.unparse(raised.func) == old:
                editor.replace(raised.func, new)
        after = with_texts(sources, {each.path: editor.result()})
        words = f"{each.place} raises {new} and not {old} now"
        yield Change("exception changed", f"{each.place}#{old}", words, after, mend=_with_exception(old, new))


def _are_related(one: str, other: str) -> bool:
    types = {name: getattr(__import__("builtins"), name) for name in (one, other)}
    return issubclass(types[one], types[other]) or issubclass(types[other], types[one])


def _with_exception(old: str, new: str) -> Callable[[str, frozenset[str]], str]:
    def mend(text: str, red: frozenset[str]) -> str:
        editor = Editor(text)
        for node in _within(text, red):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("raises", "assertRaises", "assertRaisesRegex")
            ):
                for argument in node.args[:1]:
                    if isinstance(argument, ast.Name) and argument.id == old:
                        editor.replace(argument, new)
        return editor.result()

    return mend


def change_constant(sources: Sources, random: Random) -> Iterator[Change]:
    """A published constant has another value."""
    found = [
        each for each in definitions(sources) if each.kind == "attribute" and not each.name.startswith("_")
    ]
    for each in random.sample(found, len(found)):
        value = each.node.value if isinstance(each.node, ast.Assign | ast.AnnAssign) else None
        if not isinstance(value, ast.Constant) or (other := other_value(value)) is None:
            continue
        editor = Editor(sources.code[each.path])
        editor.replace(value, other)
        after = with_texts(sources, {each.path: editor.result()})
        words = f"{each.place} is {other} and not {ast.unparse(value)} now"
        yield Change("constant changed", each.place, words, after, mend=_with_constant(value, other))


def _with_constant(old: ast.Constant, new: str) -> Callable[[str, frozenset[str]], str]:
    def mend(text: str, red: frozenset[str]) -> str:
        editor = Editor(text)
        for node in _within(text, red):
            if (
                isinstance(node, ast.Constant)
                and type(node.value) is type(old.value)
                and node.value == old.value
            ):
                editor.replace(node, new)
        return editor.result()

    return mend


def other_value(constant: ast.Constant) -> str | None:
    """Another value of the same type, as text."""
    match constant.value:
        case bool(value):
            return repr(not value)
        case int(value):
            return repr(value + 1)
        case float(value):
            return repr(value * 2 + 1)
        case str(value) if value and value.isprintable():
            return repr(f"{value}x")
        case bytes(value) if value:
            return repr(value + b"x")
    return None


def change_default(sources: Sources, random: Random) -> Iterator[Change]:
    """A parameter has another default."""
    for each in called(sources, random):
        for argument in [*each.own, *each.node.args.kwonlyargs]:
            default = each.default(argument.arg)
            if not isinstance(default, ast.Constant) or (other := other_value(default)) is None:
                continue
            editor = Editor(sources.code[each.definition.path])
            editor.replace(default, other)
            after = with_texts(sources, {each.definition.path: editor.result()})
            place = each.own.index(argument) if argument in each.own else None
            mend = _with_argument(each.name, argument.arg, place, ast.unparse(default))
            words = f"{argument.arg} of {each.definition.place} is {other} by default now"
            subject = f"{each.definition.place}#{argument.arg}"
            yield Change("default changed", subject, words, after, mend=mend)


def _with_argument(
    name: str, parameter: str, place: int | None, value: str
) -> Callable[[str, frozenset[str]], str]:
    def mend(text: str, red: frozenset[str]) -> str:
        editor = Editor(text)
        for node in _within(text, red):
            if not isinstance(node, ast.Call):
                continue
            if name not in (getattr(node.func, "id", None), getattr(node.func, "attr", None)):
                continue
            if (place is not None and len(node.args) > place) or any(
                k.arg in (parameter, None) for k in node.keywords
            ):
                continue
            end = editor.span(node)[1] - 1
            comma = ", " if node.args or node.keywords else ""
            editor.replace_between(end, end, f"{comma}{parameter}={value}")
        return editor.result()

    return mend


def change_return(sources: Sources, random: Random) -> Iterator[Change]:
    """A function that returns lists returns tuples, or the reverse."""
    found = [
        each
        for each in unique(sources)
        if isinstance(each.node, ast.FunctionDef) and not each.node.decorator_list
    ]
    for each in random.sample(found, len(found)):
        assert isinstance(each.node, ast.FunctionDef), "chosen above"
        values = [node.value for node in ast.walk(each.node) if isinstance(node, ast.Return)]
        old = next(
            (type_ for type_ in (ast.List, ast.Tuple) if values and all(_is(v, type_) for v in values)), None
        )
        if old is None:
            continue
        new, back = ("tuple", "list") if old is ast.List else ("list", "tuple")
        editor = Editor(sources.code[each.path])
        for value in values:
            assert value is not None, "each is a list or a tuple"
            editor.replace(value, f"{new}({_in_parentheses(editor.source(value), value)})")
        if each.node.returns is not None:
            source = editor.source(each.node.returns)
            editor.replace(
                each.node.returns, source.replace(back, new, 1).replace(back.title(), new.title(), 1)
            )
        after = with_texts(sources, {each.path: editor.result()})
        words = f"{each.place} returns a {new} and not a {back} now"
        yield Change("return changed", each.place, words, after, mend=_wrapped(each.name, back))


def _is(value: ast.expr | None, type_: type[ast.expr]) -> bool:
    return isinstance(value, type_) or (type_ is ast.List and isinstance(value, ast.ListComp))


def _in_parentheses(source: str, value: ast.expr) -> str:
    return f"({source})" if isinstance(value, ast.Tuple) and not source.startswith("(") else source


def _wrapped(name: str, type_: str) -> Callable[[str, frozenset[str]], str]:
    def mend(text: str, red: frozenset[str]) -> str:
        editor = Editor(text)
        inside = {id(node) for node in _within(text, red)}
        for call in calls(text, name):
            if id(call) in inside:
                editor.replace(call, f"{type_}({editor.source(call)})")
        return editor.result()

    return mend


def remove_feature(sources: Sources, random: Random) -> Iterator[Change]:
    """A function that nothing in the package uses is gone, and so are the tests that name it."""
    found = [each for each in unique(sources) if isinstance(each.node, FunctionNode)]
    for each in random.sample(found, len(found)):
        first, last = lines_of(each.node)
        editor = Editor(sources.code[each.path])
        editor.remove_lines(first, last)
        rest = {**sources.code, each.path: editor.result()}
        if is_mentioned(rest, each.name) or not _parses(rest[each.path]):
            continue
        tests = {path: _without_tests(text, each.name) for path, text in sources.tests.items()}
        if is_mentioned(tests, each.name):
            continue
        after = sources._replace(code=rest, tests=tests)
        yield Change("feature removed", each.place, f"{each.place} is gone", after)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _without_tests(text: str, name: str) -> str:
    editor = Editor(text)
    for node in ast.walk(parse(text)):
        if isinstance(node, FunctionNode) and node.name.startswith("test"):
            words = {getattr(part, "id", None) or getattr(part, "attr", None) for part in ast.walk(node)}
            if name in words:
                editor.remove_lines(*lines_of(node))
    return editor.result()


def _within(text: str, names: frozenset[str]) -> Iterator[ast.AST]:
    """All nodes within the functions of these names."""
    for node in ast.walk(parse(text)):
        if isinstance(node, FunctionNode) and node.name in names:
            yield from ast.walk(node)
