"""Tables of stories and tables of criteria."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from graph.facts import Json
from ingest.stories.blocks import Block, Line, Row
from ingest.stories.criteria import Criterion, entry, one_line, put_together
from ingest.stories.identifiers import is_id, names_requirement, normal_id, split_id
from ingest.stories.labels import particular, words
from ingest.stories.sentence import Sentence, parse_sentence
from ingest.stories.story import ANY_LEVEL, Story

_COLUMNS = {
    "id": r"#|id|key|no\.?|nr\.?|number|ref(?:erence)?|(?:story|ac|criterion|req(?:uirement)?)\s+(?:id|no\.?|number|#)",
    "role": r"role|as\s+an?|actor|user|persona|who|user\s+(?:role|type)|type\s+of\s+user|stakeholder",
    "want": r"i\s+want(?:\s+to)?|want(?:s)?(?:\s+to)?|goal|what|i\s+(?:need|can)(?:\s+to)?|action|capability|feature",
    "benefit": r"so\s+that|benefit|why|in\s+order\s+to|value|reason|so\s+i\s+can|outcome",
    "story": r"(?:user\s+)?story",
    "title": r"title|name|summary",
    "criteria": r"acceptance\s+(?:criteria|criterion|tests?)|criteria|done\s+when|acs?",
    "priority": r"prio(?:rity)?|moscow",
    "tags": r"tags?|labels?",
    "given": r"given|context|precondition(?:s)?",
    "when": r"when|action|event",
    "then": r"then|expected(?:\s+(?:result|outcome|behaviou?r))?|result|outcome",
    "text": r"(?:acceptance\s+)?(?:criterion|criteria)|description|requirement|condition|rule|statement|text",
    "ac": r"acs?|ac\s*(?:id|no\.?|number|#)",
    "requirement": r"(?:(?:functional|system|user|business|product)\s+)?requirements?|rule|statement",
    "detail": r"(?:requirement\s+)?(?:description|statement|details?|text)",
    "scenario": r"scenario|case|title|name",
}
_OF_PARTICULARS = re.compile(
    r"(?:field|property|key|attribute|item|metadata)\|(?:value|details?)", re.IGNORECASE
)
_ROLE_PREFIX = re.compile(r"as\s+(?:an?|the)\s+", re.IGNORECASE)
_WANT_PREFIX = re.compile(
    r"(?:(?:I|we)\s+(?:want|need|can)\s+)?(?:to\s+(?:be\s+able\s+to\s+)?)?", re.IGNORECASE
)
_BENEFIT_PREFIX = re.compile(r"(?:so\s+that|in\s+order\s+to)\s+", re.IGNORECASE)


def rows_to_stories(block: Block, index: int) -> Iterator[Story]:
    """The stories that a table's rows tell, in columns for role and goal or in one cell each."""
    header, *rows = block.rows
    columns = _columns(
        header, ("id", "role", "want", "benefit", "story", "title", "criteria", "priority", "tags")
    )
    # A table of roles and actions is no story yet: permissions are written that way too.
    wanted = "want" in columns and "want" in header.cells[columns["want"]].lower()
    tells_stories = {"role", "want"} <= columns.keys() and (wanted or "benefit" in columns)
    if (upright := _upright(block)) is not None:
        story = _story(block, index, upright, block.first, block.last, "")
        story.level = ANY_LEVEL
        yield story
        return
    for row in rows:
        cells = {name: row.cells[n].strip() for name, n in columns.items() if n < len(row.cells)}
        whole = next((s for cell in row.cells if (s := parse_sentence(split_id(cell).text))), None)
        sentence = whole or (_sentence(cells) if tells_stories else None)
        if sentence is None:
            continue
        identifier = normal_id(cells["id"]) if is_id(cells.get("id", "")) else ""
        if whole and not identifier:
            cell = next(cell for cell in row.cells if parse_sentence(split_id(cell).text))
            identifier = split_id(cell).id
        story = _story(block, index, sentence, row.line, row.line, identifier)
        story.title = cells.get("title", "")
        story.priority = cells.get("priority", "")
        story.tags = words(cells.get("tags", ""))
        lines = re.split(r"\n|;\s+", cells.get("criteria", ""))
        entries = (
            entry([Line(re.sub(r"^[-*•]\s+", "", text), row.line)], row.line)
            for text in lines
            if text.strip()
        )
        story.criteria = list(put_together(entries))
        yield story


