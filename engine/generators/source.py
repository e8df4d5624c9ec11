"""Pieces of Python source: literals, names, docstrings, and the whole function that is made of them."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Sequence
from typing import Any

_OTHER = re.compile(r"[^a-z0-9]+")
_WIDTH = 100
_INDENT = "    "
# What generated tests call otherwise: fixtures, the answer, and what assertions are made with.
_RESERVED = frozenset(
    {
        "client",
        "auth",
        "arranged",
        "added",
        "caller",
        "response",
        "bool",
        "date",
        "datetime",
        "dict",
        "float",
        "int",
        "len",
        "list",
        "str",
        "type",
    }
)


class Expression(str):
    """A value of a request that only the running test knows, as the expression that gives it: `book["id"]`."""

    __slots__ = ()


def literal(value: Any) -> str:
    """A JSON value as Python writes it, with double quotes where that needs no escape."""
    match value:
        case Expression():
            return str(value)
        case str():
            written = repr(value)
            plain = '"' not in value and "\\" not in written[1:-1]
            return f'"{value}"' if plain else written
        case dict():
            return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            if len(value) > 8 and all(each == value[0] for each in value):
                return f"[{literal(value[0])}] * {len(value)}"
            return "[" + ", ".join(map(literal, value)) + "]"
        case _:
            return repr(value)


def long_text(value: Any) -> str:
    """A literal in which a long run of one letter is written as a product: `"Title" + "x" * 76`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {long_text(each)}" for key, each in value.items()) + "}"
    if (
        isinstance(value, str)
        and not isinstance(value, Expression)
        and (run := re.search(r"(.)\1{20,}$", value))
    ):
        start = value[: run.start()]
        times = f"{literal(run[1])} * {len(run[0])}"
        return f"{literal(start)} + {times}" if start else times
    return literal(value)


def name_of(words: str) -> str:
    """A name for a variable or function from any words: small letters, digits and underscores, never a keyword."""
    name = _OTHER.sub("_", words.lower()).strip("_") or "thing"
    if name[0].isdigit():
        name = f"n{name}"
    return f"{name}_" if keyword.iskeyword(name) or name in _RESERVED else name


def local_of(class_name: str) -> str:
    """A name for a variable that holds an object of a class, which is another one than the class has."""
    name = name_of(class_name)
    return f"{name}_" if name == class_name else name


def function(
    name: str,
    arguments: Sequence[str],
    *,
    marks: Sequence[str],
    words: str,
    maintain: str,
    arrange: Sequence[str],
    act: Sequence[str],
    asserts: Sequence[str],
) -> str:
    """A test function: markers, docstring with the requirement's words, then Arrange, Act and Assert, apart."""
    lines = [f"@pytest.mark.spec({', '.join(map(literal, marks))})", f"def {name}({', '.join(arguments)}):"]
    body = [*_docstring(words, maintain)]
    parts = [part for part in (arrange, act, asserts) if part]
    for number, part in enumerate(parts):
        body += ["", *part] if number else part
    return "\n".join([*lines, *(f"{_INDENT}{line}" if line else "" for line in body)]) + "\n"


def _docstring(words: str, maintain: str) -> list[str]:
    first, *rest = textwrap.wrap(_safe(words), _WIDTH - 7) or [""]
    first = first if rest or first.endswith((".", "?", "!")) else f"{first}."
    kept = textwrap.wrap(_safe(f"Maintain: {maintain}"), _WIDTH - 4)
    return [f'"""{first}', *rest, "", *kept, '"""']


def _safe(words: str) -> str:
    """Words from a project, unable to end the docstring or to escape from it."""
    return words.replace("\\", "/").replace('"', "'")


def merged_imports(statements: Sequence[str]) -> list[str]:
    """`from m import a` and `from m import b` as one statement; the others stay; sorted."""
    names: dict[str, set[str]] = {}
    others = []
    for statement in dict.fromkeys(each for each in statements if each):
        if statement.startswith("from "):
            module, _, name = statement.removeprefix("from ").partition(" import ")
            names.setdefault(module, set()).add(name)
        else:
            others.append(statement)
    return [
        *sorted(others),
        *(f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)),
    ]
