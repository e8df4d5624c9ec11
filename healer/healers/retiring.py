"""Proposes the deletion of tests whose feature the specs removed with the code; a person always decides."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from healer.editing.functions import Function, named_classes, named_functions
from healer.healer import Patient
from healer.movements import Cause, Movement
from healer.payload import Payload
from healer.reading.meanings import Meanings
from healer.reading.suite import Suite
from healer.reading.world import World


class Retiring:
    """Proposes to delete the tests that use what code and specs removed."""

    name = "retire"

    def propose(self, patient: Patient) -> Iterator[tuple[Payload, ...]]:
        """See `Healer.propose`."""
        removed = _removed(patient)
        if not removed:
            return
        suite = Suite(patient.read, World(patient.then))
        failed = {each.node for each in patient.analyses}
        payloads = []
        for path in dict.fromkeys(each.file for each in patient.analyses):
            file = suite.file(path)
            names = tuple(_using(file, removed, path, failed)) if file is not None else ()
            if names:
                payloads.append(
                    Payload(
                        reasoning="; ".join(
                            f"{each.subject} was removed from code and specs" for each in removed
                        ),
                        file_to_patch=path,
                        cites=tuple(
                            dict.fromkeys(id_ for each in _told(patient, removed) for id_ in each.facts)
                        ),
                        retire=names,
                    )
                )
        if payloads:
            yield tuple(payloads)


def _removed(patient: Patient) -> list[Movement]:
    """What the code lost and the specs too, where that explains the failures."""
    specs = {
        each.subject for each in patient.movements if each.cause is Cause.REMOVED and each.side == "spec"
    }
    specs |= {
        each.subject
        for each in patient.judgement.explained_by
        if each.cause is Cause.REMOVED and each.side == "spec"
    }
    return [
        each
        for each in patient.judgement.explained_by
        if each.cause is Cause.REMOVED and each.side == "code" and each.subject in specs
    ]


def _told(patient: Patient, removed: list[Movement]) -> list[Movement]:
    """What was removed, and the changes of specs that say so."""
    subjects = {each.subject for each in removed}
    return [
        *removed,
        *(
            each
            for each in (*patient.judgement.explained_by, *patient.movements)
            if each.side == "spec" and each.cause is Cause.REMOVED and each.subject in subjects
        ),
    ]


def _using(file: Meanings, removed: list[Movement], path: str, failed: set[str]) -> Iterator[str]:
    """The failed tests of a file that speak of what was removed; all that do where the file itself failed.

    Where a class speaks of it outside its tests, as by a fixture or as its base, it is named as a whole.
    """
    subjects = tuple(each.subject for each in removed)
    nodes = {each.partition("[")[0] for each in failed}
    whole: list[str] = []
    for name, holder in named_classes(file.source.tree):
        around = [each for each in ast.iter_child_nodes(holder) if not _is_test(each)]
        node = f"{path}::{name.replace('.', '::')}"
        is_failed = path in nodes or any(each.startswith(f"{node}::") for each in nodes)
        if is_failed and any(_speaks(file, each, subjects) for part in around for each in ast.walk(part)):
            whole.append(name)
            yield name
    for name, function in named_functions(file.source.tree):
        if not _is_test(function) or name.startswith(tuple(f"{each}." for each in whole)):
            continue
        is_failed = not nodes.isdisjoint((path, f"{path}::{name.replace('.', '::')}"))
        if is_failed and any(_speaks(file, each, subjects) for each in ast.walk(function)):
            yield name


def _is_test(node: ast.AST) -> bool:
    return isinstance(node, Function) and node.name.startswith("test")


def _speaks(file: Meanings, node: ast.AST, subjects: tuple[str, ...]) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value in subjects
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    meaning = file.of(node)
    name = file.canonical(meaning) or (meaning.name if meaning is not None else "")
    return any(name == subject or name.startswith(f"{subject}.") for subject in subjects)
