"""What aliases of types stand for, wherever defined: `Path = str | bytes`, `Path: TypeAlias = …`, `type Path = …`."""

from __future__ import annotations

from crossval.compare.annotations import UNKNOWN, Annotation, is_type, parse_expression
from crossval.link.names.makers import Definitions, Owners
from graph.facts import Fact, Kind

_MOST_IMPORTS = 4


class Aliases:
    """Tells the types behind the names of one witness's modules; it remembers them."""

    def __init__(self, owners: Owners) -> None:
        self._owners = owners
        self._known: dict[str, Annotation | None] = {}

    def __call__(self, qualified: str) -> Annotation | None:
        """The type that a qualified name is an alias of; None where it is none, or not known to be one.

        What an alias says of itself stays open.
        """
        if qualified not in self._known:
            self._known[qualified] = UNKNOWN
            self._known[qualified] = self._read(qualified)
        return self._known[qualified]

    def _read(self, qualified: str) -> Annotation | None:
        found = self._definition(qualified)
        if found is None:
            return None
        module, fact = found
        text = fact.aspects.get("value")
        if fact.kind is not Kind.ATTRIBUTE or not isinstance(text, str) or fact.aspects.get("guard"):
            return None
        said = fact.aspects.get("annotation")
        marked = isinstance(said, str) and module.scope.resolve(said.strip("\"'")) == "typing.TypeAlias"
        tree = parse_expression(text)
        if (said is not None and not marked) or not is_type(tree, marked=marked):
            return None
        meant = module.scope.annotation(text)
        return None if meant.name == qualified else meant

    def _definition(self, qualified: str) -> tuple[Definitions, Fact] | None:
        """The only definition of a name of a module's top level, wherever it is imported from."""
        for _ in range(_MOST_IMPORTS):
            owner = self._owners.owner(qualified)
            module = self._owners.module(owner[0]) if owner is not None else None
            if owner is None or module is None or not owner[1] or "." in owner[1]:
                return None
            facts = module.definitions.get(owner[1], ())
            if facts:
                return (module, facts[0]) if len(facts) == 1 else None
            imported = module.scope.resolve(owner[1])
            if imported in (qualified, owner[1]):
                return None
            qualified = imported
        return None
