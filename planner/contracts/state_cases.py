"""The test cases for what the state must show: created is readable, deleted is gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.cases import Case, Technique
from planner.contracts.changing import changes_parts
from planner.contracts.lifecycles import brought_about, subject_of
from planner.contracts.operation_case import operation_case
from planner.contracts.operations import Operation, State
from planner.contracts.resources import collection_of, home_of, identity_of, list_place
from planner.contracts.spelled_paths import plain_path


def state_cases(operation: Operation, every: Iterable[Operation]) -> Iterator[Case]:
    """The cases of an operation that makes, changes, removes or reads what others show."""
    by_key = {each.key: each for each in every}
    if operation.success is None:
        if operation.method == "DELETE":
            yield from _of_removing(operation, by_key)
    elif operation.method == "GET":
        words = f"{operation.key} gives the same when asked twice"
        yield operation_case(
            operation, Technique.REPEATABLE, words, "responses", {}, (operation.success.fact,)
        )
    elif (state := brought_about(operation, by_key.values())) is not None:
        yield from _of_acting(operation, state, by_key)
    elif operation.method == "PUT" or changes_parts(operation, by_key.values()):
        yield from _of_changing(operation, by_key)
    elif operation.method == "POST":
        yield from _of_making(operation, by_key)
    elif operation.method == "DELETE":
        yield from _of_removing(operation, by_key)


def _of_making(operation: Operation, by_key: dict[str, Operation]) -> Iterator[Case]:
    assert operation.success is not None, "its caller looked"
    lister = by_key.get(f"GET {operation.path}") or _lister_of(operation, by_key)
    if lister is not None and list_place(lister) is not None:
        yield operation_case(
            operation,
            Technique.READ_BACK,
            f"What {operation.key} creates is listed by {lister.key}",
            "responses",
            {"read": lister.key, "list": True},
            (operation.success.fact, *((lister.success.fact,) if lister.success else ())),
        )
    yield from _read_back(operation, by_key, "creates can be read")


def _lister_of(operation: Operation, by_key: dict[str, Operation]) -> Operation | None:
    """What lists the things of a collection that are made below it: `GET /comments` for `POST /comments/create`."""
    home = f"/{collection_of(operation.path)}"
    return by_key.get(f"GET {home}") or by_key.get(f"GET {home}/")


def _of_acting(operation: Operation, state: State, by_key: dict[str, Operation]) -> Iterator[Case]:
    subject = subject_of(operation, by_key.values())
    reader = by_key.get(f"GET {subject.single}") if subject is not None else None
    if reader is None or reader.success is None or state.field not in reader.shown():
        return
    assert operation.success is not None, "its caller looked"
    yield operation_case(
        operation,
        Technique.READ_BACK,
        f"What {operation.key} brings about is read by {reader.key}: {state.word}",
        "responses",
        {"read": reader.key, "field": state.field, "value": state.value},
        (operation.success.fact, reader.success.fact),
    )


def _of_changing(operation: Operation, by_key: dict[str, Operation]) -> Iterator[Case]:
    yield from _read_back(operation, by_key, "changes is read")


def _read_back(operation: Operation, by_key: dict[str, Operation], words: str) -> Iterator[Case]:
    reader = _reader(operation, by_key)
    if reader is None or reader.success is None or operation.success is None:
        return
    yield operation_case(
        operation,
        Technique.READ_BACK,
        f"What {operation.key} {words} by {reader.key}",
        "responses",
        {"read": reader.key},
        (operation.success.fact, reader.success.fact),
    )


def _of_removing(operation: Operation, by_key: dict[str, Operation]) -> Iterator[Case]:
    """What was removed is gone: for its reader, and from the list where the contract says of no other answer.

    A reader of which no such answer is told does not succeed, at least. Of a removal itself no answer need be told.
    """
    told = operation.success.fact if operation.success is not None else operation.fact.id
    reader = _reader(operation, by_key)
    if reader is not None and reader.success is not None:
        missing = next((a for a in reader.answers if a.status in ("404", "410")), None)
        yield operation_case(
            operation,
            Technique.GONE,
            f"What {operation.key} removed is gone for {reader.key}",
            "responses",
            {"read": reader.key},
            (told, (missing or reader.success).fact),
        )
        if missing is not None:
            return
    path, _, last = plain_path(operation.method, operation.path).rstrip("/").rpartition("/")
    lister = next((by_key[key] for key in (f"GET {path}", f"GET {path}/") if key in by_key), None)
    maker = next((by_key[key] for key in (f"POST {path}", f"POST {path}/") if key in by_key), None)
    if (
        last.startswith("{")
        and lister is not None
        and lister.success is not None
        and list_place(lister) is not None
        and maker is not None
        and identity_of(maker, last.strip("{}")) is not None
    ):
        yield operation_case(
            operation,
            Technique.GONE,
            f"What {operation.key} removed is not listed by {lister.key} any more",
            "responses",
            {"read": lister.key, "list": True},
            (told, lister.success.fact),
        )


def _reader(operation: Operation, by_key: dict[str, Operation]) -> Operation | None:
    """The GET of one thing: of the same path, or of the path with one parameter more."""
    for other in by_key.values():
        if other.method != "GET":
            continue
        is_change = operation.method != "POST" or changes_parts(operation, by_key.values())
        if _of_same(other, operation) and is_change:
            return other
        rest = other.path.removeprefix(operation.path.rstrip("/"))
        if (
            operation.method == "POST"
            and rest != other.path
            and rest.count("/") == 1
            and rest.startswith("/{")
            and rest.endswith("}")
        ):
            return other
    return _read_elsewhere(operation, by_key)


def _of_same(reader: Operation, operation: Operation) -> bool:
    """Whether two operations are about the same thing, also where their paths say what they do with it."""
    ours, theirs = (plain_path(each.method, each.path).rstrip("/") for each in (reader, operation))
    return ours == theirs


def _read_elsewhere(operation: Operation, by_key: dict[str, Operation]) -> Operation | None:
    """The GET of one thing of which paths tell under another name than that of what makes it: `/course/{id}`."""
    home = home_of(operation, by_key.values()) if operation.method == "POST" else ""
    ended = (each for each in by_key.values() if home and each.method == "GET")
    single = ((each, plain_path("GET", each.path).rstrip("/")) for each in ended)
    return next(
        (each for each, path in single if path.endswith("}") and path.rpartition("/{")[0] == home), None
    )
