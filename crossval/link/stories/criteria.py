"""Aligns stories and criteria with what they hold, how they word it, and what names or should check them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from crossval.alignment import Alignment
from crossval.compare.vague import vague_words
from crossval.findings import Witness, line_of_row, witness
from crossval.link.traces.linking import links
from crossval.link.traces.named import named_links
from crossval.link.traces.records import CONFIDENT, Decisions, Link
from crossval.link.traces.tags import own_part
from crossval.pairs import Difference, Pair
from graph.facts import Fact, Json, Kind, Relation, Tag, Verb
from graph.patterns import pattern
from graph.source import FactSource

_STATUS_COMPARED = pattern(
    r"status_code\s*==\s*(?:\w+\.)*(?:HTTP_)?(\d{3})|\b(\d{3})\s*==\s*[\w.]*status_code"
    r"|\bstatus\s*==\s*(\d{3})"
)
_SEVERAL = 3
"""So many ids of one kind are not left out by chance."""
_PREFIX = pattern(r"^[A-Z][A-Z0-9]*-(?=(\d+))")
_ANEW = 3
"""So many ids of one form that another page gives again tell that each page counts for itself."""
_BY_STEP = (Verb.IMPLEMENTS, Verb.VERIFIES)


def align_stories(source: FactSource, decisions: Decisions | None = None) -> Alignment:
    """Pairs about single stories and criteria; `place` says in which respect.

    `wording`: words that nobody can verify. `criteria`: a story without any, where others told alike have some.
    `implementation`: a criterion that nothing implements, where the code of others names them. `checks`: a criterion
    with a test linked that checks another answer or error. `cites`: an id that is named and does not exist.
    `id`: an id that another page of the same folder gives to something else.
    """
    told = list(source.facts(tag=Tag.SPEC, kinds={Kind.STORY, Kind.CRITERION}))
    if not told:
        return Alignment()
    criteria = [fact for fact in told if fact.kind is Kind.CRITERION]
    contained = [r for r in source.relations({Verb.CONTAINS}) if r.second.startswith("spec:criterion:")]
    naming = list(source.relations(set(_BY_STEP)))
    pairs = [*_wording(criteria), *_without_criteria(told, contained), *_dangling(source, told, naming)]
    pairs += _shared_ids(told)
    if naming:
        linked = links(source, decisions, confident=True)
        pairs += _not_implemented(criteria, contained, linked, naming, named_links(source))
        pairs += _not_checked(source, criteria, linked)
    return Alignment(pairs)


def _wording(criteria: Iterable[Fact]) -> Iterator[Pair]:
    for fact in criteria:
        text = str(fact.aspects.get("text") or "")
        found = [each for each in vague_words(text) if _is_demanded(fact, text.split("\n")[each.row])]
        if found:
            first = found[0]
            marked = [
                Difference(
                    change="wording", spec=[each.word, each.row + 1, each.column, each.marked], code=None
                )
                for each in found
            ]
            place = witness(fact, sorted({each.word.lower() for each in found}), line_of_row(fact, first.row))
            yield _pair(fact, "wording", spec=place, differences=tuple(marked))


def _is_demanded(fact: Fact, row: str) -> bool:
    """Whether a row of a criterion's text demands something: of a scenario only its outcome does."""
    steps = [str(step).partition("\n")[0] for step in fact.aspects.get("then", ())]
    return not steps or any(step in row for step in steps)


def _without_criteria(told: Iterable[Fact], contained: Iterable[Relation]) -> Iterator[Pair]:
    having = {relation.first for relation in contained}
    stories = [fact for fact in told if fact.kind is Kind.STORY and not fact.source.path.endswith(".feature")]
    usual = {_form(fact) for fact in stories if fact.id in having}
    for fact in stories:
        if fact.id not in having and _form(fact) in usual:
            yield _pair(fact, "criteria")


def _form(story: Fact) -> tuple[str, bool, bool]:
    """The page of a story, and how it is told: what requirements of a page have, its user stories need not have."""
    return story.source.path, "role" in story.aspects, bool(story.aspects.get("explicit_id"))


_WORKS_ON = pattern(r"(?:^|[/_-])(?:plan|tasks|design|checklist|roadmap|todo)\.\w+$", re.IGNORECASE)


