"""Refuses edits by which a test would check less than before, whoever proposes them.

Two readings of one file are compared, before and after: nothing is run. What is not seen here is seen by running the
test, on its twins too.
"""

from __future__ import annotations

import ast
import difflib
import sys
from collections import Counter
from collections.abc import Collection, Iterator

from healer.editing.functions import Function, named_functions, parsed
from healer.guarding.asserting import Assertion, assertions
from healer.guarding.backing import Backing, changed_values
from healer.guarding.loosening import looser

_LEAVING_OUT = frozenset(
    {"skip", "skipif", "xfail", "importorskip", "skipTest", "SkipTest", "skipIf", "skipUnless"}
    | {"expectedFailure", "__test__", "collect_ignore", "collect_ignore_glob"}
)
_BROAD = frozenset({"Exception", "BaseException", "AssertionError"})
_STANDING_IN = frozenset(
    {"patch", "Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock", "create_autospec"}
    | {"mocker", "monkeypatch", "spy", "stub", "setattr", "SimpleNamespace"}
)
_ENDING = frozenset({"_exit", "exit", "abort", "kill", "execv", "execve", "quit"})
_RUNNERS = frozenset({"pytest", "pytest_asyncio", "anyio", "asyncio", "unittest"})
_Import = tuple[str, str]


def weaknesses(before: str, after: str, backing: Backing | None = None) -> tuple[str, ...]:
    """Why an edit is not made, one sentence each; empty where nothing speaks against it.

    Raises Refused where one of the texts is no Python.
    """
    old, new = parsed(before), parsed(after)
    backing = backing or Backing()
    olds, news = dict(named_functions(old)), dict(named_functions(new))
    found = [*_of_file(old, new), *_of_imports(old, new, backing)]
    for name, function in olds.items():
        if any(name == each or name.startswith(f"{each}.") for each in backing.retired):
            continue
        if name in news:
            found += (f"{name} {each}" for each in _of_function(function, news[name], backing))
        elif _is_collected(name):
            found.append(f"{name} is gone")
    found += _of_added(olds, news)
    found += (f"the file {each}" for each in changed_values(_around(old), _around(new), backing, strict=True))
    return tuple(dict.fromkeys(found))


def _is_collected(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test")


def _of_file(old: ast.Module, new: ast.Module) -> Iterator[str]:
    """What a file has more of, anywhere, by which tests are left out, caught, ended or answered by stand-ins."""
    before, after = _counted(old), _counted(new)
    words = {
        "leaving out": "leaves tests out by",
        "catching": "catches every error by",
        "standing in": "puts a stand-in for code by",
        "ending": "ends the process by",
    }
    for (what, name), count in sorted(after.items()):
        more = count > before[what, name]
        # One kind of stand-in may take the place of another, as where a function became a coroutine.
        if more and (what != "standing in" or _sum(after, what) > _sum(before, what)):
            yield f"the file {words[what]} `{name}`"


def _sum(counts: Counter[tuple[str, str]], wanted: str) -> int:
    return sum(count for (what, _), count in counts.items() if what == wanted)


def _counted(tree: ast.Module) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    imported = {name for name, _ in _imports(tree)} - {"pytest"}
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        for what, names in (
            ("leaving out", _LEAVING_OUT),
            ("standing in", _STANDING_IN),
            ("ending", _ENDING),
        ):
            if name in names:
                counts[what, name] += 1
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _mentions(node.type, _BROAD)):
            counts["catching", ast.unparse(node.type) if node.type else "except:"] += 1
        elif isinstance(node, ast.Call) and _tail(node.func) in ("suppress", "raises", "assertRaises"):
            if any(_mentions(each, _BROAD) for each in node.args):
                counts["catching", _tail(node.func)] += 1
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            if ast.unparse(node.value).partition(".")[0] in imported:
                counts["standing in", f"{ast.unparse(node)} ="] += 1
        elif isinstance(node, ast.keyword) and node.arg == "autouse":
            counts["standing in", "autouse"] += 1
    return counts


def _of_function(old: Function, new: Function, backing: Backing) -> Iterator[str]:
    before, after = assertions(old), assertions(new, backing.former())
    if len(after) < len(before):
        yield f"asserts {len(after)} things instead of {len(before)}"
        return
    matcher = difflib.SequenceMatcher(
        None, [each.source for each in before], [each.source for each in after], autojunk=False
    )
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(before[first:last], after[start:end], strict=True)
            yield from (said for one, other in pairs if (said := _unreached(one.guards, other.guards)))
        elif last - first > end - start:
            yield "drops an assertion"
        else:
            pairs = zip(before[first:last], after[start:end], strict=False)
            for one, other in pairs:
                yield from filter(None, (looser(one, other), _other_exception(one, other, backing)))
    if (least := _steps(old)) > (now := _steps(new)):
        yield f"does less: {now} steps instead of {least}"
    if (least := _rounds(old)) > (now := _rounds(new)):
        yield f"runs with {now} sets of values instead of {least}"
    if _raising(new) > _raising(old):
        yield "raises by itself"
    yield from changed_values([old], [new], backing)


