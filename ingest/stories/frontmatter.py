"""The YAML before a page's text: particulars of its story, or whole stories."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from graph.facts import Json, Skipped
from ingest.stories.blocks import Line
from ingest.stories.criteria import Criterion, entry, one_line, put_together
from ingest.stories.identifiers import is_id, normal_id, split_id
from ingest.stories.labels import words
from ingest.stories.sentence import Sentence, parse_sentence
from ingest.stories.story import Story

_FENCE = re.compile(r"---[ \t]*(?:\r\n|\r|\n)")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ROLE = ("role", "as_a", "as_an", "as", "actor", "persona")
_WANT = ("want", "i_want", "i_want_to", "goal")
_BENEFIT = ("benefit", "so_that", "in_order_to", "why", "value")
_CRITERIA = ("acceptance_criteria", "acceptance", "criteria", "acs", "ac", "scenarios", "done_when")
_STORIES = ("stories", "user_stories", "userstories")


class FrontMatter(msgspec.Struct):
    """What stands before the text: the page's own particulars, and the stories told there.

    `body` is the text with the front matter blanked, so that lines keep their numbers. `page` is the story of the
    page itself; it has no sentence where the front matter only gives an id, a title, tags or a priority.
    """

    body: str
    page: Story | None = None
    stories: list[Story] = []
    skipped: list[Skipped] = []


def read_front_matter(text: str, path: str) -> FrontMatter:
    """The front matter of a Markdown text; without one, the text alone."""
    if not _FENCE.match(text):
        return FrontMatter(text)
    lines = _LINE_END.split(text)
    close = next((n for n in range(1, len(lines)) if _CLOSE.match(lines[n])), None)
    if close is None:
        return FrontMatter(text)
    from ingest.located import read_located
    from ingest.trees.tree import Unreadable

    body = "\n" * (close + 1) + "\n".join(lines[close + 1 :])
    tree = read_located("\n".join(lines[1:close]) + "\n", path, line_offset=1)
    if isinstance(tree, Unreadable):
        return FrontMatter(body, skipped=[Skipped(path, tree.line, f"front matter: {tree.reason}")])
    if not isinstance(tree.value, dict):
        return FrontMatter(body)
    fields = _Fields(tree.value, lambda parent, key: tree.line(parent, key), close)
    listed = next((v for name in _STORIES if isinstance(v := fields.get(name), list)), [])
    stories = [
        _story(_Fields(item, tree.line, tree.last_line(listed, number)), tree.line(listed, number))
        for number, item in enumerate(listed)
        if isinstance(item, dict)
    ]
    page = _story(fields, 1)
    return FrontMatter(body, page, [story for story in stories if story.sentence or story.criteria])


class _Fields:
    """A mapping whose keys are looked up without regard to case, blanks and hyphens."""

    def __init__(self, value: dict[str, Json], line: Json, last: int) -> None:
        self.value = value
        self.line = line
        self.last = last
        self._names = {re.sub(r"[\s-]+", "_", str(key).strip().lower()): key for key in value}

    def get(self, name: str) -> Json:
        """The value of a field, None where it is absent."""
        return self.value[self._names[name]] if name in self._names else None

    def key(self, name: str) -> str:
        """The field's name as it was written."""
        return self._names[name]

    def text(self, *names: str) -> str:
        """The first of these fields that holds a scalar, as text."""
        found = (self.get(name) for name in names)
        return next(
            (str(v).strip() for v in found if isinstance(v, str | int | float) and str(v).strip()), ""
        )

    def words(self, *names: str) -> list[str]:
        """The first of these fields as a list of words; a text is split at commas."""
        for name in names:
            value = self.get(name)
            if isinstance(value, list):
                return [str(item) for item in value if isinstance(item, str | int)]
            if isinstance(value, str):
                return words(value)
        return []


def _story(fields: _Fields, first: int) -> Story:
    role, want, benefit = fields.text(*_ROLE), fields.text(*_WANT), fields.text(*_BENEFIT)
    sentence = parse_sentence(fields.text("story", "user_story", "description", "narrative"))
    if role and want:
        want = re.sub(r"^(?:I want )?to ", "", want)
        whole = parse_sentence(f"As a {role}, I want {want}")
        sentence = Sentence(re.sub(r"(?i)^as an? ", "", role), want, benefit) if whole else sentence
    identifier, title = split_id(fields.text("title", "name"))
    own = fields.text("id", "story_id", "key")
    return Story(
        begin=0,
        after=0,
        end=0,
        first=first,
        last=fields.last,
        sentence=sentence,
        title=title,
        id=normal_id(own) if is_id(own) else identifier,
        expected=True,
        tags=fields.words("tags", "labels"),
        priority=fields.text("priority"),
        criteria=list(_criteria(fields)),
    )


def _criteria(fields: _Fields) -> Iterator[Criterion]:
    for name in _CRITERIA:
        listed = fields.get(name)
        if not isinstance(listed, list):
            continue
        key = fields.key(name)
        for number, item in enumerate(listed):
            line = fields.line(listed, number) or fields.line(fields.value, key)
            if isinstance(item, str):
                yield from put_together([entry([Line(part, line) for part in item.split("\n")], line)])
            elif isinstance(item, dict):
                yield from _criterion(_Fields(item, fields.line, line), line)
        return


def _criterion(fields: _Fields, line: int) -> Iterator[Criterion]:
    text = fields.text("text", "criterion", "description")
    title = fields.text("title", "scenario", "name")
    steps = {kind: _steps(fields.get(kind)) for kind in ("given", "when", "then")}
    aspects: dict[str, Json] = {}
    if any(steps.values()):
        aspects |= steps
        text = text or "\n".join(f"{kind.capitalize()} {step}" for kind in steps for step in steps[kind])
    if title:
        aspects["title"] = title
    if not text and not title:
        return
    identifier = fields.text("id", "key")
    yield Criterion(
        first=line,
        last=line,
        name=one_line(title or text, steps="then" in aspects),
        id=normal_id(identifier) if is_id(identifier) else "",
        aspects={"text": text or title, **aspects},
    )


def _steps(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value if isinstance(item, str)] if isinstance(value, list) else []
