"""A function is read as a call makes it in two ways, and neither stands for the other."""

from __future__ import annotations

import ast

import pytest

from ingest.web.program.program import Program
from ingest.web.program.targets import FunctionTarget
from ingest.web.routing import made_views
from ingest.web.syntax.bindings import Bound
from ingest.web.values import taken_branches
from tests.ingest.web.test_program import Files

SOURCE = """
class Books:
    pass

def make(plain, view):
    if plain:
        return view
    return wrapped(view)

made = make(False, Books)
"""


@pytest.mark.parametrize("first", [made_views.as_called, taken_branches.as_called])
def test_what_parameters_stand_for_and_which_branches_are_taken_are_worked_out_apart(first: object) -> None:
    program = Program(Files({"app.py": SOURCE}))
    module = program.module("app")
    assert module is not None and callable(first)
    scope, call = module.scope, module.scope.calls[0]
    function = program.resolve(call.func, scope)
    assert isinstance(function, FunctionTarget)
    first(program, function, call, scope)

    told = made_views.as_called(program, function, call, scope)
    assert [each.how for each in told.body.bindings["view"]] == [Bound.GIVEN]
    assert isinstance(told.node.body, list) and isinstance(told.node.body[0], ast.If)

    taken = taken_branches.as_called(program, function, call, scope)
    assert [each.how for each in taken.body.bindings["view"]] == [Bound.PARAMETER]
    assert isinstance(taken.node.body, list) and isinstance(taken.node.body[0], ast.Return)