def _shared_ids(told: Iterable[Fact]) -> Iterator[Pair]:
    """Stories and criteria whose id another page of their folder gives to something else.

    Pages of other folders may be those of another system; a feature file tells again what a page told; and criteria
    with a single number (`AC-1`) may be counted anew for each story. So are those of stories (`TC-1`) where several
    are given again. A plan or a list of tasks works on what the pages beside it demand.
    """
    groups: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in told:
        counted_anew = fact.kind is Kind.CRITERION and len(re.findall(r"\d+", fact.key)) < 2
        works_on = fact.source.path.endswith(".feature") or _WORKS_ON.search(fact.source.path) is not None
        if fact.aspects.get("explicit_id") and not counted_anew and not works_on:
            folder = fact.source.path.rpartition("/")[0]
            groups.setdefault((fact.kind, fact.key, folder), []).append(fact)
    twice = {
        place: others
        for place, (first, *rest) in groups.items()
        if (others := [o for o in rest if o.source.path != first.source.path and _told(o) != _told(first)])
    }
    often = Counter((_series(key), folder) for kind, key, folder in twice if kind == Kind.STORY)
    for place, others in twice.items():
        _, key, folder = place
        if often[_series(key), folder] >= _ANEW:
            continue
        first = groups[place][0]
        for other in others:
            yield msgspec.structs.replace(_pair(other, "id"), code=witness(first), code_fact=first)


def _letters(key: str) -> str:
    """What ids of one kind begin with: `FR` of `FR-001` and of `FR-2.1`."""
    return re.split(r"-?\d", key, maxsplit=1)[0]


def _series(key: str) -> str:
    """What ids of stories that count on have in common: `US-` of `US-3`, and of what stands below it."""
    return re.sub(r"\d+$", "", key.partition(".")[0])


def _told(fact: Fact) -> tuple[Json, ...]:
    return tuple(fact.aspects.get(name) for name in ("title", "want", "text"))


def _not_implemented(
    criteria: Iterable[Fact],
    contained: Iterable[Relation],
    linked: dict[str, tuple[Link, ...]],
    naming: Iterable[Relation],
    spelled: Iterable[Link],
) -> Iterator[Pair]:
    """Criteria that nothing of the code is linked with, in a project whose code names such ids itself."""
    if not any(relation.verb is Verb.IMPLEMENTS for relation in naming):
        return
    parents = {relation.second: relation.first for relation in contained}
    told = {
        each
        for each, found in linked.items()
        if any(link.other.startswith("code:") and link.confidence >= CONFIDENT for link in found)
    }
    # What a criterion spells out is there, though it may do something else.
    told |= {link.spec for link in spelled if link.other.startswith("code:")}
    citable = [fact for fact in criteria if fact.aspects.get("explicit_id")]
    silent = [fact for fact in citable if told.isdisjoint({fact.id, parents.get(fact.id, "")})]
    # Where most are not named, naming them is no custom of the project.
    if 2 * len(silent) > len(citable):
        return
    # Nor of ids of one kind that no code names: `CP-1` may look like the name of something else.
    count, unnamed = (Counter(_letters(fact.key) for fact in facts) for facts in (citable, silent))
    customary = {letters for letters in count if unnamed[letters] < max(count[letters], _SEVERAL)}
    yield from (_pair(fact, "implementation") for fact in silent if _letters(fact.key) in customary)


def _not_checked(
    source: FactSource, criteria: Iterable[Fact], linked: dict[str, tuple[Link, ...]]
) -> Iterator[Pair]:
    tests = {fact.id: fact for fact in source.facts(tag=Tag.TEST, kinds={Kind.TEST})}
    for fact in criteria:
        own = [
            tests[link.other]
            for link in linked.get(fact.id, ())
            if link.other in tests and link.confidence >= CONFIDENT
        ]
        if not own or any(test.aspects.get("parametrized") for test in own):
            continue
        for claim in fact.aspects.get("claims", ()):
            found = _unchecked(claim, own)
            if found is not None:
                test, value = found
                difference = Difference(change=claim["kind"], spec=claim["value"], code=value)
                spec = msgspec.structs.replace(witness(fact, claim["value"]), line=claim["line"])
                yield _pair(fact, "checks", spec=spec, code=witness(test, value), differences=(difference,))
                break


