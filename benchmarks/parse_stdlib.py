"""How long the Python readers take for a tree of Python files: parsing alone, and parsing with facts and relations.

    python benchmarks/parse_stdlib.py [FOLDER]      (default: this interpreter's standard library)

Each line is one pass in one process: CPU seconds, and their ratio to parsing alone. Nothing is stored.
"""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from graph.facts import Extract
from ingest.ingestor import Document, Role
from ingest.python.query import captures, parse
from ingest.python.reader import PythonReader
from ingest.python.tests import PythonTestReader

_TEST_FOLDERS = {"test", "tests"}


def documents(folder: Path) -> list[Document]:
    """All Python files below a folder that are UTF-8, installed packages left out."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if "site-packages" in relative.parts:
            continue
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        role = Role.TEST if _TEST_FOLDERS & set(relative.parts) else Role.PYTHON
        module = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
        found.append(Document(path=relative.as_posix(), role=role, text=text, module=module))
    return found


def main() -> None:
    """Time the passes and print them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(sysconfig.get_path("stdlib"))
    read = documents(folder)
    code, tests = PythonReader(), PythonTestReader()
    lines = sum(document.text.count("\n") for document in read)
    print(f"{folder}: {len(read)} files, {lines} lines")

    def only_parse(document: Document) -> Extract:
        parse(document.text.encode())
        return Extract()

    def match(document: Document) -> Extract:
        captures(parse(document.text.encode()).root_node)
        return Extract()

    def as_code(document: Document) -> Extract:
        return code.read(document)

    def by_role(document: Document) -> Extract:
        return (tests if document.role is Role.TEST else code).read(document)

    passes: list[tuple[str, Callable[[Document], Extract]]] = [
        ("parse only", only_parse),
        ("parse and match the query", match),
        ("all, every file as code", as_code),
        ("all, tests as tests", by_role),
    ]
    base = 0.0
    for title, run in passes:
        facts = relations = 0
        start = time.process_time()
        for document in read:
            extract = run(document)
            facts += len(extract.facts)
            relations += len(extract.relations)
        seconds = time.process_time() - start
        base = base or seconds
        print(f"{title:28} {seconds:6.2f} s  x{seconds / base:.2f}  {facts} facts, {relations} relations")


if __name__ == "__main__":
    main()
