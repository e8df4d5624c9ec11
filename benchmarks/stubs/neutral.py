"""Changes of a stub that say the same in other words: none may bring a finding."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import ClassVar

from benchmarks.stubs.targets import FunctionNode

Rewrite = Callable[[str, Random], str]


def spelling(text: str, random: Random) -> str:
    """Spell types in the older ways: `Optional`, `Union`, `List`, and quoted."""
    tree = _Spelling().visit(ast.parse(text))
    assert isinstance(tree, ast.Module), "a module stays a module"
    tree.body.insert(_after_future(tree), ast.parse("import typing as _spelled").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


class _Spelling(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: FunctionNode) -> ast.AST:
        every = node.args
        for argument in (*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg):
            if argument is not None and argument.annotation is not None:
                argument.annotation = _respelled(argument.annotation)
        if node.returns is not None:
            node.returns = ast.Constant(ast.unparse(_respelled(node.returns)))
        return node


def _respelled(annotation: ast.expr) -> ast.expr:
    return _Types().visit(annotation)  # type: ignore[no-any-return]


class _Types(ast.NodeTransformer):
    _OLD: ClassVar[dict[str, str]] = {
        "list": "List",
        "dict": "Dict",
        "set": "Set",
        "frozenset": "FrozenSet",
        "tuple": "Tuple",
        "type": "Type",
    }

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        parts = _alternatives(node)
        if parts is None:
            return node
        rest = [self.visit(part) for part in parts if not _is_none(part)]
        if len(rest) == 1:
            return ast.Subscript(_typing("Optional"), rest[0])
        whole = [*rest, *([ast.Constant(None)] if len(rest) < len(parts) else [])]
        return ast.Subscript(_typing("Union"), ast.Tuple(whole))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = ast.unparse(node.value)
        if name.rpartition(".")[2] in ("Literal", "Annotated"):
            return node
        node.slice = self.visit(node.slice)
        if name in self._OLD:
            node.value = _typing(self._OLD[name])
        return node


def _alternatives(node: ast.expr) -> list[ast.expr] | None:
    if isinstance(node, ast.BinOp):
        if not isinstance(node.op, ast.BitOr):
            return None
        left, right = _alternatives(node.left), _alternatives(node.right)
        return None if left is None or right is None else left + right
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _typing(name: str) -> ast.expr:
    return ast.Attribute(ast.Name("_spelled"), name)


def order(text: str, random: Random) -> str:
    """Shuffle the functions of the module and of each class, overloads and setters kept together."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            node.body = _shuffled(node.body, random)
    return ast.unparse(tree)


def _shuffled(body: list[ast.stmt], random: Random) -> list[ast.stmt]:
    groups: dict[str, list[ast.stmt]] = {}
    rest = []
    aliases = {each.id for node in body for each in _loaded(node)}
    for node in body:
        if isinstance(node, FunctionNode) and node.name not in aliases:
            groups.setdefault(node.name, []).append(node)
        else:
            rest.append(node)
    names = list(groups)
    random.shuffle(names)
    return [*rest, *(node for name in names for node in groups[name])]


def _loaded(node: ast.stmt) -> list[ast.Name]:
    """The names that an assignment's value or a decorator uses: these must stay before it."""
    if isinstance(node, ast.Assign):
        return [each for each in ast.walk(node.value) if isinstance(each, ast.Name)]
    decorators = node.decorator_list if isinstance(node, FunctionNode | ast.ClassDef) else []
    return [
        each
        for decorator in decorators
        for each in ast.walk(decorator)
        if isinstance(each, ast.Name) and not isinstance(decorator, ast.Attribute)
    ]


def comments(text: str, random: Random) -> str:
    """Put comments, empty lines and docstrings where they say nothing."""
    lines = []
    for line in text.splitlines():
        if line.strip() and not line[0].isspace() and line.startswith(("def ", "class ", "from ", "import ")):
            lines += ["", f"# {random.choice(['see the manual', 'def old(a, b): ...', 'type: of thing'])}"]
        lines.append(line)
    changed = "\n".join(lines) + "\n# the end\n"
    try:
        ast.parse(changed)
    except SyntaxError:
        return text
    return changed


def aliases(text: str, random: Random) -> str:
    """Import names from typing and collections.abc under other names."""
    tree = ast.parse(text)
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in (
            "typing",
            "collections.abc",
            "typing_extensions",
        ):
            for each in node.names:
                if each.asname is None and each.name != "*":
                    each.asname = names[each.name] = f"_{each.name}Alias"
    for used in ast.walk(tree):
        if isinstance(used, ast.Name) and used.id in names:
            used.id = names[used.id]
    return ast.unparse(tree)


def _after_future(tree: ast.Module) -> int:
    for index, node in enumerate(tree.body):
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__") and not isinstance(
            node, ast.Expr
        ):
            return index
    return len(tree.body)


NEUTRAL: dict[str, Rewrite] = {
    "spelling of types": spelling,
    "order of definitions": order,
    "comments": comments,
    "aliases": aliases,
}
