"""What pytest's decorators say: the values of arguments, and the names of fixtures."""

from __future__ import annotations

import ast


def parametrized(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> list[ast.expr] | None:
    """The values that `parametrize` gives to an argument; `None` where it does not."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"), args=[ast.expr() as first, ast.expr() as rows, *_]
            ):
                names = argument_names(first)
                if name not in names or not isinstance(rows, ast.List | ast.Tuple | ast.Set):
                    continue
                at = names.index(name)
                if len(names) == 1 and not isinstance(first, ast.List | ast.Tuple):
                    return [_parameter(each)[0] if _parameter(each) else each for each in rows.elts]
                values = []
                for row in rows.elts:
                    parts = _parameter(row) or (row.elts if isinstance(row, ast.Tuple | ast.List) else [])
                    if len(parts) != len(names):
                        return []
                    values.append(parts[at])
                return values
    return None


def argument_names(node: ast.expr) -> list[str]:
    """The names of arguments that the first word of `parametrize` lists."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [each.strip() for each in node.value.split(",")]
    if isinstance(node, ast.List | ast.Tuple):
        return [
            each.value for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
    return []


def _parameter(node: ast.expr) -> list[ast.expr]:
    """The values of `pytest.param(…)`; empty for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(attr="param") | ast.Name(id="param"), args=args):
            return list(args)
    return []


def fixture_name(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The name under which tests ask for a fixture; empty for a function that is none."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        function = call.func if call is not None else decorator
        if ast.unparse(function).rpartition(".")[2] not in ("fixture", "yield_fixture"):
            continue
        for keyword in call.keywords if call is not None else ():
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                return str(keyword.value.value)
        return node.name
    return ""