def _unreached(before: int, after: int) -> str:
    return "makes an assertion that is not always reached" if after > before else ""


def _other_exception(one: Assertion, other: Assertion, backing: Backing) -> str:
    """Which other exception an assertion expects, with nothing behind it."""
    if backing.decided:
        return ""
    told = {_last(each) for each in backing.words()}
    for name, new in zip(one.expects, other.expects, strict=False):
        if new != name and _last(new) not in {*told, _last(name)}:
            return f"expects {new} instead of {name}, which no fact and no change speaks of"
    return ""


def _of_added(olds: dict[str, Function], news: dict[str, Function]) -> Iterator[str]:
    for name in news.keys() - olds.keys():
        if name.startswith("pytest_"):
            yield f"{name} would change how tests are run"
        if any(_mentions(each, {"fixture"}) for each in news[name].decorator_list):
            yield f"{name} is a new fixture"


def _of_imports(old: ast.Module, new: ast.Module, backing: Backing) -> Iterator[str]:
    """Names of the project that mean something else now, without a change that says so."""
    before, after = list(_imports(old)), list(_imports(new))
    names = {name for name, _ in before}
    for name in sorted(names & (_bound(new) - _bound(old))):
        yield f"the file defines {name} itself, which it imported"
    targets = {target for _, target in before}
    tops = {target.partition(".")[0] for target in (*targets, *backing.renames.values())}
    tails = {_last(target) for target in (*targets, *backing.renames.values())}
    for name, target in after:
        top = target.partition(".")[0]
        if not top or target in targets or backing.decided or _is_below(target, backing):
            continue
        if top not in tops | _RUNNERS and top not in sys.stdlib_module_names:
            yield f"the file imports {target}, which nothing speaks of"
        elif name in names and _last(target) not in tails:
            yield f"the file takes {target} for {name}, which nothing speaks of"
    for name in sorted(_removed_tests(new) - _removed_tests(old)):
        yield f"{name} is gone"


def _is_below(target: str, backing: Backing) -> bool:
    """Whether an import names what a change speaks of, from one of the folders around it on."""
    places = (target, target.rpartition(".")[0])
    told = [each for each in backing.renames.values() if "." in each]
    is_whole = "." in target  # a single name could be that of anything
    return is_whole and any(f".{each}".endswith(f".{place}") for each in told for place in places)


def _imports(tree: ast.Module) -> Iterator[_Import]:
    """Each imported name with what it stands for; the dots of a relative import are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                top = each.name.partition(".")[0]
                yield (each.asname, each.name) if each.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                target = f"{node.module}.{each.name}" if node.module else each.name
                yield each.asname or each.name, "" if node.level else target


def _bound(tree: ast.Module) -> set[str]:
    """The names that a file binds by anything but an import."""
    names = {node.name for node in ast.walk(tree) if isinstance(node, Function | ast.ClassDef)}
    return names | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _removed_tests(tree: ast.Module) -> set[str]:
    """The names of tests that a file takes away again, by deleting or by binding them to something else."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and not isinstance(node.ctx, ast.Load)
        and node.id.startswith(("test", "Test"))
    }


def _around(tree: ast.Module) -> list[ast.AST]:
    """What stands outside of functions and is no import."""
    found: list[ast.AST] = []
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef):
            waiting += node.body
            found += [*node.decorator_list, *node.bases]
        elif not isinstance(node, Function | ast.Import | ast.ImportFrom):
            found.append(node)
    return found


def _steps(function: Function) -> int:
    """How many simple statements a function has; words and `pass` are none, imports neither."""
    return sum(
        isinstance(node, ast.stmt)
        and not isinstance(node, ast.Pass | ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(function)
    )


def _raising(function: Function) -> int:
    return sum(isinstance(node, ast.Raise) for node in ast.walk(function))


def _rounds(function: Function) -> int:
    """How many sets of values its decorators give it, as far as they are written out; 1 where there are none."""
    rounds = 1
    for each in function.decorator_list:
        if isinstance(each, ast.Call) and _tail(each.func) == "parametrize" and len(each.args) > 1:
            values = each.args[1]
            rounds *= len(values.elts) if isinstance(values, ast.List | ast.Tuple | ast.Set) else 1_000_000
    return rounds


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(_tail(each) in names for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute))


def _tail(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _last(target: str) -> str:
    return target.rpartition(".")[2]
