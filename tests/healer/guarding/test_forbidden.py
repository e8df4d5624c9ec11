"""Edits that would make a test check less are refused, and edits that follow a change of names are not."""

from __future__ import annotations

import contextlib

import pytest

from healer.editing.exchanging import Refused
from healer.guarding.backing import Backing
from healer.guarding.forbidden import weaknesses

FILE = '''\
import pytest
from unittest.mock import Mock, patch

from shop import price, tax

LIMIT = 10


@pytest.fixture
def cart():
    return [1, 2]


@pytest.mark.parametrize("amount", [1, 2, 3])
def test_price(amount, cart):
    """Words."""
    cart.append(amount)
    assert price(amount, "EUR") == 12.5
    assert tax(amount) is None and amount in cart


def test_refused():
    with pytest.raises(ValueError, match="too many"):
        price(-1)


@patch("shop.mail.send")
def test_mail(send):
    price(1)
    send.assert_called_once_with(1)


class TestMore:
    def test_all(self):
        self.assertEqual(price(1), 2)
        self.assertTrue(price(2))
'''


def said(old: str, new: str, backing: Backing | None = None) -> tuple[str, ...]:
    assert old in FILE
    return weaknesses(FILE, FILE.replace(old, new), backing)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('    assert price(amount, "EUR") == 12.5\n', "", "asserts 2 things instead of 3"),
        ('    assert price(amount, "EUR") == 12.5\n', "    assert amount == amount\n", "true of itself"),
        (" is None and amount in cart", " is None", "asserts 2"),
        ("== 12.5", "== 13.5", "13.5"),
        ("== 12.5", "== 12", "has 12 now"),
        ("== 12.5", "== pytest.approx(12.5)", "`approx`"),
        ("== 12.5", ">= 12.5", "`>=`"),
        ("== 12.5", "in (12.5,)", "`in`"),
        ("== 12.5", "!= 12.5", "`!=`"),
        ("== 12.5", "is not None", "`is not`"),
        (" == 12.5", "", "`truth`"),
        ("== 12.5", "== price(amount, 'EUR')", "true of itself"),
        ('assert price(amount, "EUR") == 12.5', 'assert price(amount, "EUR") == 12.5 or True', "`or`"),
        ('assert price(amount, "EUR") == 12.5', 'assert round(price(amount, "EUR")) == 12.5', "`round`"),
        (
            'assert price(amount, "EUR") == 12.5',
            'assert (price(amount, "EUR"), 12.5)[1] == 12.5',
            "otherwise",
        ),
        ('assert price(amount, "EUR") == 12.5', "assert 12.5 == 12.5", "true of itself"),
        (
            '    assert price(amount, "EUR") == 12.5\n',
            '    if amount:\n        assert price(amount, "EUR") == 12.5\n',
            "not always reached",
        ),
        (
            '    assert price(amount, "EUR") == 12.5\n',
            '    try:\n        assert price(amount, "EUR") == 12.5\n    except ValueError:\n        pass\n',
            "not always reached",
        ),
        (
            '    assert price(amount, "EUR")',
            '    return\n    assert price(amount, "EUR")',
            "not always reached",
        ),
        ("    price(-1)\n", "    raise Foo\n", "raises by itself"),
        ("    price(-1)\n", "    raise ValueError('too many')\n", "has"),
        ("pytest.raises(ValueError", "pytest.raises(Exception", "more than ValueError"),
        ("pytest.raises(ValueError", "pytest.raises((ValueError, KeyError)", "more exceptions"),
        ("pytest.raises(ValueError", "pytest.raises(KeyError", "KeyError instead of ValueError"),
        (', match="too many"', "", "words"),
        ('match="too many"', 'match=".*"', "has .* now"),
        ("def test_price(", "@pytest.mark.skip\ndef test_price(", "`skip`"),
        ("def test_price(", "@pytest.mark.xfail\ndef test_price(", "`xfail`"),
        ("    cart.append(amount)\n", "    pytest.skip()\n", "`skip`"),
        ("LIMIT = 10", "LIMIT = 10\npytestmark = pytest.mark.skip", "`skip`"),
        ("LIMIT = 10", "LIMIT = 11", "the file has 11"),
        ("[1, 2, 3])", "[1, 2])", "sets of values"),
        ('"amount", [1, 2, 3]', '"amount", [1, 2, 4]', "has 4 now"),
        ("def test_price", "def check_price", "test_price is gone"),
        ("class TestMore", "class More", "TestMore.test_all is gone"),
        ("LIMIT = 10", "LIMIT = 10\ndel test_mail", "test_mail is gone"),
        ("LIMIT = 10", "LIMIT = 10\ntest_mail = None", "is gone"),
        ("    cart.append(amount)\n", "", "does less"),
        ("    price(1)\n    send", "    send", "does less"),
        ("    price(1)\n    send", "    send(1)\n    send", ""),
        ("send.assert_called_once_with(1)", "send.assert_called", "asserts 0"),
        ("self.assertEqual(price(1), 2)", "self.assertIn(price(1), [2])", "`in`"),
        ("self.assertEqual(price(1), 2)", "self.assertTrue(price(1))", "`truth`"),
        ("self.assertEqual(price(1), 2)", "self.assertEqual(2, 2)", "true of itself"),
        ("from shop import price, tax", "from shop import tax\n\n\ndef price(*args): return 12.5", "itself"),
        ("from shop import price, tax", "from shop import price, tax\nprice = Mock()", "itself"),
        ("from shop import price, tax", "from fake import price, tax", "imports fake.price"),
        ("from shop import price, tax", "from shop import tax, other as price", "shop.other for price"),
        ("    cart.append(amount)\n", "    cart.append(amount)\n    tax = Mock()\n", "itself"),
        ("    cart.append(amount)\n", "    shop = Mock(return_value=amount)\n", "`Mock`"),
        ('@patch("shop.mail.send")', '@patch("shop.price")', "has shop.price now"),
        ("@pytest.fixture\n", "@pytest.fixture(autouse=True)\n", "autouse"),
        ("LIMIT = 10", "LIMIT = 10\n\n\ndef pytest_runtest_setup(item): item.skip()", "how tests are run"),
        ("LIMIT = 10", "LIMIT = 10\n\n\n@pytest.fixture\ndef amount(): return 1", "new fixture"),
        ("    cart.append(amount)\n", "    import os\n    os._exit(0)\n", "`_exit`"),
    ],
)
def test_an_edit_by_which_a_test_checks_less_is_refused(old: str, new: str, why: str) -> None:
    found = said(old, new)
    if why:
        assert any(why in each for each in found), found


