"""The parts of the benchmark of tests of functions: what is hollow raises, and labels say which statement is broken."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.healing.corpus import Subject
from benchmarks.tdd import packages
from benchmarks.tdd.driving import Ran
from benchmarks.tdd.explaining import Cause, disagreements, explained, module_of
from benchmarks.tdd.functions import Measured
from benchmarks.tdd.functions_report import report
from benchmarks.tdd.hollowing import hollow
from benchmarks.tdd.packages import Package, settings
from benchmarks.tdd.spec_breaking import breaks
from planner.cases import Case, Layer, Technique

SOURCE = '''
import functools

SIZE = 3


@functools.cache
def price(size: int = 2) -> str:
    """What it costs.

    Raises:
        ValueError: if size is negative
    """
    if size < 0:
        raise ValueError(size)
    return str(size * SIZE)


class Shop:
    async def close(self):
        self.closed = True


def start():
    return 1
'''


def test_what_is_hollow_keeps_names_signatures_and_words_and_does_nothing_else() -> None:
    first = SOURCE.splitlines().index("def start():") + 1
    tree = ast.parse(hollow(SOURCE, [first]))
    price, shop, start = (node for node in tree.body if not isinstance(node, ast.Import | ast.Assign))
    assert isinstance(price, ast.FunctionDef)
    assert isinstance(shop, ast.ClassDef)
    assert ast.unparse(price.args) == "size: int=2"
    assert (ast.get_docstring(price) or "").startswith("What it costs.")
    assert ast.unparse(price.body[1:][0]) == ast.unparse(shop.body[0]).splitlines()[-1].strip()
    assert ast.unparse(price.body[1]) == "raise NotImplementedError"
    assert "return 1" in ast.unparse(start)


def test_a_function_that_runs_on_import_is_known_by_its_first_decorator() -> None:
    first = SOURCE.splitlines().index("@functools.cache") + 1
    assert "return str(size * SIZE)" in hollow(SOURCE, [first])


@pytest.mark.parametrize(
    ("kind", "old", "new", "stub", "broken"),
    [
        ("return", "return str(size * SIZE)", "return None", "size: int = 2", "it is said to return str"),
        ("default", "size: int = 2", "size: int = 3", "size: int = 2", "size is said to be 2 by default"),
        ("default", "size: int = 2", "size: int = 3", "size: int = ...", ""),
        ("exception", "raise ValueError(", "raise RuntimeError(", "", "it is said to raise ValueError"),
        ("operator", "size * SIZE", "size + SIZE", "size: int = 2", ""),
    ],
)
def test_a_mutant_breaks_what_stub_or_docstring_say(
    kind: str, old: str, new: str, stub: str, broken: str
) -> None:
    stubs = {"shop.py": f"def price({stub}) -> str: ...\n"}
    assert breaks(kind, "shop.py", "price", SOURCE, SOURCE.replace(old, new), stubs) == broken


def test_half_of_the_packages_are_unread_and_both_halves_have_both_sets() -> None:
    listed = [(each["part"], each["set"]) for each in settings()["package"]]
    assert sum(part == "unread" for part, _ in listed) * 2 == len(listed)
    assert {part: {s for p, s in listed if p == part} for part in ("read", "unread")} == {
        "read": {"examples", "stubs"},
        "unread": {"examples", "stubs"},
    }


STUB = (
    "def price(size: int) -> str: ...\ndef weight(size: int) -> int: ...\ndef name(size: int) -> str: ...\n"
)
CODE = (
    'def price(number):\n    return "1"\n\n\ndef name(size):\n    """\n    >>> name(1)\n    \'2\'\n    """\n'
)


def _case(technique: Technique, name: str, example: str = "") -> Case:
    return Case(
        id=name,
        description="",
        subject=f"function shop.{name}",
        aspect="",
        technique=technique,
        layer=Layer.UNIT,
        cites=(),
        target={"function": f"spec:function:shop.{name}", "example": example},
    )


def test_check_and_doctest_tell_why_a_test_is_red_on_the_reference(tmp_path: Path) -> None:
    for path, text in (("code/shop.py", CODE), ("specs/src/shop.pyi", STUB)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    code = Subject("shop", "read", "shop.py", (), tmp_path / "code")
    package = Package("shop", "stubs", code, tmp_path / "specs", (), {"shop.py": CODE}, {"shop.py": "shop"})
    found = disagreements(package)
    assert ("shop.weight", "function-not-implemented") in found
    assert "shop.name" not in {name for name, _ in found}
    examples = Ran("", {"shop.name:0": ("failed", "name(1)", 0.0), "shop.name:1": ("passed", "name(2)", 0.0)})

    def cause(technique: Technique, name: str, words: str, example: str = "") -> Cause | None:
        return explained(_case(technique, name, example), words, found, examples, [])

    assert cause(Technique.RETURNS, "weight", "AttributeError: weight") is Cause.CHECK
    assert cause(Technique.CALLABLE, "price", "AssertionError: size") is Cause.CHECK
    assert cause(Technique.RETURNS, "price", "TypeError: size") is Cause.CHECK
    assert cause(Technique.RETURNS, "price", "ValueError: 3") is None
    assert cause(Technique.EXAMPLE, "name", "AssertionError: 2", "name(1)") is Cause.DOCTEST
    assert cause(Technique.EXAMPLE, "name", "AssertionError: 2", "name(2)") is None
    assert cause(Technique.EXAMPLE, "price", "AssertionError: 2", "name(1)") is None


def test_each_module_is_imported_by_itself_to_see_whether_the_environment_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"plain": "", "lacking": "import wholly_unknown", "hard": "import os\nos.kill(os.getpid(), 9)"}
    for name, text in texts.items():
        (tmp_path / f"tried_{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(
        Path(packages.__file__).parent
    )  # As for a script, which finds what lies beside it.
    driver = importlib.import_module("benchmarks.tdd.packages_driver")  # It has no types: it runs elsewhere.
    told = driver.imported({"modules": [f"tried_{name}" for name in texts]})["tests"]
    assert told["tried_plain"] == ["passed", "", 0.0]
    assert told["tried_lacking"][1] == "ModuleNotFoundError: No module named 'wholly_unknown'"
    assert told["tried_hard"][:2] == ["failed", "it ended by signal 9"]


def test_a_test_is_left_out_where_the_environment_cannot_import_its_module() -> None:
    unimportable = {"shop.sea": "No module named 'boats'", "shop.sea.deep": "No module named 'boats'"}
    assert module_of(_case(Technique.RETURNS, "sea.deep.price"), unimportable) == "shop.sea.deep"
    assert module_of(_case(Technique.RETURNS, "season"), unimportable) == ""


def test_a_test_of_several_signatures_is_counted_for_each_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    measured = Measured(
        name="shop",
        set="stubs",
        cases=Counter({"GENERATED": 2}),
        techniques={"a": Technique.CALLABLE, "b": Technique.RETURNS},
        members={"a": 3},
        functions=frozenset({"one", "two", "three"}),
        acting=frozenset({"one"}),
        reference={"a": "passed", "b": "passed"},
        empty={"a": "red: ImportError", "b": "red: ImportError"},
        hollow={"a": "passed", "b": "red: NotImplementedError"},
    )
    report([measured], False)
    said = capsys.readouterr().out
    assert re.search(r"fails before, S1 .*0\.500  1 of 2", said)
    assert re.search(r"a test of its own for each signature .*0\.250  1 of 4", said)
    assert re.search(r"functions with a test that needs their body .*0\.333  1 of 3", said)