def _unchecked(claim: Json, tests: list[Fact]) -> tuple[Fact, list[str]] | None:
    """The first linked test and what it checks, where each checks statuses or errors, and none the claimed one."""
    if claim.get("negated") or claim["modality"] == "may":
        return None
    seen: list[str] = []
    for test in tests:
        if claim["kind"] == "outcome":
            asserts = [text for text, _ in test.aspects.get("asserts", ())]
            own = [next(filter(None, m)) for text in asserts for m in _STATUS_COMPARED.findall(text)]
            open_ended = any("status" in text and not _STATUS_COMPARED.search(text) for text in asserts)
        elif claim["kind"] == "raises":
            own = [name.rpartition(".")[2] for name, _ in test.aspects.get("raises", ())]
            open_ended = False
        else:
            return None
        if not own or open_ended:
            return None
        seen += own
    wanted = str(claim["value"]).rpartition(".")[2]
    return None if wanted in seen else (tests[0], sorted(set(seen)))


def _dangling(source: FactSource, told: list[Fact], naming: list[Relation]) -> Iterator[Pair]:
    """What tests or code name as a story's or criterion's id, and is none, though others of its prefix are."""
    keys = {fact.key for fact in told}
    known: dict[str, list[str]] = {}
    homes: dict[str, str] = {}
    anew: set[str] = set()
    for fact in told:
        if fact.aspects.get("explicit_id") and (match := _PREFIX.match(fact.key)):
            known.setdefault(match[0], []).append(match[1])
            if homes.setdefault(fact.key, fact.source.path) != fact.source.path:
                anew.add(match[0])
    cited = [
        (r, _known_as(r.second.split(":", 2)[2], keys)) for r in naming if r.second.startswith("spec:*:")
    ]
    right: dict[str, int] = {}
    wrong: dict[str, int] = {}
    for _, key in cited:
        if match := _PREFIX.match(key):
            side = right if key in keys else wrong
            side[match[0]] = side.get(match[0], 0) + 1
    ends = {relation.first for relation, key in cited if key not in keys}
    if not ends:
        return
    facts = {f.id: f for tag in (Tag.TEST, Tag.CODE) for f in _of_kinds(source, tag, ends) if f.id in ends}
    for relation, key in cited:
        match = _PREFIX.match(key)
        # Where most ids of this form name nothing here, they are those of another list: of tickets, say. Where
        # each document counts them anew, this one may be of a document that was done with.
        if match is None or key in keys or len(known.get(match[0], ())) < 2 or match[0] in anew:
            continue
        if not _is_counted_so(match[1], known[match[0]]):
            continue
        if right.get(match[0], 0) < wrong[match[0]] or relation.first not in facts:
            continue
        holder = facts[relation.first]
        yield Pair(
            kind=Kind.CRITERION,
            subject=f"{holder.kind} {holder.key}",
            place="cites",
            name=key,
            spec=None,
            code=witness(holder, key, relation.line or None),
            code_fact=holder,
        )


def _is_counted_so(number: str, others: list[str]) -> bool:
    """Whether a number may be one of these, which all have as many digits if one begins with a zero: where there is
    US-007, US-1 is none of the list but an example. Where most numbers up to the highest are missing, somebody else
    counts: a standard, a tracker."""
    if max(map(int, others)) > 2 * len(others):
        return False
    padded = any(other[0] == "0" and len(other) > 1 for other in others)
    return not padded or len(number) in {len(other) for other in others}


def _known_as(cited: str, keys: set[str]) -> str:
    """The key that a cited id means: that of the criterion alone where it is written with its story."""
    return own_part(cited) if cited not in keys and own_part(cited) in keys else cited


def _of_kinds(source: FactSource, tag: Tag, ends: set[str]) -> Iterator[Fact]:
    """The facts of a tag that are of the kinds which these ids name."""
    named = {end.split(":", 2)[1] for end in ends if end.startswith(f"{tag}:")}
    kinds = [kind for kind in Kind if kind in named]
    return source.facts(tag=tag, kinds=kinds) if kinds else iter(())


def _pair(
    fact: Fact,
    place: str,
    *,
    spec: Witness | None = None,
    code: Witness | None = None,
    differences: tuple[Difference, ...] = (),
) -> Pair:
    return Pair(
        kind=Kind.CRITERION,
        subject=f"{fact.kind} {fact.key}",
        place=place,
        name=fact.key,
        spec=spec or witness(fact),
        code=code,
        spec_fact=fact,
        differences=differences,
    )
