"""Protocols, abstract classes and dataclasses of ordinary modules as specs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from crossval.findings import Finding
from crossval.link.definitions.interfaces import align_interfaces
from crossval.validate import cross_validate
from graph.source import Memory
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader

PORTS = """
import vendor
from collections.abc import AsyncIterator
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NoReturn, Protocol

class Store(Protocol):
    name: str
    def get(self, key: str, default: int = 0) -> int: ...

class Mailer(ABC):
    @abstractmethod
    def send(self, text: str) -> None: ...
    def close(self) -> None:
        pass

@dataclass
class Book:
    title: str
    pages: int = 0

class Feed(ABC):
    async def read(self) -> AsyncIterator[int]:
        yield 1
    def find(self) -> int | None: ...
    @vendor.shared
    def kept(self): ...
    __slots__ = ("mode",)
    tag = ""
    mode: int
    def __init__(self):
        self.mode = 1
        self.state = None
        self.state = self.mode
    def place(self) -> NoReturn:
        raise LookupError

class Plain:
    def other(self): ...
"""


def found(files: Mapping[str, str]) -> list[str]:
    """Rule, subject and aspect of all findings where `shop/ports.py` is the spec."""
    return [f"{finding.rule} {finding.subject} {finding.aspect}" for finding in checked(files)]


def messages(files: Mapping[str, str]) -> list[str]:
    """What the findings say."""
    return [finding.message for finding in checked(files)]


def checked(files: Mapping[str, str]) -> Sequence[Finding]:
    """All findings where `shop/ports.py` is the spec."""
    files = {"shop/ports.py": PORTS, **files}
    modules = {path: path.removesuffix(".py").replace("/", ".") for path in files}
    extracts = [
        PythonReader().read(
            Document(
                path=path,
                role=Role.STUB if path == "shop/ports.py" else Role.PYTHON,
                text=text,
                module=modules[path],
            )
        )
        for path, text in files.items()
    ]
    return cross_validate(Memory(extracts, modules), aligners=(align_interfaces,)).findings


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "class Disk(Store):\n    def get(self, key): ...",
            [
                "argument-missing function shop.app.Disk.get signature.default",
                "attribute-not-implemented attribute shop.app.Disk.name exists",
            ],
        ),
        (
            "class Disk(Store):\n    name = 'disk'\n    def get(self, key, default, more): ...",
            [
                "argument-default-mismatch function shop.app.Disk.get signature.default.default",
                "argument-extra function shop.app.Disk.get signature.more",
            ],
        ),
        ("class Smtp(Mailer): ...", ["function-not-implemented function shop.app.Smtp.send exists"]),
        (
            "class Smtp(Mailer):\n    async def send(self, text): ...",
            ["async-mismatch function shop.app.Smtp.send async"],
        ),
        (
            "class Book:\n    title: bytes\n    pages: int",
            ["attribute-type-mismatch attribute shop.app.Book.title type"],
        ),
        (
            "class Wide(Feed):\n    def find(self) -> int | str | None: ...",
            ["return-type-mismatch function shop.app.Wide.find returns"],
        ),
    ],
)
def test_what_a_class_owes_to_its_interface_is_found(code: str, expected: list[str]) -> None:
    assert found({"shop/app.py": f"from shop.ports import Feed, Mailer, Store\n{code}"}) == expected


@pytest.mark.parametrize(
    "code",
    [
        "class Disk(Store):\n    def __init__(self): self.name = ''\n    def get(self, key, default=0, more=1): ...",
        "class Disk(Store, Protocol):\n    def put(self): ...",
        "class Smtp(Mailer):\n    def send(self, text): ...",
        "class Half(Mailer):\n    @abstractmethod\n    def later(self): ...",
        "class Whole(Known):\n    pass\nclass Known(Mailer):\n    def send(self, text, copy=None): ...",
        "class Smtp(Mailer, vendor.Base): ...",
        "class Plain:\n    pass",
        "class Files(Feed):\n    async def read(self) -> AsyncIterator[int]:\n        yield 2",
        "class Disk(Store):\n    @property\n    def name(self): ...\n    def get(self, key, default=0): ...",
        "class Files(Feed):\n    __slots__ = ()\n    tag = 'files'\n    def place(self):\n        return 'here'",
        "class Files(Feed):\n    def find(self) -> None: ...\n    kept = True",
        "class Book:\n    def __init__(self, title, pages=0):\n        self.title, self.pages = title, pages",
    ],
)
def test_a_class_that_keeps_its_interface_or_may_keep_it_is_no_finding(code: str) -> None:
    header = "import vendor\nfrom abc import abstractmethod\nfrom typing import Protocol\n"
    assert found({"shop/app.py": f"{header}from shop.ports import Feed, Mailer, Store\n{code}"}) == []


def test_what_is_told_names_the_interface_and_no_stub() -> None:
    assert messages({"shop/app.py": "from shop.ports import Mailer\nclass Smtp(Mailer): ..."}) == [
        "The interface declares function shop.app.Smtp.send, but shop/app.py does not define it"
    ]
