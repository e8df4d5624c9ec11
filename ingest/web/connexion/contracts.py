"""The contracts of a project that Connexion serves: which one an application names, and what it promises."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable

from graph.facts import Fact, Kind
from ingest.web.constants.constants import text_of
from ingest.web.program.calls import argument
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.routing.sites import Event
from ingest.web.syntax.scopes import Scope

_PATHS = frozenset(
    {
        *("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "builtins.str", "os.fspath"),
        *("os.path.join", "os.path.abspath", "os.path.realpath", "os.path.normpath"),
        *("pkg_resources.resource_filename", "importlib_resources.files", "importlib.resources.files"),
        *("importlib.resources.path", "importlib.resources.as_file"),
    }
)
_LOADING = frozenset(
    {
        *("yaml.safe_load", "yaml.load", "yaml.full_load", "json.load", "json.loads"),
        *("builtins.open", "prance.ResolvingParser", "prance.BaseParser", "copy.deepcopy"),
    }
)
"""What gives the contract itself, or a file that is open, where it is given the file."""
_READING = frozenset({"open", "read", "read_text", "read_bytes"})
_KEEPING = frozenset({"resolve", "absolute", "as_posix", "expanduser"})
_DEPTH = 10


class Contracts:
    """What the contracts promise: `operations` by the path of the contract, `schemas` of all of them by id."""

    def __init__(self, program: Program, promised: Iterable[Fact]) -> None:
        self.program = program
        self.operations: dict[str, list[Fact]] = {}
        self.schemas: dict[str, Fact] = {}
        self._parts: dict[tuple[str, str], list[Fact]] = {}
        for fact in promised:
            if fact.kind is Kind.SCHEMA:
                self.schemas[fact.id] = fact
            elif fact.kind is Kind.OPERATION:
                self.operations.setdefault(_contract(fact), []).append(fact)
            else:
                self._parts.setdefault((_contract(fact), fact.key.partition("#")[0]), []).append(fact)

    def served(self, event: Event) -> str | None:
        """The path of the contract that a call of `add_api` names; None where the project has none of that name."""
        name = named_file(self.program, argument(event.call, 0, "specification"), event.scope)
        return self._nearest(name, event.scope.path) if name else None

    def parts_of(self, operation: Fact) -> list[Fact]:
        """The parameters and bodies that a contract promises for one of its operations."""
        return self._parts.get((_contract(operation), operation.key), [])

    def _nearest(self, name: str, path: str) -> str | None:
        """The contract of this file name that lies nearest to the code at a path."""
        wanted = [part for part in posixpath.normpath(name).split("/") if part not in ("..", ".")]
        found = [contract for contract in self.operations if contract.split("/")[-len(wanted) :] == wanted]
        here = posixpath.dirname(path)
        found.sort(key=lambda each: (-len(posixpath.commonprefix([f"{here}/", each])), each))
        return found[0] if found else None


def named_file(program: Program, node: ast.expr | None, scope: Scope, depth: int = 0) -> str | None:
    """The file that an expression names, as text or as a path; of a joined path, its last part."""
    target = program.resolve(node, scope)
    if isinstance(target, ValueTarget) and target.node is not None:
        node, scope = target.node, target.scope
    if depth > _DEPTH:
        return None
    if isinstance(node, ast.Name) and (opened := _opened(node, scope)) is not None:
        return named_file(program, opened, scope, depth + 1)
    match node:
        case ast.BinOp(op=ast.Div(), right=last):
            return named_file(program, last, scope, depth + 1)
        case ast.BinOp(right=last) | ast.JoinedStr(values=[*_, last]):
            # What stands before a slash may be a folder that only a run knows.
            return text_of(program, node, scope) or _below_root(text_of(program, last, scope))
        case ast.Call(func=ast.Attribute(value=path, attr=kept)) if kept in _KEEPING:
            return named_file(program, path, scope, depth + 1)
        case ast.Call(func=ast.Attribute(value=path, attr=read)) if read in _READING:
            return named_file(program, path, scope, depth + 1)
        case ast.Attribute(value=ast.Call() as parser, attr="specification"):
            return named_file(program, parser, scope, depth + 1)
        case ast.Call(func=function, args=[first, *_]) if _loads(program, function, scope):
            return named_file(program, first, scope, depth + 1)
        case ast.Call(func=function, args=[*_, last]):
            called = program.resolve(function, scope)
            dotted = called.dotted if isinstance(called, External) else ""
            if dotted in _PATHS or (isinstance(function, ast.Attribute) and function.attr == "joinpath"):
                return named_file(program, last, scope, depth + 1)
    return text_of(program, node, scope)


def _opened(node: ast.Name, scope: Scope) -> ast.expr | None:
    """What is open under a name: `with path.open() as file`."""
    bindings = scope.bindings.get(node.id, [])
    entered = {each.given for each in bindings if isinstance(each.given, ast.withitem)}
    # A function that opens several files has them under one name, each until the next.
    before = [
        each for each in entered if isinstance(each, ast.withitem) and each.context_expr.lineno <= node.lineno
    ]
    last = max(before, key=lambda each: each.context_expr.lineno, default=None)
    return last.context_expr if last is not None and len(entered) == len(bindings) else None


def _loads(program: Program, function: ast.expr, scope: Scope) -> bool:
    """Whether a call makes the contract of a file that it is given; functions of the project put its parts together."""
    called = program.resolve(function, scope)
    return isinstance(called, FunctionTarget) or (isinstance(called, External) and called.dotted in _LOADING)


def _below_root(text: str | None) -> str | None:
    return text.lstrip("/") if text is not None and text.startswith("/") else None


def _contract(fact: Fact) -> str:
    """The contract that a fact belongs to; one written in a file of its own names the contract as its source."""
    return next(iter(fact.sources), fact.source.path)
