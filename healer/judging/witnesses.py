"""What specs say now about names of the code: stubs, docstrings, stories, and what a test cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from graph.facts import Fact, Json, Kind, Tag, Verb
from graph.store.store import Store
from healer.reading.world import World

_NUMBER = re.compile(r"~\d+")
_ROLE = r":(?:py:)?(?:exc|class):`[~.]*(?P<{}>[\w.]+)`"
_RAISED = re.compile(
    rf"(?:(?P<denied>not|never|no longer)\s+)?raises?\s+(?:an?\s+)?{_ROLE.format('raises')}"
    rf"|{_ROLE.format('is_raised')}\s+(?:is|will be)\s+raised",
    re.IGNORECASE,
)
_STORIES = frozenset({Kind.STORY, Kind.CRITERION})


class Witnesses:
    """Looks up what is said about names; `now` maps dotted names then to those now, `world` is the code of now."""

    def __init__(self, store: Store, now: Mapping[str, str]) -> None:
        self.store = store
        self.world = World(self.named)
        self._now = now
        self._known: dict[str, list[Fact]] = {}
        self._files: dict[str, list[Fact]] | None = None

    def now(self, name: str) -> str:
        """The name that something has now: its own, or that of what it lies in, went elsewhere."""
        head, tail = name, ""
        while head:
            if head in self._now:
                return self._now[head] + tail
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
        return name

    def is_kept(self, name: str) -> bool:
        """Whether the code still has something under the name of what has another one now, and nothing else took it."""
        holder, _, last = name.rpartition(".")
        is_there = self.code(name) is not None or bool(self.world.member(holder, last))
        return is_there and name in self._now and name not in self._now.values()

    def facts(self, name: str) -> list[Fact]:
        """The facts of this name, all its overloads."""
        name = plain(name)
        if name not in self._known:
            found = self._known[name] = self.store.by_key(name)
            number = 2
            while more := self.store.by_key(f"{name}~{number}"):
                found += more
                number += 1
        return self._known[name]

    def named(self, identifier: str) -> Fact | None:
        """The fact that has an id; `None` where there is none, or several."""
        found = self.store.named(identifier)
        return found[0] if len(found) == 1 else None

    def specs(self, name: str) -> list[Fact]:
        """What specs say of something under this very name."""
        return [fact for fact in self.facts(name) if fact.tag is Tag.SPEC]

    def unmet(self, name: str) -> list[Fact]:
        """What specs define by the last part of this name, wherever, and the code has not: the name may be exported
        from elsewhere than where it is defined. Members count in classes of the same name only."""
        *_, holder, last = ("", *plain(name).split("."))
        return [
            fact
            for fact in self._specified.get(last, ())
            if (not (owner := self._owner(fact)) or owner == holder) and self.code(plain(fact.key)) is None
        ]

    def _owner(self, fact: Fact) -> str:
        """The last name of the class that a spec's definition is a member of; empty for one of a module."""
        holder = plain(fact.key).rpartition(".")[0]
        is_member = any(each.kind is Kind.CLASS for each in self.facts(holder))
        return holder.rpartition(".")[2] if is_member else ""

    def code(self, name: str) -> Fact | None:
        """The definition of this name, the last one where there are several; `None` where there is none."""
        return next((fact for fact in reversed(self.facts(name)) if fact.tag is Tag.CODE), None)

    def has_member(self, name: str) -> bool:
        """Whether any class of the code has a member of this name now."""
        return name in self._members

    def about(self, name: str) -> list[Fact]:
        """What specs say of something, under its name then or now; a documented definition is a spec too."""
        found: dict[str, Fact] = {}
        for each in dict.fromkeys((name, self.now(name))):
            for fact in self.facts(each):
                if fact.tag is Tag.SPEC or (fact.tag is Tag.CODE and "doc" in fact.aspects):
                    found[fact.id] = fact
        return list(found.values())

    def inherited(self, name: str) -> list[Fact]:
        """What specs say of the methods that a method stands for in the bases of its class, which it is to keep; of a
        class, of what a call of it runs."""
        now = plain(self.now(name))
        owner, _, last = now.rpartition(".")
        if now in self.classes:
            return self.about(f"{now}.__init__")
        bases = self.world.lineage(owner)[1:] if owner in self.classes else []
        return [fact for base in bases for fact in self.about(f"{base}.{last}")]

    def is_only(self, ending: str) -> bool:
        """Whether one definition of the code has a dotted name that ends so, and no other."""
        found = self._coded.get(ending.rpartition(".")[2], frozenset())
        return sum(name == ending or name.endswith(f".{ending}") for name in found) == 1

    def defines(self, callee: str) -> bool:
        """Whether the code has what a message calls so, a class for what makes one: `shop.<locals>.Cart.add`."""
        *_, holder, last = ("", *callee.replace("<locals>.", "").split("."))
        if last in ("__init__", "__new__"):
            return bool(self._coded.get(holder))
        found = self._coded.get(last, frozenset())
        return any(not holder or name.endswith(f".{holder}.{last}") for name in found)

    def in_file(self, path: str) -> list[Fact]:
        """The functions that a file of the code defines."""
        facts = self.store.facts(tag=Tag.CODE, kinds={Kind.FUNCTION})
        if self._files is None:
            self._files = {}
            for fact in facts:
                self._files.setdefault(fact.source.path, []).append(fact)
        return self._files.get(path, [])

    def around(self, path: str, line: int) -> Fact | None:
        """The innermost function of the code around a line."""
        found = [
            fact
            for fact in self.in_file(path)
            if fact.source.line <= line <= (fact.source.end_line or fact.source.line)
        ]
        return max(found, key=lambda fact: fact.source.line, default=None)

    def mentions(self, name: str) -> list[Fact]:
        """Stories and criteria that name this: dotted, or marked as a name."""
        last = name.rpartition(".")[2]
        marked = re.compile(
            rf"(?<![\w.]){re.escape(name)}(?!\w)|`(?:[\w.]*\.)?{re.escape(last)}(?:\(.*?\))?`"
        )
        return [fact for fact, text in self._stories if marked.search(text)]

    def cited(self, node: str) -> list[Fact]:
        """The spec facts that a test cites by its markers, docstring and comments."""
        key = node.partition("[")[0]
        found: dict[str, Fact] = {}
        for fact in self.store.by_key(key):
            for relation in self.store.relations_of(fact) if fact.kind is Kind.TEST else ():
                if relation.verb is Verb.VERIFIES and relation.first == fact.id:
                    found.update((each.id, each) for each in self.store.named(relation.second))
        return list(found.values())

    @cached_property
    def raised_anywhere(self) -> frozenset[str]:
        """The last names of all exceptions that the code raises or names where it raises."""
        facts = self.store.facts(tag=Tag.CODE, kinds={Kind.FUNCTION, Kind.MODULE})
        return frozenset(
            str(row[0]).rpartition(".")[2] for fact in facts for row in fact.aspects.get("raises") or ()
        )

    @cached_property
    def exemplified(self) -> tuple[Fact, ...]:
        """The definitions of specs and code whose docstring has examples, and the pages that have."""
        kinds = {Kind.FUNCTION, Kind.CLASS}
        pages = {*kinds, Kind.PAGE}
        found = (*self.store.facts(tag=Tag.CODE, kinds=kinds), *self.store.facts(tag=Tag.SPEC, kinds=pages))
        return tuple(fact for fact in found if doc(fact).get("examples") or doc(fact).get("shown"))

    @cached_property
    def classes(self) -> frozenset[str]:
        """The names of all classes of the code."""
        return frozenset(fact.key for fact in self.store.facts(tag=Tag.CODE, kinds={Kind.CLASS}))

    @cached_property
    def _specified(self) -> dict[str, list[Fact]]:
        kinds = {Kind.CLASS, Kind.FUNCTION, Kind.ATTRIBUTE}
        found: dict[str, list[Fact]] = {}
        for fact in self.store.facts(tag=Tag.SPEC, kinds=kinds):
            found.setdefault(plain(fact.key).rpartition(".")[2], []).append(fact)
        return found

    @cached_property
    def _coded(self) -> dict[str, frozenset[str]]:
        """The names of the functions and classes of the code, by their last parts."""
        found: dict[str, set[str]] = {}
        for fact in self.store.facts(tag=Tag.CODE, kinds={Kind.CLASS, Kind.FUNCTION}):
            found.setdefault(plain(fact.key).rpartition(".")[2], set()).add(plain(fact.key))
        return {last: frozenset(names) for last, names in found.items()}

    @cached_property
    def _members(self) -> frozenset[str]:
        kinds = {Kind.FUNCTION, Kind.ATTRIBUTE}
        facts = self.store.facts(tag=Tag.CODE, kinds=kinds)
        return frozenset(fact.name for fact in facts if fact.key.rpartition(".")[0] in self.classes)

    @cached_property
    def _stories(self) -> list[tuple[Fact, str]]:
        found = []
        for fact in self.store.facts(tag=Tag.SPEC, kinds=_STORIES):
            told = [fact.aspects.get(each) for each in ("text", "title", "want", "given", "when", "then")]
            texts = [
                "\n".join(map(str, each)) if isinstance(each, list) else str(each or "") for each in told
            ]
            found.append((fact, "\n".join(texts)))
        return found


