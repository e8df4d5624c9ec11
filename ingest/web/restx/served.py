"""Which methods of a resource at several addresses answer at one of them: a function that the address gives too few or
too many arguments only fails."""

from __future__ import annotations

import ast

from ingest.web.flask.paths import variables
from ingest.web.program.targets import FunctionTarget
from ingest.web.restx.tree import Resource
from ingest.web.syntax.bindings import Function, parameters
from ingest.web.syntax.naming import last_name, uncalled


def serves(resource: Resource, handler: FunctionTarget) -> bool:
    """Whether a method can be called with what the variables of the resource's address stand for. Of variables that
    all of its addresses have, a decorator may make something else."""
    if len(resource.addresses) < 2 or not isinstance(handler.node, Function):
        return True
    here = variables(resource.path)
    elsewhere = [variables(each) for each in resource.addresses]
    varying = {name for each in elsewhere for name in each if not all(name in other for other in elsewhere)}
    taken = list(parameters(handler.node))[1:]
    demanded = {each.arg for each, default in taken if default is None}
    if demanded & varying - here:
        return False
    known = {each.arg for each, _ in taken}
    spare = (here & varying) - known
    return (
        not spare or handler.node.args.kwarg is not None or not _is_handed_on(resource, handler.node, spare)
    )


def _is_handed_on(resource: Resource, node: Function, names: set[str]) -> bool:
    """Whether variables surely reach a method: it has no decorators, or those of another method which takes
    such variables."""
    around = {last_name(uncalled(each)) for each in node.decorator_list}
    for other in resource.target.node.body:
        if isinstance(other, Function) and names <= {each.arg for each, _ in parameters(other)}:
            around -= {last_name(uncalled(each)) for each in other.decorator_list}
    return not around and not any(
        isinstance(each, ast.Assign) and "decorators" in ast.unparse(each.targets[0])
        for each in resource.target.node.body
    )
