"""One plain English sentence per fact, made of its aspects alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graph.facts import Fact, Json, Kind, Tag


def statement(fact: Fact) -> str:
    """What the fact says, as one sentence that ends with a full stop."""
    return _SENTENCES[fact.kind](fact).rstrip(". ") + "."


def without_key(fact: Fact) -> str:
    """The statement of a fact whose key stands before it already: `is a function that takes (percent)`."""
    return statement(fact).removeprefix(f"{fact.key} ")


def _operation(fact: Fact) -> str:
    handler = fact.aspects.get("handler")
    summary = fact.aspects.get("summary")
    deprecated = " (deprecated)" if fact.aspects.get("deprecated") else ""
    if fact.tag is Tag.SPEC:
        return f"The contract offers {fact.key}{deprecated}" + (f": {summary}" if summary else "")
    return f"The code answers {fact.key}{deprecated}" + (f" with {handler}" if handler else "")


def _callback(fact: Fact) -> str:
    caused = f" after {fact.aspects['of']}" if fact.aspects.get("of") else ""
    who = (
        "The contract says that the service sends"
        if fact.tag is Tag.SPEC
        else "The code declares that it sends"
    )
    return f"{who} {fact.key}{caused}"


def _parameter(fact: Fact) -> str:
    operation, _, place = fact.key.partition("#")
    if "in" not in fact.aspects:
        return f"{operation} takes the argument {place}"
    need = "requires" if fact.aspects.get("required") else "accepts"
    where = fact.aspects["in"]
    kind = _type(fact.aspects.get("schema"))
    return f"{operation} {need} the {where} parameter {fact.name}{kind}"


def _body(fact: Fact) -> str:
    operation, _, _ = fact.key.partition("#")
    need = "requires" if fact.aspects.get("required") else "accepts"
    return f"{operation} {need} a body of {fact.aspects.get('media_type')}{_type(fact.aspects.get('schema'))}"


def _response(fact: Fact) -> str:
    operation, _, status = fact.key.partition("#")
    because = {
        "raised": f" by raising {fact.aspects.get('exception') or 'an exception'}",
        "framework": " by the framework itself",
    }.get(str(fact.aspects.get("origin")), "")
    description = fact.aspects.get("description")
    return f"{operation} can answer {status}{because}" + (f": {description}" if description else "")


def _schema(fact: Fact) -> str:
    schema = fact.aspects.get("schema")
    fields = list(schema.get("properties", {})) if isinstance(schema, dict) else []
    return f"{fact.key} is a schema" + (f" with the fields {', '.join(fields)}" if fields else _type(schema))


def _field(fact: Fact) -> str:
    owner, _, name = fact.key.rpartition(".")
    need = "a required" if fact.aspects.get("required") else "an optional"
    return f"{owner} has {need} field {name}{_type(fact.aspects.get('schema'))}"


def _type(schema: Json) -> str:
    if not isinstance(schema, dict):
        return ""
    if "$ref" in schema:
        return f" of schema {str(schema['$ref']).split(':', 2)[-1]}"
    kind = schema.get("type")
    if not kind:
        return ""
    return f" of type {' or '.join(kind) if isinstance(kind, list) else kind}"


def _module(fact: Fact) -> str:
    what = "package" if fact.aspects.get("package") else "module"
    return f"{fact.key} is a {what}{_documented(fact)}"


def _class(fact: Fact) -> str:
    bases = fact.aspects.get("bases") or []
    return (
        f"{fact.key} is a class" + (f" derived from {', '.join(bases)}" if bases else "") + _documented(fact)
    )


def _function(fact: Fact) -> str:
    names = ", ".join(str(parameter[0]) for parameter in fact.aspects.get("parameters", []))
    kind = fact.aspects.get("kind", "function")
    adjective = "an async " if fact.aspects.get("async") else "a "
    returns = fact.aspects.get("returns")
    gives = f" and returns {returns}" if returns else ""
    return f"{fact.key} is {adjective}{kind} that takes ({names}){gives}{_documented(fact)}"


def _attribute(fact: Fact) -> str:
    annotation, value = fact.aspects.get("annotation"), fact.aspects.get("value")
    typed = f" of type {annotation}" if annotation else ""
    return f"{fact.key} is an attribute{typed}" + (f" with the value {value}" if value is not None else "")


def _documented(fact: Fact) -> str:
    doc = fact.aspects.get("doc")
    summary = doc.get("summary") if isinstance(doc, dict) else doc
    return f": {summary}" if summary else ""


def _story(fact: Fact) -> str:
    role, want, benefit = (fact.aspects.get(name) for name in ("role", "want", "benefit"))
    if not want:
        return f"{fact.key} is the story {fact.name}"
    # The parts are as people wrote them ("see books", "a map"), so no sentence can be made of them.
    return f"{fact.key}: {role or 'someone'} wants: {want}" + (f"; benefit: {benefit}" if benefit else "")


def _criterion(fact: Fact) -> str:
    told = fact.aspects
    title, text = told.get("title"), str(told.get("text") or fact.name)
    named = f"{fact.key} ({title})" if title and title != text else fact.key
    is_scenario = any(told.get(part) for part in ("given", "when", "then"))
    return f"{named} demands: {'; '.join(_steps(text)) if is_scenario else ' '.join(text.split())}"


def _steps(text: str) -> Iterator[str]:
    """The steps of a scenario without their tables and doc strings."""
    quoted = False
    for line in map(str.strip, text.split("\n")):
        if line == '"""':
            quoted = not quoted
        elif line and not quoted and not line.startswith("|"):
            yield line


def _test(fact: Fact) -> str:
    count = len(fact.aspects.get("asserts", []))
    return f"{fact.key} is a test with {count} assertion{'' if count == 1 else 's'}"


def _commit(fact: Fact) -> str:
    return f"Commit {fact.key[:12]} by {fact.aspects.get('author')}: {fact.aspects.get('subject')}"


def _page(fact: Fact) -> str:
    shown, told = (fact.aspects.get("doc") or {}).get("examples", ()), fact.aspects
    parts = [_counted(len(shown), "line") + " of Python"] if shown else []
    parts += [_counted(len(told["requests"]), "request")] if "requests" in told else []
    parts += (
        [f"the documentation of {_counted(len(told['documents']), 'definition')}"]
        if "documents" in told
        else []
    )
    parts += [_counted(len(told["changes"]), "change") + " of names"] if "changes" in told else []
    return f"{fact.key} shows {', '.join(parts)}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_SENTENCES: dict[Kind, Callable[[Fact], str]] = {
    Kind.OPERATION: _operation,
    Kind.CALLBACK: _callback,
    Kind.PARAMETER: _parameter,
    Kind.BODY: _body,
    Kind.RESPONSE: _response,
    Kind.SCHEMA: _schema,
    Kind.FIELD: _field,
    Kind.MODULE: _module,
    Kind.CLASS: _class,
    Kind.FUNCTION: _function,
    Kind.ATTRIBUTE: _attribute,
    Kind.STORY: _story,
    Kind.CRITERION: _criterion,
    Kind.TEST: _test,
    Kind.COMMIT: _commit,
    Kind.PAGE: _page,
}
