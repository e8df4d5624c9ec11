"""The rule of evidence: who is wrong, and by which facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossval.findings import Finding, Witness
from graph.changes import Changes, changes
from healer.analysing.analysing import analyse
from healer.evidence import Judgement, Ruling
from healer.judging.judging import judge
from healer.movements import Cause
from healer.moving.telling import movements
from planner.validator import Frame, Outcome, Verdict
from tests.healer.moving.changing import stored

Files = Mapping[str, str]
SHOP = "def price(amount, percent=5):\n    return amount * percent\n"
TEST = "from shop import price\n\n\ndef test_price():\n    assert price(3) == 15\n"
WITH_STUB = {"shop.pyi": "def price(amount: int, percent: int = 5) -> int: ...\n"}


def judged(
    before: Files,
    after: Files,
    exception: str,
    message: str,
    *,
    line: int = 5,
    inside: tuple[str, int, str] | None = None,
    findings: Sequence[Finding] = (),
) -> Judgement:
    """The judgement about a test of `test_shop.py` that failed on a line, after the files changed."""
    store = stored(before, after)
    frames = [Frame("test_shop.py", line, "test_price", "test")]
    if inside is not None:
        frames.append(Frame(*inside, owner="project"))
    outcome = Outcome(
        node="test_shop.py::test_price",
        verdict=Verdict.FAILED,
        exception=exception,
        message=message,
        frames=tuple(frames),
    )
    changed = changes(store, 1, 2) if store.revision == 2 else Changes((), (), ())
    then = store.at(1)

    def named(identifier: str):  # type: ignore[no-untyped-def]
        return next(iter(then.named(identifier)), None)

    analysis = analyse(outcome, after.get)
    moved = movements(changed, after.get)
    found = judge([analysis], moved, store=store, read=after.get, then=named, findings=findings)
    store.close()
    return found


def renamed(
    specs: Files | None = None, moved: Files | None = None, body: str = "amount * percent"
) -> Judgement:
    """The judgement after `price` was renamed to `cost`; `moved` are the specs afterwards, where they are others."""
    then = dict(specs or {})
    now = dict(moved) if moved is not None else then
    return judged(
        {"shop.py": SHOP, "test_shop.py": TEST, **then},
        {"shop.py": f"def cost(amount, percent=5):\n    return {body}\n", "test_shop.py": TEST, **now},
        "ImportError",
        "cannot import name 'price' from 'shop' (/x/shop.py)",
        line=1,
    )


def test_a_rename_with_an_equal_body_makes_the_test_stale() -> None:
    found = renamed()
    assert found.ruling is Ruling.TEST_STALE
    assert [each.cause for each in found.explained_by] == [Cause.RENAMED]
    assert set(found.evidence) == {"code:function:shop.price", "code:function:shop.cost"}


def test_a_rename_with_another_body_is_for_a_person_to_decide() -> None:
    found = renamed(body="amount + percent")
    assert found.ruling is Ruling.UNDECIDED
    assert "not proven to be equal" in found.reason


def test_a_stub_that_still_has_the_old_name_makes_the_code_wrong() -> None:
    found = renamed(WITH_STUB)
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:function:shop.price")


def test_a_stub_that_moved_along_makes_the_test_stale() -> None:
    found = renamed(WITH_STUB, {"shop.pyi": WITH_STUB["shop.pyi"].replace("price", "cost")})
    assert found.ruling is Ruling.TEST_STALE
    assert "spec:function:shop.cost" in found.evidence


def test_a_story_that_names_what_was_renamed_makes_the_code_wrong() -> None:
    story = "# US-1 Prices\nAs a customer I want to call `price`, so that I know.\n\n- AC-1.1 `price` gives a number.\n"
    found = renamed({"stories.md": story})
    assert found.ruling is Ruling.CODE_WRONG
    assert found.evidence[0].startswith("spec:")


def test_what_a_stub_still_has_and_the_code_dropped_makes_the_code_wrong() -> None:
    found = judged(
        {"shop.py": SHOP, "test_shop.py": TEST, **WITH_STUB},
        {"shop.py": "", "test_shop.py": TEST, **WITH_STUB},
        "ImportError",
        "cannot import name 'price' from 'shop' (/x/shop.py)",
        line=1,
    )
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:function:shop.price")


def test_what_specs_and_code_removed_makes_the_test_stale() -> None:
    found = judged(
        {"shop.py": SHOP, "test_shop.py": TEST, **WITH_STUB},
        {"shop.py": "", "test_shop.py": TEST, "shop.pyi": ""},
        "ImportError",
        "cannot import name 'price' from 'shop' (/x/shop.py)",
        line=1,
    )
    assert found.ruling is Ruling.TEST_STALE
    assert {each.cause for each in found.explained_by} == {Cause.REMOVED}


def test_what_only_the_code_removed_is_undecided() -> None:
    files = {"shop.py": SHOP, "test_shop.py": TEST}
    words = "cannot import name 'price' from 'shop' (/x/shop.py)"
    assert judged(files, {**files, "shop.py": ""}, "ImportError", words, line=1).ruling is Ruling.UNDECIDED


def test_a_movement_of_something_else_explains_nothing() -> None:
    before = {"shop.py": SHOP + "\n\ndef total(a):\n    return a\n", "test_shop.py": TEST}
    after = {"shop.py": SHOP + "\n\ndef whole(a):\n    return a\n", "test_shop.py": TEST}
    assert judged(before, after, "AssertionError", "assert 14 == 15").ruling is Ruling.UNDECIDED


def test_a_renamed_parameter_explains_a_call_with_the_old_one_and_no_other() -> None:
    before = {"shop.py": SHOP, "test_shop.py": TEST.replace("price(3)", "price(3, percent=5)")}
    after = {**before, "shop.py": SHOP.replace("percent", "rate")}
    words = "price() got an unexpected keyword argument '{}'"
    assert judged(before, after, "TypeError", words.format("percent")).ruling is Ruling.TEST_STALE
    assert judged(before, after, "TypeError", words.format("amount")).ruling is Ruling.UNDECIDED
    both = {**after, "shop.py": SHOP.replace("percent", "rate").replace("amount * rate", "amount + rate")}
    assert judged(before, both, "TypeError", words.format("percent")).ruling is Ruling.UNDECIDED


def test_a_failure_within_the_code_is_no_stale_test() -> None:
    before = {"shop.py": SHOP, "test_shop.py": TEST}
    after = {**before, "shop.py": SHOP.replace("percent", "rate")}
    words = "price() got an unexpected keyword argument 'percent'"
    found = judged(before, after, "TypeError", words, inside=("shop.py", 2, "total"))
    assert found.ruling is not Ruling.TEST_STALE


def test_a_changed_default_is_wrong_where_a_stub_states_the_old_one_and_stale_where_it_moved() -> None:
    before = {"shop.py": SHOP, "test_shop.py": TEST, **WITH_STUB}
    after = {**before, "shop.py": SHOP.replace("=5", "=6")}
    wrong = judged(before, after, "AssertionError", "assert 18 == 15")
    assert (wrong.ruling, wrong.evidence[0]) == (Ruling.CODE_WRONG, "spec:function:shop.price")
    moved = {**after, "shop.pyi": WITH_STUB["shop.pyi"].replace("= 5", "= 6")}
    assert judged(before, moved, "AssertionError", "assert 18 == 15").ruling is Ruling.TEST_STALE
    alone = judged({**before, "shop.pyi": ""}, {**after, "shop.pyi": ""}, "AssertionError", "assert 18 == 15")
    assert alone.ruling is Ruling.UNDECIDED


def test_a_spec_that_moved_covers_no_body_that_moved_beside_it() -> None:
    before = {"shop.py": SHOP, "test_shop.py": TEST, **WITH_STUB}
    after = {
        "shop.py": SHOP.replace("=5", "=6").replace("*", "+"),
        "test_shop.py": TEST,
        "shop.pyi": WITH_STUB["shop.pyi"].replace("= 5", "= 6"),
    }
    assert judged(before, after, "AssertionError", "assert 9 == 15").ruling is not Ruling.TEST_STALE


DOCUMENTED = '''\
LIMIT = 20


def price(amount):
    """What it costs.

    Raises:
        ValueError: if the amount is negative.

    Returns:
        The price as a number.

    >>> price(3)
    15
    """
    if amount < 0:
        raise ValueError("negative")
    return amount * 5
'''


@pytest.mark.parametrize(
    ("old", "new", "assertion", "exception", "message", "ruling"),
    [
        ("* 5", "* 6", "assert price(3) == 15", "AssertionError", "assert 18 == 15", Ruling.CODE_WRONG),
        ("* 5", "* 6", "assert price(4) == 20", "AssertionError", "assert 24 == 20", Ruling.UNDECIDED),
        (
            "amount * 5",
            "None",
            "assert price(4) == 20",
            "AssertionError",
            "assert None == 20",
            Ruling.CODE_WRONG,
        ),
        (
            "if amount < 0",
            "if amount < -9",
            "with pytest.raises(ValueError): price(-1)",
            "Failed",
            "DID NOT RAISE <class 'ValueError'>",
            Ruling.CODE_WRONG,
        ),
        ("* 5", "* 5 ", "assert price(3) == 18", "AssertionError", "assert 15 == 18", Ruling.TEST_WRONG),
    ],
)
def test_documented_behaviour_is_evidence(
    old: str, new: str, assertion: str, exception: str, message: str, ruling: Ruling
) -> None:
    test = f"from shop import price\nimport pytest\n\ndef test_price():\n    {assertion}\n"
    before = {"shop.py": DOCUMENTED, "test_shop.py": test}
    after = {**before, "shop.py": DOCUMENTED.replace(old, new)}
    found = judged(before, after, exception, message)
    assert found.ruling is ruling
    if ruling is not Ruling.UNDECIDED:
        assert found.evidence[0] == "code:function:shop.price"


def test_another_exception_than_the_documented_one_makes_the_code_wrong() -> None:
    test = "from shop import price\nimport pytest\n\ndef test_price():\n    with pytest.raises(ValueError): price(-1)\n"
    before = {"shop.py": DOCUMENTED, "test_shop.py": test}
    after = {**before, "shop.py": DOCUMENTED.replace("raise ValueError", "raise LookupError")}
    found = judged(before, after, "LookupError", "negative", inside=("shop.py", 16, "price"))
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "code:function:shop.price")
    moved = {**after, "shop.py": DOCUMENTED.replace("ValueError", "LookupError")}
    stale = judged(before, moved, "LookupError", "negative", inside=("shop.py", 16, "price"))
    assert stale.ruling is Ruling.TEST_STALE


def test_a_spec_of_another_function_that_moved_covers_nothing() -> None:
    code = (
        "def find(key):\n    raise ValueError(key)\n\n\n"
        'def other(key):\n    """Find.\n\n    Raises:\n        ValueError: if missing.\n    """\n'
        "    raise ValueError(key)\n"
    )
    test = "from shop import find\nimport pytest\n\ndef test_price():\n    with pytest.raises(ValueError): find('')\n"
    before = {"shop.py": code, "test_shop.py": test}
    after = {**before, "shop.py": code.replace("ValueError", "LookupError")}
    assert (
        judged(before, after, "LookupError", "''", inside=("shop.py", 2, "find")).ruling is Ruling.UNDECIDED
    )


def test_a_documented_exception_where_another_one_came_before_makes_no_test_wrong() -> None:
    code = (
        'def find(key):\n    """Find it.\n\n    Raises:\n        KeyError: if it is missing.\n    """\n'
        "    if not key:\n        raise ValueError(key)\n    raise KeyError(key)\n"
    )
    test = "from shop import find\nimport pytest\n\ndef test_price():\n    with pytest.raises(ValueError): find('')\n"
    before = {"shop.py": code, "test_shop.py": test}
    after = {**before, "shop.py": code.replace("if not key", "if key")}
    found = judged(before, after, "KeyError", "''", inside=("shop.py", 9, "find"))
    assert found.ruling is Ruling.UNDECIDED
    assert judged(after, after, "KeyError", "''", inside=("shop.py", 9, "find")).ruling is Ruling.TEST_WRONG


def test_a_module_that_is_nobodys_is_missing_from_the_environment() -> None:
    files = {"shop.py": SHOP, "test_shop.py": TEST}
    found = judged(files, files, "ModuleNotFoundError", "No module named 'numpy'", line=1)
    assert found.ruling is Ruling.ENVIRONMENT


def test_what_the_sandbox_refuses_is_undecided_where_the_code_changed() -> None:
    after = {"shop.py": SHOP.replace("amount * percent", "amount / percent"), "test_shop.py": TEST}
    before = {"shop.py": SHOP, "test_shop.py": TEST}
    refused = ("PermissionError", "[Errno 13] Permission denied: '/etc/x'")
    assert judged(before, after, *refused).ruling is Ruling.UNDECIDED
    assert judged(before, before, *refused).ruling is Ruling.ENVIRONMENT


def test_a_fact_says_nothing_of_what_fails_before_a_test_comes_to_it() -> None:
    code = "class Cart:\n    def __init__(self):\n        raise TypeError\n\n    def total(self):\n        return 1\n"
    test = (
        "import pytest\nfrom shop import Cart\n\n"
        '@pytest.mark.spec("spec:function:shop.Cart.total")\n'
        "def test_price():\n    cart = Cart()\n    assert cart.total() == 1\n"
    )
    stub = "class Cart:\n    def total(self) -> int: ...\n"
    files = {"shop.py": code, "shop.pyi": stub, "test_shop.py": test}
    rulings = [
        judged(files, files, "TypeError", "", line=line, inside=("shop.py", 3, "__init__")).ruling
        for line in (6, 7)
    ]
    assert rulings == [Ruling.UNDECIDED, Ruling.CODE_WRONG]


def test_a_test_that_cites_an_unchanged_fact_is_backed_by_it() -> None:
    marked = '@pytest.mark.spec("spec:function:shop.price")\ndef test_price'
    test = "import pytest\n" + TEST.replace("def test_price", marked)
    before = {"shop.py": SHOP, "test_shop.py": test, **WITH_STUB}
    after = {**before, "shop.py": SHOP.replace("*", "+")}
    found = judged(before, after, "AssertionError", "assert 8 == 15", line=7)
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:function:shop.price")


_BODIES = ["amount * percent", "amount + percent", "percent", "amount", "None", "str(amount)"]
_FAILURES = [
    ("AssertionError", "assert 8 == 15", 5),
    ("AssertionError", "assert None == 15", 5),
    ("TypeError", "price() takes 1 positional argument but 2 were given", 5),
    ("TypeError", "price() got an unexpected keyword argument 'percent'", 5),
    ("TypeError", "'int' object is not callable", 5),
    ("AttributeError", "module 'shop' has no attribute 'price'", 5),
    ("ImportError", "cannot import name 'price' from 'shop' (/x/shop.py)", 1),
    ("KeyError", "'a'", 5),
]


@given(
    st.sampled_from(_BODIES),
    st.sampled_from(["price", "cost"]),
    st.sampled_from(["amount, percent=5", "percent, amount=5", "amount, *, percent=5", "amount, rate=5"]),
    st.sampled_from(_FAILURES),
    st.booleans(),
)
def test_no_test_is_stale_where_a_body_changed_and_no_spec_did(
    body: str, name: str, parameters: str, failure: tuple[str, str, int], has_stub: bool
) -> None:
    specs = WITH_STUB if has_stub else {}
    before = {"shop.py": SHOP, "test_shop.py": TEST, **specs}
    code = f"def {name}({parameters}):\n    return {body}\n"
    exception, message, line = failure
    found = judged(before, {**before, "shop.py": code}, exception, message, line=line)
    if body != "amount * percent" or has_stub:
        assert found.ruling not in (Ruling.TEST_STALE, Ruling.TEST_WRONG)


@given(st.sampled_from(_FAILURES))
def test_without_a_change_nothing_is_stale(failure: tuple[str, str, int]) -> None:
    exception, message, line = failure
    files = {"shop.py": SHOP, "test_shop.py": TEST, **WITH_STUB}
    assert judged(files, files, exception, message, line=line).ruling is not Ruling.TEST_STALE


@pytest.mark.parametrize(
    ("returns", "ruling"), [("int", "CODE_WRONG"), ("int | None", "UNDECIDED"), ("T", "UNDECIDED")]
)
def test_a_function_that_gives_nothing_now_contradicts_a_stub_that_excludes_it(
    returns: str, ruling: str
) -> None:
    stub = {"shop.pyi": WITH_STUB["shop.pyi"].replace("-> int", f"-> {returns}")}
    before = {"shop.py": SHOP, "test_shop.py": TEST, **stub}
    after = {**before, "shop.py": SHOP.replace("amount * percent", "None")}
    found = judged(before, after, "TypeError", "unsupported operand type(s) for +: 'NoneType' and 'int'")
    assert found.ruling == ruling


@pytest.mark.parametrize("called", ["total", "price"])
def test_a_docstring_that_has_a_former_parameter_speaks_of_no_other_value(called: str) -> None:
    code = (
        "def price({0}, more=1):\n    return {0}{1}\n\n\ndef total(all, more=1):\n    return price(all){1}\n"
    )
    test = f"from shop import price, total\n\n\ndef test_price():\n    assert {called}(3) == 3\n"
    witness = Witness(fact="code:function:shop.price", path="shop.py", line=1)
    finding = Finding(
        subject="function shop.price",
        aspect="documented",
        message="The docstring of function shop.price describes parameter amount, which the code does not take.",
        spec=witness,
        code=witness,
    )
    found = judged(
        {"shop.py": code.format("amount", ""), "test_shop.py": test},
        {"shop.py": code.format("cost", " + 1"), "test_shop.py": test},
        "AssertionError",
        "assert 4 == 3",
        findings=[finding],
    )
    assert found.ruling is Ruling.UNDECIDED


@pytest.mark.parametrize(
    ("callee", "ruling"),
    [
        ("test_price.<locals>.Clock.now", "UNDECIDED"),
        ("Clock.now", "UNDECIDED"),
        ("Cart.add", "CODE_WRONG"),
        ("Cart.__init__", "CODE_WRONG"),
        ("int", "CODE_WRONG"),
        ("list.append", "CODE_WRONG"),
    ],
)
def test_a_stand_in_of_the_tests_that_is_called_otherwise_now_tells_nothing_of_the_code(
    callee: str, ruling: str
) -> None:
    code = (
        'class Cart:\n    def add(self):\n        return 1\n\n\ndef price(amount):\n    """Tell.\n\n    Returns:\n'
        '        the price\n    """\n    return {0}\n'
    )
    files = {"test_shop.py": TEST}
    found = judged(
        {"shop.py": code.format("amount * 5"), **files},
        {"shop.py": code.format("amount.now(1)"), **files},
        "TypeError",
        f"{callee}() takes 1 positional argument but 2 were given",
        inside=("shop.py", 12, "price"),
    )
    assert found.ruling == ruling