def plain(key: str) -> str:
    """The name of a definition, without the number of its overload."""
    return _NUMBER.sub("", key)


def doc(fact: Fact) -> dict[str, Json]:
    """The sections of a definition's docstring; empty without one."""
    found = fact.aspects.get("doc")
    return found if isinstance(found, dict) else {}


def words(fact: Fact) -> str:
    """All that a docstring says in prose."""
    sections = doc(fact)
    parts = [str(sections.get("summary") or ""), str(sections.get("returns") or "")]
    parts += [f"{name}: {text}" for name, text in (sections.get("params") or {}).items()]
    parts += [f"{row[0]}: {row[1]}" for row in sections.get("raises") or ()]
    parts += [str(claim.get("words") or "") for claim in fact.aspects.get("claims") or ()]
    return "\n".join(parts)


def raised(fact: Fact) -> dict[str, str]:
    """The exceptions that a docstring or claim says are raised, by their last names, with the words.

    In sentences of docstrings only what is marked as an exception or a class counts beside claims.
    """
    found = {str(row[0]).rpartition(".")[2]: str(row[1]) for row in doc(fact).get("raises") or ()}
    for claim in fact.aspects.get("claims") or ():
        if claim.get("kind") == "raises" and not claim.get("negated") and claim.get("value"):
            values = claim["value"] if isinstance(claim["value"], list) else [claim["value"]]
            for value in values:
                found.setdefault(str(value).rpartition(".")[2], str(claim.get("words") or ""))
    for told in _RAISED.finditer(str(doc(fact).get("summary") or "")):
        name = told["raises"] or told["is_raised"]
        if name and not told["denied"]:
            found.setdefault(name.rpartition(".")[2], " ".join(told[0].split()))
    return found


def rows(fact: Fact) -> Iterator[tuple[str, str, str | None]]:
    """The parameters that a stub or definition lists: name, kind, default."""
    for row in fact.aspects.get("parameters") or ():
        yield str(row[0]), str(row[1]), row[3]
