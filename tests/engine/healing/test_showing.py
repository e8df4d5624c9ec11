"""Examples of docstrings are tried on the code as it was and as it is."""

from __future__ import annotations

import subprocess

import pytest

from engine.generators.functions.doctests_refused import changing
from engine.healing.harmless import is_harmless
from engine.healing.showing import Showing
from engine.project import refresh
from graph.facts import Fact, Kind, Location, Tag
from healer.evidence import Ruling
from tests.engine.healing.conftest import Yard

CODE = '''\
"""Measures."""


def metres(feet):
    """Convert.

    >>> metres(10)
    30
    >>> metres("ten")
    Traceback (most recent call last):
    TypeError: ten
    """
    return _factor() * feet if isinstance(feet, int) else _refuse(feet)


def wrong(feet):
    """Convert wrongly.

    >>> wrong(10)
    31
    """
    return _factor() * feet


def dated():
    """Say when.

    >>> import time; time.time()
    1
    """


def _factor():
    return 3


def _refuse(feet):
    raise TypeError(feet)
'''
README = """\
# Measures

```pycon
>>> from measures import metres
>>> metres(1)
3
```
"""
TESTS = """\
from measures import metres


def test_metres():
    assert metres(2) == 6
"""


def committed(yard: Yard) -> Yard:
    yard.write(
        {
            "measures.py": CODE,
            "README.md": README,
            "tests/test_shop.py": TESTS,
            ".gitignore": ".crossfact/\n__pycache__/\n",
        }
    )
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@localhost"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "Measures"]):
        subprocess.run(["git", *words], cwd=yard.root, check=True)
    return yard


def test_what_a_change_broke_of_the_examples_makes_the_code_wrong(yard: Yard) -> None:
    committed(yard).change("measures.py", ("return 3", "return 4"))
    (treatment,) = yard.heal(since="HEAD").treatments
    assert treatment.judgement.ruling is Ruling.CODE_WRONG
    assert treatment.judgement.evidence == (
        "code:function:measures.metres",
        "code:function:measures._factor",
    )
    assert "its example `metres(10)` gave 30, and now gives 40" in treatment.judgement.reason
    assert yard.read("tests/test_shop.py") == TESTS


def test_an_example_that_never_held_or_that_changes_by_itself_says_nothing(yard: Yard) -> None:
    committed(yard).heal(since="HEAD")
    yard.change("measures.py", ("return 3", "return 4"))
    project = yard.project
    names = ("measures.metres", "measures.wrong", "measures.dated", "README.md")
    facts = [project.store.by_key(name)[0] for name in names]
    showing = Showing(project, yard.validator, 30)
    assert list(showing.broken(facts, "HEAD")) == ["code:function:measures.metres", "spec:page:README.md"]
    asked = len(yard.validator.asked)
    assert list(showing.broken(facts, "HEAD")) == ["code:function:measures.metres", "spec:page:README.md"]
    assert len(yard.validator.asked) == asked, "each docstring is tried once"
    assert showing.broken(facts, "store:1") == {}, "of a revision of the store there are no files"
    project.store.close()


def test_facts_of_nothing_that_can_be_imported_are_left_out(yard: Yard) -> None:
    project = yard.project
    fact = Fact(
        tag=Tag.SPEC,
        kind=Kind.FUNCTION,
        key="nowhere.f",
        name="f",
        source=Location("nowhere.pyi", 1, 1),
        aspects={"doc": {"examples": [["f()", "1", 1]]}},
    )
    assert Showing(project, yard.validator, 30).broken([fact], "HEAD") == {}
    project.store.close()


PLAIN = """\
# Measures

To convert, call it::

    from measures import metres
    metres(2)  # 6
    print(f"{metres(1)} m")

This prints `3 m`.

```
import os
os.remove("README.md")
metres(40) # 7
```
"""


def broken(yard: Yard, page: str, factor: str) -> dict[str, str]:
    """What another factor breaks of a page."""
    committed(yard).write({"README.md": page})
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@localhost"]
    subprocess.run(["git", *who, "commit", "-q", "-am", "Words"], cwd=yard.root, check=True)
    yard.change("measures.py", ("    return 3\n", f"    return {factor}\n"))
    project = yard.project
    try:
        refresh(project, tell=yard.told.append)
        facts = list(project.store.facts(kinds={Kind.PAGE}))
        return dict(Showing(project, yard.validator, 30.0).broken(facts, "HEAD"))
    finally:
        project.store.close()


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        ("4", "its example `metres(2)` gave 6, and now gives 8"),
        ("None", "its example `metres(2)` gave 6, and now raises something"),
    ],
)
def test_what_a_page_shows_without_prompts_counts_where_it_held(yard: Yard, factor: str, words: str) -> None:
    assert broken(yard, PLAIN, factor) == {"spec:page:README.md": words}


def test_what_is_said_of_a_page_and_never_held_says_nothing_unless_it_raises_now(yard: Yard) -> None:
    never = PLAIN.replace("# 6", "# 9").replace("`3 m`", "`4 m`")
    assert broken(yard, never, "5") == {}


def test_a_use_that_a_page_shows_and_that_raises_now_counts(yard: Yard) -> None:
    use = "Call it::\n\n    from measures import metres\n    length = metres(2)\n"
    assert broken(yard, use, "None") == {
        "spec:page:README.md": "its example `length = metres(2)` gave nothing, and now raises something"
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import shop", True),
        ("from shop.parts import x", True),
        ("import json, math", True),
        ("price(2)", True),
        ("import os", False),
        ("from . import x", False),
        ("app.run()", False),
        ("delete_all(1)", False),
        ("shutil.rmtree('x')", False),
        ("open('x')", False),
        ("import requests", False),
        ("what this", False),
    ],
)
def test_only_what_computes_is_tried_freely(source: str, expected: bool) -> None:
    assert is_harmless(source, {"shop"}) is expected


def test_what_may_answer_otherwise_is_known_by_its_names() -> None:
    assert changing("import random") == "random"
    assert changing("datetime.now()") == "now"
    assert changing("1 +") == "1 +"
    assert changing("f(1)") == ""