def test_a_fault_within_what_a_stub_says_how_to_call_makes_the_code_wrong() -> None:
    before = {"shop.py": SHOP, "test_shop.py": TEST, "shop.pyi": "def price(amount, percent=5): ...\n"}
    after = {**before, "shop.py": SHOP.replace("amount * percent", "amount.percent")}
    words = "'int' object has no attribute 'percent'"
    found = judged(before, after, "AttributeError", words, inside=("shop.py", 2, "price"))
    assert (found.ruling, found.evidence[0]) == (Ruling.CODE_WRONG, "spec:function:shop.price")


@pytest.mark.parametrize("stub", ["shop/goods.pyi", "shop/__init__.pyi", "shop/other.pyi"])
def test_a_stub_that_has_the_old_name_anywhere_and_alone_makes_the_code_wrong(stub: str) -> None:
    test = "from shop import Book\n\n\ndef test_price():\n    assert Book().price() == 15\n"
    body = (
        "    def price(self):\n        return 15\n\n    def title(self):\n        return self.price() * 'a'\n"
    )
    specs = {stub: "class Book:\n    def price(self) -> int: ...\n"}
    found = judged(
        {
            "shop/__init__.py": "from .goods import Book\n",
            "shop/goods.py": f"class Book:\n{body}",
            "test_shop.py": test,
            **specs,
        },
        {
            "shop/__init__.py": "from .goods import Volume\n",
            "shop/goods.py": f"class Volume:\n{body}",
            "test_shop.py": test,
            **specs,
        },
        "ImportError",
        "cannot import name 'Book' from 'shop' (/x/shop/__init__.py)",
        line=1,
    )
    assert found.ruling is Ruling.CODE_WRONG


