"""Aligns what stories, descriptions and docstrings claim with contract, code and each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from crossval.alignment import Alignment
from crossval.compare.claim_conflicts import conflicts
from crossval.compare.claim_words import claimed, stated
from crossval.compare.claims import ClaimPair, Stated, against_schema, status_declared, words
from crossval.compare.docstring_claims import docstring_pairs
from crossval.findings import witness
from crossval.link.claim_subjects import (
    NAMED,
    SURE,
    Candidate,
    Context,
    Named,
    Requests,
    constants,
    is_constant,
)
from crossval.link.traces.linking import links
from crossval.link.traces.records import CONFIDENT, Decisions
from graph.facts import Fact, Json, Kind, Tag, Unknown, Verb
from graph.source import FactSource

_COMPARED = frozenset({"quantity", "enumeration", "default", "format", "required"})
_CONTRACT, _CODE = "contract", "code"


def align_claims(source: FactSource, decisions: Decisions | None = None) -> Alignment:
    """Pairs of claims with what speaks against them, and the claims of stories whose subject is not known."""
    told = list(source.facts(tag=Tag.SPEC, kinds={Kind.STORY, Kind.CRITERION}))
    parts = list(source.facts(kinds={Kind.FIELD, Kind.PARAMETER, Kind.OPERATION, Kind.RESPONSE}))
    alignment = Alignment()
    known = _Known(source, parts)
    if any(fact.aspects.get("claims") for fact in told):
        stories = _Stories(source, told, decisions)
        for fact in told:
            for claim in fact.aspects.get("claims", ()):
                found = list(known.judged(claim, stories.context(fact), stories.requests(fact)))
                alignment.pairs.extend(pair for pair in found if pair is not None)
                if not found and claim["kind"] in (*_COMPARED, "outcome"):
                    alignment.unknown.append(_unresolved(fact, claim))
        alignment.pairs.extend(conflicts(told, stories.parents))
    alignment.pairs.extend(known.described())
    alignment.pairs.extend(docstring_pairs(source.facts(kinds={Kind.FUNCTION})))
    return alignment


class _Stories:
    """What stands around each criterion: its story's words, the requests it names, what it is linked with."""

    def __init__(self, source: FactSource, told: Iterable[Fact], decisions: Decisions | None) -> None:
        by_id = {fact.id: fact for fact in told}
        self.parents = {
            relation.second: by_id[relation.first]
            for relation in source.relations({Verb.CONTAINS})
            if relation.first in by_id
        }
        self._links = links(source, decisions, confident=True)

    def context(self, fact: Fact) -> Context:
        """The context of a story or criterion."""
        story = self.parents.get(fact.id)
        around = [fact, *([story] if story else [])]
        said = [each.aspects.get(name) or "" for each in around for name in ("title", "want", "text")]
        linked = {
            link.other
            for each in around
            for link in self._links.get(each.id, ())
            if link.confidence >= CONFIDENT
        }
        return Context(frozenset(words(" ".join(said))), frozenset(linked), fact)

    def requests(self, fact: Fact) -> list[str]:
        """The requests that the criterion names itself, else those that its story names."""
        for each in (fact, self.parents.get(fact.id)):
            if each is not None and (found := _requests(each)):
                return found
        return []


