"""What becomes of a value of the request on its way through the handler: what the code surely never checks of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from ingest.web.answers.keeping import (
    asks_a_column,
    held_by_row,
    is_container,
    is_given_on,
    is_row,
    is_set,
    keeper,
    looks_up,
    only_holds,
)
from ingest.web.program.calls import parameter_names
from ingest.web.program.handler_nodes import parents_within
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget
from ingest.web.requests.fates import Fate
from ingest.web.requests.handing_on import hands_on
from ingest.web.requests.value_checks import Checks
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.flow_words import (
    ANSWERING,
    BOUNDS,
    CLAMPS,
    COMPARING,
    CONTAINER_METHODS,
    CONVERTING,
    EVERYTHING,
    KEEPING,
    LATER,
    LOGGING,
    OPENING,
    PASSING,
    QUERYING,
    TEXT_METHODS,
    WRITING,
)
from ingest.web.syntax.walks import nodes_of
from ingest.web.values.instances import Instances
from ingest.web.values.specialised import called_by, calls_among

_STEPS = 400


class Flows:
    """Follows values through the functions that serve one operation; the first is its handler."""

    def __init__(self, program: Program, instances: Instances, functions: Iterable[FunctionTarget]) -> None:
        self.program = program
        self.instances = instances
        self.functions = list({function.node: function for function in functions}.values())

    @cached_property
    def calls(self) -> dict[ast.AST, list[tuple[ast.Call, FunctionTarget]]]:
        """See `calls_among`."""
        return calls_among(self.instances, self.functions)

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
            # It is a text in any case, of which a part may be taken.
            found.cut = False
        return found


class _Flow:
    def __init__(self, owner: Flows, fate: Fate) -> None:
        self.owner = owner
        self.fate = fate
        self.checks = Checks(owner.program, fate)
        self.seen: set[tuple[ast.AST, str]] = set()

    def follow(self, node: ast.AST, function: FunctionTarget) -> None:
        """Notes what the place where an expression stands does with its value."""
        if (node, "") in self.seen or self.fate.lost:
            return
        self.seen.add((node, ""))
        if len(self.seen) > _STEPS or not isinstance(function.node, Function):
            self.lose()
            return
        parents = parents_within(self.owner.program, function.node)
        outer = parents.get(node)
        match outer:
            case ast.Expr() | ast.Slice() | ast.Raise():
                return
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                self.bound(outer, function)
            case ast.Compare():
                self.checks.compared(outer, node, function.body, parents)
            case ast.If() | ast.While() | ast.Assert():
                self.checks.asked(node, parents)
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp():
                if not isinstance(outer, ast.IfExp) or outer.test is node:
                    self.checks.asked(node, parents)
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
            case ast.JoinedStr():
                # Nobody asks of a longer text what was put into it.
                if len(outer.values) == 1:
                    self.follow(outer, function)
            case ast.FormattedValue() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                self.follow(outer, function)
            case ast.DictComp():
                self.follow(outer, function)
            case _:
                self.lose()

    def lose(self) -> None:
        self.fate.lost = True

    def bound(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr, function: FunctionTarget
    ) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name):
                self.named(target.id, function)
            elif isinstance(target, ast.Attribute):
                self.kept(keeper(self.owner.instances, target.value, function.body), target.attr)
            elif not (
                isinstance(target, ast.Subscript)
                and is_container(target.value, self.owner.instances, function.body)
            ) or is_given_on(target.value, function, self.owner.functions):
                self.lose()
        if isinstance(node, ast.NamedExpr):
            self.follow(node, function)

    def named(self, name: str, function: FunctionTarget) -> None:
        """All uses of a variable or an argument."""
        if (function.node, name) in self.seen or not isinstance(function.node, Function):
            return
        self.seen.add((function.node, name))
        parents = parents_within(self.owner.program, function.node)
        for node in nodes_of(function.node):
            if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
                self.lose()
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                if node in parents:
                    self.follow(node, function)
                else:
                    self.lose()

    def indexed(self, node: ast.Subscript, value: ast.AST, function: FunctionTarget) -> None:
        if node.slice is not value:
            if isinstance(node.slice, ast.Slice):
                self.fate.cut = True
            else:
                self.fate.doubtful |= {"type"}
            self.follow(node, function)
        elif not is_container(node.value, self.owner.instances, function.body):
            self.lose()

    def method(self, node: ast.Attribute, call: ast.AST | None, function: FunctionTarget) -> None:
        """A method of the value itself is called."""
        if not isinstance(call, ast.Call) or call.func is not node:
            self.lose()
        elif node.attr in TEXT_METHODS:
            self.checks.read_as_text(node, parents_within(self.owner.program, function.node))
            self.follow(call, function)
        elif node.attr in ("get", "items", "keys", "values", "copy"):
            self.fate.doubtful |= {"type"}
            self.follow(call, function)
        else:
            self.lose()

    def given(self, call: ast.Call, node: ast.AST, name: str, function: FunctionTarget) -> None:
        """The value is an argument of a call."""
        if isinstance(parents_within(self.owner.program, function.node).get(call), ast.Raise):
            return
        called = called_by(self.owner.instances, call, function.body)
        if isinstance(called, External) and called.root == "builtins" and isinstance(call.func, ast.Name):
            if called.name in OPENING:
                self.checks.named(node, parents_within(self.owner.program, function.node))
            else:
                self.builtin(called.name, call, function)
        elif isinstance(called, External) and called.root in KEEPING:
            self.checks.named(node, parents_within(self.owner.program, function.node))
        elif (isinstance(called, External) and called.root in ANSWERING | LOGGING) or (
            isinstance(call.func, ast.Attribute) and call.func.attr in WRITING | LATER
        ):
            return
        elif called == External("markupsafe.escape"):
            self.follow(call, function)
        elif isinstance(called, FunctionTarget):
            self.argument(called, call, node, name, function)
        elif isinstance(called, ClassTarget):
            self.kept(called, name)
        elif looks_up(call, called, function):
            # What is looked for in the database is only compared there.
            self.fate.doubtful |= {"type", "format"}
        elif (
            isinstance(call.func, ast.Attribute) and call.func.attr in QUERYING and node not in call.args[:1]
        ):
            # The database may refuse what its tables do not take.
            self.fate.asked = True
            self.fate.doubtful |= {"type", "format", "maxLength", "enum"}
        elif isinstance(call.func, ast.Attribute) and call.func.attr in COMPARING:
            # Another text is held against it.
            self.fate.asked = True
            self.fate.doubtful |= {"enum", "pattern"}
        elif asks_a_column(call, self.owner.program, function.body):
            self.checks.doubt({"type", "format"}, node, parents_within(self.owner.program, function.node))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in CONTAINER_METHODS:
            if isinstance(call.func.value, ast.Constant):
                self.follow(call, function)
            elif not is_container(call.func.value, self.owner.instances, function.body):
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
            held = held_by_row(self.owner.instances, owner, name)
            self.fate.columns.add(held[0] if held is not None else "")
            limited = {"maxLength"} if held is None or held[1] else set()
            self.fate.doubtful |= limited | (EVERYTHING - BOUNDS if held is None else {"type"})
        elif not only_holds(owner) or is_set(owner, name):
            self.lose()

    def builtin(self, name: str, call: ast.Call, function: FunctionTarget) -> None:
        if name == "isinstance":
            self.checks.doubt(
                {"type"},
                call.args[0] if call.args else call,
                parents_within(self.owner.program, function.node),
            )
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
        names = parameter_names(called)
        if not name:
            position = call.args.index(node) if node in call.args else len(names)
            name = names[position] if position < len(names) else ""
        starred = any(isinstance(given, ast.Starred) for given in call.args)
        if name not in names or starred or not hands_on(self.owner.program, called):
            self.lose()
            return
        self.named(name, called)

    def returned(self, function: FunctionTarget) -> None:
        """What a function returns goes on at its calls; what the handler returns is answered."""
        if self.owner.functions and function.node is self.owner.functions[0].node:
            return
        for call, caller in self.owner.calls.get(function.node, ()):
            self.follow(call, caller)

    def each(self, node: ast.For | ast.comprehension, value: ast.AST, function: FunctionTarget) -> None:
        if node.iter is not value:
            return
        if isinstance(node.target, ast.Name):
            self.fate.doubtful |= {"type"}
            self.named(node.target.id, function)
        else:
            self.lose()
