"""Tests of a contract's operations: each answer, each bound from both sides, what the state must show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from engine.generators.answers import echoed, equal, imports_of, shape
from engine.generators.requests import Scene, Sent, Stage, with_value, without
from engine.generators.schema_values import NoValueError, inside, outside, unknown_value, wrong_type
from engine.generators.source import function, literal, name_of
from graph.source import FactSource
from planner.cases import Case, Technique
from planner.generator import Assertion, Context, Declined, Draft
from planner.operations import Answer, Member, Operation, read_operations

_REFUSED = ("422", "400")
_TWICE = ("already", "exists", "duplicate", "twice", "taken", "conflict", "unique")
_INVALID = frozenset({"400", "422"})
_BOUND_WORDS = {
    "minLength": "shorter_than_{}", "maxLength": "longer_than_{}", "minimum": "less_than_{}", "maximum": "more_than_{}",
    "exclusiveMinimum": "not_more_than_{}", "exclusiveMaximum": "not_less_than_{}",
    "minItems": "fewer_items_than_{}", "maxItems": "more_items_than_{}",
}  # fmt: skip


class _Parts(msgspec.Struct):
    """What a test is made of, beside what its case says."""

    name: str
    arrange: list[str] = []
    act: list[str] = []
    assertions: list[Assertion] = []
    cites: tuple[str, ...] = ()
    negative: bool = False


class ContractGenerator:
    """Writes one test per documented behaviour of an operation, with a client that the shared conftest gives."""

    name = "contract"

    def __init__(self) -> None:
        self._stage_of: tuple[FactSource, Stage] | None = None
        self._writers: dict[Technique, Callable[[Case, Operation, Stage], _Parts]] = {
            Technique.SUCCESS: _success,
            Technique.ERROR: _error,
            Technique.BOUND_KEPT: _bound_kept,
            Technique.BOUND_BROKEN: _bound_broken,
            Technique.REQUIRED_MISSING: _required_missing,
            Technique.WRONG_TYPE: _wrong_type,
            Technique.UNKNOWN_VALUE: _unknown_value,
            Technique.DEFAULT: _default,
            Technique.AUTH_MISSING: _auth_missing,
            Technique.READ_BACK: _read_back,
            Technique.GONE: _gone,
            Technique.REPEATABLE: _repeatable,
        }

    def takes(self, case: Case) -> bool:
        """See `Generator.takes`."""
        return case.technique in self._writers and isinstance(case.target.get("operation"), str)

    def generate(self, case: Case, context: Context) -> Draft | Declined:
        """See `Generator.generate`."""
        stage = self._stage(context.source)
        operation = stage.operations.get(str(case.target["operation"]))
        if operation is None:
            return Declined(case.id, f"the operation {case.target['operation']}, which no contract has")
        try:
            parts = self._writers[case.technique](case, operation, stage)
        except NoValueError as error:
            return Declined(case.id, str(error))
        return _draft(case, operation, parts, context)

    def _stage(self, source: FactSource) -> Stage:
        if self._stage_of is None or self._stage_of[0] is not source:
            self._stage_of = (source, Stage(read_operations(source)))
        return self._stage_of[1]


def _draft(case: Case, operation: Operation, parts: _Parts, context: Context) -> Draft:
    cites = tuple(dict.fromkeys((*case.cites, *parts.cites)))
    secured = any("auth" in line for line in (*parts.arrange, *parts.act))
    fixtures = ("client", "auth") if secured else ("client",)
    place = operation.fact.source
    source = function(
        parts.name,
        fixtures,
        marks=case.cites,
        words=case.description,
        maintain=f"it follows {', '.join(cites)} ({place.path}:{place.line}); change it when that changes.",
        arrange=parts.arrange,
        act=parts.act,
        asserts=[assertion.text for assertion in parts.assertions],
    )
    return Draft(
        case=case.id,
        module_path=f"{context.folder}/test_{group_of(operation.path)}.py",
        name=parts.name,
        source=source,
        imports=("import pytest", *imports_of(parts.assertions)),
        fixtures=fixtures,
        assertions=tuple(parts.assertions),
        negative=parts.negative,
    )


def group_of(path: str) -> str:
    """The name of the file that holds an operation's tests: the first literal segment that is no version or `api`."""
    words = [part for part in path.strip("/").split("/") if part and not part.startswith("{")]
    plain = [
        word for word in words if word.lower() != "api" and not (word[:1] in "vV" and word[1:].isdigit())
    ]
    return name_of((plain or words or ["root"])[0])


