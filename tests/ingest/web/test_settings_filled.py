"""What settings put into a dictionary after it was made."""

from __future__ import annotations

import ast

import pytest

from ingest.web.django.filled import put_in


def told(text: str) -> list[tuple[str, str | None]] | None:
    found = put_in(ast.parse(text).body, "T")
    if found is None:
        return None
    return [
        (ast.unparse(put.key), ast.unparse(put.value) if put.value is not None else None) for put in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T = {}\nT['a'] = 1\n", [("'a'", "1")]),
        ("T['a'] = 1\nT = {}\n", []),
        ("if DEBUG:\n    T['a'] = 1\n", [("'a'", None)]),
        ("T['a'] += [1]\n", [("'a'", None)]),
        ("T['a']['b'] = 1\n", [("'a'", None)]),
        ("T['a'].append(1)\n", [("'a'", None)]),
        ("del T['a']\n", [("'a'", None)]),
        ("T |= {'a': 1}\n", [("'a'", "1")]),
        ("T.update({'a': 1}, b=2)\n", [("'a'", "1"), ("'b'", "2")]),
        ("try:\n    import x\n    T.update(a=1)\nexcept ImportError:\n    pass\n", [("'a'", None)]),
        ("match MODE:\n    case 'dev':\n        T['a'] = 1\n", [("'a'", None)]),
        ("T.setdefault('a', 1)\n", [("'a'", None)]),
        ("print(T.get('a'))\n", []),
        ("def late():\n    T['a'] = 1\n", []),
    ],
)
def test_statements_tell_which_keys_they_put_in(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "if DEBUG:\n    T = {}\n",
        "match MODE:\n    case 'dev':\n        T = {}\n",
        "T.update(other)\n",
        "T |= other\n",
        "T.clear()\n",
        "T.update(**other)\n",
    ],
)
def test_what_may_change_any_key_is_told_as_such(text: str) -> None:
    assert told(text) is None
