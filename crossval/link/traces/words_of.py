"""Facts as words: the passages and artifacts of a project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crossval.link.traces.passages import Artifact, Passage
from graph.facts import Fact, Json, Kind, Tag, Verb
from graph.source import FactSource

_DEFINITIONS = frozenset({Kind.FUNCTION, Kind.CLASS, Kind.ATTRIBUTE, Kind.FIELD, Kind.SCHEMA, Kind.OPERATION})
_DOES = {
    "GET": "get see view show list find read",
    "POST": "add create place submit send new",
    "PUT": "change update replace edit",
    "PATCH": "change update edit",
    "DELETE": "delete remove cancel",
}
"""What people call what a method of HTTP does (RFC 9110, section 9.3)."""

_NARROWS = "narrow filter only by"
"""What people call what a parameter of a query does that neither pages nor sorts."""

_SORTING = frozenset({"sort", "sort_by", "order", "order_by", "ordering"})
_PAGING = frozenset({"limit", "offset", "page", "page_size", "per_page", "cursor"})
_LIMITS = (
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "enum",
    "format",
)
_ALSO_OF_CONTRACTS = frozenset({Kind.OPERATION, Kind.PARAMETER, Kind.FIELD, Kind.SCHEMA})
_LOCAL = ".<locals>."
_VERSION = re.compile(r"~\d+$")
_HOLE = re.compile(r"\{[^{}]*\}")


def passages(source: FactSource) -> list[Passage]:
    """The criteria, and the stories that have none."""
    stories = {fact.id: fact for fact in source.facts(tag=Tag.SPEC, kinds={Kind.STORY})}
    parents = {r.second: stories[r.first] for r in source.relations({Verb.CONTAINS}) if r.first in stories}
    told = {parent.id for parent in parents.values()}
    found = []
    for criterion in source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION}):
        story = parents.get(criterion.id)
        text = _sentences(criterion, ("title", "text", "given", "when", "then", "rule"))
        found.append(Passage(criterion.id, text, text.partition("\n")[0], _narrative(story) if story else ""))
    for story in stories.values():
        if story.id not in told:
            found.append(Passage(story.id, _narrative(story), str(story.aspects.get("title") or "")))
    return found


def _narrative(story: Fact) -> str:
    return _sentences(story, ("title", "want", "benefit"))


def _sentences(fact: Fact, aspects: Iterable[str]) -> str:
    values = (fact.aspects.get(aspect) for aspect in aspects)
    said = (
        "\n".join(map(str, value)) if isinstance(value, list) else str(value) for value in values if value
    )
    return "\n".join(dict.fromkeys(said))


class Code:
    """The definitions, operations and tests of a project, as artifacts.

    An operation of the contract and the one of the code that has the same method and path are one artifact;
    `others` tells which further facts an artifact stands for.
    """

    def __init__(self, source: FactSource) -> None:
        self.others: dict[str, list[str]] = {}
        self._facts = {
            fact.id: fact
            for fact in source.facts(kinds=_DEFINITIONS | {Kind.PARAMETER, Kind.TEST})
            if fact.tag is not Tag.SPEC or fact.kind in _ALSO_OF_CONTRACTS
        }
        self._by_key: dict[str, list[str]] = {}
        for identifier in self._facts:
            tag, _, key = identifier.split(":", 2)
            self._by_key.setdefault(f"{tag}:*:{key}", []).append(identifier)
        self._targets: dict[str, list[str]] = {}
        for relation in source.relations({Verb.CALLS, Verb.HANDLED_BY, Verb.INHERITS, Verb.REFERENCES}):
            self._targets.setdefault(relation.first, []).append(relation.second)
        modules = source.facts(tag=Tag.TEST, kinds={Kind.MODULE})
        self._test_files = {fact.source.path: fact for fact in modules if fact.source}
        self._members: dict[str, list[str]] = {}
        for relation in source.relations({Verb.CONTAINS}):
            self._members.setdefault(relation.first, []).append(relation.second)

    def definitions(self) -> list[Artifact]:
        """Operations, functions, classes, constants and fields."""
        return [*self.operations(), *self._symbols()]

    def operations(self) -> list[Artifact]:
        """Operations alone; what contract and code tell of one is one artifact."""
        return list(self._operations())

    def tests(self) -> list[Artifact]:
        """Test functions."""
        return [self._test(fact) for fact in self._facts.values() if fact.kind is Kind.TEST]

    def _operations(self) -> Iterator[Artifact]:
        alike: dict[tuple[str, str], list[Fact]] = {}
        for fact in self._facts.values():
            if fact.kind is Kind.OPERATION:
                method, path = str(fact.aspects.get("method")), str(fact.aspects.get("path"))
                alike.setdefault((method, _HOLE.sub("{}", path).rstrip("/")), []).append(fact)
        for (method, path), facts in alike.items():
            first, *more = sorted(facts, key=lambda fact: (fact.tag is Tag.SPEC, fact.id))
            if more:
                self.others[first.id] = [fact.id for fact in more]
            handlers = [h for fact in facts for h in self._used(fact)]
            handled = [self._facts[h] for h in handlers if h in self._facts]
            fields = list(self._fields_of(facts))
            named = [fact.aspects.get("operation_id") or "" for fact in facts]
            said = [_said(f, ("summary", "description")) for f in facts] + [_documented(f) for f in handled]
            yield Artifact(
                first.id,
                name=" ".join((*named, *(f.name.rpartition(".")[2] for f in handled))),
                place=path.replace("/", " "),
                symbols=" ".join(
                    dict.fromkeys((*self._parts_of(facts), *(f.rpartition(".")[2] for f in fields)))
                ),
                comments=" ".join((*said, *self._limits_of(facts), _DOES.get(method, ""))),
                uses=(*handlers, *fields),
            )

    def _parts_of(self, operations: list[Fact]) -> Iterator[str]:
        for fact in operations:
            for member in self._members.get(fact.id, ()):
                if ":parameter:" in member:
                    yield _parameter(member)

    def _limits_of(self, operations: list[Fact]) -> Iterator[str]:
        """The bounds, defaults and statuses that an operation's parameters and answers state."""
        for fact in operations:
            for member in self._members.get(fact.id, ()):
                if ":response:" in member:
                    yield member.rpartition("#")[2]
                elif member in self._facts:
                    yield _limits(self._facts[member])

    def _fields_of(self, operations: list[Fact]) -> Iterator[str]:
        """The fields of what an operation takes and gives, by id."""
        for fact in operations:
            for member in (fact.id, *self._members.get(fact.id, ())):
                for schema in self._targets.get(member, ()):
                    yield from self._members.get(schema, ())

    def _symbols(self) -> Iterator[Artifact]:
        for fact in self._facts.values():
            if fact.tag is not Tag.CODE or _LOCAL in fact.key or _VERSION.search(fact.key):
                continue
            if fact.kind is Kind.FUNCTION:
                yield self._function(fact)
            elif fact.kind is Kind.CLASS:
                yield self._class(fact)
            elif fact.kind is Kind.ATTRIBUTE and not fact.name.startswith("_"):
                if f"code:field:{fact.key}" not in self._facts:
                    body = _values(fact, ("annotation", "value"))
                    yield Artifact(fact.id, _last(fact), _place(fact), body=body, acts=False)
            elif fact.kind is Kind.FIELD:
                yield Artifact(fact.id, _last(fact), _place(fact), comments=_limits(fact), acts=False)

    def _function(self, fact: Fact) -> Artifact:
        used = self._used(fact)
        parameters = " ".join(str(each[0]) for each in fact.aspects.get("parameters", ()))
        defaults = " ".join(str(each[3]) for each in fact.aspects.get("parameters", ()) if each[3])
        raised = " ".join(str(each[0]) for each in fact.aspects.get("raises", ()))
        called = " ".join(each.rpartition(".")[2] for each in self._targets.get(fact.id, ()))
        said = f"{_documented(fact)} {' '.join(fact.aspects.get('comments', ()))}"
        words = (_last(fact), parameters, said, defaults, raised, called, _values(fact, ("decorators",)))
        return Artifact(
            fact.id, _last(fact), _place(fact), parameters, said, " ".join((*words, _place(fact))), used
        )

    def _class(self, fact: Fact) -> Artifact:
        members = " ".join(each.rpartition(".")[2] for each in self._members.get(fact.id, ()))
        said, used = _documented(fact), self._used(fact)
        return Artifact(fact.id, _last(fact), _place(fact), members, said, uses=used, acts=False)

    def _test(self, fact: Fact) -> Artifact:
        path, _, name = fact.key.partition("::")
        asked = " ".join(str(each[1]) for each in fact.aspects.get("requests", ()))
        asserted = " ".join(str(each[0]) for each in fact.aspects.get("asserts", ()))
        called = " ".join(each.rpartition(".")[2] for each in self._targets.get(fact.id, ()))
        place = path.rpartition("/")[2].removesuffix(".py").removeprefix("test_")
        words = name.replace("::", " ").replace("test_", " ").replace("Test", " ")
        body = f"{words} {place} {asked.replace('/', ' ')} {asserted} {called} {_documented(fact)}"
        said, used = _documented(fact), self._used(fact)
        around = self._around(path, name)
        return Artifact(fact.id, words.replace("_", " "), place, called, said, body, used, around=around)

    def _around(self, path: str, name: str) -> str:
        """What the docstrings of a test's module and classes say."""
        file = self._test_files.get(path)
        if file is None:
            return ""
        parts, told = name.split("::"), file.aspects.get("told") or {}
        return " ".join(str(told.get(".".join(parts[:size])) or "") for size in range(len(parts)))

    def _used(self, fact: Fact) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for target in self._targets.get(fact.id, ()):
            for each in self._by_key.get(target, (target,)):
                if each in self._facts and each != fact.id:
                    found[each] = None
        return tuple(found)