def _success(case: Case, operation: Operation, stage: Stage) -> _Parts:
    answer = _answer(operation, str(case.target["status"]))
    scene = stage.peopled(operation)
    sent = stage.request(operation, scene.path)
    assertions = [_status("response", answer)]
    if answer.schema is not None:
        thing = _named(operation, answer)
        body = list(shape(answer.schema, thing, answer.fact))
        body += echoed(sent.body, answer.schema, thing, answer.fact)
        if body:
            assertions += [Assertion(f"{thing} = response.json()", (answer.fact,)), *body]
    name = f"test_{_spoken(operation)}_is_answered_with_{answer.status}"
    return _Parts(name, [*scene.lines], [f"response = {sent.call()}"], assertions, scene.cites)


def _error(case: Case, operation: Operation, stage: Stage) -> _Parts:
    answer = _answer(operation, str(case.target["status"]))
    words = answer.description.lower()
    name = f"test_{_spoken(operation)}_is_refused_with_{answer.status}"
    if answer.status in ("404", "410") and "{" in operation.path:
        return _missing(operation, answer, stage, name)
    if answer.status in _INVALID:
        return _invalid(operation, answer, stage, name)
    if answer.status == "409" and operation.method == "POST" and any(word in words for word in _TWICE):
        scene = stage.scene(operation)
        call = stage.request(operation, scene.path).call()
        first = [*scene.lines, f"first = {call}", f"assert first.status_code == {_success_status(operation)}"]
        return _Parts(name, first, [f"response = {call}"], _problem(answer), scene.cites, negative=True)
    raise NoValueError(
        f"how {operation.key} comes to answer {answer.status} ({answer.description or 'without words'})"
    )


def _missing(operation: Operation, answer: Answer, stage: Stage, name: str) -> _Parts:
    scene = stage.scene(operation)
    known = stage.request(operation, scene.path)
    unknown = msgspec.structs.replace(known, path=stage.nowhere(operation, scene))
    control = _control(operation, known)
    return _Parts(
        name,
        [*scene.lines, *control],
        [f"response = {unknown.call()}"],
        _problem(answer),
        scene.cites,
        negative=True,
    )


def _invalid(operation: Operation, answer: Answer, stage: Stage, name: str) -> _Parts:
    scene, sent = _ready(operation, stage)
    for member in operation.members():
        if member.location == "path":
            continue
        try:
            wrong = (
                without(sent, member)
                if member.required
                else with_value(sent, member, wrong_type(member.schema, member.location))
            )
        except NoValueError:
            continue
        arrange = [*scene.lines, *_control(operation, sent)]
        return _Parts(
            name, arrange, [f"response = {wrong.call()}"], _problem(answer), scene.cites, negative=True
        )
    raise NoValueError(f"a request that {operation.key} refuses with {answer.status}")


