"""The names of functions that may raise something: what an unresolved call may turn out to be."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ingest.web.program.program import Program
from ingest.web.raising.fitting import Given, Taken, given_by, taken_by
from ingest.web.raising.seen import Called, Named, Seen, Told, without_tree
from ingest.web.raising.telling import HANDLING, Telling
from ingest.web.syntax.bindings import Bound, Function
from ingest.web.syntax.modules import Module
from ingest.web.syntax.naming import last_name
from ingest.web.syntax.scopes import Scope
from ingest.web.syntax.walks import nodes_of

_MODULES = 3_000
_METHODS = frozenset({"get", "post", "put", "patch", "delete", "options", "head", "websocket", "api_route"})
_VIEWS = frozenset({"View", "MethodView", "HTTPEndpoint", "Resource", "APIView", "Controller"})


class Risks:
    """Tells by name whether some function of the project, called by that name, may raise or answer by itself.

    The functions are those of the given modules and of all that these import. With `telling`, only exceptions that
    are answered otherwise than as an error of the server count.
    """

    def __init__(self, program: Program, modules: Iterable[Module], telling: bool = False) -> None:
        self._program = program
        self._roots = list(modules)
        self._telling = telling
        self._names: dict[Named, set[Taken]] | None = None

    def has(self, name: str, method: bool = False, call: ast.Call | None = None) -> bool:
        """Whether a call by this name may raise; `method` where an attribute of a value is called. With `call`, only
        functions count that take what it gives."""
        if self._names is None:
            with self._program.aside():
                self._names = self._risky()
        found = self._names.get((name, method), set())
        if not (method and self._telling):
            found = found | self._names.get((name, not method), set())
        given = given_by(call) if call is not None else None
        return any(each.fits(given) for each in found)

    def overridden(self, name: str) -> bool:
        """Whether what overrides an abstract method of this name may raise."""
        return not self._telling or self.has(name, method=True)

    def _risky(self) -> dict[Named, set[Taken]]:
        seen = self._reachable()
        telling = None
        if self._telling:
            named = [name for name in seen if HANDLING in self._program.text(name)]
            handling = [module for name in named if (module := self._program.module(name)) is not None]
            telling = Telling(self._program, handling)
        callers: dict[Named, set[tuple[Given, Named, Taken]]] = {}
        risky: dict[Named, set[Taken]] = {}
        waiting: list[tuple[Named, Taken]] = []

        def add(own: Named, taken: Taken) -> None:
            known = risky.setdefault(own, set())
            if taken not in known:
                known.add(taken)
                waiting.append((own, taken))

        for each in seen.values():
            for told in each.functions:
                for name, method, given in told.called:
                    callers.setdefault((name, method), set()).add((given, told.own, told.taken))
                if telling is None:
                    shows = bool(told.raised) or any(called[:2] == ("abort", False) for called in told.called)
                else:
                    shows = each.shows(self._program, telling, told)
                if shows:
                    add(told.own, told.taken)
        while waiting:
            (name, method), taken = waiting.pop()
            # Where it does not matter what is called, a function counts as a method too.
            ways = [(name, method)] if telling is not None else [(name, method), (name, not method)]
            for given, own, taking in [each for way in ways for each in callers.get(way, ())]:
                if taken.fits(given):
                    add(own, taking)
        return risky

    def _reachable(self) -> dict[str, Seen]:
        found = {module.name: self._seen(module.name, module, True) for module in self._roots}
        waiting = list(found.values())
        while waiting and len(found) < _MODULES:
            for name in waiting.pop().imports:
                inner, kept = self._program.passing(name) if name not in found else (None, True)
                if inner is not None:
                    found[name] = self._seen(name, inner, kept)
                    waiting.append(found[name])
        return found

    def _seen(self, name: str, module: Module, kept: bool) -> Seen:
        """What a module's functions do; of one that is not kept, no syntax tree stays."""
        imported = _imported(module) if self._telling else None
        functions = []
        for scope in module.scope.descend():
            node = scope.node
            if not isinstance(node, Function) or (self._telling and _is_handler(node)):
                continue
            if _is_of_view(node, scope):
                continue
            own = (node.name, scope.parent is not None and scope.parent.is_class)
            called, raised = _body(node, imported)
            taken = taken_by(node, own[1])
            functions.append(Told(own, taken, frozenset(called), [(each, scope) for each in raised]))
        found = Seen(module.name, module.imports(), functions)
        slim = None if kept else without_tree(found, module)
        if slim is not None:
            module.scope.release()
        elif not kept:
            self._program.keep_module(name, module)
        return slim or found


def _is_handler(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is registered for a path: the framework calls it, and clients have methods of its name."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute):
            first = decorator.args[0] if decorator.args else None
            path = first.value if isinstance(first, ast.Constant) else None
            if isinstance(path, str) and (path[:1] == "/" or (not path and decorator.func.attr in _METHODS)):
                return True
    return False


def _is_of_view(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> bool:
    """Whether this is `get` or `post` of a class of views, which the framework calls and nobody else."""
    around = scope.parent.node if scope.parent is not None else None
    if not isinstance(around, ast.ClassDef) or node.name not in _METHODS:
        return False
    bases = {last_name(base) for base in around.bases}
    return bool(bases & _VIEWS)


def _body(
    node: ast.FunctionDef | ast.AsyncFunctionDef, imported: frozenset[str] | None
) -> tuple[set[Called], list[ast.Raise]]:
    """What a function calls by which name, and what it raises, nested functions included.

    `imported` are the names through which functions of other modules are called (`crud.find()`).
    """
    called: set[Called] = set()
    raised: list[ast.Raise] = []
    registering = {id(d) for d in node.decorator_list if isinstance(d, ast.Call)}
    for part in nodes_of(node):
        if isinstance(part, ast.Raise):
            if not _is_unwritten(part):
                raised.append(part)
        elif isinstance(part, ast.Call):
            if isinstance(part.func, ast.Name):
                called.add((part.func.id, False, given_by(part)))
            elif isinstance(part.func, ast.Attribute) and not (
                imported is not None and id(part) in registering
            ):
                owner = part.func.value
                while isinstance(owner, ast.Attribute):
                    owner = owner.value
                called.add((part.func.attr, True, given_by(part)))
                if imported is None or (isinstance(owner, ast.Name) and owner.id in imported):
                    called.add((part.func.attr, False, given_by(part)))
    return called, raised


def _is_unwritten(node: ast.Raise) -> bool:
    """Whether this only says that a subclass has to write the method."""
    made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(made, ast.Name) and made.id == "NotImplementedError"


def _imported(module: Module) -> frozenset[str]:
    """The names that a module imports anywhere."""
    return frozenset(
        name
        for scope in module.scope.descend()
        for name, bindings in scope.bindings.items()
        if any(binding.how in (Bound.MODULE, Bound.MEMBER) for binding in bindings)
    )