def rows_to_criteria(block: Block) -> Iterator[Criterion]:
    """The criteria of a table that stands where criteria are expected, one per row."""
    header, *rows = block.rows
    columns = _columns(header, ("id", "ac", "given", "when", "then", "text", "scenario"))
    if "id" not in columns and "ac" in columns:
        columns["id"] = columns.pop("ac")
    for row in rows:
        cells = {name: " ".join(row.cells[n].split()) for name, n in columns.items() if n < len(row.cells)}
        identifier, text = split_id(cells.get("text", ""))
        if is_id(cells.get("id", "")):
            identifier = normal_id(cells["id"])
        aspects: dict[str, Json] = {}
        if cells.get("then") and "when" in cells:
            steps = {kind: [cells[kind]] if cells.get(kind) else [] for kind in ("given", "when", "then")}
            aspects |= steps
            text = text or "\n".join(f"{kind.capitalize()} {step[0]}" for kind, step in steps.items() if step)
        text = text or _all_cells(header, row, columns)
        if not text:
            continue
        if title := cells.get("scenario", ""):
            aspects["title"] = title
        yield Criterion(
            first=row.line,
            last=row.line,
            name=one_line(title or text, steps="then" in aspects),
            id=identifier,
            aspects={"text": text, **aspects},
        )


def rows_of_examples(block: Block, places: Collection[str]) -> tuple[dict[str, str], ...]:
    """The rows of a table whose columns are the places of an outline; none of any other table."""
    header, *rows = ([" ".join(cell.strip("`<> ").split()) for cell in row.cells] for row in block.rows)
    if not set(places) <= set(header):
        return ()
    return tuple(dict(zip(header, row, strict=False)) for row in rows)


def rows_to_requirements(block: Block) -> Iterator[Criterion]:
    """The requirements of a table with a column for their ids and one for what they say; one per row with an id."""
    columns = _columns(block.rows[0], ("id", "detail", "requirement", "title"))
    said = next((columns[name] for name in ("detail", "requirement") if name in columns), None)
    if "id" not in columns or said is None:
        return
    headed = columns.get("title", columns.get("requirement"))
    for row in block.rows[1:]:
        identifier = row.cells[columns["id"]].strip("` ") if columns["id"] < len(row.cells) else ""
        text = " ".join(row.cells[said].split()) if said < len(row.cells) else ""
        known = names_requirement(normal_id(identifier)) or "requirement" in columns
        if not is_id(identifier) or not known or not text:
            continue
        title = " ".join(row.cells[headed].split()) if headed is not None and headed != said else ""
        yield Criterion(
            first=row.line,
            last=row.line,
            name=title or text,
            id=normal_id(identifier),
            aspects={"text": text, **({"title": title} if title else {})},
        )


def particulars(block: Block) -> list[str]:
    """The rows of a table that gives a page's particulars, as lines `Status: draft`; none of any other table."""
    if any(len(row.cells) != 2 for row in block.rows):
        return []
    header, *rows = ([" ".join(cell.replace("*", "").split()) for cell in row.cells] for row in block.rows)
    told = [f"{name}: {value}" for name, value in rows]
    if _OF_PARTICULARS.fullmatch("|".join(header)):
        return told
    known = sum(particular(line) is not None for line in told)
    return told if known > 1 and 2 * known > len(told) else []


def _columns(header: Row, names: tuple[str, ...]) -> dict[str, int]:
    """The number of the first column that each name stands for; a column has one meaning at most."""
    columns: dict[str, int] = {}
    for number, cell in enumerate(header.cells):
        text = (
            " ".join(cell.replace("…", " ").replace("...", " ").replace("*", " ").split())
            .strip(" :,")
            .lower()
        )
        name = next((n for n in names if n not in columns and re.fullmatch(_COLUMNS[n], text)), None)
        if name:
            columns[name] = number
    return columns


def _sentence(cells: dict[str, str]) -> Sentence | None:
    role, want, benefit = (" ".join(cells.get(part, "").split()) for part in ("role", "want", "benefit"))
    role = _ROLE_PREFIX.sub("", role, count=1).rstrip(",")
    benefit = _BENEFIT_PREFIX.sub("", benefit, count=1)
    if not role or not want:
        return None
    prefix = _WANT_PREFIX.match(want)
    want = want[prefix.end() if prefix else 0 :]
    # A template, or a row of dashes, is refused as any other sentence is.
    return parse_sentence(f"As a {role}, I want {want}") and Sentence(
        role, want.rstrip(",."), benefit.rstrip(".")
    )


def _upright(block: Block) -> Sentence | None:
    """The sentence of a table whose rows are `As a`, `I want` and `So that`."""
    if any(len(row.cells) != 2 for row in block.rows):
        return None
    cells: dict[str, str] = {}
    for row in block.rows:
        label = _columns(Row((row.cells[0],), row.line), ("role", "want", "benefit"))
        cells |= dict.fromkeys(label, row.cells[1])
    return _sentence(cells) if {"role", "want"} <= cells.keys() else None


def _story(block: Block, index: int, sentence: Sentence, first: int, last: int, identifier: str) -> Story:
    return Story(
        begin=index,
        after=index + 1,
        end=index + 1,
        first=first,
        last=last,
        sentence=sentence,
        id=identifier,
        depth=block.depth,
        expected=True,
    )


def _all_cells(header: Row, row: Row, columns: dict[str, int]) -> str:
    texts = [cell.strip() for number, cell in enumerate(row.cells) if number != columns.get("id")]
    return " – ".join(" ".join(text.split()) for text in texts if text)
