"""Proposed edits: each is made exactly where it says and once, or refused."""

from __future__ import annotations

import contextlib
import difflib
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healer.editing.edits import edited
from healer.editing.exchanging import Refused, place_of, places
from healer.payload import Payload, Update

PATH = "tests/test_it.py"
FILE = '''\
"""Tests."""
from shop import price


# The first.
@mark
def test_price():
    text = """
  left
"""
    assert price(1) == 2  # a comment


class TestCart:
    def test_price(self):
        assert price(2) == 4

    def test_sum(self):
        assert price(3) == 6
'''


def payload(**given_: object) -> Payload:
    return Payload(reasoning="", file_to_patch=PATH, **given_)  # type: ignore[arg-type]


def update(old: str, new: str) -> Payload:
    return payload(update=Update(old, new))


def refusal(words: str, given_: Payload) -> str:
    with pytest.raises(Refused) as error:
        edited(given_, words)
    return str(error.value)


def test_an_update_replaces_the_one_occurrence_and_keeps_everything_else() -> None:
    assert edited(update("price(2) == 4", "price(2) == 5"), FILE).words == FILE.replace("== 4", "== 5")


def test_an_update_refuses_a_text_that_occurs_never_or_twice() -> None:
    assert "occurs 5 times" in refusal(FILE, update("price(", "cost("))
    assert "does not occur" in refusal(FILE, update("nothing", "something"))


def test_occurrences_that_overlap_count_each() -> None:
    assert "occurs 2 times" in refusal("x = 'aaa'\n", update("aa", "b"))


def test_an_update_that_was_made_before_changes_nothing() -> None:
    once = edited(update("import price", "import price as cost"), FILE)
    again = edited(update("import price", "import price as cost"), once.words)
    assert not once.already
    assert again.already
    assert again.words == once.words


def test_an_update_whose_old_text_would_arise_again_is_refused() -> None:
    assert "again" in refusal("x = 'aab'\n", update("ab", "b"))


def test_removing_a_text_that_is_not_there_is_refused_since_nobody_knows_whether_it_ever_was() -> None:
    assert "does not occur" in refusal(FILE, update("missing", ""))


def test_an_edit_that_leaves_no_python_is_refused() -> None:
    assert "no Python" in refusal(FILE, update("def test_sum(self):", "def test_sum(self"))


def test_a_payload_of_no_method_or_of_two_is_refused() -> None:
    assert "not exactly one" in refusal(FILE, payload())
    assert "not exactly one" in refusal(FILE, payload(update=Update("a", "b"), new_content="x = 1\n"))


def test_a_patch_is_placed_by_its_lines_and_not_by_its_numbers() -> None:
    patch = """\
--- a/tests/test_it.py
+++ b/tests/test_it.py
@@ -400,3 +7,3 @@ anything
 class TestCart:
     def test_price(self):
-        assert price(2) == 4
+        assert price(2) == 5
@@
     def test_sum(self):
-        assert price(3) == 6
+        assert price(3) == 7
"""
    once = edited(payload(patch=patch), FILE).words
    assert once == FILE.replace("== 4", "== 5").replace("== 6", "== 7")
    assert edited(payload(patch=patch), once).already


def test_a_patch_whose_lines_fit_twice_or_nowhere_is_refused() -> None:
    assert "occurs 2 times" in refusal("a = 1\nb = 2\na = 1\n", payload(patch="@@\n-a = 1\n+a = 3\n"))
    assert "hunk 2" in refusal("a = 1\nb = 2\n", payload(patch="@@\n-a = 1\n+a = 3\n@@\n-c = 1\n+c = 3\n"))


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ("nothing", "no hunk"),
        ("@@\n+a = 1\n", "nothing of where"),
        ("--- a/other.py\n+++ b/other.py\n@@\n-a = 1\n+a = 2\n", "another file"),
        ("rename from a\nrename to b\n@@\n-a = 1\n+a = 2\n", "more than change"),
        ("@@\n-a = 1\n+a = 2\n--- a/x.py\n+++ b/x.py\n@@\n-a\n+b\n", "another file"),
        ("@@\n-a = 1\n*a = 2\n", "is none"),
        ("@@\n-a = 1\n-b = 2\n+a = 2\n@@\n-b = 2\n+b = 3\n", "same lines"),
    ],
)
def test_a_patch_that_is_none_or_reaches_further_is_refused(patch: str, why: str) -> None:
    assert why in refusal("a = 1\nb = 2\n", payload(patch=patch))


def test_a_function_is_rewritten_at_its_indentation_and_texts_of_several_lines_stay() -> None:
    source = 'def test_sum(self):\n    words = """\nleft\n  two\n"""\n    assert price(3) == 6\n'
    new = edited(payload(new_content=source, function="TestCart.test_sum"), FILE).words
    assert new == FILE.replace(
        "    def test_sum(self):\n        assert price(3) == 6\n",
        '    def test_sum(self):\n        words = """\nleft\n  two\n"""\n        assert price(3) == 6\n',
    )


