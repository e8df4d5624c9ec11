"""What names and expressions stand for across modules."""

from __future__ import annotations

import ast
from collections.abc import Collection

import pytest

from ingest.ingestor import Document, Role
from ingest.web.constants.constants import MISSING, constant
from ingest.web.program.program import Program
from ingest.web.program.targets import ClassTarget, External, FunctionTarget, ModuleTarget, Target


class Files:
    """A project of these files, by path."""

    def __init__(self, files: dict[str, str]) -> None:
        self.documents = {}
        for path, text in files.items():
            name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            self.documents[name] = Document(path=path, role=Role.PYTHON, text=text, module=name)

    def document(self, module: str) -> Document | None:
        return self.documents.get(module)

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(self.documents))


def value_of(files: dict[str, str], expression: str, module: str = "app") -> object:
    program = Program(Files(files))
    found = program.module(module)
    assert found is not None
    return constant(program, located(expression), found.scope)


def target_of(files: dict[str, str], expression: str, module: str = "app") -> Target | None:
    program = Program(Files(files))
    found = program.module(module)
    assert found is not None
    return program.resolve(located(expression), found.scope)


def located(expression: str) -> ast.expr:
    return ast.increment_lineno(ast.parse(expression, mode="eval"), 1000).body


@pytest.mark.parametrize(
    ("text", "expression", "expected"),
    [
        ("A = 'x'\nB = A + '/y'\nC = f'{B}/{1}'\n", "C", "x/y/1"),
        ("from http import HTTPStatus\n", "HTTPStatus.NOT_FOUND", 404),
        ("from http import HTTPStatus\n", "HTTPStatus.NOT_FOUND.value", 404),
        ("from http import HTTPStatus\n", "HTTPStatus.NOBODY", MISSING),
        ("from starlette import status\n", "status.HTTP_409_CONFLICT", 409),
        ("from fastapi import status as s\n", "s.HTTP_200_OK", 200),
        ("from elsewhere import status\n", "status.HTTP_200_OK", MISSING),
        ("import enum\nclass E(enum.Enum):\n    a = 'x'\n    b = enum.auto()\n", "E.a", "x"),
        ("import enum\nclass E(enum.StrEnum):\n    Big = enum.auto()\n", "E.Big.value", "big"),
        ("class Config:\n    prefix = '/api'\n", "Config.prefix", "/api"),
        ("class Config:\n    prefix = '/api'\nc = Config()\n", "c.prefix", "/api"),
        ("class Config:\n    prefix = '/api'\nc = Config(prefix='/x')\n", "c.prefix", MISSING),
        ("class C:\n    a = '/x'\ndef get():\n    'Doc.'\n    return C()\nc = get()\n", "c.a", "/x"),
        ("class C:\n    a = '/x'\ndef get():\n    return C()\n", "get().a", "/x"),
        ("class C:\n    a = '/x'\ndef get():\n    return C(a='/y')\n", "get().a", MISSING),
        ("class C:\n    a = '/x'\ndef get():\n    if b: return D()\n    return C()\n", "get().a", MISSING),
        ("def get():\n    return get()\n", "get().a", MISSING),
        ("X = ['GET']\n", "X + ['POST']", ["GET", "POST"]),
        ("X = {'a': 1}\n", "{**X, 'b': -2}", {"a": 1, "b": -2}),
        ("import os\nX = os.environ['X']\n", "X", MISSING),
        ("X = X\n", "X", MISSING),
        ("X = Y\nY = X\n", "X", MISSING),
        ("X = X + 'a'\n", "X", MISSING),
        ("X = 1\nX = 2\n", "X", 2),
        ("if debug:\n    X = 1\nelse:\n    X = 2\n", "X", MISSING),
        ("try:\n    from fast import X\nexcept ImportError:\n    X = 1\n", "X", MISSING),
        ("X = 1\nX += 1\n", "X", MISSING),
        ("for X in range(3): pass\n", "X", MISSING),
        ("A, (B, C) = 1, (2, 3)\n", "C", 3),
        ("D = {'a': 1}\n", "D.get('a', 2)", 1),
        ("D = {'a': 1}\n", "D.get('b', 2)", 2),
        ("D = {'a': 1}\n", "D.get(undefined, 2)", MISSING),
        ("", "undefined", MISSING),
        ("", "f'{x!r}'", MISSING),
    ],
)
def test_constants(text: str, expression: str, expected: object) -> None:
    assert value_of({"app.py": text}, expression) == expected


