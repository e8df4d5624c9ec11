"""Looks at the text of what went: it was another name for what is still there, or it was marked as deprecated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from graph.changes import Changes
from graph.facts import Fact, Kind, Tag
from healer.movements import Cause, Movement

_WARNINGS = frozenset({"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"})
_MAKERS = ("__init__", "__new__")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_KINDS: tuple[tuple[type[ast.stmt], Kind], ...] = (
    (ast.FunctionDef, Kind.FUNCTION),
    (ast.AsyncFunctionDef, Kind.FUNCTION),
    (ast.ClassDef, Kind.CLASS),
    (ast.Assign, Kind.ATTRIBUTE),
    (ast.AnnAssign, Kind.ATTRIBUTE),
)
Read = Callable[[str], str | None]


def looked_back(
    code: Sequence[Movement], changes: Changes, then: Read, now: Read
) -> tuple[list[Movement], list[Movement]]:
    """What marks of deprecation told of what went, and the movements of the code, other names followed.

    `then` and `now` give the texts of files. `price = cost`, and a function that only hands on to another one, were
    other names for it. What was marked as deprecated was announced to go.
    """
    removed = {fact.id: fact for fact in changes.removed if fact.tag is Tag.CODE}
    trees = {"then": Trees(then), "now": Trees(now)}
    marks: list[Movement] = []
    kept: list[Movement] = []
    for movement in code:
        fact = removed.get(movement.facts[0]) if movement.cause is Cause.REMOVED and movement.facts else None
        renamed = _another_name(movement, fact, trees) if fact is not None else None
        kept.append(renamed or movement)
        if fact is not None and renamed is None and _is_marked(fact, trees["then"]):
            marks.append(
                Movement(
                    cause=Cause.REMOVED,
                    side="spec",
                    subject=movement.subject,
                    before=movement.before,
                    facts=(fact.id,),
                )
            )
    return marks, kept


class Trees:
    """Parsed files, each once."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[str, ast.Module] = {}

    def of(self, path: str) -> ast.Module:
        """The tree of a file; an empty one where it cannot be read or parsed."""
        if path not in self._known:
            try:
                self._known[path] = ast.parse(self._read(path) or "")
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._known[path] = ast.Module([], [])
        return self._known[path]

    def defined(self, fact: Fact) -> tuple[tuple[str, ...], _Defined] | None:
        """A definition of a module or class, with the names of the classes around it."""
        for around, node in _definitions(self.of(fact.source.path).body, ()):
            lines = {node.lineno, *(each.lineno for each in node.decorator_list)}
            if node.name == fact.name and fact.source.line in lines:
                return around, node
        return None


def _definitions(
    body: Sequence[ast.stmt], around: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], _Defined]]:
    for node in body:
        if isinstance(node, _Defined):
            yield around, node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, (*around, node.name))


def _another_name(movement: Movement, fact: Fact, trees: Mapping[str, Trees]) -> Movement | None:
    """The movement to what something that went was another name for; None where it was none, or that went too."""
    now = trees["now"].of(fact.source.path).body
    if fact.kind is Kind.ATTRIBUTE:
        value = fact.aspects.get("value")
        target = value if isinstance(value, str) and value.isidentifier() else ""
        around = _classes_around(trees["then"].of(fact.source.path).body, fact)
        node = _named(now, around, target) if around is not None else None
    else:
        found = trees["then"].defined(fact)
        if found is None or not isinstance(found[1], _Function):
            return None
        target = handed_on(found[1], is_method=bool(found[0]))
        node = _named(now, found[0], target)
        if not isinstance(node, _Function) or _defaults(node) | _defaults(found[1]) != _defaults(node):
            return None
    kind = next((kind for type_, kind in _KINDS if isinstance(node, type_)), None)
    if kind is None:
        return None
    after = f"{fact.key.rpartition('.')[0]}.{target}"
    return Movement(
        cause=Cause.RENAMED,
        side="code",
        subject=movement.subject,
        before=movement.subject,
        after=after,
        facts=(fact.id, f"{Tag.CODE}:{kind}:{after}"),
        whole=True,
    )


def _defaults(node: _Function) -> dict[str, str]:
    """The defaults of parameters, as source texts."""
    placed = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(reversed(placed), reversed(node.args.defaults), strict=False),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    return {each.arg: ast.unparse(default) for each, default in pairs if default is not None}


def _classes_around(
    body: Sequence[ast.stmt], fact: Fact, around: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """The classes around an assignment; None where it is in none of the bodies."""
    for node in body:
        if node.lineno == fact.source.line and isinstance(node, ast.Assign | ast.AnnAssign):
            return around
        if isinstance(node, ast.ClassDef):
            found = _classes_around(node.body, fact, (*around, node.name))
            if found is not None:
                return found
    return None


def handed_on(node: _Function, *, is_method: bool) -> str:
    """The name of the function that one hands all its arguments on to, and does nothing else but warn."""
    body = [each for each in node.body if not _is_said(each)]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or node.args.posonlyargs:
        return ""
    call = body[0].value
    if isinstance(call, ast.Await):
        call = call.value
    if not isinstance(call, ast.Call):
        return ""
    names = [each.arg for each in node.args.args]
    match call.func:
        case ast.Name(id=target) if not is_method:
            pass
        case ast.Attribute(value=ast.Name(id=owner), attr=target) if is_method and names[:1] == [owner]:
            names = names[1:]
        case _:
            return ""
    given = [ast.unparse(each) for each in call.args]
    by_name = {each.arg: ast.unparse(each.value) for each in call.keywords}
    starred = [f"*{node.args.vararg.arg}"] if node.args.vararg else []
    placed = names[: len(given) - len(starred)]
    named: dict[str | None, str] = {each: each for each in names[len(placed) :]}
    named.update((each.arg, each.arg) for each in node.args.kwonlyargs)
    if node.args.kwarg:
        named[None] = node.args.kwarg.arg
    return target if given == [*placed, *starred] and by_name == named else ""


def _is_said(node: ast.stmt) -> bool:
    """Whether a statement is a docstring or warns that something is deprecated."""
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or warns(node)


def warns(node: ast.stmt) -> bool:
    """Whether a statement warns, whatever the case, that something is deprecated."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and any(_last(each) in _WARNINGS for each in ast.walk(node.value))
    )


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(body: Sequence[ast.stmt], around: tuple[str, ...], name: str) -> ast.stmt | None:
    """What defines a name in the classes of these names; None where nothing does."""
    for holder in around:
        inside = [node for node in body if isinstance(node, ast.ClassDef) and node.name == holder]
        body = inside[-1].body if inside else []
    for node in reversed(body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = {getattr(node, "name", ""), *(_last(each) for each in targets if each is not None)}
        if name and name in names:
            return node
    return None


def _is_marked(fact: Fact, trees: Trees) -> bool:
    """Whether what went said that it is deprecated: by a decorator, a directive, or a warning that it always gives."""
    if fact.kind is Kind.MODULE:
        return any(map(warns, trees.of(fact.source.path).body))
    found = trees.defined(fact)
    if found is None:
        return False
    node = found[1]
    if any("deprecat" in ast.unparse(each).lower() for each in node.decorator_list):
        return True
    text = ast.get_docstring(node) or ""
    if any(line.startswith(".. deprecated::") for line in text.splitlines()):
        return True
    inside = [each for each in node.body if isinstance(each, _Function) and each.name in _MAKERS]
    makers = [node] if isinstance(node, _Function) else inside
    return any(warns(each) for maker in makers for each in maker.body)