ENUM = "import enum\n\n\nclass Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
IN_TUPLE = (
    "from shop import Colour\n\n\n"
    "def test_price():\n    assert (Colour.RED.value, Colour.BLUE.value) == (1, 2)\n"
)
IN_TABLE = (
    "import pytest\nfrom shop import Colour\n\n\n"
    '@pytest.mark.parametrize("colour", [Colour.RED])\ndef test_price(colour):\n    assert colour.value\n'
)


@pytest.mark.parametrize("test", [IN_TUPLE, IN_TABLE])
@pytest.mark.parametrize(
    ("now", "ruling"),
    [
        (ENUM.replace("RED", "CRIMSON"), Ruling.TEST_STALE),
        (ENUM.replace("RED = 1", "CRIMSON = 3"), Ruling.UNDECIDED),
        (ENUM.replace("    RED = 1\n", ""), Ruling.UNDECIDED),
        (ENUM.replace("BLUE", "NAVY"), Ruling.UNDECIDED),
    ],
)
def test_a_member_of_an_enum_is_missed_by_its_bare_name(test: str, now: str, ruling: Ruling) -> None:
    files = {"test_shop.py": test}
    found = judged({"shop.py": ENUM, **files}, {"shop.py": now, **files}, "AttributeError", "RED")
    assert found.ruling is ruling


