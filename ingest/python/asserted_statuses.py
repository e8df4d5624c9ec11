"""The statuses that tests expect of the answers to their requests: `assert client.get("/books").status_code == 200`.

Only what surely belongs together counts: the answer is that of one readable request of a test client, which the test
asks for where it compares, or holds in a name that on every way there was last given this answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from graph.compiled import compiled
from ingest.python.module import Module
from ingest.python.requested import METHODS, REQUEST, Constants, request

if TYPE_CHECKING:
    from tree_sitter import Node

_STATUS = frozenset({"status_code", "status"})
_NUMBER = compiled(r"[1-5]\d\d")
_NAMED = compiled(r"(?:\w+\.)*HTTP_([1-5]\d\d)(?:_\w+)?")
_ENUMERATED = compiled(r"(?:\w+\.)*HTTPStatus\.([A-Z_]+)(?:\.value)?")
_EQUAL = frozenset({"assertEqual", "assertEquals"})
# With these the client goes on to other addresses by itself, whose answer it then gives.
_FOLLOWING = frozenset({"follow_redirects", "follow", "allow_redirects"})
_LIBRARIES = frozenset({"requests", "httpx", "urllib3"})
"""Whose functions send requests to servers; those of a test client go to the application."""


class Expected(NamedTuple):
    """A request, and the status that its answer is said to have."""

    method: str
    path: str
    status: int


def expected_status(module: Module, statement: Node, known: Constants) -> Iterator[Expected]:
    """What an `assert` statement, or a call such as `self.assertEqual(…)`, says of the status of an answer."""
    for left, right in _compared(module, statement):
        for answer, value in ((left, right), (right, left)):
            status = _status(module.source.text(value))
            if status and answer.type == "attribute" and _attribute(module, answer) in _STATUS:
                held = answer.child_by_field_name("object")
                sent = None if held is None else _request(module, held, statement, known)
                if sent is not None:
                    yield Expected(*sent, status)


def _compared(module: Module, statement: Node) -> Iterator[tuple[Node, Node]]:
    """The pairs of expressions that must be equal."""
    if statement.type == "call":
        listed = statement.child_by_field_name("arguments")
        function = statement.child_by_field_name("function")
        given = [] if listed is None else listed.named_children
        if function is not None and len(given) > 1 and _attribute(module, function) in _EQUAL:
            yield given[0], given[1]
        return
    condition = statement.named_child(0)
    left_to_look_at = [] if condition is None else [condition]
    while left_to_look_at:
        node = left_to_look_at.pop()
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            left_to_look_at.extend(node.named_children)
        elif node.type == "boolean_operator":
            operator = node.child_by_field_name("operator")
            if operator is not None and operator.type == "and":
                left_to_look_at.extend(child for child in node.named_children if child.type != "comment")
        elif node.type == "comparison_operator" and [c.type for c in node.children[1::2]] == ["=="]:
            yield node.children[0], node.children[2]


def _status(text: str) -> int:
    """The status that an expression stands for by its text, 0 if it is none that is known."""
    if _NUMBER.fullmatch(text):
        return int(text)
    if match := _NAMED.fullmatch(text):
        return int(match[1])
    match = _ENUMERATED.fullmatch(text)
    member = HTTPStatus.__members__.get(match[1]) if match else None
    return 0 if member is None else member.value


def _attribute(module: Module, node: Node) -> str:
    name = node.child_by_field_name("attribute")
    return "" if name is None else module.source.text(name)


def _request(module: Module, held: Node, statement: Node, known: Constants) -> tuple[str, str] | None:
    """Method and path of the request whose answer an expression is."""
    value: Node | None = held
    if held.type == "identifier":
        value = _last_given(module, module.source.text(held), statement)
    while value is not None and value.type in ("await", "parenthesized_expression"):
        value = value.named_child(0)
    if value is None or value.type != "call":
        return None
    function = value.child_by_field_name("function")
    if function is None or function.type != "attribute":
        return None
    client = function.child_by_field_name("object")
    name = _attribute(module, function)
    if client is None or module.source.text(client) in _LIBRARIES or _follows(module, value):
        return None
    return request(module, value, name, known) if name in METHODS or name == REQUEST else None


def _follows(module: Module, call: Node) -> bool:
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    names = (each.child_by_field_name("name") for each in given if each.type == "keyword_argument")
    return any(name is not None and module.source.text(name) in _FOLLOWING for name in names)


def _last_given(module: Module, name: str, statement: Node) -> Node | None:
    """The expression that a name was last given on every way to a statement of the same function."""
    node: Node | None = statement
    while node is not None and node.type not in ("function_definition", "lambda", "module"):
        before = node.prev_named_sibling
        while before is not None:
            value = _given(module, before, name)
            if value is not None:
                return value
            if _binds(module, before, name):
                return None
            before = before.prev_named_sibling
        node = node.parent
        # What a loop gives a name further down holds in its next round.
        if (
            node is not None
            and node.type in ("for_statement", "while_statement")
            and _binds(module, node, name)
        ):
            return None
    return None


def _given(module: Module, node: Node, name: str) -> Node | None:
    """The value of `name = value`, and of `with value as name:`."""
    looked_at = [node]
    while looked_at:
        each = looked_at.pop()
        field = _GIVING.get(each.type)
        target = None if field is None else each.child_by_field_name(field)
        if target is not None and module.source.text(target) == name:
            return each.child_by_field_name("right") if each.type == "assignment" else each.named_child(0)
        if each.type in ("expression_statement", "with_clause", "with_item"):
            looked_at.extend(each.named_children)
    return None


def _binds(module: Module, node: Node, name: str) -> bool:
    """Whether anything within may give the name another value: an assignment, a loop, a `with`, a walrus, an import."""
    text = module.source.text(node)
    if name not in text:
        return False
    looked_at = [node]
    while looked_at:
        each = looked_at.pop()
        target = _TARGETS.get(each.type)
        if target is not None:
            bound = each.child_by_field_name(target)
            if bound is not None and name in _identifiers(module, bound):
                return True
        elif each.type in _WHOLLY and name in _identifiers(module, each):
            return True
        looked_at.extend(each.named_children)
    return False


_GIVING = {"assignment": "left", "as_pattern": "alias"}
_TARGETS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "named_expression": "name",
    "as_pattern": "alias",
    "import_from_statement": "name",
    "function_definition": "name",
    "class_definition": "name",
}
_WHOLLY = frozenset({"global_statement", "nonlocal_statement", "delete_statement", "import_statement"})


def _identifiers(module: Module, node: Node) -> set[str]:
    found, looked_at = set(), [node]
    while looked_at:
        each = looked_at.pop()
        if each.type == "identifier":
            found.add(module.source.text(each))
        elif each.type != "attribute":
            looked_at.extend(each.named_children)
    return found
