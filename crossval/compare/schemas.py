"""Compares two schemas from a place where they are used: one walk over location, aspect and direction."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from crossval.compare.admitted import Admitted, admits_anything, members, undecidable
from crossval.compare.alternatives import matched, named_alike, settle, tagged_alike, written_alike
from crossval.compare.among import meant
from crossval.compare.components import Components, Node, own_types
from crossval.compare.composed import composed_alike, fields_beside, own_fields, rest
from crossval.compare.differences import null_difference, openness_difference, required_difference
from crossval.compare.keywords import default_difference, keyword_differences, type_difference
from crossval.compare.reach import Reach
from crossval.compare.shown_fields import ShownFields
from crossval.compare.shown_values import shown_differences
from crossval.compare.sites import ComponentPair, Site, Walk
from crossval.compare.stated import (
    Needs,
    admits_null_in_requests,
    document_of,
    patterns_stated,
    requires,
    states_needs_in_answers,
)
from crossval.compare.tags import Tags
from crossval.compare.untyped import may_take_null, settled, unchecked
from crossval.pairs import Difference, Direction, Pair, Stricter
from graph.facts import Fact, Kind, Unknown

_DEEPEST_TRIAL = 8
_LEFT = "it cannot be told which alternative of one side is which of the other"


class SchemaComparison:
    """Compares schemas at many sites; two components are walked once for each direction, however often used."""

    def __init__(self, facts: Iterable[Fact], parameters: Iterable[Fact] = ()) -> None:
        facts = list(facts)
        self.known = Components(facts)
        self._admitted = Admitted(self.known)
        self._null_stated = {document_of(fact) for fact in facts if admits_null_in_requests(fact)}
        self._needs_stated = states_needs_in_answers(facts)
        self._patterns_stated = patterns_stated((*facts, *parameters))
        self._shown = ShownFields(self.known, facts)
        self._queue: list[tuple[ComponentPair, Node, Node]] = []
        self._reach = Reach()
        self._trial_depth = 0

    def compare(
        self, site: Site, spec: Node, code: Node, extra: Iterable[Difference] = ()
    ) -> tuple[list[Pair], list[Unknown]]:
        """The pairs at this site and within it, up to named components, and what could not be known.

        `extra` are differences of the site itself that its owner saw. What lies within named components comes
        from `components`, once for all sites.
        """
        walk = Walk()
        self._visit(walk, site, spec, code, extra)
        self._drain()
        self._reach.add(site.subject, walk.reached)
        affects = (site.subject,)
        return [msgspec.structs.replace(pair, affects=affects) for pair in walk.pairs], walk.unknown

    def components(self) -> tuple[list[Pair], list[Unknown]]:
        """The pairs within all components that were reached, each with the operations that reach it, and what
        could not be known there."""
        return self._reach.told()

    def _drain(self) -> None:
        while self._queue:
            key, spec, code = self._queue.pop()
            assert spec.component is not None, "only named schemas are queued"
            subject = f"schema {spec.component.key}"
            site = Site(Kind.SCHEMA, subject, "", spec.component.name, key[2])
            self._inside(self._reach.walks[key], site, spec, code, (spec, code), ())

    def _visit(
        self,
        walk: Walk,
        site: Site,
        spec_use: Node,
        code_use: Node,
        extra: Iterable[Difference],
        *,
        optional: bool = False,
    ) -> None:
        code_use = meant(self.known, spec_use, code_use, site.setting.flow)
        spec, spec_null, named = self._admitted.without_null(spec_use)
        code, code_null, code_named = self._admitted.without_null(code_use)
        code = msgspec.structs.replace(code, schema=settled(spec.schema, code.schema))
        default = default_difference(spec.schema, code.schema)
        found = [*extra, *([default] if default else [])]
        if spec_null and code.schema.get("type") == "null" and site.setting.flow is Direction.RESPONSE:
            # Null in all answers is one of the values that are promised.
            walk.meet(site, spec_use, code_use, found)
            return
        reason = undecidable(spec.schema, code.schema)
        if reason or admits_anything(spec.schema):
            if reason and (clash := self._admitted.clash(spec, code)):
                found.extend([each] if (each := type_difference(*clash, site.setting.flow)) else [])
            walk.meet(site, spec_use, code_use, found)
            if reason and not self._in_parts(walk, site, spec, code):
                walk.unsettled(site, code_use, reason)
            return
        stated = document_of(spec_use.fact) in self._null_stated
        null = null_difference(spec_null, code_null, site.setting, optional=optional, stated=stated)
        implied = "null" in code.schema.get("x-implied", ()) or (spec_null and may_take_null(code_use.schema))
        hidden = self._admitted.may_admit_null(code if spec_null else spec)
        found.extend([null] if null and not (implied or hidden) else [])
        if not named:
            self._inside(walk, site, spec, code, (spec_use, code_use), found)
            return
        types = self._type_difference(spec, code, site)
        if types and (types.stricter is Stricter.NEITHER or not code_named):
            walk.meet(site, spec_use, code_use, [*found, types])
            return
        walk.meet(site, spec_use, code_use, found)
        self._enter(walk, site, spec, code, code_named=code_named)

    def _enter(self, walk: Walk, site: Site, spec: Node, code: Node, *, code_named: bool) -> None:
        assert spec.component is not None, "only named schemas are reached"
        other = code.fact.id if code_named else f"{code.fact.id} {code.inner} at {site.subject} {site.place}"
        setting = msgspec.structs.replace(site.setting, declared=site.setting.declared or code_named)
        key = (spec.component.id, other, setting)
        walk.reached[key] = None
        if key not in self._reach.walks:
            self._reach.walks[key] = Walk()
            self._queue.append((key, spec, code))

    def _inside(
        self,
        walk: Walk,
        site: Site,
        spec: Node,
        code: Node,
        shown: tuple[Node, Node],
        extra: Iterable[Difference],
    ) -> None:
        if site.setting.flow.value in code.schema.get("x-open", ()):
            walk.meet(site, *shown, extra)
            walk.unsettled(site, code, "the code makes this by hand in one direction")
            return
        types = self._type_difference(spec, code, site)
        found = [*extra, *([types] if types else [])]
        if "anyOf" in spec.schema or "anyOf" in code.schema:
            walk.meet(site, *shown, found)
            if not types:
                settled = self._alternatives(walk, site, spec, code)
                if beside := fields_beside(spec, code, settled=settled):
                    self._properties(walk, site, *beside, self._composed(walk, site, spec, code))
        elif types and types.stricter is Stricter.NEITHER:
            walk.meet(site, *shown, found)
        else:
            found.extend(self._keywords(spec, code, site))
            found.extend(openness_difference(spec.schema, code.schema, site.setting))
            walk.meet(site, *shown, found)
            self._properties(walk, site, spec, code, self._composed(walk, site, spec, code))
            self._items(walk, site, spec, code)

    def _composed(self, walk: Walk, site: Site, spec: Node, code: Node) -> frozenset[str]:
        """Compares the named schemas of one name that both sides are composed of; gives the names of their fields."""
        told: frozenset[str] = frozenset()
        for pair in composed_alike(spec, code):
            (first, _, ours), (second, _, theirs) = map(self._admitted.without_null, pair)
            if ours and theirs:
                self._enter(walk, site, first, second, code_named=True)
                told |= own_fields(first, second)
        return told

    def _in_parts(self, walk: Walk, site: Site, spec: Node, code: Node) -> bool:
        """Compares what both sides are composed of, part by part, and says whether all of it could be compared."""
        told = self._composed(walk, site, spec, code)
        beside = rest(spec, code)
        if beside is None:
            return False
        if beside.plain is not None:
            self._properties(walk, site, *beside.plain, told)
        settle(beside.ours, beside.theirs, lambda first, second: self._agree(site, first, second))
        last = zip(beside.ours, beside.theirs, strict=True) if len(beside.ours) == 1 else ()
        for first, second in (*beside.choices, *last):
            self._alternatives(walk, site, first, second)
        return len(beside.ours) < 2

    def _properties(
        self, walk: Walk, site: Site, spec: Node, code: Node, told: frozenset[str] = frozenset()
    ) -> None:
        """Compares the fields of two objects but those of which was `told` before."""
        promised, offered = spec.schema.get("properties"), code.schema.get("properties")
        if not isinstance(promised, dict):
            self._other_values(walk, site, spec, code)
        elif not isinstance(offered, dict):
            if "object" in (own_types(code.schema) or ()):
                walk.unsettled(site, code, "the code names no fields here")
        else:
            for name, schema in promised.items():
                if name in told:
                    continue
                inner, below = self.known.child(spec, schema, name), site.below(name, name)
                if name in offered:
                    other = self.known.child(code, offered[name], name)
                    elsewhere = document_of(spec.fact) in self._needs_stated
                    self._field(walk, below, inner, other, Needs.of(name, spec, code, elsewhere))
                elif not self._shown.hides(inner, site):
                    self._lacking(walk, below, inner, code, requires(spec, name))
            for name in () if spec.schema.get("additionalProperties") else offered:
                inner = self.known.child(code, offered[name], name)
                if name not in promised and name not in told and not self._shown.hides(inner, site):
                    walk.only_in_code(site.below(name, name), spec, inner, required=requires(code, name))

    def _lacking(self, walk: Walk, site: Site, spec: Node, code: Node, required: bool) -> None:
        whole = site.setting.declared or code.component is not None or code.schema.get("x-complete") is True
        closed = not (code.schema.get("additionalProperties") or code.schema.get("x-partial"))
        if whole and closed:
            walk.only_in_spec(site, spec, code, required=required)
        else:
            walk.unsettled(site, code, "the code may know more fields here than it names")

    def _field(self, walk: Walk, site: Site, spec: Node, code: Node, needs: Needs) -> None:
        """Both sides name the field."""
        if site.setting.flow is Direction.RESPONSE:
            if self._shown.states(spec, "writeOnly"):
                open_to_say = "writeOnly" in code.schema.get("x-implied", ())
                shown = not open_to_say and not self._shown.states(code, "writeOnly")
                change = Difference(change="writeOnly", spec=True, code=False, stricter=Stricter.SPEC)
                walk.meet(site, spec, code, [change] if shown else [])
            else:
                self._visit(walk, site, spec, code, self._shown.answered(site, spec, code, needs))
            return
        if self._shown.states(spec, "readOnly"):
            demanded = needs.code and not self._shown.states(code, "readOnly")
            extra = required_difference(False, demanded, site.setting)
            if self._shown.is_written(spec, site) and not demanded:
                self._visit(walk, site, spec, code, extra)
            else:
                walk.meet(site, spec, code, extra)
            return
        if self._shown.states(code, "readOnly"):
            if self._shown.tells_read_only(spec):
                walk.only_shown(site, spec, code)
            else:
                walk.meet(site, spec, code, ())
            return
        setting = site.setting
        if unchecked(code.schema, "required"):
            setting = msgspec.structs.replace(setting, declared=True)
        implied = "required" in code.schema.get("x-implied", ())
        extra = [] if implied else required_difference(needs.spec, needs.code, setting)
        self._visit(walk, site, spec, code, extra, optional=not needs.code)

    def _items(self, walk: Walk, site: Site, spec: Node, code: Node) -> None:
        first, second = spec.schema.get("items"), code.schema.get("items")
        if isinstance(first, dict) and isinstance(second, dict):
            inner, other = self.known.child(spec, first, "[]"), self.known.child(code, second, "[]")
            self._visit(walk, site.below("[]", site.name), inner, other, ())
        elif first and second is None and "array" in (own_types(code.schema) or ()):
            walk.unsettled(site.below("[]", site.name), code, "the code does not say what the list holds")
        firsts, seconds = spec.schema.get("prefixItems"), code.schema.get("prefixItems")
        if isinstance(firsts, list) and isinstance(seconds, list):
            for index, (first, second) in enumerate(zip(firsts, seconds, strict=False)):
                inner = self.known.child(spec, first, f"[{index}]")
                other = self.known.child(code, second, f"[{index}]")
                self._visit(walk, site.below(f"[{index}]", site.name), inner, other, ())

    def _other_values(self, walk: Walk, site: Site, spec: Node, code: Node) -> None:
        first, second = spec.schema.get("additionalProperties"), code.schema.get("additionalProperties")
        if isinstance(first, dict) and isinstance(second, dict) and "properties" not in code.schema:
            inner, other = self.known.child(spec, first, "*"), self.known.child(code, second, "*")
            self._visit(walk, site.below(".*", site.name), inner, other, ())

    def _alternatives(self, walk: Walk, site: Site, spec: Node, code: Node) -> bool:
        """Alternatives of one name or tag are compared, those that agree are settled; so is a last one on each side.

        Gives whether none was left over.
        """
        ours, theirs = members(spec), members(code)
        every = [*ours], [*theirs]
        for _ in matched(ours, theirs, written_alike):
            continue
        for first, second in matched(ours, theirs, named_alike):
            self._visit(walk, site, first, second, ())
        for first, second in matched(ours, theirs, tagged_alike(ours, theirs, self.known.resolved)):
            self._visit(walk, site, first, second, ())
        if ours or theirs:
            Tags(*every, self.known.resolved).tell(walk, site, (spec, code), ours, theirs)
        settle(ours, theirs, lambda first, second: self._agree(site, first, second))
        if len(ours) == len(theirs) == 1:
            self._visit(walk, site, ours[0], theirs[0], ())
            return True
        if ours or theirs:
            walk.unsettled(site, code, _LEFT)
        return not ours and not theirs

    def _agree(self, site: Site, spec: Node, code: Node) -> bool:
        if self._trial_depth >= _DEEPEST_TRIAL:
            return False
        self._trial_depth += 1
        trial = Walk()
        self._visit(trial, site, spec, code, ())
        self._drain()
        self._trial_depth -= 1
        return not trial.differs and not any(
            self._reach.walks[key].differs for key in self._reach.from_any(trial.reached)
        )

    def _type_difference(self, spec: Node, code: Node, site: Site) -> Difference | None:
        first, second = self._admitted.types(spec), self._admitted.types(code)
        return type_difference(first, second, site.setting.flow) if first and second else None

    def _keywords(self, spec: Node, code: Node, site: Site) -> Iterable[Difference]:
        patterns = self._patterns_stated.get(document_of(spec.fact), ())
        found = [*keyword_differences(spec.schema, code.schema, site.setting, patterns)]
        if "x-shown" in code.schema and site.setting.flow is Direction.RESPONSE:
            told = {each.change for each in found}
            found += [e for e in shown_differences(spec.schema, code.schema) if e.change not in told]
        return found