SLUG = (
    '__all__ = ["slug", "Maker"]\n\n\ndef slug(text, sep="-"):\n    return sep.join(text.lower().split())\n\n\n'
    "class Maker:\n    def make(self, text):\n        return slug(text, sep='_').strip()\n"
)
CALLED = ("TypeError", "'module' object is not callable")
LACKED = ("ImportError", "cannot import name 'Maker' from 'slug' (/x/slug/__init__.py)")


@pytest.mark.parametrize("exports", [True, False])
@pytest.mark.parametrize(
    ("old", "new", "test", "failure"),
    [
        ("slug", "slugify", "import slug\n\nslug.slug('A b')\n", CALLED),
        ("slug", "slugify", "from slug import slug\n\nslug('A b')\n", CALLED),
        ("Maker", "Builder", "\n\nfrom slug import Maker\n", LACKED),
    ],
)
def test_what_a_star_import_hands_on_is_known_by_the_package_even_under_the_name_of_a_module(
    exports: bool, old: str, new: str, test: str, failure: tuple[str, str]
) -> None:
    then = SLUG if exports else SLUG.partition("\n")[2]
    now = re.sub(rf"\b{old}\b", new, then)
    stub = {"slug/slug.pyi": "def slug(text, sep=...): ...\nclass Maker:\n    def make(self, text): ...\n"}

    def ruling(now: str, specs: Files | None = None) -> Ruling:
        others = {"slug/__init__.py": "from .slug import *\n", "test_shop.py": test, **(specs or {})}
        before, after = {"slug/slug.py": then, **others}, {"slug/slug.py": now, **others}
        return judged(before, after, *failure, line=3).ruling

    assert ruling(now) is Ruling.TEST_STALE
    assert ruling(now, stub) is Ruling.CODE_WRONG
    assert (
        ruling(re.sub(r"return sep\.join.*|return slug.*", "return text.upper().strip()", now))
        is Ruling.UNDECIDED
    )
    if exports:
        forgotten = now.replace(f'"{new}"', "").replace("[, ", "[")
        assert ruling(forgotten) is Ruling.UNDECIDED, "the new name is not handed on"
    assert ruling(then) is Ruling.UNDECIDED


