"""Aligns what stories and descriptions claim with contract, code and each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from crossval.alignment import Alignment
from crossval.compare.claim_conflicts import conflicts
from crossval.compare.claim_words import claimed
from crossval.compare.claims import ClaimPair, words
from crossval.link.claims.answers import Answers
from crossval.link.claims.constants import constants, default_constants, is_constant
from crossval.link.claims.declared import Declared
from crossval.link.claims.operations import INFERRED, as_of_pages, of_pages
from crossval.link.claims.pairs import CODE, CONTRACT, of_constant, stated_by, verdict
from crossval.link.claims.raises import never_raised
from crossval.link.claims.subjects import SURE, Candidate, Context, Named
from crossval.link.traces.linking import links
from crossval.link.traces.records import CONFIDENT, Decisions
from graph.facts import Fact, Json, Kind, Tag, Unknown, Verb
from graph.source import FactSource

_COMPARED = frozenset({"quantity", "enumeration", "default", "format", "required"})


def align_claims(source: FactSource, decisions: Decisions | None = None) -> Alignment:
    """Pairs of claims with what speaks against them, and the claims of stories whose subject is not known."""
    told = list(source.facts(tag=Tag.SPEC, kinds={Kind.STORY, Kind.CRITERION}))
    kinds = {Kind.FIELD, Kind.PARAMETER, Kind.OPERATION, Kind.RESPONSE, Kind.BODY}
    parts = list(source.facts(kinds=kinds))
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
        alignment.pairs.extend(never_raised(source, told))
    alignment.pairs.extend(known.described())
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
        self._beside: dict[str, set[str]] = {}
        for fact in told:
            if fact.id in self.parents:
                self._beside.setdefault(self.parents[fact.id].id, set()).update(_requests(fact))
        self._links = links(source, decisions, confident=True)

    def context(self, fact: Fact) -> Context:
        """The context of a story or criterion."""
        story = self.parents.get(fact.id)
        around = [fact, *([story] if story else [])]
        said = [each.aspects.get(name) or "" for each in around for name in ("title", "want", "text")]
        # What a file is called is what it is about: stories/accounts.md.
        said += [PurePosixPath(fact.source.path).stem]
        linked = {
            link.other
            for each in around
            for link in self._links.get(each.id, ())
            if link.confidence >= CONFIDENT
        }
        beside = self._beside.get(story.id, ()) if story else ()
        return Context(frozenset(words(" ".join(said))), frozenset(linked), fact, frozenset(beside))

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
        self._operations = Answers(source, self._parts)
        self._source = source
        self._constants: list[Fact] | None = None
        self._declared: Declared | None = None

    def judged(self, claim: Json, context: Context, named: list[str]) -> Iterator[ClaimPair | None]:
        """A pair for each witness against the claim, None for each that agrees or says nothing of it."""
        if claim["kind"] in ("outcome", "role"):
            yield from self._operations.judged(claim, context, named)
            return
        if claim["kind"] not in _COMPARED or not claim.get("subject"):
            return
        context = self._with_requests(context, named)
        yield from self._of_pages(claim, context)
        for tag, against in ((Tag.SPEC, CONTRACT), (Tag.CODE, CODE)):
            candidates = self._named[tag].candidates(claim, context)
            if tag is Tag.CODE and not stated_by(claim, candidates):
                candidates = self._all_declared().candidates(claim, context) or candidates
            if candidates:
                yield verdict(claim, candidates, context.holder, against)
        named_so = {"quantity": constants, "default": default_constants}.get(claim["kind"])
        meant = list(named_so(claim, self._all_constants())) if named_so else []
        if meant and (any(each.agrees for each in meant) or len({each.value for each in meant}) == 1):
            # Of several constants that are called so, all have to say the same other thing.
            yield next((None for each in meant if each.agrees), of_constant(claim, meant[0], context.holder))

    def described(self) -> Iterator[ClaimPair]:
        """What descriptions of fields and parameters claim against their own schemas."""
        for fact in self._parts:
            if fact.tag is not Tag.SPEC or fact.kind not in (Kind.FIELD, Kind.PARAMETER):
                continue
            for claim in fact.aspects.get("claims", ()):
                own = words(fact.name.rpartition(".")[2])
                if claim["kind"] in _COMPARED - {"required"} and words(claim["subject"] or "") in ((), own):
                    pair = verdict(claim, [Candidate(fact, SURE)], fact, CONTRACT)
                    if pair is not None:
                        yield pair

    def _with_requests(self, context: Context, named: list[str]) -> Context:
        return context._replace(linked=context.linked | self._operations.keys(named))

    def _of_pages(self, claim: Json, context: Context) -> Iterator[ClaimPair | None]:
        """A claim about a page against the parameters that say how much is on one."""
        said = as_of_pages(claim)
        if said is None:
            return
        for tag, against in ((Tag.SPEC, CONTRACT), (Tag.CODE, CODE)):
            sizes = of_pages(claim, (f for f in self._parts if f.tag is tag), context.mentioned)
            candidates = [Candidate(fact, INFERRED) for fact in sizes]
            if candidates:
                yield verdict(said, candidates, context.holder, against)

    def _all_declared(self) -> Declared:
        if self._declared is None:
            self._declared = Declared(self._source)
        return self._declared

    def _all_constants(self) -> list[Fact]:
        if self._constants is None:
            every = self._source.facts(tag=Tag.CODE, kinds={Kind.ATTRIBUTE})
            self._constants = [fact for fact in every if is_constant(fact)]
        return self._constants


def _requests(fact: Fact) -> list[str]:
    return list(dict.fromkeys(c["value"] for c in fact.aspects.get("claims", ()) if c["kind"] == "request"))


def _unresolved(fact: Fact, claim: Mapping[str, Json]) -> Unknown:
    subject = claim.get("subject")
    whom = f"nothing is known by the name `{subject}`" if subject else "the sentence does not say of what"
    if claim["kind"] == "outcome":
        whom = "the request that is answered so is not known"
    reason = f"it claims {claimed(claim)}, but {whom}"
    return Unknown(f"{fact.kind} {fact.key}", "claims", fact.source.path, claim["line"], reason)