def _bound_kept(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member, bound = _member(case, operation), str(case.target["bound"])
    if member.location == "path":
        raise NoValueError(f"something that exists under the last allowed {member.name}")
    scene, sent = _ready(operation, stage)
    sent = with_value(sent, member, inside(member.schema, bound, member.name))
    name = f"test_{_spoken(operation)}_takes_{_words(member)}_at_its_{_snake(bound)}"
    return _Parts(
        name,
        [*scene.lines],
        [f"response = {sent.call()}"],
        [_success_assertion(operation, case)],
        scene.cites,
    )


def _bound_broken(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member, bound = _member(case, operation), str(case.target["bound"])
    told = _BOUND_WORDS[bound].format(name_of(str(case.target["value"])).removeprefix("n"))
    name = f"test_{_spoken(operation)}_refuses_{_words(member)}_{told}"
    return _refusal(case, operation, stage, member, name, lambda: outside(member.schema, bound, member.name))


def _required_missing(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member = _member(case, operation)
    scene, sent = _ready(operation, stage)
    arrange = [*scene.lines, *_control(operation, sent)]
    act = [f"response = {without(sent, member).call()}"]
    name = f"test_{_spoken(operation)}_needs_{_words(member)}"
    return _Parts(name, arrange, act, [_refused(operation, case)], scene.cites, negative=True)


def _wrong_type(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member = _member(case, operation)
    name = f"test_{_spoken(operation)}_refuses_{_words(member)}_of_another_type"
    return _refusal(case, operation, stage, member, name, lambda: wrong_type(member.schema, member.location))


def _unknown_value(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member = _member(case, operation)
    name = f"test_{_spoken(operation)}_refuses_{_words(member)}_that_is_not_listed"
    return _refusal(case, operation, stage, member, name, lambda: unknown_value(member.schema))


def _refusal(
    case: Case, operation: Operation, stage: Stage, member: Member, name: str, value: Callable[[], object]
) -> _Parts:
    """A request that is taken, and then the same with one wrong value, which is refused."""
    scene, sent = _ready(operation, stage)
    wrong = with_value(sent, member, value())
    arrange = [*scene.lines, *_control(operation, sent)]
    return _Parts(
        name, arrange, [f"response = {wrong.call()}"], [_refused(operation, case)], scene.cites, negative=True
    )


def _default(case: Case, operation: Operation, stage: Stage) -> _Parts:
    member, answer = _member(case, operation), operation.success
    properties = (answer.schema or {}).get("properties", {}) if answer else {}
    if answer is None or member.required or len(member.path) != 2 or member.name not in properties:
        raise NoValueError(f"an answer that shows {member.name}")
    scene, sent = _ready(operation, stage)
    sent = without(sent, member)
    asserts = [
        _status("response", answer),
        Assertion(
            f"assert {equal(f'response.json()[{literal(member.name)}]', case.target['value'])}", case.cites
        ),
    ]
    name = f"test_{_spoken(operation)}_gives_{_words(member)}_its_default"
    return _Parts(name, [*scene.lines], [f"response = {sent.call()}"], asserts, (*scene.cites, answer.fact))


def _auth_missing(case: Case, operation: Operation, stage: Stage) -> _Parts:
    if not operation.secured:
        raise NoValueError(f"the credentials without which {operation.key} is refused")
    open_one = msgspec.structs.replace(operation, secured=False)
    path = {name.strip("{}"): "'1'" for name in operation.path.split("/") if name.startswith("{")}
    sent = stage.request(open_one, path)
    status = case.target.get("status")
    if status == "403":
        raise NoValueError(f"credentials that {operation.key} refuses with 403")
    statuses = f"== {status}" if status else "in (401, 403)"
    asserts = [Assertion(f"assert response.status_code {statuses}", case.cites)]
    name = f"test_{_spoken(operation)}_is_refused_without_credentials"
    return _Parts(name, [], [f"response = {sent.call()}"], asserts, (), negative=True)


def _read_back(case: Case, operation: Operation, stage: Stage) -> _Parts:
    reader = stage.operations.get(str(case.target["read"]))
    if reader is None or reader.success is None or operation.success is None:
        raise NoValueError(f"an operation that reads what {operation.key} makes")
    scene, sent = _ready(operation, stage)
    whole = scene
    if operation.method == "POST":
        whole = stage.scene(reader)
        made = whole.lines[-1].partition(" = ")[0] if whole.lines else ""
        arrange, act = list(whole.lines), [f"response = {stage.request(reader, whole.path).call()}"]
        asserts = [_status("response", reader.success), *_same("response.json()", made, reader, operation)]
        name = f"test_what_{_spoken(operation)}_made_can_be_read"
        return _Parts(name, arrange, act, asserts, whole.cites)
    arrange = [
        *scene.lines,
        f"changed = {sent.call()}",
        f"assert changed.status_code == {_success_status(operation)}",
    ]
    act = [f"response = {stage.request(reader, scene.path).call()}"]
    asserts = [_status("response", reader.success)]
    asserts += [
        msgspec.structs.replace(each, text=each.text)
        for each in echoed(sent.body, reader.success.schema or {}, "response.json()", reader.success.fact)
    ]
    name = f"test_what_{_spoken(operation)}_changed_is_read"
    return _Parts(name, arrange, act, asserts, scene.cites)


def _same(read: str, made: str, reader: Operation, maker: Operation) -> list[Assertion]:
    """That what is read equals what was made, in the fields that both answers have."""
    assert reader.success is not None and maker.success is not None, "asked only where both succeed"
    ours = (reader.success.schema or {}).get("properties", {})
    theirs = (maker.success.schema or {}).get("properties", {})
    cites = (maker.success.fact, reader.success.fact)
    if made and ours and set(ours) == set(theirs):
        return [Assertion(f"assert {read} == {made}", cites, inferred=True)]
    return [
        Assertion(f"assert {read}[{literal(name)}] == {made}[{literal(name)}]", cites, inferred=True)
        for name in ours
        if made and name in theirs
    ]


def _gone(case: Case, operation: Operation, stage: Stage) -> _Parts:
    reader = stage.operations.get(str(case.target["read"]))
    missing = next((a for a in reader.answers if a.status in ("404", "410")), None) if reader else None
    if reader is None or missing is None:
        raise NoValueError(f"an operation that shows that {operation.key} removed something")
    scene, sent = _ready(operation, stage)
    removed = [f"removed = {sent.call()}", f"assert removed.status_code == {_success_status(operation)}"]
    read = stage.request(reader, scene.path)
    name = f"test_what_{_spoken(operation)}_removed_is_gone"
    return _Parts(
        name, [*scene.lines, *removed], [f"response = {read.call()}"], _problem(missing)[:1], scene.cites
    )


def _repeatable(case: Case, operation: Operation, stage: Stage) -> _Parts:
    scene, sent = _ready(operation, stage)
    answer = operation.success
    assert answer is not None, "planned only where there is a success"
    compared = "json()" if answer.schema is not None else "status_code"
    asserts = [
        _status("second", answer),
        Assertion(f"assert second.{compared} == first.{compared}", case.cites, inferred=True),
    ]
    name = f"test_{_spoken(operation)}_gives_the_same_twice"
    return _Parts(
        name, [*scene.lines], [f"first = {sent.call()}", f"second = {sent.call()}"], asserts, scene.cites
    )


def _ready(operation: Operation, stage: Stage) -> tuple[Scene, Sent]:
    scene = stage.scene(operation)
    return scene, stage.request(operation, scene.path)


def _control(operation: Operation, sent: Sent) -> list[str]:
    """That the request is taken as it is, so that a refusal has no other reason than the one thing that is wrong.

    What would be gone afterwards is not tried: a DELETE is its own control.
    """
    if operation.method == "DELETE" or operation.success is None:
        return []
    return [f"taken = {sent.call()}", f"assert taken.status_code == {operation.success.status}"]


def _member(case: Case, operation: Operation) -> Member:
    for member in operation.members():
        if member.place == case.target["place"]:
            return member
    raise NoValueError(f"the value {case.target['place']}, which {operation.key} does not take")


def _answer(operation: Operation, status: str) -> Answer:
    for answer in operation.answers:
        if answer.status == status:
            return answer
    raise NoValueError(f"the answer {status}, which {operation.key} does not document")


def _status(name: str, answer: Answer) -> Assertion:
    return Assertion(f"assert {name}.status_code == {answer.status}", (answer.fact,))


def _success_status(operation: Operation) -> str:
    if operation.success is None or not operation.success.status.isdigit():
        raise NoValueError(f"the status with which {operation.key} succeeds")
    return operation.success.status


def _success_assertion(operation: Operation, case: Case) -> Assertion:
    return Assertion(f"assert response.status_code == {_success_status(operation)}", case.cites)


def _refused(operation: Operation, case: Case) -> Assertion:
    """That a request is refused: with the documented status for invalid input, where there is one.

    A path that names nothing is refused anyhow, so that without such a status nothing can be seen there.
    """
    for status in _REFUSED:
        if any(answer.status == status for answer in operation.answers):
            return Assertion(f"assert response.status_code == {status}", case.cites)
    if str(case.target.get("place", "")).startswith("path."):
        raise NoValueError(f"the status with which {operation.key} refuses what cannot be in its path")
    return Assertion("assert 400 <= response.status_code < 500", case.cites)


def _problem(answer: Answer) -> list[Assertion]:
    assertions = [_status("response", answer)]
    if answer.schema is not None and (body := list(shape(answer.schema, "problem", answer.fact))):
        assertions += [Assertion("problem = response.json()", (answer.fact,)), *body]
    return assertions


def _named(operation: Operation, answer: Answer) -> str:
    group = group_of(operation.path)
    if (answer.schema or {}).get("type") == "array":
        return group
    return group[:-1] if group.endswith("s") and len(group) > 3 else f"{group}_"


def _spoken(operation: Operation) -> str:
    """`post_todos`, `get_one_of_todos`: the operation as words of a name."""
    words = [name_of(part.strip("{}")) for part in operation.path.strip("/").split("/") if part]
    return "_".join([operation.method.lower(), *(words or ["root"])])


def _words(member: Member) -> str:
    return name_of(" ".join(part for part in member.path if part not in ("body", "[]")))


def _snake(bound: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in bound)


def cited(assertions: Sequence[Assertion]) -> tuple[str, ...]:
    """All facts that assertions cite, in their order."""
    return tuple(dict.fromkeys(fact for assertion in assertions for fact in assertion.cites))
