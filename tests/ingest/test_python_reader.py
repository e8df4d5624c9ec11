"""What holds for the Python readers whatever they are given."""

from __future__ import annotations

import pickle
import random
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.facts import Extract, Kind, Tag
from ingest.ingestor import Document, Ingestor, Role
from ingest.python.digests import digest
from ingest.python.query import captures, parse
from ingest.python.reader import PythonReader
from ingest.python.signatures import _parameters, parameters
from ingest.python.source import Source
from ingest.python.tests import PythonTestReader

PAGES = Path(__file__).parent / "python"
FRAGMENTS = (
    *(
        "def f(a, b=1):\n",
        "    return g(a)\n",
        "class C(D):\n",
        "    x: int = 1\n",
        "    def m(self): self.y = 2\n",
    ),
    *(
        "if x:\n",
        "else:\n",
        "try:\n",
        "except E:\n",
        "import a.b as c\n",
        "from . import d\n",
        '"""doc\n',
        "(",
        ")",
    ),
    *(
        "@dec\n",
        "async ",
        "\t",
        "    ",
        "'",
        "\\\n",
        "# US-3 crossfact: ignore[a] b\n",
        "raise E(1)\n",
        "[",
        "{",
    ),
    *(
        "__all__ += ['a']\n",
        "def g[T = int](x): yield\n",
        "f'{x!r:>{y}}'",
        "lambda: 0\n",
        "\r",
        "\0",
        ":=",
        "é",
    ),
    *("    assert client.get('/a') == 1\n", "del x\n", "global x\n", ";", "=", "type X = int\n", "\f"),
    *("match x:\n", "    case [a, b]:\n"),
)


def read(text: str, path: str = "shop/a.py", role: Role = Role.PYTHON) -> Extract:
    reader: Ingestor = PythonTestReader() if role is Role.TEST else PythonReader()
    return reader.read(Document(path=path, role=role, text=text, module="shop.a"))


@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join) | st.text(max_size=60),
    st.sampled_from(Role),
)
def test_nothing_that_a_file_contains_makes_a_reader_raise(text: str, role: Role) -> None:
    extract = read(text, role=role)
    assert extract == read(text, role=role)
    last = max(1, text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1)
    for fact in extract.facts:
        assert 1 <= fact.source.line <= fact.source.end_line <= last
    assert len({fact.id for fact in extract.facts}) == len(extract.facts)
    assert msgspec.json.decode(msgspec.json.encode(extract), type=Extract) == extract


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_change_nothing(ending: str) -> None:
    for page in sorted(PAGES.glob("*.md")):
        text = "".join(page.read_text(encoding="utf-8").split("```")[1::2])
        assert read(text.replace("\n", ending)) == read(text)


@given(
    st.lists(st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True), max_size=5),
    st.sampled_from(["", " ", "\t"]),
)
def test_plain_parameters_read_as_text_are_those_read_as_nodes(names: list[str], blank: str) -> None:
    text = f"def f({blank}{f'{blank},{blank}'.join(names)}{blank}): pass\n"
    source = Source("a.py", text)
    for node in captures(parse(source.data).root_node).get("function.parameters", ()):
        assert parameters(source, node) == _parameters(source, node)


@pytest.mark.parametrize("depth", [100, 2_000, 40_000])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [("(", ")"), ("[", ""), ("{1:", "}"), ("f(", ")"), ("-", ""), ("a.", "b"), ("not ", "1")],
)
def test_deep_nesting_is_survived(depth: int, opening: str, closing: str) -> None:
    text = f"def before(): ...\nx = {opening * depth}1{closing * depth}\n"
    assert "code:function:shop.a.before" in ids(read(text))


def test_deeply_nested_blocks_are_survived() -> None:
    blocks = "".join(" " * depth + "if x:\n" for depth in range(400)) + " " * 400 + "def deep(): ...\n"
    functions = "".join(" " * depth + f"def f{depth}():\n" for depth in range(300)) + " " * 300 + "pass\n"
    assert "code:function:shop.a.deep" in ids(read(blocks))
    assert len(ids(read(functions))) == 301


def test_a_long_line_and_a_null_byte_are_survived() -> None:
    text = "x = [" + "1, " * 300_000 + "]\ndef after(): ...\n"
    assert "code:function:shop.a.after" in ids(read(text))
    broken = read("def before(): ...\n\0\ndef after(): ...\n")
    assert "code:function:shop.a.before" in ids(broken)
    assert [defect.line for defect in broken.defects] == [2]


