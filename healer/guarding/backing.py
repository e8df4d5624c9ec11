"""Which values an edit may bring into a test: those that facts and changes speak of, or that a person decided."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from graph.facts import Json

_Value = tuple[str, str]
_PARAMETER = re.compile(r"(\{[^{}/]*\})")


class Backing(msgspec.Struct, frozen=True):
    """What facts and changes say for an edit.

    `values` are those that cited facts and changes of the specs name; `renames` maps names before, dotted or not, to
    names after, routes with their parameters in braces; `retired` are the tests whose removal is proposed. `drops` says
    that arguments may go, since a parameter went, `adds` that some may come. `decided` says that a person stands for
    the values that the edit expects.
    """

    values: tuple[Json, ...] = ()
    renames: Mapping[str, str] = {}
    retired: tuple[str, ...] = ()
    drops: bool = False
    adds: bool = False
    decided: bool = False

    def words(self) -> Iterator[str]:
        """The names and texts that may stand in a test, dotted names also by their last part."""
        yield from self.renames.values()
        for each in flat(self.values):
            if isinstance(each, str):
                yield each
                yield each.rpartition(".")[2]

    def former(self) -> dict[str, str]:
        """The last names of before by those of after."""
        return {_last(after): _last(before) for before, after in self.renames.items()}


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def changed_values(
    old: Sequence[ast.AST], new: Sequence[ast.AST], backing: Backing, *, strict: bool = False
) -> Iterator[str]:
    """What values are others in code after an edit, with nothing behind it, in words that follow a name.

    `strict` takes no argument for droppable.
    """
    if backing.decided:
        return
    before = [_values(old, arguments=True), _values(old, arguments=False)]
    after = [_values(new, arguments=True), _values(new, arguments=False)]
    added, removed = (
        sum(after, Counter()) - sum(before, Counter()),
        sum(before, Counter()) - sum(after, Counter()),
    )
    known = {_key(value) for value in flat(backing.values)} | {("str", each) for each in backing.words()}
    told = Counter(
        {("str", renamed(text, backing.renames)): n for (kind, text), n in removed.items() if kind == "str"}
    )
    is_given = backing.adds and not strict and not before[0] - after[0]
    for value in (added - told).elements():
        if value not in known and not (is_given and value in after[0] - before[0]):
            yield f"has {value[1]} now, which no fact and no change speaks of"
            return
    moved = before[1] - after[1]
    lost = sum(removed.values()) - sum(added.values())
    if lost > 0 and (strict or not backing.drops or sum((moved & removed).values()) > sum(added.values())):
        yield f"has {min(removed)[1]} no more"


def flat(value: Json) -> Iterator[Json]:
    """A value, and all that it is made of."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from flat(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from flat(part)
    else:
        yield value


def renamed(text: str, renames: Mapping[str, str]) -> str:
    """A text in which each whole name that has another one is written anew, the longest first."""
    if not renames or len(text) > 10_000:
        return text
    for before, after in renames.items():
        if before.startswith("/") and (path := _on_route(text, before, after)) is not None:
            return path
    names = "|".join(re.escape(name) for name in sorted(renames, key=len, reverse=True))
    return re.sub(rf"(?<![\w.])(?:{names})(?!\w)", lambda found: renames[found[0]], text)


def _on_route(text: str, before: str, after: str) -> str | None:
    """A path of one route as one of another, where their parameters have the same names; None where it is no such."""
    pattern = "".join(
        f"(?P<p{number}>[^/?#]+)" if part.startswith("{") else re.escape(part)
        for number, part in enumerate(_PARAMETER.split(before))
    )
    found = re.match(rf"{pattern}(?=[/?#]|$)", text)
    if found is None:
        return None
    given = {
        part: found[f"p{number}"]
        for number, part in enumerate(_PARAMETER.split(before))
        if part.startswith("{")
    }
    parts = _PARAMETER.split(after)
    if any(part.startswith("{") and part not in given for part in parts):
        return None
    return "".join(given.get(part, part) for part in parts) + text[found.end() :]


def _values(nodes: Sequence[ast.AST], *, arguments: bool) -> Counter[_Value]:
    """The literals in code, those in the arguments of calls or the others; the words of functions are none."""
    found: Counter[_Value] = Counter()
    waiting = [(node, False) for node in nodes]
    while waiting:
        node, is_argument = waiting.pop()
        if isinstance(node, ast.Constant):
            if is_argument is arguments and node.value is not Ellipsis:
                found[_key(node.value)] += 1
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
        ):
            if is_argument is arguments and isinstance(node.operand.value, int | float | complex):
                found[_key(-node.operand.value)] += 1
            continue
        if isinstance(node, ast.Call):
            asserting = _is_asserting(node)
            waiting.append((node.func, is_argument))
            waiting += [
                (each, not asserting) for each in (*node.args, *(word.value for word in node.keywords))
            ]
            continue
        waiting += [(child, is_argument) for child in ast.iter_child_nodes(node)]
    return found


def _is_asserting(call: ast.Call) -> bool:
    """Whether a call's arguments are what a test expects: assertions, and values that it runs with."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.startswith("assert") or name in ("raises", "warns", "parametrize", "param", "approx")


def _key(value: Json) -> _Value:
    """A value as it is told apart: `1`, `1.0` and `True` are three."""
    return type(value).__name__, value if isinstance(value, str) else repr(value)
