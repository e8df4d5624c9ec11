"""What specs state about the types of values: those that came, and those that a changed function gives now."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator

from graph.facts import Fact
from graph.literals import NO_LITERAL, literal_value
from healer.analysis import Analysis, Category
from healer.judging.known import Known
from healer.judging.statement import Side, Statement
from healer.judging.witnesses import Witnesses, plain
from healer.judging.writing import gives_something
from healer.movements import Movement

_PLAIN = frozenset({"int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple", "None"})
_WIDER = (("int", "float"), ("bool", "int"), ("bool", "float"))
_BUILTIN = _PLAIN | {"bytearray", "complex", "frozenset", "memoryview", "range", "slice", "type"}
_TYPING = frozenset(
    {
        "List",
        "Dict",
        "Set",
        "FrozenSet",
        "Tuple",
        "Type",
        "Text",
        "AnyStr",
        "Pattern",
        "Match",
        "IO",
        "TextIO",
        "BinaryIO",
    }
    | {
        "Iterator",
        "Iterable",
        "Generator",
        "Sequence",
        "MutableSequence",
        "Mapping",
        "MutableMapping",
        "Callable",
    }
    | {
        "AsyncIterator",
        "AsyncIterable",
        "AsyncGenerator",
        "Awaitable",
        "Coroutine",
        "Collection",
        "Container",
    }
    | {"Deque", "DefaultDict", "OrderedDict", "Counter", "AbstractSet", "KeysView", "ItemsView", "ValuesView"}
)
_UNTOLD = frozenset({"typing", "typing_extensions", "types", "ctypes"})
_ANYTHING = frozenset({"Hashable", "Protocol"})
_OPTIONAL = re.compile(r"(?:typing\.|t\.)?Optional\[(?P<type>.*)\]")


def types(analysis: Analysis, fact: Fact) -> Iterator[Statement]:
    """Whether a value that came can be what the spec says is returned."""
    returns = _returns(fact)
    if fact.tag != "spec" or not returns or analysis.category is not Category.ASSERTION_FAILURE:
        return
    came, wanted = _type(analysis.observed), _type(analysis.wanted or analysis.expected)
    if came and came != wanted and not _may_be(came, returns):
        yield Statement(Side.TEST, fact.id, f"it returns {returns} by its stub", 0.95)
    elif wanted and came and wanted != came and not _may_be(wanted, returns):
        yield Statement(Side.CODE, fact.id, f"it returns {returns} by its stub", 0.85)


def returned(changed: Iterable[Movement], known: Known) -> Iterator[tuple[Movement, Statement]]:
    """The functions that changed and give a type now, by what stands in their `return`, that their stub excludes.

    Where no stub tells, their own annotation does, which other code relies on; where none is annotated, words that tell
    what is returned exclude None. What was given before already is nothing that changed.
    """
    witnesses = known.witnesses
    for movement in changed:
        name = plain(movement.subject.partition("#")[0])
        code = witnesses.code(witnesses.now(name))
        if code is None:
            continue
        before = next((fact for id_ in movement.facts if (fact := known.before(id_)) is not None), None)
        new = _shown(code) - (_shown(before) if before is not None else frozenset())
        specs = [each for each in witnesses.about(name) if each.tag == "spec"]
        for fact in specs or [code]:
            returns = _returns(fact)
            wrong = [each for each in sorted(new) if returns and _is_excluded(each, returns, fact, witnesses)]
            if wrong and not code.aspects.get("generator"):
                whose = "its stub" if fact.tag == "spec" else "its own annotation"
                words = f"{whose} says that it returns {returns}, and it returns {wrong[0]}"
                yield movement, Statement(Side.TEST, fact.id, words, 0.93)
        is_told = any(_returns(fact) for fact in (*specs, code)) or code.aspects.get("generator")
        if "None" in new and not is_told and (told := gives_something(name, known.documentation)):
            yield movement, Statement(Side.TEST, told[0], f"{told[1]}, and it returns None", 0.9)


def _returns(fact: Fact) -> str:
    return str(fact.aspects.get("returns") or "").strip("\"'")


def _shown(fact: Fact) -> frozenset[str]:
    """The plain types that a function's `return` statements show."""
    texts = (str(row[0]) for row in fact.aspects.get("returned") or ())
    texts = (text if text.startswith("Literal") else text.partition("[")[0] for text in texts)
    return frozenset(text for text in texts if text in _PLAIN)


def _may_be(came: str, returns: str) -> bool:
    """Whether a value of a builtin type can be what an annotation says; only what is plain is known not to be."""
    if optional := _OPTIONAL.fullmatch(returns):
        return came == "None" or _may_be(came, optional["type"])
    parts = [part.strip() for part in returns.split("|")]
    if any(part.partition("[")[0] not in _PLAIN for part in parts):
        return True
    if came == "None":
        return "None" in parts
    if any("[" in part for part in parts) and len(parts) > 1:
        return True
    return any(part.partition("[")[0] == came or (came, part) in _WIDER for part in parts)


def _is_excluded(came: str, returns: str, fact: Fact, witnesses: Witnesses) -> bool:
    """Whether a value of a builtin type cannot be what a function is annotated to give."""
    if not _may_be(came, returns):
        return True
    return came == "None" and _never_none(returns, witnesses.world.module_of(plain(fact.key)), witnesses)


def _never_none(returns: str, module: str, witnesses: Witnesses) -> bool:
    """Whether an annotation names only types of which None is no value: builtin ones, classes of the project and of
    the standard library, and what `typing` calls them."""
    try:
        tree = ast.parse(returns, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    waiting, names = [tree], []
    while waiting:
        node = waiting.pop()
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                waiting += [left, right]
            case ast.Subscript(value=ast.Name() | ast.Attribute() as value):
                names.append(ast.unparse(value))
            case ast.Name() | ast.Attribute():
                names.append(ast.unparse(node))
            case _:
                return False
    return all(_is_type(name, module, witnesses) for name in names)


def _is_type(name: str, module: str, witnesses: Witnesses) -> bool:
    head, _, rest = name.partition(".")
    fact = witnesses.code(module) if module else None
    targets = {
        str(row[0]): str(row[1]) for row in (fact.aspects.get("imports") or () if fact is not None else ())
    }
    canonical = witnesses.world.resolve(f"{module}.{name}")
    if canonical:
        bases = witnesses.world.lineage(canonical) if witnesses.world.is_class(canonical) else []
        told = [
            base for each in bases if (held := witnesses.code(each)) for base in held.aspects.get("bases", ())
        ]
        return bool(bases) and not any(str(each).partition("[")[0].endswith("Protocol") for each in told)
    full = f"{targets[head]}.{rest}".rstrip(".") if head in targets else name
    top, _, last = full.rpartition(".")
    if not top:
        return full in _BUILTIN and full != "None"
    if top in ("typing", "typing_extensions", "t"):
        return last in _TYPING
    is_standard = top.partition(".")[0] in sys.stdlib_module_names and top.partition(".")[0] not in _UNTOLD
    return is_standard and last not in _ANYTHING and last[:1].isalpha()


def _type(text: str) -> str:
    """The type of a value that is written out; empty where it is none."""
    value = literal_value(text)
    if value is NO_LITERAL:
        return ""
    return "None" if value is None else type(value).__name__
