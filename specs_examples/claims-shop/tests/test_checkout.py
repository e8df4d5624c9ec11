"""The steps of the checkout."""

from pytest_bdd import given, parsers, scenarios, then, when

scenarios("../specs/checkout.feature")


@given(parsers.parse("a card with {amount:d} euros"), target_fixture="card")
def card(amount):
    return [amount]


@when(parsers.parse("I pay {amount:d} euros"))
def pay(card, amount):
    card[0] -= amount


@when("I pay in cash")
def pay_in_cash(card):
    card[0] = 0


@then(parsers.parse("{amount:d} euros are left"))
def left(card, amount):
    assert card[0] == amount
