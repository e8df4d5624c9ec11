"""Tells whether two definitions do the same: by their digests, and by undoing in the text of now what moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from graph.facts import Fact, Kind, Tag
from healer.moving.parameters import own_names
from healer.moving.undoing import Text, Undo, combinations

_WORD = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|\b[^\W\d]\w*")
_Read = Callable[[str], str | None]
_AS_IT_IS = (Undo(),)
_ANY_WORD = re.compile(r"\b[^\W\d]\w*")


class Bodies:
    """Compares bodies; `read` gives the text of a file of the project as it is now.

    `was` gives what its text may have been then, and is believed where a body in it has the digest of then. So a body
    that is laid out otherwise is known to be the same.
    """

    def __init__(self, read: _Read, was: _Read = lambda path: None) -> None:
        self._read, self._was = read, was
        self._texts: dict[str, Text | None] = {}
        self._former: dict[str, Text | None] = {}

    def alike(self, before: Fact, after: Fact, names: Mapping[str, str]) -> bool:
        """Whether two bodies are the same but for these names, the definition's own and those of its parameters."""
        undo = Undo({**names, after.name: before.name})
        return self.equal(before, after, combinations(undo, [own_names(before, after)]))

    def equal(self, before: Fact, after: Fact, undos: Sequence[Undo]) -> bool:
        """Whether two bodies are the same when one of these ways of undoing is taken; `False` where nobody knows."""
        if before.tag is not Tag.CODE:
            return _signature(before) == _signature(after)
        body = before.aspects.get("body")
        if body is None or "body" not in after.aspects:
            return False
        if body == after.aspects["body"]:
            return True
        text = self._text(after)
        if text is None:
            return False
        if any(body == each for each in text.digests(after, undos)):
            return True
        then = self._form_then(before)
        return then is not None and any(then == each for each in text.forms(after, undos))

    def size(self, fact: Fact) -> int:
        """How many bytes the body of a definition of now has; 0 where its file cannot be read."""
        text = self._text(fact)
        return text.size(fact) if text is not None else 0

    def names(self, fact: Fact) -> frozenset[str]:
        """The names that stand in the body of a definition of now; none where its file cannot be read."""
        text = self._text(fact)
        return text.names(fact) if text is not None else frozenset()

    def followed(self, before: Fact, after: Fact, name: str) -> bool:
        """Whether a body that is written otherwise than before has this name."""
        return before.aspects.get("body") != after.aspects.get("body") and name in self.names(after)

    def _form_then(self, fact: Fact) -> str | None:
        """The form of a body of then; None where its text is not known to be the one of then."""
        text = self._known(fact, self._former, self._was)
        if text is None or fact.aspects["body"] not in text.digests(fact, _AS_IT_IS):
            return None
        return next(text.forms(fact, _AS_IT_IS), None)

    def _text(self, fact: Fact) -> Text | None:
        return self._known(fact, self._texts, self._read)

    def _known(self, fact: Fact, known: dict[str, Text | None], read: _Read) -> Text | None:
        path = fact.source.path
        if path not in known:
            content = read(path) if path.endswith(".py") else None
            known[path] = Text(path, content, module_of(fact)) if content is not None else None
        return known[path]


def module_of(fact: Fact) -> str:
    """The dotted name of the module that a definition stands in, from its key and its file."""
    parts = list(PurePosixPath(fact.source.path).with_suffix("").parts)
    if parts and parts[-1] == "__init__":
        parts.pop()
    for first in range(len(parts)):
        name = ".".join(parts[first:])
        if fact.key == name or fact.key.startswith(f"{name}."):
            return name
    return fact.key if fact.kind is Kind.MODULE else fact.key.rpartition(".")[0]


def rewritten(text: str, names: Mapping[str, str], *, is_type: bool = False) -> str:
    """An expression's text with other names; what stands in its strings stays, unless these are types."""
    if is_type:
        return _ANY_WORD.sub(lambda found: names.get(found[0], found[0]), text)
    return _WORD.sub(lambda found: found[0] if found[1] else names.get(found[0], found[0]), text)


def unprefixed(text: str, prefixes: frozenset[str]) -> str:
    """An expression's text without these names of modules before others."""
    if not prefixes:
        return text
    names = "|".join(re.escape(each) for each in sorted(prefixes, key=len, reverse=True))
    return re.sub(rf"(?<![\w.])(?:{names})\.(?=\w)", "", text)


def _signature(fact: Fact) -> object:
    rows = [row[:4] for row in fact.aspects.get("parameters", ())]
    told = {
        name: value
        for name, value in fact.aspects.items()
        if name in ("returns", "annotation", "value", "kind")
    }
    return rows, told
