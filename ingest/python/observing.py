"""What the functions of a test file check and request, function by function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from graph.facts import Json, Kind
from ingest.python.asserted_statuses import expected_status
from ingest.python.flow import CALLEE
from ingest.python.idle_assertions import why_idle
from ingest.python.module import Module
from ingest.python.requested import METHODS, REQUEST, Constants, constants, request
from ingest.python.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_RAISES = frozenset({b"assertRaises", b"assertRaisesRegex", b"raises"})
_PYTEST_RAISES = frozenset({b"raises", b"pytest.raises"})
_REQUESTS = frozenset(name.encode() for name in METHODS | {REQUEST})
_WANTED = _RAISES | _REQUESTS
_TEXT_LIMIT = 200


class Observed(msgspec.Struct, frozen=True):
    """Requests as [method, path, line], asserts as [text, line], expected exceptions as [name, line], expected statuses
    of answers as [method, path, status, line], and asserts that do not check what they say as [text, why, line]."""

    requests: list[Json] = []
    asserts: list[Json] = []
    raises: list[Json] = []
    answers: list[Json] = []
    idle: list[Json] = []


def observe(module: Module) -> dict[Scope, Observed]:
    """What each function of the file checks and requests; functions that do neither are absent."""
    observed: dict[Scope, Observed] = {}
    source, scopes = module.source, module.scopes
    known = constants(module)
    for node in module.found.get("assert", ()):
        place = node.start_byte
        scope = scopes.at(place)
        if scope.kind is Kind.FUNCTION:
            _asserted(module, node, known, observed.setdefault(scope, Observed()))
    for node in module.found.get("call", ()):
        place = node.start_byte
        match = CALLEE.match(source.data, place)
        if match is None:
            continue
        called = match[1]
        last = called[called.rfind(b".") + 1 :]
        if last not in _WANTED and not last.startswith(b"assert"):
            continue
        # Of several calls that begin here, `client.get(…).json()` say, the name belongs to one.
        function = node.child_by_field_name("function")
        scope = scopes.at(place)
        if function is None or function.end_byte != match.end(1) or scope.kind is not Kind.FUNCTION:
            continue
        of_scope, line = observed.setdefault(scope, Observed()), source.line(place)
        if last in _RAISES:
            if last != b"raises" or called in _PYTEST_RAISES:
                of_scope.raises.extend([name, line] for name in _expected(module, node))
        elif last in _REQUESTS:
            found = None if called == last else request(module, node, last.decode("ascii"), known)
            if found is not None:
                of_scope.requests.append([*found, line])
        else:
            _asserted(module, node, known, of_scope)
    for of_scope in observed.values():
        of_scope.asserts.sort(key=lambda item: item[1])
    return observed


def _asserted(module: Module, node: Node, known: Constants, found: Observed) -> None:
    """What one assertion says, a statement or a call."""
    text, line = module.source.flat(node, _TEXT_LIMIT), module.source.line(node.start_byte)
    found.asserts.append([text, line])
    found.answers.extend([*each, line] for each in expected_status(module, node, known))
    if why := why_idle(module, node):
        found.idle.append([text, why, line])


def _expected(module: Module, call: Node) -> list[str]:
    """The exceptions that a call says will be raised: its first argument, or each of a tuple."""
    listed = call.child_by_field_name("arguments")
    first = listed.named_child(0) if listed is not None and listed.named_child_count else None
    if first is None:
        return []
    if first.type == "keyword_argument":
        name, value = first.child_by_field_name("name"), first.child_by_field_name("value")
        if name is None or value is None or module.source.text(name) != "expected_exception":
            return []
        first = value
    nodes = first.named_children if first.type == "tuple" else [first]
    return [module.source.flat(node) for node in nodes if node.type in ("identifier", "attribute")]
