"""Gherkin text as plain records: features, and scenarios with every step under its own kind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from graph.facts import Json

if TYPE_CHECKING:
    from ingest.stories.gherkin_text import Problem

_KINDS = {"Context": "given", "Action": "when", "Outcome": "then"}


class Step(NamedTuple):
    """One step: its kind (`given`, `when` or `then`), its words with table and doc string, and its keyword."""

    kind: str
    text: str
    keyword: str


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario, outline, or rule without any; `tags` are its own, without `@`."""

    title: str
    steps: tuple[Step, ...]
    background: tuple[str, ...]
    tags: tuple[str, ...]
    inherited: tuple[str, ...]
    examples: tuple[dict[str, str], ...]
    rule: str
    line: int
    end_line: int

    def of_kind(self, kind: str) -> list[str]:
        """The steps of one kind in their order; the background's come first under `given`."""
        before = list(self.background) if kind == "given" else []
        return before + [step.text for step in self.steps if step.kind == kind]

    @property
    def name(self) -> str:
        """The title; where there is none, the steps on one line without their tables and doc strings."""
        steps = (f"{step.keyword}{step.text}".partition("\n")[0] for step in self.steps)
        return self.title or ", ".join(steps)

    @property
    def text(self) -> str:
        """The steps as they were written, one per line; the title where there are none."""
        return "\n".join(f"{step.keyword}{step.text}" for step in self.steps) or self.title


class Feature(msgspec.Struct, frozen=True, kw_only=True):
    """A feature with its scenarios in source order."""

    title: str
    description: str
    tags: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    line: int
    end_line: int


class Parsed(NamedTuple):
    """What could be read of a text, and what could not."""

    feature: Feature | None
    problems: tuple[Problem, ...]


def parse_feature(text: str) -> Parsed:
    """The feature that a text holds, with its problems; what stands around a problem is kept."""
    # The parser is loaded for features only.
    from ingest.stories.gherkin_text import read_tree

    document, problems = read_tree(text.replace("\r\n", "\n").replace("\r", "\n"))
    node = document.get("feature")
    if node is None:
        return Parsed(None, problems)
    tags = _tags(node)
    # A scenario without a title and without steps says nothing.
    scenarios = tuple(one for one in _scenarios(node["children"], inherited=tags) if one.text)
    end = _line(node) + len(node["description"].split("\n")) if node["description"] else _line(node)
    return Parsed(
        Feature(
            title=node["name"],
            description=node["description"],
            tags=tags,
            scenarios=scenarios,
            line=_line(node),
            end_line=max((s.end_line for s in scenarios), default=end),
        ),
        problems,
    )


def criterion_aspects(scenario: Scenario) -> dict[str, Json]:
    """What a scenario says, in the aspects of a criterion."""
    aspects: dict[str, Json] = {
        "text": scenario.text,
        "given": scenario.of_kind("given"),
        "when": scenario.of_kind("when"),
        "then": scenario.of_kind("then"),
        "tags": list(dict.fromkeys((*scenario.inherited, *scenario.tags))),
    }
    optional = {"title": scenario.title, "examples": list(scenario.examples), "rule": scenario.rule}
    return aspects | {name: value for name, value in optional.items() if value}


def _scenarios(
    children: list[dict[str, Json]],
    *,
    inherited: tuple[str, ...],
    background: tuple[str, ...] = (),
    rule: str = "",
) -> Iterator[Scenario]:
    for child in children:
        if node := child.get("background"):
            background += tuple(step.text for step in _steps(node))
        elif node := child.get("scenario"):
            yield _scenario(node, inherited=inherited, background=background, rule=rule)
        elif node := child.get("rule"):
            below = tuple(dict.fromkeys((*inherited, *_tags(node))))
            found = list(
                _scenarios(node["children"], inherited=below, background=background, rule=node["name"])
            )
            yield from found or [
                _scenario(node, inherited=inherited, background=background, rule=node["name"])
            ]


def _scenario(
    node: dict[str, Json], *, inherited: tuple[str, ...], background: tuple[str, ...], rule: str
) -> Scenario:
    examples = node.get("examples", [])
    return Scenario(
        title=node["name"],
        steps=tuple(_steps(node)),
        background=background if node.get("steps") else (),
        tags=_tags(node),
        inherited=inherited,
        examples=tuple(itertools.chain.from_iterable(_examples(table) for table in examples)),
        rule=rule,
        line=_line(node),
        end_line=max(_lines(node)),
    )


def _steps(node: dict[str, Json]) -> Iterator[Step]:
    kind = "given"
    for step in node.get("steps", []):
        # `And`, `But`, `*`, and words that mean several kinds in their language, go on with the kind before.
        kind = _KINDS.get(step["keywordType"], kind)
        yield Step(kind, _step_text(step), step["keyword"])


def _step_text(step: dict[str, Json]) -> str:
    text: str = step["text"]
    if table := step.get("dataTable"):
        rows = (" | ".join(cell["value"] for cell in row["cells"]) for row in table["rows"])
        text += "".join(f"\n| {row} |" for row in rows)
    if (doc_string := step.get("docString")) is not None:
        text += f'\n"""\n{doc_string["content"]}\n"""'
    return text


def _examples(table: dict[str, Json]) -> Iterator[dict[str, str]]:
    header = table.get("tableHeader")
    names = [cell["value"] for cell in header["cells"]] if header else []
    for row in table.get("tableBody") or []:
        yield dict(zip(names, (cell["value"] for cell in row["cells"]), strict=False))


def _tags(node: dict[str, Json]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag["name"].removeprefix("@") for tag in node.get("tags", [])))


def _line(node: dict[str, Json]) -> int:
    line: int = node["location"]["line"]
    return line


def _lines(node: dict[str, Json]) -> Iterator[int]:
    """The last lines of a scenario's parts, all of them at most the scenario's own last line."""
    yield _line(node)
    for step in node.get("steps", []):
        yield _line(step)
        if table := step.get("dataTable"):
            yield _line(table["rows"][-1])
        if doc_string := step.get("docString"):
            content = doc_string["content"]
            yield _line(doc_string) + (content.count("\n") + 2 if content else 1)
    for examples in node.get("examples", []):
        yield _line(examples)
        for row in (examples.get("tableBody") or [])[-1:]:
            yield _line(row)