class _Known:
    """What contract and code state, and how claims are held against it."""

    def __init__(self, source: FactSource, parts: Iterable[Fact]) -> None:
        self._parts = list(parts)
        self._named = {
            tag: Named(f for f in self._parts if f.tag is tag and f.kind in (Kind.FIELD, Kind.PARAMETER))
            for tag in (Tag.SPEC, Tag.CODE)
        }
        self._operations = {
            tag: Requests(f for f in self._parts if f.tag is tag and f.kind is Kind.OPERATION)
            for tag in (Tag.SPEC, Tag.CODE)
        }
        self._statuses: dict[str, dict[str, Fact]] = {}
        for fact in self._parts:
            if fact.kind is Kind.RESPONSE:
                operation = f"{fact.tag}:{Kind.OPERATION}:{fact.key.partition('#')[0]}"
                self._statuses.setdefault(operation, {})[str(fact.aspects.get("status", fact.name))] = fact
        self._source = source
        self._constants: list[Fact] | None = None

    def judged(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        """A pair for each witness against the claim, None for each that agrees or says nothing of it."""
        if claim["kind"] == "outcome":
            yield from self._outcome(claim, context, named)
            return
        if claim["kind"] not in _COMPARED or not claim.get("subject"):
            return
        context = self._with_requests(context, named)
        for tag, against in ((Tag.SPEC, _CONTRACT), (Tag.CODE, _CODE)):
            candidates = self._named[tag].candidates(claim, context)
            if candidates:
                yield _verdict(claim, candidates, context.holder, against)
        for constant in constants(claim, self._all_constants()) if claim["kind"] == "quantity" else ():
            yield _constant(claim, constant, context.holder)

    def described(self) -> Iterator[ClaimPair]:
        """What descriptions of fields and parameters claim against their own schemas."""
        for fact in self._parts:
            if fact.tag is not Tag.SPEC or fact.kind not in (Kind.FIELD, Kind.PARAMETER):
                continue
            for claim in fact.aspects.get("claims", ()):
                own = words(fact.name.rpartition(".")[2])
                if claim["kind"] in _COMPARED - {"required"} and words(claim["subject"] or "") in ((), own):
                    pair = _verdict(claim, [Candidate(fact, SURE)], fact, _CONTRACT)
                    if pair is not None:
                        yield pair

    def _with_requests(self, context: Context, named: list[str]) -> Context:
        found = {
            operation.key
            for request in named
            for operations in self._operations.values()
            if (operation := operations.find(request)) is not None
        }
        return context._replace(linked=context.linked | found)

    def _outcome(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        requests = named or [
            each.split(":", 2)[2] for each in sorted(context.linked) if ":operation:" in each
        ]
        if len(set(requests)) != 1 or claim["modality"] == "may":
            return
        for tag, against in ((Tag.SPEC, _CONTRACT), (Tag.CODE, _CODE)):
            operation = self._operations[tag].find(requests[0])
            if operation is None:
                continue
            yield self._answers(claim, operation, context.holder, against, SURE if named else NAMED)

    def _answers(
        self, claim: Json, operation: Fact, holder: Fact, against: str, confidence: float
    ) -> ClaimPair | None:
        statuses = sorted(self._statuses.get(operation.id, {}))
        if not statuses or (against == _CODE and not operation.aspects.get("statuses_complete")):
            return None
        if claim.get("negated") or status_declared(claim["value"], statuses):
            return None
        text = (
            "only the answers " + ", ".join(statuses)
            if len(statuses) > 1
            else f"only the answer {statuses[0]}"
        )
        found = Stated(f"responses.{claim['value']}", statuses, False)
        return _pair(claim, found, text, Candidate(operation, confidence), holder, against)

    def _all_constants(self) -> list[Fact]:
        if self._constants is None:
            every = self._source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE})
            self._constants = [fact for fact in every if is_constant(fact)]
        return self._constants


def _verdict(claim: Json, candidates: list[Candidate], holder: Fact, against: str) -> ClaimPair | None:
    """The pair where every candidate that says something of the claim says one other thing."""
    told = []
    for candidate in candidates:
        fact = candidate.fact
        found = against_schema(claim, fact.aspects.get("schema") or {}, fact.aspects.get("required"))
        if found is not None:
            told.append((found, candidate))
    if not told or any(found.agrees for found, _ in told):
        return None
    if len({repr(found.value) for found, _ in told}) > 1:
        return None
    found, candidate = told[0]
    return _pair(claim, found, stated(found), candidate, holder, against)


def _constant(claim: Json, fact: Fact, holder: Fact) -> ClaimPair | None:
    if claim.get("condition") or claim.get("negated"):
        return None
    value = int(str(fact.aspects["value"]).replace("_", ""))
    if value == claim["value"]:
        return None
    return _pair(claim, Stated("value", value, False), f"{value}", Candidate(fact, NAMED), holder, _CODE)


def _pair(
    claim: Json, found: Stated, text: str, candidate: Candidate, holder: Fact, against: str
) -> ClaimPair:
    fact = candidate.fact
    subject = f"{holder.kind} {holder.key}" if holder.kind in (Kind.STORY, Kind.CRITERION) else _thing(fact)
    return ClaimPair(
        kind=Kind.CRITERION,
        subject=subject,
        place="claims",
        name=holder.key,
        spec=msgspec.structs.replace(witness(holder, claim["words"]), line=claim["line"]),
        code=witness(fact, found.value),
        spec_fact=holder,
        code_fact=fact,
        claimed=claimed(claim),
        stated=text,
        target=_thing(fact),
        against=against,
        aspect=found.keyword,
        confidence=candidate.confidence,
        soft=claim["modality"] == "should",
    )


def _thing(fact: Fact) -> str:
    if fact.kind is Kind.FIELD:
        return f"field {fact.name} of {fact.key.removesuffix('.' + fact.name)}"
    if fact.kind is Kind.PARAMETER:
        return f"{fact.aspects.get('in', '')} parameter {fact.name} of {fact.key.partition('#')[0]}".strip()
    return fact.key


def _requests(fact: Fact) -> list[str]:
    return list(dict.fromkeys(c["value"] for c in fact.aspects.get("claims", ()) if c["kind"] == "request"))


def _unresolved(fact: Fact, claim: Mapping[str, Json]) -> Unknown:
    subject = claim.get("subject")
    whom = f"nothing is known by the name `{subject}`" if subject else "the sentence does not say of what"
    if claim["kind"] == "outcome":
        whom = "the request that is answered so is not known"
    reason = f"it claims {claimed(claim)}, but {whom}"
    return Unknown(f"{fact.kind} {fact.key}", "claims", fact.source.path, claim["line"], reason)
