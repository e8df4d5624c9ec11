"""What is looked at for one operation of plain Flask, and what it asks of its callers."""

from __future__ import annotations

import ast
import re
from functools import cached_property

import msgspec

from ingest.web.flask.declared import Declared
from ingest.web.flask.responses import ResponseReader
from ingest.web.flask.wrappers import Wrapping
from ingest.web.program.program import Program
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.raising.error_handlers import ErrorHandlers
from ingest.web.raising.exits import Exits
from ingest.web.raising.own_guards import REFUSALS, credentials_of, without_credentials
from ingest.web.raising.summaries import Summary
from ingest.web.records.operations import Operation
from ingest.web.requests.reading import Reading

_AFTERWARDS = re.compile(
    r"\bafter_(?:app_)?request\b|\bafter_this_request\b|\bprocess_response\b|\bwsgi_app\b|\bresponse_class\b|\bTalisman\b"
)
_CALLERS = frozenset({"flask.session", "flask.g"})
_ACCOUNTS = frozenset(
    {"flask_login", "flask_security", "flask_jwt_extended", "flask_httpauth", "flask_principal"}
    | {"quart_auth", "quart_jwt_extended"}
)
_HANDING_OUT = ("create_", "set_", "unset_", "login_user", "logout_user", "hash_", "verify_")
"""How functions are called that hand credentials out or take them back, and ask nobody for any."""


class Looked(msgspec.Struct, frozen=True):
    """What is looked at for one operation: its handler, what lies around that, and how much of it is understood.

    `summaries` are of the handler and of its wrappers, with the way to each. `plain` tells that no extension answers
    in the handler's place, `clear` that nothing around it does so unseen, `foreign` that something cannot be looked
    into.
    """

    handler: FunctionTarget
    declared: Declared | None
    wrapping: Wrapping
    summaries: list[tuple[Summary, tuple[str, ...]]]
    handlers: ErrorHandlers
    plain: bool
    clear: bool
    foreign: bool

    @property
    def certain(self) -> bool:
        """Whether all that the operation does is seen."""
        return self.plain and self.clear and not self.foreign

    @property
    def functions(self) -> list[FunctionTarget]:
        """The functions that run for the operation."""
        return [function for summary, _ in self.summaries for function in summary.followed]


class Guards:
    """Says what operations of one program ask of their callers."""

    def __init__(self, program: Program, exits: Exits, responses: ResponseReader) -> None:
        self.program = program
        self.exits = exits
        self.responses = responses

    @cached_property
    def changes(self) -> frozenset[str]:
        """The words by which modules of the project change answers after their handlers."""
        names = self.program.importers_named(("flask", "werkzeug"))
        return frozenset(word for name in names for word in _AFTERWARDS.findall(self.program.text(name)))

    def fill(self, operation: Operation, looked: Looked, reading: Reading) -> None:
        """Fills in what plain Flask's operation asks of its callers, where only functions of the project do."""
        wrapping, handlers = looked.wrapping, looked.handlers
        outer = [summary for summary, _ in looked.summaries[1:]]
        refused = {answer.status for answer in wrapping.given}
        for summary in outer:
            refused |= self.responses.statuses(summary.exits, handlers)
        if refused & REFUSALS:
            asking = [function for summary in outer for function in summary.followed]
        else:
            asking = [f for f in reading.helpers if self._refuses(f, handlers)]
        if asking:
            self._demand(operation, asking)
        elif any(summary.doubts for summary in outer):
            return
        elif wrapping.schemes is not None:
            operation.security = [{name: []} for name in wrapping.schemes]
            operation.security_schemes = wrapping.schemes
        elif not (reading.guarded or wrapping.guarded) and not self._knows_callers(looked.functions):
            operation.security = []

    def _demand(self, operation: Operation, asking: list[FunctionTarget]) -> None:
        """The credentials that functions look for, where that can be said, and are no parameters then."""
        schemes = credentials_of(self.program, {function.node: function for function in asking}.values())
        if schemes is None:
            return
        operation.security = [{name: []} for name in schemes]
        operation.security_schemes = schemes
        operation.parameters = without_credentials(operation.parameters, schemes)
        known = {f"{each['in']}.{each['name']}".lower() for each in schemes.values() if "in" in each}
        operation.taken = [key for key in operation.taken if key.lower() not in known]

    def _refuses(self, function: FunctionTarget, handlers: ErrorHandlers) -> bool:
        """Whether a function that the handler always calls turns callers away."""
        return bool(self.responses.statuses(self.exits.of(function).exits, handlers) & REFUSALS)

    def _knows_callers(self, functions: list[FunctionTarget]) -> bool:
        """Whether one of the functions looks at a session or at who is logged in, or something before them all may."""
        names = (
            self.program.resolve(node, function.body)
            for function in functions
            for node in ast.walk(function.node)
            if isinstance(node, ast.Name)
        )
        return any(map(_is_of_callers, names)) or "wsgi_app" in self.changes


def _is_of_callers(target: Target | None) -> bool:
    if not isinstance(target, External):
        return False
    hands_out = target.name.startswith(_HANDING_OUT)
    return target.dotted in _CALLERS or (target.root in _ACCOUNTS and not hands_out)