@pytest.mark.parametrize(
    ("old", "new", "backing"),
    [
        ("from shop import price, tax", "from shop.core import price\nfrom shop import tax", Backing()),
        ("from shop import price, tax", "import shop\nfrom shop import price, tax", Backing()),
        ('price(amount, "EUR")', 'price(amount, currency="EUR")', Backing()),
        ('price(amount, "EUR")', 'price("EUR", amount)', Backing()),
        ('price(amount, "EUR")', "price(amount)", Backing(drops=True)),
        ('price(amount, "EUR")', 'price(amount, "EUR", vat=7)', Backing(values=({"default": 7},))),
        ('price(amount, "EUR")', 'price.of(amount, "EUR")', Backing()),
        ('price(amount, "EUR")', 'price(amount, "EUR").amount', Backing()),
        ("== 12.5", "== 13.5", Backing(values=([13.5],))),
        ("== 12.5", "== 13.5", Backing(decided=True)),
        ("pytest.raises(ValueError", "pytest.raises(PriceError", Backing(values=("shop.PriceError",))),
        ('@patch("shop.mail.send")', '@patch("shop.post.send")', Backing(renames={"shop.mail": "shop.post"})),
        ("def test_mail(send)", "async def test_mail(send)", Backing()),
        ("def test_price(amount, cart)", "def test_price(amount, basket)", Backing()),
        ('    """Words."""\n', '    """Other words."""\n', Backing()),
        ("Mock, patch", "AsyncMock, patch", Backing()),
        ("tax(amount) is None", "(await tax(amount)) is None", Backing()),
    ],
)
def test_an_edit_that_follows_a_change_is_allowed(old: str, new: str, backing: Backing) -> None:
    assert said(old, new, backing) == ()


def test_a_name_may_be_exchanged_everywhere_where_a_change_says_so() -> None:
    renames = {"shop.price": "shop.cost", "price": "cost"}
    new = FILE.replace("price", "cost").replace("def test_cost", "def test_price")
    assert weaknesses(FILE, new, Backing(renames=renames)) == ()


def test_a_retired_test_may_go_and_no_other() -> None:
    start, end = FILE.index("def test_refused"), FILE.index("@patch")
    without = FILE[:start] + FILE[end:]
    assert weaknesses(FILE, without, Backing(retired=("test_refused",))) == ()
    assert weaknesses(FILE, without, Backing(retired=("test_mail",))) == ("test_refused is gone",)


def test_whoever_decides_about_values_does_not_decide_about_fewer_assertions() -> None:
    assert said("    assert tax(amount) is None and amount in cart\n", "", Backing(decided=True))


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(Refused):
        weaknesses(FILE, "def test(:\n")


@pytest.mark.parametrize("line", FILE.splitlines(keepends=True))
def test_no_line_with_an_assertion_or_a_value_can_simply_go(line: str) -> None:
    new = FILE.replace(line, "    pass\n" if line.startswith("    ") else "\n", 1)
    if line.strip().startswith(
        ("assert", "self.assert", "send.assert", "with", "cart.append", "LIMIT", "@pytest.mark")
    ):
        with contextlib.suppress(Refused):
            assert weaknesses(FILE, new)


def test_an_own_function_that_is_called_as_assertions_are_may_be_renamed() -> None:
    before = "from shop import raises\n\n\ndef test_it():\n    check(raises(ValueError))\n"
    after = before.replace("raises", "raising")
    assert weaknesses(before, after, Backing(renames={"shop.raises": "shop.raising"})) == ()
    assert weaknesses(before, after) == ("test_it asserts 0 things instead of 1",)
