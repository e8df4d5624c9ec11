"""What an exception's type and words tell: the category of the error, and the name that it is about."""

from __future__ import annotations

import re

from healer.analysis import Category
from planner.validator import Verdict

_BY_VERDICT = {
    Verdict.TIMEOUT: Category.TIMEOUT,
    Verdict.ABSENT: Category.ENVIRONMENT,  # what was not collected says nothing of the code
    Verdict.CONTAINED: Category.ENVIRONMENT,
    Verdict.ENVIRONMENT: Category.ENVIRONMENT,
}
_BY_TYPE = {
    "ImportError": Category.IMPORT_ERROR,
    "ModuleNotFoundError": Category.IMPORT_ERROR,
    "NameError": Category.NAME_ERROR,
    "UnboundLocalError": Category.NAME_ERROR,
    "AttributeError": Category.ATTRIBUTE_ERROR,
    "SyntaxError": Category.SYNTAX_ERROR,
    "IndentationError": Category.SYNTAX_ERROR,
    "TabError": Category.SYNTAX_ERROR,
    "FixtureLookupError": Category.FIXTURE_ERROR,
    "FixtureLookupErrorRepr": Category.FIXTURE_ERROR,
    "AssertionError": Category.ASSERTION_FAILURE,
    "Failed": Category.ASSERTION_FAILURE,
    "ComparisonFailure": Category.ASSERTION_FAILURE,
    "InvalidSpecError": Category.MOCK_ERROR,
    "ConnectionRefusedError": Category.ENVIRONMENT,
    "ConnectionResetError": Category.ENVIRONMENT,
    "ConnectionAbortedError": Category.ENVIRONMENT,
    "gaierror": Category.ENVIRONMENT,
    "PermissionError": Category.ENVIRONMENT,
}
_NAME = r"[\"'`](?P<name>[^\"'`\s]+)[\"'`]"
_CALLABLE = r"(?P<callable>[\w.<>]+)\(\)"
_MOCKED = re.compile(
    r"(?:Expected|expected) (?:call|'[\w.]+'|mock|[\w.]+ to)|.*(?:not called|to have been called|to not have been)"
    r"|.*[Cc]alls? not found|.*does not have the attribute"
)
_FIXTURE = re.compile(rf"(?:fixture |\(){_NAME}(?: not found|, <(?:Sub|Top)?Request|, <FixtureRequest)")
_MISSING = (
    re.compile(rf"No module named {_NAME}"),
    re.compile(rf"cannot import name {_NAME}"),
    re.compile(rf"name {_NAME} is not defined"),
    re.compile(rf"cannot access (?:local|free) variable {_NAME}"),
    re.compile(rf".*does not have the attribute {_NAME}", re.DOTALL),
    re.compile(rf".*has no attribute {_NAME}", re.DOTALL),
)
_CALLS = (
    re.compile(rf"{_CALLABLE} got an unexpected keyword argument {_NAME}"),
    re.compile(rf"{_CALLABLE} got multiple values for (?:keyword )?argument {_NAME}"),
    re.compile(rf"{_CALLABLE} missing \d+ required (?:positional|keyword-only) arguments?: (?P<list>.+)"),
    re.compile(rf"{_CALLABLE} got some positional-only arguments passed as keyword arguments: {_NAME}"),
    re.compile(rf"{_CALLABLE} takes .*(?:were|was) given"),
    re.compile(
        rf"(?:missing a required|got an unexpected keyword|multiple values for)[\w -]* argument:? ?{_NAME}"
    ),
    re.compile(r"too many positional arguments"),
)
_SHAPES = re.compile(
    r"'?[\w.]+'? object is not callable|object [\w.]+ can't be used in 'await' expression"
    r"|.*'coroutine'|.*coroutine object|'(?:property|method|function|cached_property)' object"
    r"|.*'(?:method|function)'(?: and|$| object)"
)
_NOT_RAISED = re.compile(
    r"DID NOT RAISE (?:<class '(?P<class>[\w.]+)'>|(?P<other>.+))|(?P<unittest>\w+) not raised"
)


def category_of(verdict: Verdict, exception: str, message: str) -> Category:
    """The category of an error, from what became of its test, the name of its type, and its words."""
    if verdict in _BY_VERDICT:
        return _BY_VERDICT[verdict]
    name = exception.rpartition(".")[2]
    if _FIXTURE.search(message):
        return Category.FIXTURE_ERROR
    if name in ("AssertionError", "AttributeError") and _MOCKED.match(message):
        return Category.MOCK_ERROR
    if name == "TypeError":
        called = any(each.match(message) for each in _CALLS) or _SHAPES.match(message)
        return Category.SIGNATURE_ERROR if called else Category.OTHER_EXCEPTION
    if name in _BY_TYPE:
        return _BY_TYPE[name]
    return Category.OTHER_EXCEPTION if exception else Category.COMPLEX_FAILURE


def symbol_of(message: str, exception: str = "") -> str:
    """The missing name, wrong argument, fixture or exception that the words are about; empty where there is none.

    An `AttributeError` may say nothing but the name: enums do so of the members that they lack.
    """
    if found := _FIXTURE.search(message):
        return found["name"]
    for pattern in _MISSING:
        if found := pattern.match(message):
            return found["name"]
    for pattern in _CALLS:
        if found := pattern.match(message):
            parts = found.groupdict()
            if parts.get("list"):
                return str(re.findall(r"'(\w+)'", parts["list"])[0]) if "'" in parts["list"] else ""
            return parts.get("name") or (parts.get("callable") or "").rpartition(".")[2]
    if found := _NOT_RAISED.match(message):
        return (found["class"] or found["unittest"] or "").rpartition(".")[2]
    return message if exception == "AttributeError" and message.isidentifier() else ""


def called(message: str) -> str:
    """What a wrong call called, as the words have it (`Cart.add`, `price`); empty where they have it not."""
    for pattern in _CALLS:
        if found := pattern.match(message):
            return found.groupdict().get("callable") or ""
    return ""


def holder_of(message: str) -> str:
    """Where a name is missing, as the words have it: a module's dotted name or a class's; empty where unknown."""
    found = re.match(
        r"cannot import name '[^']+' from (?:partially initialized module )?'(?P<module>[\w.]+)'"
        r"|(?:partially initialized )?module '(?P<from>[\w.]+)' has no attribute"
        r"|<module '(?P<mocked>[\w.]+)'|type object '(?P<class>[\w.]+)' has no attribute"
        r"|'(?P<object>[\w.]+)' object has no attribute",
        message,
    )
    return next((each for each in found.groups() if each), "") if found else ""