AREA = "def area(width, height, depth=1):\n    return f'{width}x{height}x{depth}'\n"


@pytest.mark.parametrize(
    ("now", "call", "ruling"),
    [
        ("height, width, depth=1", "area(1, 2)", Ruling.TEST_STALE),
        ("height, width, depth=1", "area(*[1, 2])", Ruling.TEST_STALE),
        ("width, height, depth=3", "area(1, 2)", Ruling.UNDECIDED),
        ("height, width, depth=3", "area(1, 2)", Ruling.UNDECIDED),
        ("height, width, depth=1", "area(width=1, height=2)", Ruling.UNDECIDED),
        ("width, depth=1, height=2", "area(1)", Ruling.UNDECIDED),
    ],
)
def test_another_order_explains_only_what_is_given_at_a_place_that_changed(
    now: str, call: str, ruling: Ruling
) -> None:
    test = f"from shop import area\n\n\ndef test_price():\n    assert {call} == '1x2x1'\n"
    found = judged(
        {"shop.py": AREA, "test_shop.py": test},
        {"shop.py": AREA.replace("width, height, depth=1", now), "test_shop.py": test},
        "AssertionError",
        f"assert '2x1x1' == '1x2x1'\n  +  where '2x1x1' = {call}",
    )
    assert found.ruling is ruling


