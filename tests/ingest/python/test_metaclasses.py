"""What a metaclass sets in its classes is told only where its text shows all that it does with them."""

from textwrap import indent

import pytest

from graph.facts import Kind, Tag
from ingest.ingestor import Document, Role
from ingest.python.metaclasses import members_set
from ingest.python.module import take_apart

_NEW = "def __new__(mcs, name, bases, names, **rest):\n"
_INIT = "def __init__(cls, name, bases, names):\n"


def _set(makers: str, base: str = "type") -> list[str] | None:
    text = f"class Meta({base}):\n{indent(makers, '    ')}"
    module = take_apart(Document("shop.py", Role.PYTHON, text, "shop", "."), Tag.CODE)
    meta = next(scope for scope in module.scopes.all if scope.kind is Kind.CLASS)
    return members_set(module.source, module.scopes, meta)


def test_annotations_are_no_uses_of_what_they_are_called_like() -> None:
    makers = "def __new__(mcs, name: str, bases: tuple, dict: dict) -> type:\n"
    assert _set(f"{makers}    dict['a'] = 1\n    return type.__new__(mcs, name, bases, dict)") == ["a"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return super().__new__(mcs, name, bases, names)", []),
        ("made = type.__new__(mcs, name, bases, names, **rest)\nALL[name] = made\nreturn made", []),
        ("names['size'] = len(names)\nreturn super(Meta, mcs).__new__(mcs, name, bases, names)", ["size"]),
        ("made = ABCMeta.__new__(mcs, name, bases, names)\nmade.size = 1\nreturn made", ["size"]),
        (
            "for key, value in names.items():\n    names[key] = checked(value)\n"
            "return super().__new__(mcs, name, bases, names)",
            ["*"],
        ),
        (
            "chosen = [(k, v) for k, v in names.items() if not v.__doc__]\nfor key, value in chosen:\n"
            "    names[key] = checked(value)\nreturn super().__new__(mcs, name, bases, names)",
            ["*"],
        ),
        (
            "names['a'] = 1\nif 'b' in names:\n    names['c'] = 2\nreturn type.__new__(mcs, name, bases, names)",
            ["a", "c"],
        ),
    ],
)
def test_the_names_that_new_sets(body: str, expected: list[str]) -> None:
    assert _set(_NEW + indent(body, "    ")) == expected


@pytest.mark.parametrize(
    "body",
    [
        "return super().__new__(mcs, name, bases, {**names, 'size': 1})",
        "return super().__new__(mcs, name, (Base, *bases), names)",
        "bases = (Base,)\nreturn super().__new__(mcs, name, bases, names)",
        "names = dict(names)\nreturn super().__new__(mcs, name, bases, names)",
        "names.update(size=1)\nreturn super().__new__(mcs, name, bases, names)",
        "names.pop('size')\nreturn super().__new__(mcs, name, bases, names)",
        "del names['size']\nreturn super().__new__(mcs, name, bases, names)",
        "fill(names)\nreturn super().__new__(mcs, name, bases, names)",
        "chosen = [(k + '_', v) for k, v in names.items()]\nfor key, value in chosen:\n    names[key] = value\n"
        "return super().__new__(mcs, name, bases, names)",
        "for key in KEYS:\n    names[key] = 1\nreturn super().__new__(mcs, name, bases, names)",
        "return checked(super().__new__(mcs, name, bases, names))",
        "made = super().__new__(mcs, name, bases, names)\nmade.add('size', 1)\nreturn made",
        "made = super().__new__(mcs, name, bases, names)\nsetattr(made, 'size', 1)\nreturn made",
        "made = super().__new__(mcs, name, bases, names)\nother = made\nother.size = 1\nreturn made",
        "def add():\n    names['size'] = 1\nadd()\nreturn super().__new__(mcs, name, bases, names)",
        "return build(name, bases)",
    ],
)
def test_what_may_do_more_with_the_class_tells_nothing(body: str) -> None:
    assert _set(_NEW + indent(body, "    ")) is None


def test_the_names_that_init_sets_count_as_well() -> None:
    body = "super().__init__(name, bases, names)\nif not hasattr(cls, 'all'):\n    cls.all = []\ncls.all.append(cls)"
    assert _set(_INIT + indent(body, "    ")) == ["all"]
    assert _set(_INIT + "    cls.register()\n") is None
    both = (
        f"{_NEW}    names['a'] = 1\n    return type.__new__(mcs, name, bases, names)\n{_INIT}    cls.b = 1\n"
    )
    assert _set(both) == ["a", "b"]


def test_only_metaclasses_are_looked_at() -> None:
    assert _set(f"{_INIT}    cls.b = 1\n", base="Model") is None
    assert _set("def __call__(cls): ...\n") is None
    assert _set("def __new__(mcs, *rest):\n    return type.__new__(mcs, *rest)\n") is None