def _parameter(identity: str) -> str:
    """The name of an operation's parameter, and what people call what it is for."""
    place, _, name = identity.rpartition("#")[2].partition(".")
    if name in _PAGING:
        return f"{name} page"
    if name in _SORTING:
        return f"{name} sort order"
    return f"{name} {_NARROWS}" if place == "query" else name


def _last(fact: Fact) -> str:
    return fact.key.rpartition(".")[2]


def _place(fact: Fact) -> str:
    """The last two parts of where a definition lies: its class, its module."""
    return " ".join(fact.key.split(".")[-3:-1])


def _limits(fact: Fact) -> str:
    schema = fact.aspects.get("schema")
    if not isinstance(schema, dict):
        return ""
    return " ".join(str(schema[each]) for each in _LIMITS if each in schema)


def _said(fact: Fact, aspects: Iterable[str]) -> str:
    return " ".join(str(fact.aspects[aspect]) for aspect in aspects if fact.aspects.get(aspect))


def _documented(fact: Fact) -> str:
    """All that a docstring or a comment says."""
    return " ".join(_texts(fact.aspects.get("doc")))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            if name != "claims":
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _values(fact: Fact, aspects: Iterable[str]) -> str:
    return " ".join(_text for aspect in aspects for _text in _texts(fact.aspects.get(aspect)))
