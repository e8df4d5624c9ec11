"""Whether a statement of a Flask handler refuses the request: it answers 4xx or 5xx, or raises."""

from __future__ import annotations

import ast

from ingest.web.flask.responses import ResponseReader
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget
from ingest.web.syntax.scopes import Scope
from ingest.web.values.instances import Instances

_DEPTH = 4


class Refusals:
    """Judges statements of one program."""

    def __init__(self, program: Program, instances: Instances) -> None:
        self.program = program
        self.instances = instances
        self.responses = ResponseReader(program, instances)

    def refuses(self, node: ast.stmt, scope: Scope) -> bool:
        """Whether this statement always ends the handler, and never with a success."""
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Call) and self._ends(node.value, scope, 0)
        if not isinstance(node, ast.Return) or node.value is None:
            return False
        answers = self.responses.answers.of(node.value, scope)
        return bool(answers) and all(a.known and a.status is not None and a.status >= 400 for a in answers)

    def _ends(self, node: ast.Call, scope: Scope, depth: int) -> bool:
        """Whether a call never returns, because it aborts or raises."""
        target = self.instances.callee(node.func, scope)
        if isinstance(target, External):
            return target.name == "abort" and target.root.startswith(("flask", "werkzeug", "webargs"))
        if not isinstance(target, FunctionTarget) or isinstance(target.node, ast.Lambda) or depth > _DEPTH:
            return False
        last = target.node.body[-1]
        if isinstance(last, ast.Raise):
            return not any(isinstance(part, ast.Return) for part in ast.walk(target.node))
        called = last.value if isinstance(last, ast.Expr) else None
        return isinstance(called, ast.Call) and self._ends(called, target.body, depth + 1)
