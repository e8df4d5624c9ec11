"""Failures that show elsewhere than where the form changed: in a base, or behind an object of an unknown class."""

from __future__ import annotations

from healer.evidence import Judgement, Ruling
from healer.movements import Cause
from tests.healer.judging.test_judging import judged

RULES = """\
class Both:
    def __init__(self, *rules, **settings):
        for name in settings:
            raise TypeError(name)


class Either(Both):
    def __init__(self, *rules, {name}=False, **settings):
        self.alone = {name}
        super().__init__(*rules, **settings)
"""
TEST = "from shop import Either\n\n\ndef test_price():\n    assert Either(1, only=True)\n"


def handed_on(test: str, message: str) -> Judgement:
    """The judgement after `only` of `Either` is called `single`, where its base does not know a keyword."""
    return judged(
        {"shop.py": RULES.format(name="only"), "test_shop.py": test},
        {"shop.py": RULES.format(name="single"), "test_shop.py": test},
        "TypeError",
        message,
        inside=("shop.py", 10, "__init__"),
    )


def test_a_keyword_that_a_base_does_not_know_is_the_renamed_one_of_the_class() -> None:
    found = handed_on(TEST, "Both.__init__() got an unexpected keyword argument 'only'")
    assert found.ruling is Ruling.TEST_STALE
    assert [each.cause for each in found.explained_by] == [Cause.PARAMETER_RENAMED]


def test_a_keyword_that_the_test_does_not_give_explains_nothing() -> None:
    other = "Both.__init__() got an unexpected keyword argument 'only'"
    assert handed_on(TEST.replace("only=True", "more=True"), other).ruling is Ruling.UNDECIDED
    unrelated = "Third.__init__() got an unexpected keyword argument 'only'"
    assert handed_on(TEST, unrelated).ruling is Ruling.UNDECIDED


MATCHING = '''\
class Rule:
    def matched(self, {order}):
        return text[place:].startswith("a")


class Grammar:
    def __init__(self, rules):
        """Make it.

        :param rules: what matches
        """
        self.rules = rules

    def parse(self, text):
        return self.rules[0].matched({given})
'''
GRAMMAR = """\
from shop import Grammar, Rule


def test_price():
    grammar = Grammar([Rule()])
    assert grammar.rules[0].matched("ab", 0)
"""


def reordered(test: str = GRAMMAR) -> Judgement:
    """The judgement after a method that the test calls on an object of an unknown class takes its arguments in
    another order."""
    then, now = (
        MATCHING.format(order=order, given=order.replace("place", "0"))
        for order in ("text, place", "place, text")
    )
    return judged(
        {"shop.py": then, "test_shop.py": test},
        {"shop.py": now, "test_shop.py": test},
        "TypeError",
        "'int' object is not subscriptable",
        line=6,
        inside=("shop.py", 3, "matched"),
    )


def test_an_object_of_an_unknown_class_has_the_method_that_only_one_class_has() -> None:
    found = reordered()
    assert found.ruling is Ruling.TEST_STALE
    assert [each.cause for each in found.explained_by] == [Cause.PARAMETERS_REORDERED]


def test_a_crash_of_what_has_another_form_now_does_not_make_the_code_wrong() -> None:
    keywords = GRAMMAR.replace('matched("ab", 0)', 'matched(place="ab", text=0)')
    assert reordered(keywords).ruling is Ruling.UNDECIDED


def test_what_a_property_gives_is_called_instead_of_the_method_that_it_was() -> None:
    code = "class Rule:\n{}    def marked(self):\n        return self\n"
    code += "\n    def __call__(self, text):\n        return text\n"
    test = "from shop import Rule\n\n\ndef test_price():\n    assert Rule().marked()\n"
    found = judged(
        {"shop.py": code.format(""), "test_shop.py": test},
        {"shop.py": code.format("    @property\n"), "test_shop.py": test},
        "TypeError",
        "Rule.__call__() missing 1 required positional argument: 'text'",
    )
    assert found.ruling is Ruling.TEST_STALE
    assert [each.cause for each in found.explained_by] == [Cause.BECAME_PROPERTY]
