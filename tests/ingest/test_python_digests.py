"""The digests of bodies: equal for equal texts, whatever stands around them, and another for any other text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Fact, Kind
from ingest.ingestor import Document, Role
from ingest.python.reader import PythonReader
from ingest.python.tests import PythonTestReader


def facts(text: str, path: str = "shop.py") -> dict[str, Fact]:
    document = Document(path=path, role=Role.PYTHON, text=text, module="shop")
    return {f"{fact.kind}:{fact.key}": fact for fact in PythonReader().read(document).facts}


def bodies(text: str) -> dict[str, str]:
    return {name: fact.aspects["body"] for name, fact in facts(text).items() if "body" in fact.aspects}


def test_a_body_is_the_same_under_another_name_signature_and_docstring() -> None:
    before = bodies('def price(a):\n    """Old."""\n    return a + 1\n')
    after = bodies("@cached\ndef cost(a: int = 3, *, b=None) -> int:\n    return a + 1\n")
    assert before["function:shop.price"] == after["function:shop.cost"]


@pytest.mark.parametrize(
    "changed",
    [
        "return a + 2",
        "return a - 1",
        "return b + 1",
        "return a + 1  # why",
        "a += 1\n    return a + 1",
        "pass",
    ],
)
def test_a_body_with_another_text_has_another_digest(changed: str) -> None:
    before = bodies("def price(a):\n    return a + 1\n")
    after = bodies(f"def price(a):\n    {changed}\n")
    assert before["function:shop.price"] != after["function:shop.price"]


def test_a_body_without_statements_has_no_digest() -> None:
    assert bodies('def price():\n    """Only words."""\n')["function:shop.price"] == ""


def test_a_class_counts_without_its_methods_and_a_module_without_definitions_and_imports() -> None:
    before = bodies(
        '"""Words."""\nimport os\nLIMIT = 1\n\nclass Cart:\n    """Words."""\n    size = 1\n'
        "    def f(self):\n        return 1\n"
    )
    after = bodies(
        "import sys\nLIMIT = 1\n\nclass Cart:\n    size = 1\n\n    @property\n    def f(self):\n        return 2\n"
    )
    for each in ("module:shop", "class:shop.Cart"):
        assert before[each] == after[each]
    assert before["function:shop.Cart.f"] != after["function:shop.Cart.f"]


def test_what_a_class_or_module_states_outside_its_parts_counts() -> None:
    before = bodies("LIMIT = 1\n\nclass Cart:\n    size = 1\n    if LIMIT:\n        size = 2\n")
    after = bodies("LIMIT = 2\n\nclass Cart:\n    size = 1\n    if not LIMIT:\n        size = 2\n")
    assert before["module:shop"] != after["module:shop"]
    assert before["class:shop.Cart"] != after["class:shop.Cart"]


def test_a_value_that_is_cut_is_told_apart_behind_the_cut() -> None:
    text = "WORDS = [" + ", ".join(f"'word {number}'" for number in range(50)) + ", {}]\n"
    one, other = (facts(text.format(last))["attribute:shop.WORDS"].aspects for last in (1, 2))
    assert one["value"] == other["value"]
    assert one["body"] != other["body"]
    assert "body" not in facts("WORDS = [1]\n")["attribute:shop.WORDS"].aspects


def test_a_stub_says_nothing_of_bodies() -> None:
    document = Document(path="shop.pyi", role=Role.STUB, text="def f(): ...\n", module="shop")
    assert not any("body" in fact.aspects for fact in PythonReader().read(document).facts)


def test_a_file_of_tests_tells_its_fixtures_by_the_names_that_tests_ask_for() -> None:
    text = (
        "import pytest\n\n@pytest.fixture\ndef cart():\n    return []\n\n"
        '@pytest.fixture(scope="module", name="till")\ndef make_till():\n    return 1\n\n'
        "@pytest.fixture(name=NAME)\ndef unknown():\n    return 2\n\ndef helper():\n    return 3\n"
    )
    document = Document(path="conftest.py", role=Role.TEST, text=text, module="conftest")
    (module,) = PythonTestReader().read(document).facts
    assert module.kind is Kind.MODULE
    assert [(name, line) for name, _, line in module.aspects["fixtures"]] == [("cart", 4), ("till", 8)]


@given(st.lists(st.sampled_from(["a = 1", "b()", "# c", "", "if a: b()", "x = '''\n'''"]), max_size=6))
def test_where_a_definition_stands_does_not_change_its_digest(lines: list[str]) -> None:
    function = "def price(a):\n    b = a\n    return b\n"
    around = "\n".join(lines) + "\n"
    alone, within = bodies(function), bodies(f"{around}\n{function}\n{around}")
    assert alone["function:shop.price"] == within["function:shop.price"]
