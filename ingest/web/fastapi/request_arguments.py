"""Parameters that FastAPI fills with objects of the framework, and what a request among them is read for by hand."""

from __future__ import annotations

from ingest.web.fastapi.parts import Inputs
from ingest.web.program.program import Program
from ingest.web.program.shapes import Shape
from ingest.web.program.targets import External, FunctionTarget, Target
from ingest.web.requests.request_uses import uses_of
from ingest.web.syntax.naming import uncalled
from ingest.web.values.instances import Instances

_ROOTS = frozenset({"fastapi", "starlette"})
_IGNORED = frozenset({"WebSocket", "Response", "BackgroundTasks", "SecurityScopes"})
_INJECTED = {
    "dishka": frozenset({"FromDishka", "FromComponent"}),
    "wireup": frozenset({"Injected", "Inject"}),
    "aioinject": frozenset({"Injected", "Inject"}),
    "svcs": frozenset({"DepContainer"}),
}
"""What containers give to a parameter that is marked so, of which a request says nothing."""
_REQUEST_CREDENTIALS = frozenset({"headers", "cookies", "auth", "user", "session", ""})
_REQUEST_DATA = {
    "query_params": "query",
    "headers": "header",
    "cookies": "cookie",
    **dict.fromkeys(("body", "json", "form", "stream"), "body"),
}
_MORE = {"url": "query", "path_params": "path"}
_ANYTHING = frozenset({"", "scope", "receive"})


def is_special(
    program: Program,
    instances: Instances,
    inputs: Inputs,
    name: str,
    shape: Shape,
    function: FunctionTarget,
) -> bool:
    """Whether a parameter gets an object of the framework; notes what a request is read for by hand."""
    target = shape.members[0].target if len(shape.members) == 1 else None
    if any(_is_injecting(each) for each in (target, *_marking(program, shape))):
        return True
    if not program.is_a(target, _ROOTS, {"Request", "HTTPConnection"}):
        return program.is_a(target, _ROOTS, _IGNORED)
    used = uses_of(instances, function, name, showing=("TemplateResponse",))
    if used & {"", *_REQUEST_DATA}:
        told = {**_REQUEST_DATA, **_MORE}
        inputs.read_by_hand |= {told[each] for each in used if each in told}
        inputs.complete = inputs.complete and not used & _ANYTHING
        place = program.place(function.node, function.scope)
        inputs.unknown.append(("parameters", place, "the request is read by hand"))
    inputs.guarded = inputs.guarded or bool(used & _REQUEST_CREDENTIALS)
    return True


def _marking(program: Program, shape: Shape) -> list[Target | None]:
    """What the metadata of an annotation are made by."""
    return [program.resolve(uncalled(node), scope) for node, scope in shape.metadata]


def _is_injecting(target: Target | None) -> bool:
    return isinstance(target, External) and target.name in _INJECTED.get(target.root, ())
