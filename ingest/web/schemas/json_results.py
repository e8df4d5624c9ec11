"""What Python's own functions, methods and operators give, as JSON."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final, TypeAlias

from graph.schema_algebra import Schema, unknown, without_places
from graph.schemas import normalise, nullable
from ingest.web.program.targets import External
from ingest.web.syntax.scopes import Scope

Schemas: TypeAlias = Callable[[ast.expr, Scope, int], Schema]
BY_HAND: Final = "the value is worked out by hand"
_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_NUMBER: Schema = {"type": "number"}
_FLAG: Schema = {"type": "boolean"}


def _all(schema: Schema, names: str) -> dict[str, Schema]:
    return dict.fromkeys(names.split(), schema)


_BUILTINS = {
    **_all(_TEXT, "str repr chr hex bin oct format ascii"),
    **_all(_WHOLE, "len int ord hash id"),
    **_all(_NUMBER, "float"),
    **_all(_FLAG, "bool isinstance issubclass hasattr callable any all"),
    **_all({"type": "array"}, "list sorted"),
    **_all({"type": "object"}, "dict"),
}
_LIBRARY = {
    **_all(_WHOLE, "math.ceil math.floor math.trunc math.isqrt random.randint random.randrange time.time_ns"),
    **_all(_WHOLE, "os.getpid secrets.randbelow"),
    **_all(_NUMBER, "time.time time.monotonic time.perf_counter random.random random.uniform math.sqrt"),
    **_all(_TEXT, "secrets.token_hex secrets.token_urlsafe json.dumps os.path.join os.path.basename"),
    **_all(_TEXT, "socket.gethostname platform.node platform.python_version time.strftime html.escape"),
}
_OF_ENVIRONMENT = frozenset({"os.getenv", "os.environ.get"})
_METHODS = {
    **_all(_NUMBER, "total_seconds timestamp"),
    **_all(_TEXT, "decode"),
    **_all(_FLAG, "startswith endswith isdigit is_file is_dir exists"),
    **_all({"type": "array", "items": _TEXT}, "splitlines"),
}
_SAME_KIND = frozenset({"replace", "split", "rsplit"})
_WHOLE_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_ARITHMETIC = (*_WHOLE_NUMBERS, ast.Div, ast.Pow)
_NUMERIC = frozenset({"integer", "number"})
_PLAIN_KINDS = frozenset({"string", "integer", "number", "boolean"})
_MOST_SHOWN = 20
_LITERALS: Final[dict[type, Schema]] = {
    **{str: _TEXT, bool: _FLAG, int: _WHOLE, float: _NUMBER},
    type(None): {"type": "null"},
}


class Results:
    """Works out such results; `schema` gives the form of what goes in."""

    def __init__(self, schema: Schemas) -> None:
        self._schema = schema

    def of_function(self, target: External, node: ast.Call, scope: Scope, depth: int) -> Schema | None:
        """What a function of the standard library gives; None where nothing is known of it."""
        if target.dotted in _LIBRARY:
            return dict(_LIBRARY[target.dotted])
        if target.dotted in _OF_ENVIRONMENT and len(node.args) == 2:
            filled = self._schema(node.args[1], scope, depth + 1).get("type") == "string"
            return dict(_TEXT) if filled else None
        if target.root != "builtins":
            return None
        match target.name:
            case "sum":
                return self._sum(node, scope, depth)
            case "round":
                return self._rounded(node, scope, depth)
            case "max" | "min" | "abs":
                return self._alike(node.args, scope, depth)
        return dict(_BUILTINS.get(target.name, unknown(BY_HAND)))

    def of_method(
        self, function: ast.Attribute, scope: Scope, depth: int, bare: bool = False
    ) -> Schema | None:
        """What a method gives that only values of Python's own have; None for any other."""
        if function.attr in _METHODS:
            return dict(_METHODS[function.attr])
        if function.attr == "count" and bare:
            # Only queries count without being told what.
            return dict(_WHOLE)
        if (
            function.attr in _SAME_KIND
            and self._schema(function.value, scope, depth + 1).get("type") == "string"
        ):
            return dict(_TEXT) if function.attr == "replace" else {"type": "array", "items": dict(_TEXT)}
        return None

    def reckoned(self, node: ast.BinOp, scope: Scope, depth: int) -> Schema:
        """What two numbers give, or two texts that are joined."""
        # Of several types ("a number or nothing") no one is certain.
        kinds = {str(self._schema(each, scope, depth + 1).get("type")) for each in (node.left, node.right)}
        if kinds == {"integer"} and isinstance(node.op, _WHOLE_NUMBERS):
            return dict(_WHOLE)
        if kinds == {"string"} and isinstance(node.op, ast.Add):
            return dict(_TEXT)
        if isinstance(node.op, ast.Div) and kinds & _NUMERIC:
            return dict(_NUMBER)
        if kinds <= _NUMERIC and isinstance(node.op, _ARITHMETIC):
            return dict(_NUMBER)
        fraction = any(
            isinstance(each, ast.Constant) and isinstance(each.value, float)
            for each in (node.left, node.right)
        )
        # Whatever a fraction is multiplied with is a number, or the code fails.
        return dict(_NUMBER) if fraction and isinstance(node.op, _ARITHMETIC) else unknown(BY_HAND)

    def _rounded(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        if len(node.args) == 1 and not node.keywords:
            return dict(_WHOLE)
        kind = self._schema(node.args[0], scope, depth + 1).get("type") if node.args else None
        return dict(_NUMBER) if kind == "number" else unknown(BY_HAND)

    def _sum(self, node: ast.Call, scope: Scope, depth: int) -> Schema:
        first = node.args[0] if len(node.args) == 1 else None
        if isinstance(first, ast.GeneratorExp | ast.ListComp):
            made = ast.copy_location(ast.ListComp(elt=first.elt, generators=first.generators), first)
            items = self._schema(made, scope, depth + 1).get("items", {})
            kind = items.get("type") if isinstance(items, dict) else None
            if kind in ("integer", "boolean"):
                return dict(_WHOLE)
            if kind == "number":
                return dict(_NUMBER)
        return unknown(BY_HAND)

    def _alike(self, parts: list[ast.expr], scope: Scope, depth: int) -> Schema:
        found = [self._schema(each, scope, depth + 1) for each in parts]
        kinds = {str(each.get("type")) for each in found}
        if len(found) > 1 and kinds <= _NUMERIC:
            return dict(_WHOLE if kinds == {"integer"} else _NUMBER)
        return dict(found[0]) if len(found) == 1 and kinds <= _NUMERIC else unknown(BY_HAND)


def agreed(first: Schema, second: Schema) -> Schema:
    """What is certain of a value that fits one of two schemas, without telling which."""
    if without_places(first) == without_places(second):
        return {**first, **_shown_by(first, second)}
    if first.get("type") == "object" == second.get("type"):
        ours, theirs = first.get("properties", {}), second.get("properties", {})
        common = {name: agreed(ours[name], theirs[name]) for name in ours if name in theirs}
        if first.get("x-complete") and second.get("x-complete"):
            # Each of them tells all that it may hold.
            needed = set(first.get("required", ())) & set(second.get("required", ()))
            every = {**ours, **theirs, **common}
            whole: Schema = {"type": "object", "properties": every, "required": sorted(needed)}
            return normalise({**whole, "x-complete": True})
        return normalise({"type": "object", "properties": common, "required": sorted(common)})
    return _alike_but_for_limits(first, second) or unknown("the answers differ from each other")


def _alike_but_for_limits(first: Schema, second: Schema) -> Schema | None:
    """What two plain values have in common that are of one type, one of which may be null; None for any others."""
    kinds = [set(each) if isinstance(each := s.get("type"), list) else {each} for s in (first, second)]
    found = {kind for kind in kinds[0] | kinds[1] if kind != "null"}
    if found == _NUMERIC:
        found = {"number"}
    if len(found) != 1 or not found <= _PLAIN_KINDS or kinds[0] == {"null"} or kinds[1] == {"null"}:
        return None
    shared: Schema = {
        key: first[key] for key in ("format", "enum") if key in first and first[key] == second.get(key)
    }
    if free := {*first.get("x-unchecked", ()), *second.get("x-unchecked", ())} - shared.keys():
        # What one of them may be, a value that is either may be.
        shared["x-unchecked"] = sorted(free)
    whole: Schema = normalise({"type": found.pop(), **shared, **_shown_by(first, second)})
    return nullable(whole) if "null" in kinds[0] | kinds[1] else whole


def of_literal(value: object) -> Schema | None:
    """What a value that stands in the code is; of a text also the text itself, unless it is empty and may only stand
    for another. None for what JSON does not have."""
    known = _LITERALS.get(type(value))
    texts = {"x-shown": [value]} if isinstance(value, str) and value else {}
    return {**known, **texts} if known is not None else None


def unshown(schema: Schema) -> Schema:
    """The schema of a value that need not be what was seen."""
    return {key: value for key, value in schema.items() if key != "x-shown"}


def _shown_by(first: Schema, second: Schema) -> Schema:
    """The values that either shows."""
    both = sorted({*first.get("x-shown", ()), *second.get("x-shown", ())})
    return {"x-shown": both} if 0 < len(both) <= _MOST_SHOWN else {}


def as_display(node: ast.Call) -> ast.Dict:
    """What `dict(first, name="x", **more)` makes, as a dictionary that is written out."""
    keys: list[ast.expr | None] = [
        ast.copy_location(ast.Constant(each.arg), each.value) if each.arg is not None else None
        for each in node.keywords
    ]
    values = [*node.args, *(each.value for each in node.keywords)]
    return ast.copy_location(ast.Dict(keys=[*([None] * len(node.args)), *keys], values=values), node)
