"""Which fields of an object requests and answers show, and which of them answers always have."""

from __future__ import annotations

from collections.abc import Iterable

from crossval.compare.components import Components, Node, own_types
from crossval.compare.differences import (
    default_required_difference,
    promptness_difference,
    required_difference,
)
from crossval.compare.sites import Site
from crossval.compare.stated import (
    Needs,
    document_of,
    leaves_defaults_optional,
    names_read_only,
    requires_read_only,
)
from crossval.pairs import Difference, Direction
from graph.facts import Fact, Tag
from graph.schemas import is_unknown


class ShownFields:
    """Reads what both sides say of who sees a field; `facts` tell how their documents usually say it."""

    def __init__(self, known: Components, facts: Iterable[Fact]) -> None:
        facts = list(facts)
        self._known = known
        self._defaults_optional = leaves_defaults_optional(facts)
        self._read_only_told = {document_of(fact) for fact in facts if names_read_only(fact)}
        self._answers_stated = {document_of(fact) for fact in facts if requires_read_only(fact)}

    def states(self, node: Node, keyword: str) -> bool:
        """Whether a field, or the named schema that it refers to, has a keyword."""
        return bool(node.schema.get(keyword) or self._known.resolved(node).schema.get(keyword))

    def tells_read_only(self, spec: Node) -> bool:
        """Whether a contract says of other fields that only answers have them: to leave it out says something then."""
        return document_of(spec.fact) in self._read_only_told

    def hides(self, node: Node, site: Site) -> bool:
        """Whether a side does not show a field in the direction of a site."""
        if node.schema.get("x-hidden") is True:
            return True
        if site.setting.flow is not Direction.RESPONSE:
            return self.states(node, "readOnly")
        return self.states(node, "writeOnly") or (node.fact.tag is Tag.CODE and _may_be_absent(node))

    def is_written(self, spec: Node, site: Site) -> bool:
        """Whether a contract writes a field that only answers have into a schema which no answer uses: what it says
        of the field there is compared, since it says it nowhere else."""
        used = spec.component.aspects.get("used_in") if spec.component is not None else None
        return (
            used == ["request"]
            and site.setting.flow is not Direction.RESPONSE
            and spec.schema.get("readOnly") is True
        )

    def _filled_in(self, spec: Node, code: Node, site: Site) -> bool:
        """Whether answers that the code makes by itself hold a field which the class fills in, with null say: a
        contract by hand that leaves it optional means the same, as does one that lets it be null as well."""
        if site.setting.declared:
            return False
        filled = "default" in code.schema or "required" in code.schema.get("x-implied", ())
        return filled or any(
            "null" in (own_types(self._known.resolved(n).schema) or ()) for n in (spec, code)
        )

    def answered(self, site: Site, spec: Node, code: Node, needs: Needs) -> list[Difference]:
        """How both sides differ in whether answers always have a field that both name."""
        absent = _may_be_absent(code) and not is_unknown(code.schema)
        found = list(required_difference(needs.spec and absent, False, site.setting))
        closed = self.states(code, "readOnly")
        found += promptness_difference(
            needs.spec,
            (needs.code or code.schema.get("x-answered") is True) and not self._filled_in(spec, code, site),
            site.setting,
            stated=document_of(spec.fact) in self._answers_stated if closed else needs.stated,
            whole=needs.whole,
        )
        kept = code.schema.get("x-always") is True and code.schema.get("x-answered") is not True
        if needs.spec and not needs.code and kept and not closed:
            found += default_required_difference(document_of(spec.fact) in self._defaults_optional)
        return found


def _may_be_absent(field: Node) -> bool:
    """Whether answers may lack a field of a class; the fields that always come are marked."""
    return field.component is not None and field.schema.get("x-always") is not True
