"""Reads the folders of a set: requirements as passages, files of code as artifacts, the known links."""

from __future__ import annotations

import re
from pathlib import Path

from crossval.link.traces.passages import Artifact, Passage
from graph.facts import Extract, Kind
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

_CLASS = re.compile(r"\b(?:class|interface|enum|struct|trait)\s+([A-Za-z_]\w*)")
_CALLABLE = re.compile(
    r"\b(?:def|func|function|fn|sub)\s+([A-Za-z_]\w*)|\b([a-zA-Z_]\w*)\s*\([^;{}()]*\)\s*\{"
)
_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"""(?:.*?)"""|(?m:^\s*(?:#|--|;)[^\n]*)', re.DOTALL)
_TEXTS = frozenset({"txt", "md", "rst", "text"})
_NAME = re.compile(r"[A-Za-z_]\w+")
_IS_JAVA = re.compile(
    r"^\s*(?:package|import)\s+[\w.*]+;|\b(?:public|abstract|final)\s+(?:class|interface|enum)\s", re.M
)


def requirements(folder: Path) -> list[Passage]:
    """One passage per file, named as the file without its suffix; the first line is the title."""
    found = []
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        text = file.read_text("utf-8", errors="replace")
        found.append(Passage(_name(file.name), text, text.strip().partition("\n")[0]))
    return found


def code(folder: Path) -> list[Artifact]:
    """One artifact per file, named by its path in the folder; a file refers to those whose classes it names."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    texts = {each.relative_to(folder).as_posix(): each.read_text("utf-8", errors="replace") for each in files}
    parts = {path: _parts(path, text) for path, text in texts.items()}
    owners: dict[str, set[str]] = {}
    for path, (classes, _, _) in parts.items():
        for name in {*classes, Path(path).stem}:
            if not name.islower() or "_" in name.strip("_"):
                owners.setdefault(name, set()).add(path)
    return [
        Artifact(
            path,
            name=" ".join((_stem(path), *parts[path][0])),
            place=" ".join(Path(path).parts[-3:-1]),
            symbols=" ".join(parts[path][1]),
            comments=parts[path][2],
            body=text,
            uses=tuple(sorted(_used(path, text, owners))),
        )
        for path, text in texts.items()
    ]


def gold(file: Path, known: list[Artifact]) -> set[tuple[str, str]]:
    """Pairs of a requirement's and an artifact's name, as a file of lines `requirement,path` tells them.

    Suffixes of texts may be there or not, and so may the first folders of a path; a path of another suffix means the
    file of that name. A first line of headings is passed over.
    """
    by_name: dict[str, list[str]] = {}
    for artifact in known:
        by_name.setdefault(Path(artifact.id).stem, []).append(artifact.id)
    pairs = set()
    for line in file.read_text("utf-8-sig").splitlines():
        requirement, _, path = (part.strip() for part in line.partition(","))
        if path and (requirement, path) != ("requirement", "path"):
            near = by_name.get(Path(path).stem, [path])
            pairs.add((_name(requirement), max(near, key=lambda each: _common_end(each, path))))
    return pairs


def _name(file: str) -> str:
    """The name of a requirement: that of its file without the suffix of a text."""
    stem, point, suffix = file.rpartition(".")
    return stem if point and suffix.lower() in _TEXTS else file


def _common_end(one: str, other: str) -> int:
    """How many parts of two paths are equal, counted from the end."""
    same = 0
    for first, second in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if first != second:
            break
        same += 1
    return same


def _stem(path: str) -> str:
    stem = Path(path).stem
    return Path(path).parent.name if stem == "__init__" else stem


def _parts(path: str, text: str) -> tuple[list[str], list[str], str]:
    """The classes, the other names and the comments of a file."""
    if path.endswith(".py"):
        document = Document(path, Role.PYTHON, text, path[:-3].replace("/", "."))
        return _of_facts(PythonReader().read(document), text)
    if path.endswith(".java") or _IS_JAVA.search(text):
        from ingest.java.reader import JavaReader

        return _of_facts(JavaReader().read(Document(path, Role.OTHER, text)), text)
    names = [first or second for first, second in _CALLABLE.findall(text)]
    return _CLASS.findall(text), names, " ".join(_COMMENT.findall(text))


def _of_facts(extract: Extract, text: str) -> tuple[list[str], list[str], str]:
    classes = [fact.name.rpartition(".")[2] for fact in extract.facts if fact.kind is Kind.CLASS]
    names = [fact.name.rpartition(".")[2] for fact in extract.facts if fact.kind is Kind.FUNCTION]
    return classes, names, " ".join(_COMMENT.findall(text))


def _used(path: str, text: str, owners: dict[str, set[str]]) -> set[str]:
    """The files whose classes this one names, where only one file has a class of that name."""
    found = set()
    for name in set(_NAME.findall(text)):
        files = owners.get(name, set())
        if len(files) == 1:
            found |= files
    return found - {path}