def test_a_function_is_rewritten_with_its_decorators_and_may_come_indented() -> None:
    source = "    @other\n    def test_price():\n        assert price(1) == 2\n"
    new = edited(payload(new_content=source, function="test_price"), FILE).words
    assert "@mark" not in new
    assert "# The first.\n@other\ndef test_price():\n    assert price(1) == 2\n\n\nclass TestCart" in new


@pytest.mark.parametrize(
    ("source", "function"),
    [
        ("def test_other(): pass\n", "test_price"),
        ("def test_price(): pass\nx = 1\n", "test_price"),
        ("def test_none(): pass\n", "test_none"),
        ("def test_price(:\n", "test_price"),
        ("", "test_price"),
    ],
)
def test_a_rewrite_that_is_not_that_one_function_is_refused(source: str, function: str) -> None:
    refusal(FILE, payload(new_content=source, function=function))


def test_a_function_that_is_defined_twice_is_not_rewritten() -> None:
    words = "def test_a():\n    pass\n\n\ndef test_a():\n    pass\n"
    assert "occurs 2 times" in refusal(
        words, payload(new_content="def test_a():\n    x()\n", function="test_a")
    )


def test_a_function_that_shares_its_line_is_not_rewritten() -> None:
    words = "x = 1; y = 2\nif x: \n    def test_a(): pass\n    z = 1\n"
    new = edited(payload(new_content="def test_a():\n    y()\n", function="test_a"), words).words
    assert new == "x = 1; y = 2\nif x: \n    def test_a():\n        y()\n    z = 1\n"


def test_a_retired_test_goes_with_its_decorators_and_comments_and_a_class_with_its_last_one() -> None:
    one = edited(payload(retire=("test_price",)), FILE).words
    assert (
        one
        == FILE[: FILE.index("# The first.")].rstrip("\n") + "\n\n\n" + FILE[FILE.index("class TestCart") :]
    )
    both = edited(payload(retire=("TestCart.test_price", "TestCart.test_sum")), FILE).words
    assert both == FILE[: FILE.index("class TestCart")].rstrip() + "\n"
    assert edited(payload(retire=("TestCart.test_price", "TestCart.test_sum")), both).already


def test_line_ends_of_a_payload_do_not_matter() -> None:
    crlf = update("price(2) == 4,\r\n".replace(",", ""), "price(2) == 5\r\n")
    assert edited(crlf, FILE).words == FILE.replace("== 4", "== 5")


TEXT = st.text(alphabet="ab\n", min_size=0, max_size=12)


@given(TEXT, TEXT, TEXT)
def test_an_exchange_is_unmistakable_and_made_twice_is_made_once(whole: str, old: str, new: str) -> None:
    try:
        place = place_of(whole, old, new)
    except Refused:
        return
    if place is None:
        assert new in whole
        return
    assert whole[place:].startswith(old)
    assert len(places(whole, old)) == 1
    done = whole[:place] + new + whole[place + len(old) :]
    if new:
        assert place_of(done, old, new) is None
    else:
        assert old not in done


LINES = st.lists(st.sampled_from(["a = 1", "b = 2", "c = 3", "    ", "", "# d"]), max_size=12)


@given(LINES, LINES, st.integers(0, 4))
def test_a_diff_of_two_texts_makes_one_of_the_other_or_is_refused(
    before: list[str], after: list[str], context: int
) -> None:
    old, new = "\n".join([*before, "x = 0", ""]), "\n".join([*after, "x = 0", ""])
    patch = "\n".join(difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=context))
    with contextlib.suppress(Refused):
        done = edited(payload(patch=patch.replace("--- \n+++ \n", "")), old)
        # A diff by content may find a part of itself done already; what it makes then is made once, too.
        assert done.words == new or done.words == edited(payload(patch=patch), done.words).words


@given(
    st.sampled_from([0, 4]),
    st.lists(st.sampled_from(["x = 1", "if x:\n    y = 2", 's = """\n a\n"""']), min_size=1),
)
def test_a_rewritten_function_says_the_same_whatever_its_indentation(lead: int, body: list[str]) -> None:
    import ast

    source = "def test_sum(self):\n" + "".join(
        # Lines inside of texts keep their columns.
        "\n".join(
            f"    {line}" if not each.startswith("s") or not n else line
            for n, line in enumerate(each.split("\n"))
        )
        + "\n"
        for each in body
    )
    given_ = source if not lead or '"""' in source else textwrap.indent(source, " " * lead)
    new = edited(payload(new_content=given_, function="TestCart.test_sum"), FILE).words
    function = ast.parse(new).body[-1].body[-1]  # type: ignore[attr-defined]
    assert ast.dump(function) == ast.dump(ast.parse(source).body[0])
