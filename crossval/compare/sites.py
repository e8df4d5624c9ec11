"""Where two schemas meet, and what one walk over them gathers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from crossval.compare.components import Node
from crossval.compare.keywords import Setting
from crossval.pairs import Difference, Pair, Stricter
from graph.facts import Kind, Unknown

ComponentPair: TypeAlias = tuple[str, str, Setting]
"""A named schema of the spec, what it is compared with, and how."""


class Site(msgspec.Struct, frozen=True):
    """Where two schemas meet: the kind of pair, the finding's subject and place, and how to judge there."""

    kind: Kind
    subject: str
    place: str
    name: str
    setting: Setting

    def below(self, step: str, name: str) -> Site:
        """The site of a property (`title`), of items (`[]`) or of other values (`.*`) within this one."""
        stem = self.place or "fields"
        place = stem + step if step[:1] in ("[", ".") else f"{stem}.{step}"
        return msgspec.structs.replace(self, kind=Kind.FIELD, place=place, name=name)


class Walk:
    """What one walk saw: pairs, what stayed unknown, and the pairs of components that it came to."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.unknown: list[Unknown] = []
        self.reached: dict[ComponentPair, None] = {}

    @property
    def differs(self) -> bool:
        """Whether the sides differ anywhere in this walk, components apart."""
        return any(p.differences or p.spec_fact is None or p.code_fact is None for p in self.pairs)

    def meet(self, site: Site, spec: Node, code: Node, found: Iterable[Difference]) -> None:
        """Adds the pair of a place where both sides speak."""
        self._add(site, spec, code, found, spec_speaks=True, code_speaks=True)

    def only_in_spec(self, site: Site, spec: Node, code: Node, *, required: bool) -> None:
        """Adds the pair of a field that the code lacks; `code` is the schema without it."""
        found = [Difference(change="required", spec=required, code=None)]
        self._add(site, spec, code, found, spec_speaks=True, code_speaks=False)

    def only_shown(self, site: Site, spec: Node, code: Node) -> None:
        """Adds the pair of a field that the spec takes in requests, and the code has for answers only."""
        found = [Difference(change="readOnly", spec=False, code=True, stricter=Stricter.CODE)]
        self._add(site, spec, code, found, spec_speaks=True, code_speaks=True)

    def only_in_code(self, site: Site, spec: Node, code: Node, *, required: bool) -> None:
        """Adds the pair of a field that the spec lacks; `spec` is the schema without it."""
        found = [Difference(change="required", spec=None, code=required)]
        if spec.schema.get("additionalProperties") is False:
            found.append(Difference(change="additionalProperties", spec=False, code=None))
        self._add(site, spec, code, found, spec_speaks=False, code_speaks=True)

    def unsettled(self, site: Site, code: Node, reason: str) -> None:
        """Notes that nothing can be said about a place."""
        place = site.place or "exists"
        self.unknown.append(Unknown(site.subject, place, code.path, code.line, reason))

    def _add(
        self,
        site: Site,
        spec: Node,
        code: Node,
        found: Iterable[Difference],
        *,
        spec_speaks: bool,
        code_speaks: bool,
    ) -> None:
        self.pairs.append(
            Pair(
                kind=site.kind,
                subject=site.subject,
                place=site.place,
                name=site.name,
                spec=spec.witness(None if code_speaks else site.name),
                code=code.witness(None if spec_speaks else site.name),
                spec_fact=spec.fact if spec_speaks else None,
                code_fact=code.fact if code_speaks else None,
                direction=site.setting.flow,
                differences=tuple(found),
            )
        )
