"""The facts and relations that operations and their schemas become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.facts import Extract, Fact, Json, Kind, Location, Relation, Tag, Unknown, Verb, fact_id, reference
from ingest.web.records.operations import Operation, Parameter, Response, merged
from ingest.web.schemas.models import Models
from ingest.web.schemas.named_schemas import NamedField, NamedSchema


def extract_of(
    operations: list[Operation], models: Models, unknown: list[Unknown], named: Iterable[NamedSchema] = ()
) -> Extract:
    """The facts and relations of operations and of the schemas that they use, `named` ones beside those of `models`.

    A second operation with the same key in the same application is never reached and is left out (a route that is
    registered twice, in two branches, is one); in another application both are told apart by its file.
    """
    kept, shadowed = _distinct(operations)
    facts: list[Fact] = []
    relations: list[Relation] = []
    notes = [*unknown]
    for operation in kept:
        _write(operation, facts, relations)
        notes += [Unknown(operation.key, a, p.path, p.line, reason) for a, p, reason in operation.unknown]
    for operation in (each for each in shadowed if not each.under):
        reason = "an earlier route answers this request"
        notes.append(Unknown(operation.key, "exists", operation.source.path, operation.source.line, reason))
    _schemas(kept, models, {schema.key: schema for schema in named}, facts, relations)
    facts.sort(key=lambda fact: fact.id)
    unique = sorted(set(relations), key=lambda r: (r.verb, r.first, r.second, r.line))
    return Extract(facts=facts, relations=unique, unknown=sorted(set(notes)))


def _distinct(operations: list[Operation]) -> tuple[list[Operation], list[Operation]]:
    groups: dict[str, dict[str, Operation]] = {}
    shadowed: list[Operation] = []
    for operation in operations:
        group = groups.setdefault(operation.key, {})
        if operation.document in group:
            if operation.source != group[operation.document].source:
                shadowed.append(operation)
        else:
            group[operation.document] = operation
    kept: list[Operation] = []
    for group in groups.values():
        for operation in group.values():
            if len(group) == 1:
                operation.document = ""
            kept.append(operation)
    return kept, shadowed


def _write(operation: Operation, facts: list[Fact], relations: list[Relation]) -> None:
    kind = Kind.CALLBACK if operation.sent_as else Kind.OPERATION
    whole = _fact(operation, kind, operation.key, operation.key, operation.source, _aspects(operation))
    parts = [
        _fact(operation, Kind.PARAMETER, f"{operation.key}#{p.key}", p.name, p.source, _parameter(p))
        for p in sorted(operation.parameters, key=lambda p: p.key)
    ]
    for body in sorted(operation.bodies, key=lambda b: b.media_type):
        aspects: dict[str, Json] = {"media_type": body.media_type, "schema": body.schema}
        if body.required is not None:
            aspects["required"] = body.required
        if body.implicit:
            aspects["implicit"] = True
        if body.by_hand:
            aspects["by_hand"] = True
        if body.declared:
            aspects["declared"] = True
        key = f"{operation.key}#{body.media_type}"
        parts.append(_fact(operation, Kind.BODY, key, body.media_type, body.source, aspects))
    for response in merged(operation.responses):
        key = f"{operation.key}#{response.status}"
        told = _response(response)
        if operation.headers is not None and response.origin in ("success", "returned"):
            told["headers"] = operation.headers
        if response.certain and not operation.statuses_complete:
            told["certain"] = True
        part = _fact(operation, Kind.RESPONSE, key, response.status, response.source, told)
        parts.append(part)
        if response.raises:
            target = reference(Tag.CODE, response.raises)
            relations.append(Relation(Verb.RAISES, part.id, target, response.source.line))
    facts.append(whole)
    facts.extend(parts)
    relations.extend(Relation(Verb.CONTAINS, whole.id, part.id, part.source.line) for part in parts)
    handler = fact_id(Tag.CODE, Kind.FUNCTION, operation.handler)
    if operation.handler:
        relations.append(Relation(Verb.HANDLED_BY, whole.id, handler, operation.source.line))
    for part in parts:
        for target in sorted(referred(part.aspects)):
            relations.append(Relation(Verb.REFERENCES, part.id, target, part.source.line))


def _fact(
    operation: Operation, kind: Kind, key: str, name: str, source: Location, aspects: dict[str, Json]
) -> Fact:
    return Fact(
        tag=Tag.CODE,
        kind=kind,
        key=key,
        name=name,
        source=source,
        aspects=aspects,
        sources=tuple(sorted(operation.sources - {source.path})),
        document=operation.document,
    )


def _aspects(operation: Operation) -> dict[str, Json]:
    aspects: dict[str, Json] = {
        "method": operation.method,
        "path": operation.path,
        **({} if operation.deprecated is None else {"deprecated": operation.deprecated}),
        "handler": operation.handler,
        "framework": operation.framework,
        "statuses_complete": operation.statuses_complete,
        "parameters_complete": operation.parameters_complete,
        "in_schema": operation.in_schema,
    }
    if operation.read_by_hand and not operation.parameters_complete:
        aspects["read_by_hand"] = operation.read_by_hand
    if operation.sent_as:
        aspects["of"] = operation.of
    if operation.open:
        aspects["open"] = operation.open
    if operation.under:
        aspects["under"], aspects["doubts"] = operation.under, operation.doubts
    if operation.application:
        aspects["application"] = operation.application
    if operation.taken:
        aspects["taken"] = operation.taken
    if operation.guessed:
        aspects["guessed"] = dict(operation.guessed)
    if operation.operation_id is not None:
        aspects["operation_id"] = operation.operation_id
    if operation.tags is not None:
        aspects["tags"] = operation.tags
    if operation.summary:
        aspects["summary"] = operation.summary
    if operation.description:
        aspects["description"] = operation.description
    if operation.security is not None:
        aspects["security"] = operation.security
    if operation.security_schemes:
        aspects["security_schemes"] = operation.security_schemes
    return aspects


def _parameter(parameter: Parameter) -> dict[str, Json]:
    required = {} if parameter.required is None else {"required": parameter.required}
    return {
        "in": parameter.place,
        "name": parameter.name,
        **required,
        "schema": parameter.schema,
        "deprecated": parameter.deprecated,
        **({"by_hand": True} if parameter.by_hand else {}),
        **({"declared": True} if parameter.declared else {}),
        **({"anyway": True} if parameter.anyway else {}),
    }


def _response(response: Response) -> dict[str, Json]:
    aspects: dict[str, Json] = {"status": response.status, "origin": response.origin}
    if response.description:
        aspects["description"] = response.description
    if response.content is not None:
        aspects["content"] = _standing_in(response.content, response.source.path)
    if response.via:
        aspects["via"] = list(response.via)
    if response.exception:
        aspects["exception"] = response.exception
    return aspects


def _standing_in(value: Json, path: str) -> Json:
    """A value whose parts name their file only where it is not this one."""
    if isinstance(value, list):
        return [_standing_in(each, path) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _standing_in(each, path) for key, each in value.items() if not (key == "x-path" and each == path)
    }


def referred(value: Json) -> set[str]:
    """The fact ids of all schemas that a value refers to."""
    found: set[str] = set()
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                found.add(part["$ref"])
            found.update(part.get("x-merged", ()))
            found.update(part.get("x-among", ()))
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
    return found


def _schemas(
    operations: list[Operation],
    models: Models,
    named: dict[str, NamedSchema],
    facts: list[Fact],
    relations: list[Relation],
) -> None:
    used: dict[str, set[str]] = {}
    for direction, roots in (("request", _requests(operations)), ("response", _answers(operations))):
        waiting = sorted(roots)
        while waiting:
            name = waiting.pop().removeprefix(f"{Tag.CODE}:{Kind.SCHEMA}:")
            if name not in named and name in models.classes:
                named[name] = _of_class(name, models)
            if name in named and direction not in used.setdefault(name, set()):
                used[name].add(direction)
                waiting.extend(sorted(referred(named[name].schema)))
    for name in sorted(used.keys() & named.keys()):
        found = list(_schema_facts(named[name], sorted(used[name])))
        facts.extend(found)
        relations.extend(Relation(Verb.CONTAINS, found[0].id, f.id, f.source.line) for f in found[1:])
        for fact in found:
            targets = sorted(referred(fact.aspects["schema"]))
            relations.extend(Relation(Verb.REFERENCES, fact.id, t, fact.source.line) for t in targets)


def _requests(operations: list[Operation]) -> set[str]:
    found: set[str] = set()
    for operation in operations:
        found |= referred([part.schema for part in operation.parameters])
        found |= referred([part.schema for part in operation.bodies])
    return found | _guessed(operations, "request")


def _answers(operations: list[Operation]) -> set[str]:
    found = {ref for operation in operations for r in operation.responses for ref in referred(r.content)}
    return found | _guessed(operations, "response")


def _guessed(operations: list[Operation], side: str) -> set[str]:
    """What an exporter takes one side of an operation for: contracts are held to it under its name."""
    return {operation.guessed[side] for operation in operations if operation.guessed.get(side)}


def _of_class(name: str, models: Models) -> NamedSchema:
    target = models.classes[name]
    program = models.program
    with program.trail() as paths:
        whole = models.whole(target)
        fields = models.fields(target) or []
    place = program.place(target.node, target.scope)
    named = tuple(NamedField(f.name, f.required, f.place) for f in sorted(fields, key=lambda f: f.name))
    return NamedSchema(name, target.node.name, place, whole, named, frozenset(paths))


def _schema_facts(schema: NamedSchema, used: list[str]) -> Iterator[Fact]:
    place, properties = schema.place, schema.schema.get("properties", {})
    yield Fact(
        tag=Tag.CODE,
        kind=Kind.SCHEMA,
        key=schema.key,
        name=schema.name,
        source=place,
        aspects={"schema": {**schema.schema, "x-line": place.line}, "used_in": used},
        sources=tuple(sorted(schema.sources - {place.path})),
    )
    for found in schema.fields:
        if found.name in properties:
            yield Fact(
                tag=Tag.CODE,
                kind=Kind.FIELD,
                key=f"{schema.key}.{found.name}",
                name=found.name,
                source=found.place,
                aspects={"schema": properties[found.name], "required": found.required},
                sources=tuple(sorted({*schema.sources, place.path} - {found.place.path})),
            )
