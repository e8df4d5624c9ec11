"""Writes the test that a login refuses who says another password than the account has."""

from __future__ import annotations

from engine.generators.operations.logins import way_to_account
from engine.generators.operations.parts import Parts, answer_of, control, problem, spoken
from engine.generators.operations.requests import with_value
from engine.generators.operations.stage import Stage
from engine.generators.values.schema_values import NoValueError
from planner.cases import Case
from planner.contracts.operations import Operation
from planner.contracts.violations import keeps

_WRONG = "Another-password-5"
_REFUSED = ("401", "400")


def wrong_password(case: Case, operation: Operation, stage: Stage) -> Parts:
    """An account is let in with its own password, and with another one it is not.

    Raises NoValueError for what is no login, or where nobody can make an account for it.
    """
    found = way_to_account(operation, stage.operations.values())
    status = str(case.target.get("status"))
    if found is None or status not in _REFUSED or not keeps(found.password.schema, _WRONG):
        raise NoValueError(f"the credentials without which {operation.key} is refused")
    scene = stage.scene(operation)
    sent = stage.request(operation, scene)
    wrong = with_value(sent, found.password, _WRONG)
    name = f"test_{spoken(operation)}_is_refused_with_{status}_for_a_wrong_password"
    refusal = problem(answer_of(operation, status))
    arrange = [*scene.lines, *control(operation, sent)]
    return Parts(name, arrange, [f"response = {wrong.call()}"], refusal, scene.cites, negative=True)