GONE = {"shop/__init__.py": "from shop.parts import price\n", "shop/parts.py": SHOP}
LEFT = {"shop/__init__.py": "", "shop/parts.py": "LIMIT = 3\n"}


@pytest.mark.parametrize(
    ("line", "ruling"),
    [
        ("- Removed ``price()``.", Ruling.TEST_STALE),
        ("- ``parts.price`` was removed, since nobody paid.", Ruling.TEST_STALE),
        ("- Removed the ``percent`` argument of ``price()``.", Ruling.UNDECIDED),
        ("- Removed old prices.", Ruling.UNDECIDED),
        ("- Removed ``cost()``.", Ruling.UNDECIDED),
    ],
)
def test_a_removal_that_a_list_of_changes_announces_makes_the_test_stale(line: str, ruling: Ruling) -> None:
    found = judged(
        {**GONE, "test_shop.py": TEST, "CHANGES.rst": "1.0\n---\n"},
        {**LEFT, "test_shop.py": TEST, "CHANGES.rst": f"2.0\n---\n\n{line}\n\n1.0\n---\n"},
        "ImportError",
        "cannot import name 'price' from 'shop' (/x/shop/__init__.py)",
        line=1,
    )
    assert found.ruling is ruling
    assert ("spec:page:CHANGES.rst" in found.evidence) == (ruling is Ruling.TEST_STALE)


