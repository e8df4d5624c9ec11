"""One Python file, taken apart: its scopes, names, imports and assignments, ready to be told as facts."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from graph.facts import Kind, Tag
from ingest.ingestor import Document
from ingest.python import query
from ingest.python.bindings import Assignment, read_bindings
from ingest.python.flow import read_flow, read_yields
from ingest.python.giving import read_giving
from ingest.python.imports import Imports, read_imports
from ingest.python.names import Names
from ingest.python.query import Captures
from ingest.python.recovery import parse
from ingest.python.results import read_results
from ingest.python.scopes import Scope, Scopes
from ingest.python.signatures import POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, function_kind, parameters
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_NO_BASES = frozenset({"keyword_argument", "dictionary_splat", "comment"})


class Module(msgspec.Struct, frozen=True):
    """What one file consists of; `name` is its dotted name, `package` whether it is a package's `__init__`."""

    name: str
    package: bool
    tag: Tag
    source: Source
    root: Node
    found: Captures
    scopes: Scopes
    imports: Imports
    assignments: list[Assignment]
    names: Names


def take_apart(document: Document, tag: Tag) -> Module:
    """Parse a file and sort out what is in it. Broken parts of the file are left out."""
    path = PurePosixPath(document.path)
    name, package = document.module or path.stem, path.stem == "__init__"
    source = Source(document.path, document.text)
    root = parse(source.data)
    found = query.captures(root)
    scopes = Scopes(source, root, found, name, tag)
    for scope in scopes.all:
        if scope.kind is Kind.FUNCTION:
            _read_header(source, scope)
        elif scope.kind is Kind.CLASS:
            scope.bases = _bases(source, scope.node)
    parent = name if package else name.rpartition(".")[0]
    imports = read_imports(source, found, scopes, parent)
    assignments = read_bindings(source, found, scopes)
    read_yields(source, found, scopes)
    if tag is not Tag.SPEC:
        read_flow(source, found, scopes)
    if tag is Tag.CODE:
        read_results(source, found, scopes)
        read_giving(source, found, scopes)
    attributes = {assignment.name for assignment in assignments if assignment.scope is scopes.module}
    names = Names(scopes, imports, attributes)
    return Module(name, package, tag, source, root, found, scopes, imports, assignments, names)


def _read_header(source: Source, scope: Scope) -> None:
    assert scope.parameters is not None, "a function has parameters"
    scope.signature = parameters(source, scope.parameters)
    scope.form = function_kind(scope)
    if scope.form not in ("function", "staticmethod") and scope.signature:
        first = scope.signature[0]
        if first[1] in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD):
            scope.receiver = first[0]


def _bases(source: Source, node: Node) -> tuple[str, ...]:
    """The texts of a class's bases, without keywords."""
    listed = node.child_by_field_name("superclasses")
    if listed is None:
        return ()
    return tuple(source.flat(child) for child in listed.named_children if child.type not in _NO_BASES)