def test_a_docstring_that_never_ends_does_not_hang() -> None:
    assert read('def f():\n    """' + "a\\b" * 100_000 + "\n").facts
    assert read('"""' + '"" ' * 100_000).facts


def test_bytes_turned_over_at_random_are_survived() -> None:
    generator = random.Random(7)
    original = Path(PAGES.parent / "test_python_reader.py").read_text(encoding="utf-8")
    for _ in range(40):
        characters = list(original[:3000])
        for _ in range(8):
            characters[generator.randrange(len(characters))] = generator.choice("()[]{}'\":\\\n\t #=\0é")
        read("".join(characters), role=generator.choice([Role.PYTHON, Role.TEST, Role.STUB]))


def test_a_file_without_a_syntax_error_has_no_defect() -> None:
    extract = read("class A[T = int]: ...\ntype B[*T = *tuple[int]] = A\n")
    assert not extract.defects
    assert not extract.skipped
    assert "code:class:shop.a.A" in ids(extract)


def test_lines_are_right_behind_letters_of_several_bytes_and_form_feeds() -> None:
    extract = read("größe = 'ß'\n\f\nclass Ü:\n    ä = 1\n    def ö(self): self.ü = 'é'\n")
    lines = {fact.id: fact.source.line for fact in extract.facts}
    assert lines["code:attribute:shop.a.größe"] == 1
    assert lines["code:class:shop.a.Ü"] == 3
    assert lines["code:attribute:shop.a.Ü.ä"] == 4
    assert lines["code:attribute:shop.a.Ü.ü"] == 5


def test_aspects_that_are_known_to_be_empty_are_present() -> None:
    function = next(fact for fact in read("def f(): ...\n").facts if fact.kind is Kind.FUNCTION)
    assert function.aspects == {
        "kind": "function",
        "async": False,
        "generator": False,
        "parameters": [],
        "decorators": [],
        "raises": [],
        "body": digest(b"..."),
    }
    stub = next(fact for fact in read("def f(): ...\n", role=Role.STUB).facts if fact.kind is Kind.FUNCTION)
    assert stub.tag is Tag.SPEC
    assert not {"generator", "raises"} & set(stub.aspects)


def test_a_long_value_is_cut() -> None:
    fact = next(fact for fact in read("x = 'é" + "é" * 500 + "'\n").facts if fact.kind is Kind.ATTRIBUTE)
    assert len(fact.aspects["value"]) == 200


def test_a_module_without_a_name_is_named_for_its_file() -> None:
    extract = PythonReader().read(Document(path="scripts/run.py", role=Role.PYTHON, text="from . import x\n"))
    assert ids(extract) == {"code:module:run"}
    assert extract.relations == []


def test_the_readers_can_be_sent_to_other_processes() -> None:
    for reader in (PythonReader(), PythonTestReader()):
        reader.read(Document(path="a.py", role=Role.PYTHON, text="x = 1\n", module="a"))
        assert pickle.loads(pickle.dumps(reader)).name == reader.name  # noqa: S301 - made in the line itself


def ids(extract: Extract) -> set[str]:
    return {fact.id for fact in extract.facts}


def test_conditions_that_call_without_arguments_are_read() -> None:
    text = "def f():\n    if g():\n        return 1\n    elif h():\n        return 2\n"
    extract = PythonReader().read(Document(path="m.py", role=Role.PYTHON, text=text, module="m"))
    assert "code:function:m.f" in {fact.id for fact in extract.facts}


def test_long_runs_of_comments_are_read_in_linear_time() -> None:
    code = "def first() -> int:\n    return 1\n\n"
    comments = "    # a comment\n\n" * 20_000
    text = f"{code}{comments}{code.replace('first', 'last')}"
    begun = time.process_time()
    extract = PythonReader().read(Document(path="a.py", role=Role.PYTHON, text=text, module="a"))
    assert time.process_time() - begun < 5
    lines = {fact.name: fact.source.line for fact in extract.facts if fact.kind is Kind.FUNCTION}
    assert lines == {"first": 1, "last": 40_004}


def test_a_star_before_brackets_outside_of_brackets_is_read() -> None:
    extract = read(
        "def f(a, b):\n    return a, *(each for each in b)\n\n\nPAIR = 1, *(2, 3)\n\n\ndef g(): pass\n"
    )
    assert not extract.skipped
    assert not extract.defects
    assert {fact.name for fact in extract.facts} >= {"f", "g", "PAIR"}
