"""What becomes of a value of the request on its way through the handler: what the code surely never checks of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set

from ingest.web.bindings import Bound, Function, parameters
from ingest.web.calls import is_static
from ingest.web.constants import Missing, constant
from ingest.web.fates import Fate
from ingest.web.flask_nodes import parents_of
from ingest.web.flow_words import (
    ANSWERING,
    BOUNDS,
    CLAMPS,
    CONTAINER_METHODS,
    CONVERTING,
    EVERYTHING,
    LOGGING,
    LOWER,
    ORDERING,
    PASSING,
    TEXT_METHODS,
)
from ingest.web.instances import PLAIN, Instances
from ingest.web.keeping import asks_a_column, is_row, is_set, looks_up, only_holds
from ingest.web.presence import is_guarded
from ingest.web.program import Program
from ingest.web.refusing import may_refuse
from ingest.web.specialised import called_by
from ingest.web.targets import ClassTarget, External, FunctionTarget

_STEPS = 400
_AMONG = (ast.In, ast.NotIn)


class Flows:
    """Follows values through the functions that serve one operation; the first is its handler."""

    def __init__(self, program: Program, instances: Instances, functions: Iterable[FunctionTarget]) -> None:
        self.program = program
        self.instances = instances
        self.functions = list({function.node: function for function in functions}.values())

    def fate(self, node: ast.AST, function: FunctionTarget, fate: Fate | None = None) -> Fate:
        """What becomes of an expression's value, added to what is known of it already."""
        found = fate or Fate()
        _Flow(self, found).follow(node, function)
        return found

    def fate_of_argument(self, name: str) -> Fate:
        """What becomes of an argument of the handler; lost where it has none of this name."""
        found = Fate()
        handler = self.functions[0] if self.functions else None
        if handler is None or name not in [node.arg for node, _ in parameters(handler.node)]:
            found.lost = True
        else:
            _Flow(self, found).named(name, handler)
        return found


