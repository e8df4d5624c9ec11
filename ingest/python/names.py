"""Which definitions a dotted name may mean where it is used, as far as its file alone can tell."""

from __future__ import annotations

from graph.facts import Kind
from ingest.python.imports import Imports
from ingest.python.scopes import Scope, Scopes

_MAXIMUM_BASES = 64


class Names:
    """Looks names up the way Python does: function scopes outwards, then the module; classes only by their name."""

    def __init__(self, scopes: Scopes, imports: Imports, attributes: set[str]) -> None:
        self._members, self._module = scopes.members, scopes.module
        self._imported = imports.bindings
        self._attributes = attributes
        self._found: dict[tuple[Scope, str], Scope | None] = {}
        self._lineages: dict[Scope, list[Scope]] = {}
        # Most names that are called are builtins or variables: one look tells.
        self._known = {name for _, name in (*self._members, *self._imported)} | attributes
        self._known.update(scope.receiver for scope in scopes.all)

    def resolve(self, scope: Scope, dotted: str) -> list[str]:
        """The qualified names that `dotted` may mean within `scope`; empty where the file does not tell."""
        if dotted.startswith("super()."):
            return self._of_base(scope, dotted.removeprefix("super()."))
        root, _, rest = dotted.partition(".")
        if root not in self._known:
            return []
        holder: Scope | None = scope
        while holder is not None:
            if holder.kind is Kind.FUNCTION:
                if root == holder.receiver and holder.parent is not None:
                    return self._of_class(holder.parent, rest)
                if root in holder.outside:
                    holder = holder.parent
                    continue
                if root in holder.bound:
                    return []
            elif holder.kind is Kind.CLASS and holder is not scope:
                holder = holder.parent
                continue
            answer = self._in(holder, root, rest)
            if answer is not None:
                return answer
            holder = holder.parent
        return []

    def method(self, owner: Scope, name: str) -> Scope | None:
        """The definition of this name in a class or, following bases within the file, in the first base that has it."""
        key = owner, name
        if key not in self._found:
            self._found[key] = next(
                (self._members[base, name] for base in self.lineage(owner) if (base, name) in self._members),
                None,
            )
        return self._found[key]

    def lineage(self, owner: Scope) -> list[Scope]:
        """A class and its bases as far as the file defines them, nearest first."""
        if owner in self._lineages:
            return self._lineages[owner]
        lineage, waiting = [owner], [owner]
        while waiting and len(lineage) < _MAXIMUM_BASES:
            current = waiting.pop(0)
            for base in current.bases:
                found = self.definition(current.parent or self._module, base)
                if found is not None and found.kind is Kind.CLASS and found not in lineage:
                    lineage.append(found)
                    waiting.append(found)
        self._lineages[owner] = lineage
        return lineage

    def definition(self, scope: Scope, name: str) -> Scope | None:
        """The definition in this file that a plain name means within `scope`, if it can mean nothing else."""
        holder: Scope | None = scope
        while holder is not None:
            if holder.kind is not Kind.CLASS or holder is scope:
                if name in holder.bound or (holder, name) in self._imported:
                    return None
                if (holder, name) in self._members:
                    return self._members[holder, name]
            holder = holder.parent
        return None

    def _in(self, holder: Scope, root: str, rest: str) -> list[str] | None:
        """What a name means if this scope binds it; None where it does not."""
        targets = [
            f"{target}.{rest}" if rest else target for target in self._imported.get((holder, root), ())
        ]
        known = bool(targets)
        defined = self._members.get((holder, root))
        if defined is not None:
            known = True
            targets += self._within(defined, rest)
        elif not known and holder is self._module and root in self._attributes:
            return [f"{holder.qualified}.{root}"] if not rest else []
        return targets if known else None

    def _within(self, defined: Scope, rest: str) -> list[str]:
        if not rest:
            return [defined.qualified]
        if defined.kind is not Kind.CLASS:
            return []
        first, _, further = rest.partition(".")
        member = self.method(defined, first)
        return self._within(member, further) if member is not None else []

    def _of_class(self, owner: Scope, rest: str) -> list[str]:
        """What `self.rest` means in a method of this class."""
        if not rest or "." in rest:
            return []
        member = self.method(owner, rest)
        return [member.qualified] if member is not None else []

    def _of_base(self, scope: Scope, name: str) -> list[str]:
        """What `super().name` means in a method."""
        owner = scope.parent
        if owner is None or owner.kind is not Kind.CLASS:
            return []
        for base in self.lineage(owner)[1:]:
            if (base, name) in self._members:
                return [self._members[base, name].qualified]
        return []