def test_what_was_announced_before_the_test_passed_announces_nothing() -> None:
    pages = {"CHANGES.rst": "1.0\n---\n\n- Removed ``price()``.\n"}
    found = judged(
        {**GONE, "test_shop.py": TEST, **pages},
        {**LEFT, "test_shop.py": TEST, **pages},
        "ImportError",
        "cannot import name 'price' from 'shop' (/x/shop/__init__.py)",
        line=1,
    )
    assert found.ruling is Ruling.UNDECIDED


@pytest.mark.parametrize(("body", "ruling"), [("", Ruling.TEST_STALE), (" + 1", Ruling.UNDECIDED)])
def test_a_renamed_module_is_the_same_where_what_the_test_uses_of_it_is(body: str, ruling: Ruling) -> None:
    """Its other functions may change along."""
    rest = "\n\ndef tax(amount):\n    return amount * {}\n\n\ndef weight(amount):\n    return amount / 2\n"
    test = TEST.replace("from shop import", "from shop.prices import")
    found = judged(
        {"shop/__init__.py": "", "shop/prices.py": SHOP + rest.format(3), "test_shop.py": test},
        {
            "shop/__init__.py": "",
            "shop/costs.py": SHOP.replace("* percent", f"* percent{body}") + rest.format(4),
            "test_shop.py": test,
        },
        "ModuleNotFoundError",
        "No module named 'shop.prices'",
        line=1,
    )
    assert found.ruling is ruling
