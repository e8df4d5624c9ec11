"""Whether one assertion says less than the one in whose place it stands."""

from __future__ import annotations

import ast
import builtins
from collections import Counter

from healer.guarding.asserting import STRENGTH, Assertion, names_in

_TAKING_LESS = frozenset(
    {
        "sorted",
        "set",
        "frozenset",
        "len",
        "str",
        "repr",
        "bool",
        "any",
        "all",
        "abs",
        "round",
        "int",
        "float",
        "type",
    }
    | {
        "lower",
        "upper",
        "casefold",
        "strip",
        "lstrip",
        "rstrip",
        "startswith",
        "endswith",
        "issubset",
        "issuperset",
    }
    | {
        "isinstance",
        "issubclass",
        "hasattr",
        "getattr",
        "callable",
        "approx",
        "isclose",
        "ANY",
        "search",
        "match",
        "get",
    }
)


def looser(before: Assertion, after: Assertion) -> str:
    """How one assertion says less than the one in whose place it is, in words; empty where it does not."""
    if STRENGTH.get(after.form, 6) < STRENGTH.get(before.form, 6):
        return f"compares by `{after.form}` what it compared by `{before.form}`"
    if after.guards > before.guards:
        return "makes an assertion that is not always reached"
    if _is_idle(after.node) and not _is_idle(before.node):
        return "asserts what is true of itself"
    if before.form in ("raises", "warns"):
        return _expects_less(before, after)
    more = _less_taken(after.node) - _less_taken(before.node)
    if more:
        return f"looks at what it asserts through `{min(more)}`"
    if after.form == before.form and after.shape != before.shape:
        return f"builds `{before.source}` otherwise"
    return ""


def _expects_less(before: Assertion, after: Assertion) -> str:
    if before.matches and not after.matches:
        return "does not look at an exception's words any more"
    if len(after.expects) > len(before.expects):
        return "takes more exceptions than before"
    for old, new in zip(before.expects, after.expects, strict=False):
        if old != new and (_is_broad(new) or _is_above(new, old)):
            return f"expects {new}, which is more than {old}"
    return ""


def _is_broad(name: str) -> bool:
    return name.rpartition(".")[2] in (
        "Exception",
        "BaseException",
        "AssertionError",
        "Warning",
        "ExceptionGroup",
    )


def _is_above(new: str, old: str) -> bool:
    one, other = (getattr(builtins, name.rpartition(".")[2], None) for name in (new, old))
    return isinstance(one, type) and isinstance(other, type) and one is not other and issubclass(other, one)


def _is_idle(node: ast.AST) -> bool:
    """Whether an assertion holds whatever the code does: it is about nothing but itself."""
    if not any(isinstance(each, ast.Name | ast.Attribute | ast.Call) for each in ast.walk(node)):
        return True
    if isinstance(node, ast.Compare):
        sides = [ast.dump(each) for each in (node.left, *node.comparators)]
    elif isinstance(node, ast.Call) and len(node.args) == 2:
        sides = [ast.dump(each) for each in node.args]
    else:
        return False
    return len(set(sides)) == 1


def _less_taken(node: ast.AST) -> Counter[str]:
    return Counter(name for name in names_in(node) if name in _TAKING_LESS)
