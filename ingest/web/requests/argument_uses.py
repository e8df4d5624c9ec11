"""What a function does with an argument: which parts of it it uses, and what it must be for that."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ingest.web.program.calls import named_arguments
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, ValueTarget
from ingest.web.syntax.bindings import parameters
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_TEXT_METHODS = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "split", "rsplit", "startswith", "endswith", "partition"}
    | {"casefold", "isdigit", "splitlines", "encode", "removeprefix", "removesuffix", "title", "capitalize"}
)
_OF_TEXT = frozenset(
    {"datetime.datetime.fromisoformat", "datetime.date.fromisoformat", "datetime.datetime.strptime"}
    | {"uuid.UUID", "json.loads", "base64.b64decode", "dateutil.parser.parse", "dateutil.parser.isoparse"}
)
_OF_SCOPE = {
    "headers": "headers",
    "query_string": "query_params",
    "user": "user",
    "auth": "auth",
    "session": "session",
}
"""Parts of an ASGI scope as a request calls them; the others tell where it came from and what is around."""
_OF_ADDRESS = frozenset({"path", "scheme", "hostname", "netloc", "port", "is_secure"})
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def kind_by_use(program: Program, function: FunctionTarget, name: str) -> str:
    """`string`, `integer` or `number` where nothing else would do for a parameter; else an empty text.

    `number` stands for whole numbers too.
    """
    parents = {child: outer for outer in ast.walk(function.node) for child in ast.iter_child_nodes(outer)}
    kinds: set[str] = set()
    for node in parents:
        if isinstance(node, ast.Name) and node.id == name:
            if isinstance(node.ctx, ast.Store):
                return ""
            kinds.add(_kind(program, function, node, parents))
    kinds.discard("")
    if kinds == {"integer", "number"}:
        return "integer"
    return kinds.pop() if len(kinds) == 1 else ""


def annotation_beyond(
    instances: Instances, function: FunctionTarget, name: str
) -> tuple[ast.expr | None, Scope]:
    """The annotation that a parameter has in the project's function to which it is only handed on; None where it is
    used otherwise, or there is none."""
    nothing: tuple[None, Scope] = (None, function.scope)
    loads = [node for node in ast.walk(function.node) if isinstance(node, ast.Name) and node.id == name]
    calls = [node for node in ast.walk(function.node) if isinstance(node, ast.Call)]
    handed = [
        (call, each)
        for call in calls
        for each in (*call.args, *(keyword.value for keyword in call.keywords))
        if each in loads
    ]
    if len(loads) != 1 or len(handed) != 1:
        return nothing
    called = instances.callee(handed[0][0].func, function.body)
    if not isinstance(called, FunctionTarget):
        return nothing
    told = [given for given, value in named_arguments(handed[0][0], called) if value is handed[0][1]]
    found = {argument.arg: argument.annotation for argument, _ in parameters(called.node)}
    return found.get(told[0] if told else ""), called.scope


def attributes_used(
    function: FunctionTarget, name: str, showing: Collection[str] = (), handed: Collection[ast.AST] = ()
) -> set[str]:
    """The attributes of an argument that a function uses; an empty string where it is passed on.

    Methods of the names in `showing` only show it: what they are given of it is no use, and neither is the argument
    where it is `handed` on.
    """
    used: set[str] = set()
    owners: set[ast.AST] = set(handed)
    told: set[ast.AST] = set()
    body = function.node.body if isinstance(function.node.body, list) else [function.node.body]
    for statement in body:
        for node in ast.walk(statement):
            key = _key_in_scope(node, name)
            if key is not None:
                used |= {_OF_SCOPE[key]} if key in _OF_SCOPE else set()
                told.update(ast.walk(node))
            match node:
                case ast.Attribute(value=ast.Name(id=held)) if held == name and node not in told:
                    used.add(node.attr)
                    owners.add(node.value)
                case ast.Call(
                    func=ast.Name(id="hasattr" | "getattr"),
                    args=[ast.Name(id=held) as owner, ast.Constant(value=str(asked)), *_],
                ) if held == name:
                    used.add(asked)
                    owners.add(owner)
                case ast.Call(func=ast.Attribute(attr=method)) if method in showing:
                    owners.update(a for a in ast.walk(node) if isinstance(a, ast.Name) and a.id == name)
                case ast.Dict() if showing:
                    # What a page is filled with has the request by its name.
                    pairs = zip(node.keys, node.values, strict=True)
                    owners.update(
                        each
                        for key, each in pairs
                        if isinstance(key, ast.Constant) and key.value == "request"
                    )
                case ast.Name(id=held) if held == name and node not in owners and node not in told:
                    used.add("")
    return used


def _key_in_scope(node: ast.AST, name: str) -> str | None:
    """Which part of its ASGI scope a request is asked for: `request["path"]`, `request.scope.get("headers")`,
    `request.url.path`."""
    match node:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id=held), attr="url"), attr=part):
            return part if held == name and part in _OF_ADDRESS else None
        case (
            ast.Call(func=ast.Name(id="str"), args=[ast.Attribute(value=ast.Name(id=held), attr="url")])
            | ast.FormattedValue(value=ast.Attribute(value=ast.Name(id=held), attr="url"))
        ):
            # The whole address as a text is told or led back to.
            return "url" if held == name else None
        case ast.Subscript(value=ast.Name(id=held), slice=ast.Constant(value=str(key))):
            return key if held == name else None
        case (
            ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=held), attr="scope"), slice=ast.Constant(value=str(key))
            )
            | ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=held), attr="scope"), attr="get"),
                args=[ast.Constant(value=str(key)), *_],
            )
        ):
            return key if held == name else None
    return None


def _kind(program: Program, function: FunctionTarget, node: ast.Name, parents: dict[ast.AST, ast.AST]) -> str:
    outer = parents.get(node)
    if isinstance(outer, ast.Attribute) and outer.attr in _TEXT_METHODS:
        return "string" if isinstance(parents.get(outer), ast.Call) else ""
    if isinstance(outer, ast.Call) and outer.args[:1] == [node]:
        target = program.resolve(outer.func, function.body)
        if isinstance(target, External) and target.dotted in _OF_TEXT:
            return "string"
        return "integer" if target == External("builtins.range") else ""
    if isinstance(outer, ast.Compare) and len(outer.ops) == 1 and isinstance(outer.ops[0], _ORDER):
        other = outer.comparators[0] if outer.left is node else outer.left
        return "number" if _is_number(other) else ""
    if isinstance(outer, ast.Compare) and outer.left is node and isinstance(outer.ops[0], ast.In | ast.NotIn):
        return "string" if _holds_texts(program, outer.comparators[0], function.body) else ""
    while isinstance(outer, ast.BinOp):
        outer = parents.get(outer)
    if isinstance(outer, ast.Slice):
        return "integer"
    direct = parents.get(node)
    if isinstance(direct, ast.BinOp) and isinstance(direct.op, ast.Sub | ast.Div | ast.FloorDiv):
        other = direct.right if direct.left is node else direct.left
        return "number" if _is_number(other) else ""
    return ""


def _holds_texts(program: Program, node: ast.expr, scope: Scope) -> bool:
    """Whether a table or list that is written out has texts alone for its keys or items."""
    found = program.resolve(node, scope) if isinstance(node, ast.Name) else None
    written = found.node if isinstance(found, ValueTarget) else node
    items = written.keys if isinstance(written, ast.Dict) else getattr(written, "elts", [])
    return bool(items) and all(isinstance(i, ast.Constant) and isinstance(i.value, str) for i in items)


def _is_number(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )
