"""The reader of user stories: a Markdown page in, stories and acceptance criteria as facts out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from graph.facts import Defect, Extract, Fact, Json, Kind, Location, Relation, Suppression, Tag, Verb
from ingest import versions
from ingest.claims.criteria import criterion_claims, story_claims
from ingest.ingestor import Document, Role
from ingest.stories import chinese
from ingest.stories.addressed import speaks_to_workers
from ingest.stories.blocks import Shape, as_markdown, read_blocks
from ingest.stories.collecting import GHERKIN, Collector
from ingest.stories.criteria import Criterion
from ingest.stories.frontmatter import FrontMatter, read_front_matter
from ingest.stories.identifiers import Keys, counted, slug
from ingest.stories.narratives import find_stories
from ingest.stories.requirements import is_list_of_tasks
from ingest.stories.story import Story
from ingest.stories.tables import rows_to_stories
from ingest.suppressions import scan
from ingest.text import lines

_ROLE = re.compile(r"\bas\W{1,8}(?:an?|the)\b", re.IGNORECASE)
_WANT = re.compile(
    r"\b(?:I|we)(?:['’]d\b|\W{1,8}(?:really|also|want|wish|need|must|can|should|would|expect|have)\b)",
    re.IGNORECASE,
)
_LONGEST_ROLE = 300
# A table's columns, words that announce criteria, requirements, or the names of parts in front matter.
_SHAPE = re.compile(
    r"\|\W{0,4}(?:I\W{1,3})?want|\|\W{0,4}(?:so\W{1,3}that|benefit|why)\b"
    r"|(?:^|\r)[\W\d_]{0,20}(?:user\W{1,3}|the\W{1,3}|success\W{1,3})?(?:acceptance|criteri|scenarios|ACs?\b"
    r"|conditions\W{1,3}of|done\W{1,3}when)|(?:^|\r)#{1,6}[ \t].{0,12}requirement\b[^\r\n]{0,16}[:–—]"
    r"|(?:^|\r)[\W\d_]{0,12}(?:(?:N?FR|REQ|BR|SC|AC)-?\d|[A-Z]{1,8}-?\d{1,9}\.\d|R1\W{0,6}[.:：)])"
    r"|(?:^|\r)[ \t]*\|?[^|\r\n]{0,20}\b(?:id|key|no|number|ref)\b[^|\r\n]{0,8}\|[^\r\n]{0,80}"
    r"\b(?:requirement|rule|statement)"
    r"|(?:^|\r)[ \t-]*(?:as_an?|role|story|stories|user_?stor(?:y|ies))[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
# Lists of duties stand below headings that speak of requirements.
_OF_DUTIES = re.compile(
    r"(?:^|\r)#{1,6}[ \t][^\r\n]{0,60}\b(?:requirements|PRD|SRS|business\W{1,3}rules)\b",
    re.IGNORECASE | re.MULTILINE,
)
_DUTY = re.compile(
    r"\b(?:SHALL|MUST)\b|\b(?i:(?:functional|business|product|user|software|technical)\W{1,3}requirements"
    r"|business\W{1,3}rules)\b"
)
# Items that begin with an id of the project's own manner: `* **LED-1** …`.
_OWN_IDS = re.compile(
    r"(?:^|\r)[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\*\*|\[|`)?(?:[A-Z][A-Z0-9]{1,15}-\d|[A-Z]{1,3}\d{1,3}\.\d)",
    re.MULTILINE,
)
# `spec-template.md`, `requirement.tmpl.md`: what others fill in.
_TEMPLATE = re.compile(r"(?:^|[/._-])(?:template|tmpl)\.(?:md|markdown)$", re.IGNORECASE)
_CHINESE = re.compile(chinese.SHAPE, re.MULTILINE)


class StoryReader:
    """Reads user stories in Markdown; a page that tells none yields nothing."""

    name = "stories"
    version = versions.STORIES
    roles = frozenset({Role.STORY})

    def read(self, document: Document) -> Extract:
        """The stories of one page with their criteria; an explicit id given twice is a defect."""
        if (told := as_markdown(document.text)) is not document.text:
            document = msgspec.structs.replace(document, text=told)
        if _TEMPLATE.search(document.path) or not looks_like_stories(document.text):
            return Extract()
        if speaks_to_workers(document.path, document.text):
            return Extract()
        front = read_front_matter(document.text, document.path)
        stories = _stories(front)
        extract = Extract(skipped=front.skipped if stories else [])
        _add_facts(extract, stories, document)
        if stories:
            extract.suppressions.extend(_suppressions(document))
        return extract


def looks_like_stories(text: str) -> bool:
    """Whether a text may tell stories: cheap, and never wrong where it says no."""
    if _SHAPE.search(text) or (any(sign in text for sign in chinese.SIGNS) and _CHINESE.search(text)):
        return True
    if (_DUTY.search(text) or _OWN_IDS.search(text)) and _OF_DUTIES.search(text):
        return True
    wants = (match.start() for match in _WANT.finditer(text))
    return any(_ROLE.search(text, max(0, place - _LONGEST_ROLE), place) for place in wants)


def _suppressions(document: Document) -> list[Suppression]:
    """The notes in the page's comments, but for those that its code blocks show."""
    if "crossfact:" not in document.text:
        return []
    fenced = [b for b in read_blocks(document.text) if b.shape is Shape.FENCE and b.language not in GHERKIN]
    found = scan(document.text, document.path, ("<!--",))
    return [note for note in found if not any(block.first <= note.line <= block.last for block in fenced)]


