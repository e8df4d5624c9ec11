"""Reads YAML by the events of libyaml: no recursion, no constructors, no tags that build objects."""

from __future__ import annotations

from typing import Protocol, cast

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from graph.facts import Json
from ingest.trees.builder import Builder, RefusedError
from ingest.trees.scalars import plain_value
from ingest.trees.tree import Tree, Unreadable

_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", f"{_TAG}str"})
_PLAIN_TAGS = frozenset(f"{_TAG}{name}" for name in ("int", "float", "bool", "null"))
_COLLECTION_TAGS = frozenset({"!", f"{_TAG}map", f"{_TAG}seq"})
_FIX = "Correct the YAML here."


class _Mark(Protocol):
    line: int
    column: int


class _Event(Protocol):
    start_mark: _Mark
    end_mark: _Mark
    anchor: str
    tag: str | None
    value: str
    implicit: tuple[bool, bool]
    flow_style: bool


class _Events(Protocol):
    def get_event(self) -> _Event: ...


def read_yaml(text: str, path: str) -> Tree | Unreadable:
    """The one document of a YAML text, or why it cannot be read."""
    builder = Builder(path)
    try:
        # The loaders' parsers only: nothing of them that resolves or constructs is called.
        events = cast(_Events, getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text))
        _build(events, builder)
    except RefusedError as refused:
        return Unreadable(path, refused.line, refused.reason, refused.remedy)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Unreadable(path, mark.line + 1 if mark else 1, error.problem or "not valid YAML", _FIX)
    except yaml.reader.ReaderError as error:
        line = _line_of_character(text, error.character)
        return Unreadable(
            path, line, f"a character that YAML forbids ({error.reason})", "Remove the character."
        )
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        return Unreadable(path, line, "half of a surrogate pair", "Remove the character.")
    return builder.tree()


def _build(events: _Events, builder: Builder) -> None:
    documents = 0
    flow: list[bool] = []
    while True:
        event = events.get_event()
        kind: object = type(event)
        if kind is StreamEndEvent:
            return
        if kind is ScalarEvent:
            _scalar(event, builder)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            line = event.start_mark.line + 1
            if event.tag is not None and event.tag not in _COLLECTION_TAGS:
                raise _tagged(event.tag, line)
            builder.open({} if kind is MappingStartEvent else [], line, event.anchor)
            flow.append(event.flow_style)
            builder.last = max(builder.last, line)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            if flow.pop():
                builder.last = event.end_mark.line + 1
            builder.close()
        elif kind is AliasEvent:
            builder.last = event.start_mark.line + 1
            builder.aliased(event.anchor, event.start_mark.line + 1)
        elif kind is DocumentStartEvent:
            documents += 1
            if documents > 1:
                line = event.start_mark.line + 1
                raise RefusedError(
                    line, "a second document begins", "Put each document into a file of its own."
                )


def _scalar(event: _Event, builder: Builder) -> None:
    line = event.start_mark.line + 1
    end = event.end_mark
    if event.value:
        # A block scalar's end mark is the start of the line after it.
        builder.last = end.line if end.column == 0 and end.line >= line else end.line + 1
    if builder.expects_key:
        if event.value == "<<" and event.implicit[0]:
            builder.merge_next(line)
        else:
            builder.key(event.value, line)
    else:
        builder.scalar(_value(event, line), line, event.anchor)


def _value(event: _Event, line: int) -> Json:
    if event.tag is None:
        return plain_value(event.value) if event.implicit[0] else event.value
    if event.tag in _TEXT_TAGS:
        return event.value
    if event.tag in _PLAIN_TAGS:
        return plain_value(event.value)
    raise _tagged(event.tag, line)


def _tagged(tag: str, line: int) -> RefusedError:
    return RefusedError(
        line, f"the tag {tag} is not of plain data", "Remove the tag: only plain YAML data is read."
    )


def _line_of_character(text: str, character: int | str | bytes) -> int:
    if isinstance(character, int):
        position = text.find(chr(character)) if character < 0x110000 else -1
        return text.count("\n", 0, max(position, 0)) + 1
    return 1