class _Flow:
    def __init__(self, owner: Flows, fate: Fate) -> None:
        self.owner = owner
        self.fate = fate
        self.seen: set[tuple[ast.AST, str]] = set()

    def follow(self, node: ast.AST, function: FunctionTarget) -> None:
        """Notes what the place where an expression stands does with its value."""
        if (node, "") in self.seen or self.fate.lost:
            return
        self.seen.add((node, ""))
        if len(self.seen) > _STEPS or not isinstance(function.node, Function):
            self.lose()
            return
        parents = _parents(self.owner.program, function)
        outer = parents.get(node)
        match outer:
            case ast.Expr() | ast.Slice() | ast.Raise():
                return
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                self.bound(outer, function)
            case ast.Compare():
                self.compared(outer, node, function)
            case ast.If() | ast.While() | ast.Assert():
                self.asked(node, parents)
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp():
                if not isinstance(outer, ast.IfExp) or outer.test is node:
                    self.asked(node, parents)
                if not isinstance(outer, ast.UnaryOp) and getattr(outer, "test", None) is not node:
                    self.follow(outer, function)
            case ast.BinOp():
                self.fate.doubtful |= {"multipleOf", "type"}
                self.follow(outer, function)
            case ast.Subscript():
                self.indexed(outer, node, function)
            case ast.Attribute():
                self.method(outer, parents.get(outer), function)
            case ast.Call():
                self.given(outer, node, "", function)
            case ast.keyword():
                call = parents.get(outer)
                if isinstance(call, ast.Call) and outer.arg:
                    self.given(call, node, outer.arg, function)
                elif isinstance(call, ast.Call):
                    self.spread(call, function)
                else:
                    self.lose()
            case ast.Return():
                self.returned(function)
            case ast.For() | ast.comprehension():
                self.each(outer, node, function)
            case ast.Await() | ast.Dict() | ast.List() | ast.Tuple() | ast.Set() | ast.Starred():
                self.follow(outer, function)
            case ast.FormattedValue() | ast.JoinedStr() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                self.follow(outer, function)
            case ast.DictComp():
                self.follow(outer, function)
            case _:
                self.lose()

    def lose(self) -> None:
        self.fate.lost = True

    def asked(self, node: ast.AST, parents: dict[ast.AST, ast.AST]) -> None:
        """The code asks whether there is a value, or whether it is empty."""
        if may_refuse(node, parents):
            if is_guarded(node, parents):
                self.fate.of_present |= LOWER
                return
            self.fate.asked = True
            self.fate.doubtful |= LOWER

    def bound(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr, function: FunctionTarget
    ) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                self.named(target.id, function)
            elif isinstance(target, ast.Attribute):
                self.kept(self.owner.instances.of(target.value, function.body), target.attr)
            elif not (isinstance(target, ast.Subscript) and self.is_plain(target.value, function)):
                self.lose()
        if isinstance(node, ast.NamedExpr):
            self.follow(node, function)

    def named(self, name: str, function: FunctionTarget) -> None:
        """All uses of a variable or an argument."""
        if (function.node, name) in self.seen or not isinstance(function.node, Function):
            return
        self.seen.add((function.node, name))
        parents = _parents(self.owner.program, function)
        for node in ast.walk(function.node):
            if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
                self.lose()
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                if node in parents:
                    self.follow(node, function)
                else:
                    self.lose()

    def compared(self, node: ast.Compare, value: ast.AST, function: FunctionTarget) -> None:
        if any(isinstance(operator, ORDERING) for operator in node.ops):
            self.doubt(BOUNDS, value, function)
        for other in [node.left, *node.comparators]:
            if other is not value:
                known = constant(self.owner.program, other, function.body)
                if known is None:
                    if may_refuse(node, _parents(self.owner.program, function)):
                        self.fate.asked = True
                elif isinstance(known, Missing) and any(isinstance(each, _AMONG) for each in node.ops):
                    # Whether nothing is among what is allowed cannot be known.
                    if may_refuse(node, _parents(self.owner.program, function)):
                        self.fate.asked = True
                elif not isinstance(known, Missing):
                    self.doubt({"enum", *LOWER}, value, function)

    def doubt(self, keywords: Set[str], value: ast.AST, function: FunctionTarget) -> None:
        """Notes what may be checked of a value, of each one or only where there is one."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            # `name.strip()` is there where `name` is.
            value = value.func.value
        guarded = is_guarded(value, _parents(self.owner.program, function))
        noted = self.fate.of_present if guarded else self.fate.doubtful
        noted |= keywords

    def indexed(self, node: ast.Subscript, value: ast.AST, function: FunctionTarget) -> None:
        if node.slice is not value:
            self.fate.doubtful |= {"type"}
            self.follow(node, function)
        elif not self.is_plain(node.value, function):
            self.lose()

    def method(self, node: ast.Attribute, call: ast.AST | None, function: FunctionTarget) -> None:
        """A method of the value itself is called."""
        if not isinstance(call, ast.Call) or call.func is not node:
            self.lose()
        elif node.attr in TEXT_METHODS:
            self.fate.text = True
            self.fate.needed = self.fate.needed or not is_guarded(
                node.value, _parents(self.owner.program, function)
            )
            if node.attr in ("startswith", "endswith", "split", "count", "find", "partition"):
                self.fate.doubtful |= {"pattern", "format"}
            self.follow(call, function)
        elif node.attr in ("get", "items", "keys", "values", "copy"):
            self.fate.doubtful |= {"type"}
            self.follow(call, function)
        else:
            self.lose()

    def given(self, call: ast.Call, node: ast.AST, name: str, function: FunctionTarget) -> None:
        """The value is an argument of a call."""
        if isinstance(_parents(self.owner.program, function).get(call), ast.Raise):
            return
        called = called_by(self.owner.instances, call, function.body)
        if isinstance(called, External) and called.root == "builtins" and isinstance(call.func, ast.Name):
            self.builtin(called.name, call, function)
        elif isinstance(called, External) and called.root in ANSWERING | LOGGING:
            return
        elif isinstance(called, FunctionTarget):
            self.argument(called, call, node, name, function)
        elif isinstance(called, ClassTarget):
            self.kept(called, name)
        elif looks_up(call, called, function):
            # What is looked for in the database is only compared there.
            self.fate.doubtful |= {"type", "format"}
        elif asks_a_column(call, self.owner.program, function.body):
            self.doubt({"type", "format"}, node, function)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in CONTAINER_METHODS:
            if isinstance(call.func.value, ast.Constant):
                self.follow(call, function)
            elif not self.is_plain(call.func.value, function):
                self.lose()
        else:
            self.lose()

    def spread(self, call: ast.Call, function: FunctionTarget) -> None:
        """The value's fields are the arguments of a call (`Book(**data)`)."""
        called = self.owner.instances.callee(call.func, function.body)
        if isinstance(called, ClassTarget):
            self.kept(called, "")
        elif called == External("builtins.dict"):
            self.follow(call, function)
        else:
            self.lose()

    def kept(self, owner: ClassTarget | External | None, name: str) -> None:
        """An instance of the project's keeps the value; a row may refuse what its table does not take."""
        if not isinstance(owner, ClassTarget):
            self.lose()
        elif is_row(self.owner.program, owner):
            self.fate.asked = True
            self.fate.doubtful |= EVERYTHING - BOUNDS | {"maxLength"}
        elif not only_holds(owner) or is_set(owner, name):
            self.lose()

    def builtin(self, name: str, call: ast.Call, function: FunctionTarget) -> None:
        if name == "isinstance":
            self.doubt({"type"}, call.args[0] if call.args else call, function)
            return
        if name == "setattr" and call.args[2:] and not isinstance(call.args[2], ast.Starred):
            self.kept(self.owner.instances.of(call.args[0], function.body), "")
            return
        if name in CONVERTING:
            self.fate.doubtful |= {"type"}
        elif name in CLAMPS:
            self.fate.doubtful |= BOUNDS
        elif name not in PASSING:
            self.lose()
            return
        self.follow(call, function)

    def argument(
        self, called: FunctionTarget, call: ast.Call, node: ast.AST, name: str, function: FunctionTarget
    ) -> None:
        """The value is given to a function of the project."""
        names = [each.arg for each, _ in parameters(called.node)]
        if called.scope.is_class and not is_static(called):
            names = names[1:]
        if not name:
            position = call.args.index(node) if node in call.args else len(names)
            name = names[position] if position < len(names) else ""
        decorated = isinstance(called.node, Function) and bool(called.node.decorator_list)
        if name not in names or decorated or any(isinstance(a, ast.Starred) for a in call.args):
            self.lose()
            return
        self.named(name, called)

    def returned(self, function: FunctionTarget) -> None:
        """What a function returns goes on at its calls; what the handler returns is answered."""
        if self.owner.functions and function.node is self.owner.functions[0].node:
            return
        for caller in self.owner.functions:
            for call in caller.body.calls:
                called = called_by(self.owner.instances, call, caller.body)
                if isinstance(called, FunctionTarget) and called.node is function.node:
                    self.follow(call, caller)

    def each(self, node: ast.For | ast.comprehension, value: ast.AST, function: FunctionTarget) -> None:
        if node.iter is not value:
            return
        if isinstance(node.target, ast.Name):
            self.fate.doubtful |= {"type"}
            self.named(node.target.id, function)
        else:
            self.lose()

    def is_plain(self, node: ast.expr, function: FunctionTarget) -> bool:
        """Whether an expression is surely a list, a dictionary or a set of Python's own."""
        owner = self.owner.instances.of(node, function.body)
        if owner == PLAIN or (isinstance(owner, External) and owner.root in ("builtins", "collections")):
            return True
        bindings = function.body.bindings.get(node.id, []) if isinstance(node, ast.Name) else []
        return bool(bindings) and all(
            binding.how is Bound.VALUE
            and binding.value is not None
            and isinstance(binding.value, ast.Dict | ast.List | ast.Set)
            for binding in bindings
        )


def _parents(program: Program, function: FunctionTarget) -> dict[ast.AST, ast.AST]:
    node = function.node
    if not isinstance(node, Function):
        return {}
    return program.remember(("parents", node), lambda: {**parents_of(node)})
