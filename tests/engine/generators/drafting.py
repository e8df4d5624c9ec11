"""What generators make of stubs and docstrings in memory: all drafts, the only one, or what is missing for it."""

from __future__ import annotations

from pathlib import PurePosixPath

from engine.generators.functions.doctests import DoctestGenerator
from engine.generators.functions.signature import SignatureGenerator
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.pages import PageReader
from ingest.python.reader import PythonReader
from planner.cases import Case, Technique
from planner.functions.cases import function_cases
from planner.generator import Context, Declined, Draft


def source_of(files: dict[str, str]) -> Memory:
    """The facts of stubs, code and pages in memory."""
    extracts, modules = [], {}
    for path, text in files.items():
        place = PurePosixPath(path)
        if place.suffix == ".md":
            extracts.append(PageReader().read(Document(path=path, text=text, role=Role.PAGE, module="")))
            continue
        name = str(place.with_suffix("")).replace("/", ".").removesuffix(".__init__")
        role = Role.STUB if place.suffix == ".pyi" else Role.PYTHON
        extracts.append(PythonReader().read(Document(path=path, text=text, role=role, module=name)))
        modules[path] = name
    return Memory(extracts, modules)


def answers(files: dict[str, str], technique: Technique) -> list[Draft | Declined]:
    """What the generators make of all cases of a technique."""
    source = source_of(files)
    context = Context(source=source, application=None)
    found = []
    for case in function_cases(source):
        for generator in (SignatureGenerator(), DoctestGenerator()):
            if case.technique is technique and generator.takes(case):
                found.append(generator.generate(case, context))
    return found


def written(files: dict[str, str], technique: Technique) -> str:
    """The source of the only test of a technique."""
    (answer,) = answers(files, technique)
    assert isinstance(answer, Draft), answer
    return answer.source


def needed(files: dict[str, str], technique: Technique) -> str:
    """What is missing for the only test of a technique."""
    (answer,) = answers(files, technique)
    assert isinstance(answer, Declined), answer.source
    return answer.needs


def cases_of(stub: str) -> list[Case]:
    return list(function_cases(source_of({"shop.pyi": stub})))