def test_imports_are_followed_through_re_exports_aliases_and_stars() -> None:
    files = {
        "shop/__init__.py": "from .core import *\nfrom .core import Hidden as Shown\nfrom . import api\n",
        "shop/core.py": "__all__ = ['Book']\nclass Book: ...\nclass Hidden: ...\ndef make(): ...\n",
        "shop/api.py": "from . import core as c\nBook = c.Book\n",
        "app.py": "import shop.api\nimport shop as s\nfrom shop import Shown, api\nimport fastapi as fa\n",
    }
    for expression, name in [
        ("s.Book", "Book"),
        ("Shown", "Hidden"),
        ("shop.api.Book", "Book"),
        ("api.Book", "Book"),
    ]:
        found = target_of(files, expression)
        assert isinstance(found, ClassTarget) and found.qualified == f"shop.core.{name}"
    assert isinstance(target_of(files, "s.api"), ModuleTarget)
    assert isinstance(target_of(files, "api.c.make"), FunctionTarget)
    assert target_of(files, "fa.responses.JSONResponse") == External("fastapi.responses.JSONResponse")
    assert target_of(files, "print") == External("builtins.print")


def test_circular_imports_and_bases_end() -> None:
    files = {
        "a.py": "from b import X\nclass A(B): ...\nclass B(A): ...\n",
        "b.py": "from a import X\n",
        "c.py": "from c import *\nfrom d import *\n",
        "d.py": "from c import *\n",
    }
    assert target_of(files, "X", "a") is None
    assert target_of(files, "nothing", "c") is None
    program = Program(Files(files))
    module = program.module("a")
    assert module is not None
    found = program.resolve(located("A"), module.scope)
    assert isinstance(found, ClassTarget)
    assert not program.is_a(found, {"fastapi"}, {"FastAPI"})


def test_namespace_packages_are_packages() -> None:
    files = {"app.py": "from shop.api import books\nimport shop.api.books\n", "shop/api/books.py": "X = 1\n"}
    assert value_of(files, "books.X") == 1
    assert value_of(files, "shop.api.books.X") == 1


def test_what_was_read_is_told() -> None:
    files = {"app.py": "from a import X\n", "a.py": "from b import X\n", "b.py": "X = 1\n", "c.py": ""}
    program = Program(Files(files))
    module = program.module("app")
    assert module is not None
    with program.trail() as paths:
        assert constant(program, located("X"), module.scope) == 1
    assert paths == {"app.py", "a.py", "b.py"}


def ancestry_of(files: dict[str, str], name: str) -> list[object]:
    """The names of a class of `app.py` and of those above it, in order; what is no class of the project as it is."""
    program = Program(Files(files))
    module = program.module("app")
    assert module is not None
    found = program.resolve(located(name), module.scope)
    assert isinstance(found, ClassTarget)
    return [each.node.name if isinstance(each, ClassTarget) else each for each in program.ancestry(found)]


def test_what_only_type_checkers_see_stands_in_for_nothing_that_a_run_binds() -> None:
    text = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from views import View as Base\n"
        "    from models import Book\nelse:\n    Base = object\n"
        "if not TYPE_CHECKING:\n    Other = object\nelse:\n    from views import View as Other\n"
    )
    assert target_of({"app.py": text}, "Base") == External("builtins.object")
    assert target_of({"app.py": text}, "Other") == External("builtins.object")
    assert target_of({"app.py": text}, "Book") == External("models.Book")


def test_bases_are_looked_at_in_the_order_of_python() -> None:
    text = "from web import View\nclass A(View): ...\nclass B(View):\n    x = 1\nclass C(A, B): ...\n"
    names = ancestry_of({"app.py": text}, "C")
    assert names == ["C", "A", "B", External("web.View")]
    assert value_of({"app.py": text}, "C.x") == 1


def test_bases_that_are_not_known_stay_each_where_it_is() -> None:
    text = "class A(x()): ...\nclass B(y()): ...\nclass C(A, B, z()): ...\n"
    names = ancestry_of({"app.py": text}, "C")
    assert names == ["C", "A", None, "B", None, None]


def test_a_name_in_its_own_value_is_what_it_was_before() -> None:
    files = {
        "base.py": "T = {'a': 1, 'b': 1}\n",
        "app.py": "from base import T\nT = {\n    **T,\n    'b': 2,\n}\n",
    }
    assert value_of(files, "T") == {"a": 1, "b": 2}
    assert value_of({"app.py": "T = {'a': 1}\nT = {**T, 'b': 2}\n"}, "T") == {"a": 1, "b": 2}


def test_modules_that_import_all_of_each_other_are_asked_once_each() -> None:
    names = [f"m{number}" for number in range(12)]
    every = "".join(f"from {name} import *\n" for name in names)
    files = {f"{name}.py": every for name in names}
    files["m7.py"] += "there = 1\n"
    assert target_of({**files, "app.py": every}, "nowhere") is None
    assert value_of({**files, "app.py": every}, "there") == 1


def test_a_choice_whose_last_operand_is_the_name_that_it_binds_ends() -> None:
    text = "import os\n\n\ndef make(name: str):\n    name = \\\n        os.getenv('NAME') or name\n    return name\n"
    program = Program(Files({"app.py": text}))
    module = program.module("app")
    assert module is not None
    function = module.tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    with program.following():
        found = constant(program, located("name"), module.scope.child(function))
    assert found is MISSING
