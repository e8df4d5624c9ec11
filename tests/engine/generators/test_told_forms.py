"""Texts of forms that docstrings and names tell: which are given, and where a form is not known."""

from __future__ import annotations

import pytest

from planner.cases import Technique
from planner.generator import Draft
from tests.engine.generators.drafting import answers, needed, written


@pytest.mark.parametrize(
    ("stub", "call"),
    [
        ("def parse(cron: str) -> int: ...", 'parse("*/5 * * * *")'),
        ("def next_run(cron_expression: str) -> int: ...", 'next_run("*/5 * * * *")'),
        ("def parse_uuid(text: str) -> int: ...", 'parse_uuid("12345678-1234-4678-9234-567812345678")'),
        ("def decode_base64(data: bytes) -> bytes: ...", 'decode_base64(b"c29tZSB0ZXh0")'),
        (
            'def parse(expr: str) -> int:\n    """Parse.\n\n    Args:\n        expr: A cron expression.\n    """',
            'parse("*/5 * * * *")',
        ),
        (
            'def parse(span: str) -> int:\n    """Parse.\n\n    Args:\n        span: How long, e.g. "1h 30m".\n    """',
            "parse('1h 30m')",
        ),
        (
            'def order(way: str) -> int:\n    """Order.\n\n    :param way: How, `\'up\'` or `\'down\'`.\n    """',
            "order('up')",
        ),
        (
            'def mark(sign: str) -> int:\n    """Mark.\n\n    :param sign: One (\'{\', \'"\', or \'none\')\n    """',
            "mark('{')",
        ),
        (
            "class Cron:\n    def __init__(self, expression: str) -> None: ...\n    @property\n"
            "    def minutes(self) -> list[int]: ...",
            'Cron("*/5 * * * *")',
        ),
    ],
)
def test_a_text_is_of_the_form_that_is_told(stub: str, call: str) -> None:
    assert call in written({"shop.pyi": f"{stub}\n"}, Technique.RETURNS)


@pytest.mark.parametrize(
    "stub",
    [
        "def parse(json_path: str) -> int: ...",
        "def parse_uuid(kind: str) -> int: ...",
        "class Cart:\n    @classmethod\n    def from_json(cls, data: str) -> Cart: ...",
        "class Uuid:\n    @classmethod\n    def from_hex(cls, text: str) -> Uuid: ...",
        "class Uuid:\n    @classmethod\n    def from_bytes(cls, value: bytes) -> Uuid: ...",
        "def json_to_yaml(text: str) -> str: ...",
        'def parse(expr: str) -> int:\n    """Parse.\n\n    Args:\n        expr: The path of a cron file.\n    """',
    ],
)
def test_a_text_beside_one_of_a_form_or_of_one_of_several_is_left_to_a_person(stub: str) -> None:
    assert needed({"shop.pyi": f"{stub}\n"}, Technique.RETURNS)


@pytest.mark.parametrize("words", ["A secret in base32 format.", "A valid name.", "The hexadecimal text."])
def test_a_text_of_which_a_description_says_that_it_has_some_form_is_not_its_name(words: str) -> None:
    stub = f'def size(s: str) -> int:\n    """Size.\n\n    Args:\n        s: {words}\n    """\n'
    assert "of which form the text is" in needed({"shop.pyi": stub}, Technique.RETURNS)


def test_a_year_of_every_calendar_is_in_the_range_of_which_nothing_is_told() -> None:
    told = "Make.\n\n        Raises:\n            ValueError: When year is out of supported range.\n        "
    made = f'    def __init__(self, year: int) -> None:\n        """{told}"""\n'
    stub = f"class Season:\n{made}    def days(self) -> str: ...\n"
    drafts = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    assert [each.name for each in drafts] == ["test_season_days_returns_str"]


def test_an_object_of_which_nothing_else_is_told_is_read_of_a_text() -> None:
    stub = (
        "class Uuid:\n    def __init__(self, value: bytes | None = None) -> None: ...\n"
        "    @property\n    def node(self) -> int: ...\n"
        "    @classmethod\n    def from_str(cls, string: str) -> Uuid: ...\n"
    )
    drafts = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    (text,) = [each.source for each in drafts if "node" in each.name]
    assert (
        '    uuid = Uuid.from_str("12345678-1234-4678-9234-567812345678")\n        found = uuid.node\n'
        in text
    )


def test_an_object_is_made_as_a_class_method_is_shown_to_make_one() -> None:
    stub = (
        "class Part:\n    def __init__(self, *args) -> None: ...\n    @property\n    def size(self) -> int: ...\n"
        "    @classmethod\n    def made_of(cls, name: str) -> Part:\n"
        '        """Makes one.\n\n        >>> Part.made_of("a-1").size\n        1\n        """\n'
    )
    drafts = [each for each in answers({"shop.pyi": stub}, Technique.RETURNS) if isinstance(each, Draft)]
    (text,) = [each.source for each in drafts if "size" in each.name]
    assert "    part = Part.made_of('a-1')\n        found = part.size\n" in text


def test_a_class_that_reads_numbers_out_of_its_text_is_left_to_a_person() -> None:
    stub = "class Span:\n    def __init__(self, value: str) -> None: ...\n    def {} -> {}: ...\n"
    assert needed({"shop.pyi": stub.format("hours(self)", "list[int]")}, Technique.RETURNS) == (
        "of which form that is which a Span is made of"
    )
    either = stub.replace("value: str", "value: str | int")
    assert "of which form" in needed(
        {"shop.pyi": either.format("hours(self)", "list[int]")}, Technique.RETURNS
    )
    assert 'Span("value")' in written({"shop.pyi": stub.format("__len__(self)", "int")}, Technique.RETURNS)
    assert 'Span("value")' in written({"shop.pyi": stub.format("shout(self)", "str")}, Technique.RETURNS)


def test_a_text_of_a_known_form_is_not_the_invalid_one_that_raises() -> None:
    told = "Parse.\n\n    Raises:\n        ValueError: if the expression is invalid\n    "
    stub = f'def parse_cron(expression: str) -> int:\n    """{told}"""\n'
    assert 'found = parse_cron("*/5 * * * *")' in written({"shop.pyi": stub}, Technique.RETURNS)
    assert 'parse_cron("[not valid")' in written({"shop.pyi": stub}, Technique.RAISES)