def _stories(front: FrontMatter) -> list[Story]:
    blocks = read_blocks(front.body)
    if is_list_of_tasks(blocks):
        return front.stories
    tables = [index for index, block in enumerate(blocks) if block.shape is Shape.TABLE]
    told = {index: list(rows_to_stories(blocks[index], index)) for index in tables}
    stories = find_stories(blocks, [story for rows in told.values() for story in rows])
    for story in stories:
        collector = Collector(story)
        story.criteria += collector.collect(blocks)
        story.expected = story.expected or collector.announced
    if front.page:
        stories = _with_page(front.page, stories, front)
    stories += front.stories
    stories.sort(key=lambda story: story.first)
    certain = any(_is_certain(story) for story in stories)
    return [story for story in stories if _is_certain(story) or (certain and story.sentence)]


def _with_page(page: Story, stories: list[Story], front: FrontMatter) -> list[Story]:
    """The stories of a page whose front matter speaks of one: of itself, or of the only one in the text."""
    if page.sentence is None:
        if len(stories) == 1 and not stories[0].id:
            only = stories[0]
            only.id, only.title = page.id, page.title or only.title
            only.tags = list(dict.fromkeys((*page.tags, *only.tags)))
            only.priority = only.priority or page.priority
            only.criteria = [*page.criteria, *only.criteria]
        elif not stories and page.criteria and (page.id or page.title):
            return [page]
        return stories
    if stories:
        return [page, *stories]
    blocks = read_blocks(front.body)
    whole = Story(begin=0, after=0, end=len(blocks), first=page.first, last=page.last)
    collector = Collector(whole)
    found = collector.collect(blocks)
    if collector.announced:
        page.criteria = [*page.criteria, *found]
    return [page]


def _is_certain(story: Story) -> bool:
    """Whether a story is more than a sentence of prose that happens to begin like one."""
    return bool(story.id or story.expected or (story.sentence and story.sentence.benefit))


def _add_facts(extract: Extract, stories: list[Story], document: Document) -> None:
    rows = lines(document.text) if stories else []
    roles = frozenset(story.sentence.role for story in stories if story.sentence)
    story_ids = Counter(story.id for story in stories if story.id)
    keys = Keys(story_ids)
    homes: dict[str, set[int]] = {}
    for number, story in enumerate(stories):
        for criterion in story.criteria:
            if criterion.id:
                homes.setdefault(criterion.id, set()).add(number)
    # `AC-1` in several stories is a number within each of them, not one id given twice; so is `AC-5` of one then.
    families = {counted(identifier) for identifier, numbers in homes.items() if len(numbers) > 1}
    shared = {identifier for identifier in homes if counted(identifier) in families}
    criterion_keys = Keys(homes.keys() - shared)
    first_lines: dict[tuple[Kind, str], int] = {}
    for story in stories:
        fact = _story_fact(story, keys, document.path, rows)
        extract.facts.append(fact)
        if story.id:
            _note_duplicate(extract, first_lines, fact, story.id)
        for number, criterion in enumerate(story.criteria, start=1):
            identifier = f"{fact.key}.{criterion.id}" if criterion.id in shared else criterion.id
            key = (
                criterion_keys.explicit(identifier)
                if identifier
                else criterion_keys.numbered(fact.key, number)
            )
            if story.number:
                criterion.aspects["number"] = f"{story.number}.{number}"
            below = _criterion_fact(criterion, key, document.path, rows, roles)
            extract.facts.append(below)
            extract.relations.append(Relation(Verb.CONTAINS, fact.id, below.id, criterion.first))
            if identifier:
                _note_duplicate(extract, first_lines, below, identifier)


def _story_fact(story: Story, keys: Keys, path: str, rows: Sequence[str]) -> Fact:
    title = story.title or (story.sentence.want if story.sentence else "") or story.id
    aspects: dict[str, Json] = {"title": title, "explicit_id": bool(story.id), "tags": story.tags}
    if story.sentence:
        aspects |= {part: value for part, value in story.sentence._asdict().items() if value}
    if story.priority:
        aspects["priority"] = story.priority
    if story.sentence:
        aspects |= story_claims(story.sentence.want, rows, story.first, max(story.first, story.last))
    last = max((criterion.last for criterion in story.criteria), default=story.last)
    return Fact(
        tag=Tag.SPEC,
        kind=Kind.STORY,
        key=keys.explicit(story.id) if story.id else keys.derived(slug(title) or "story"),
        name=title,
        source=Location(path, story.first, max(story.first, story.last, last)),
        aspects=aspects,
    )


def _criterion_fact(
    criterion: Criterion, key: str, path: str, rows: Sequence[str], roles: Collection[str]
) -> Fact:
    claims = criterion_claims(criterion.aspects, rows, criterion.first, criterion.last, roles)
    return Fact(
        tag=Tag.SPEC,
        kind=Kind.CRITERION,
        key=key,
        name=criterion.name,
        source=Location(path, criterion.first, criterion.last),
        aspects=criterion.aspects | {"explicit_id": bool(criterion.id)} | claims,
    )


def _note_duplicate(
    extract: Extract, first_lines: dict[tuple[Kind, str], int], fact: Fact, identifier: str
) -> None:
    first = first_lines.setdefault((fact.kind, identifier), fact.source.line)
    if fact.key == identifier:
        return
    extract.defects.append(
        Defect(
            rule="story-id-duplicate",
            subject=f"{fact.kind} {identifier}",
            aspect="exists",
            message=f"{identifier} is the id of more than one {fact.kind}: it stands at line {first} already",
            tag=Tag.SPEC,
            path=fact.source.path,
            line=fact.source.line,
            value=identifier,
        )
    )
