"""What functions give that make something of functions: decorators, and those that build properties."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.facts import Json, Kind
from graph.patterns import pattern
from ingest.python.query import Captures
from ingest.python.scopes import Scope, Scopes
from ingest.python.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_GIVEN = pattern(rb"return[ \t]+([A-Za-z_]\w*)[ \t]*(\Z|\()")
_PASSING = (b"cast", b"update_wrapper")
_CAST = rb"(?:(?:\w+\.)?cast\([ \t]*[^(),]+,[ \t]*)"
_WRAPPED = pattern(
    rb"return[ \t]+%s?(?:functools\.)?update_wrapper\([ \t]*([A-Za-z_]\w*)[ \t]*,[ \t]*\w+[ \t]*\)\)?"
    rb"|return[ \t]+%s([A-Za-z_]\w*)[ \t]*\)" % (_CAST, _CAST)
)
_BOUND = (
    rb"^[ \t]*(?:[\w ,=]*[,=][ \t]*)?\b%s[ \t]*(?:,[\w ,]*)?=(?!=)"
    rb"|\b%s[ \t]*:=|\b(?:for|as|del)[ \t]+%s\b"
)
_BEHIND = pattern(rb"[ \t]*(?::=|(?:,[\w ,]*)?=(?!=))")
_BEFORE = (b"for", b"as", b"del")
_BLANKS = b" \t"
_LONGEST_GAP = 60
# A decorator without a function to decorate gives itself with its other arguments.
_AGAIN = pattern(
    rb"return[ \t]+(?:(?:functools\.)?partial\([ \t]*([\w\x80-\xff]+)"
    rb"|lambda[ \t]+(\w+)[ \t]*:[ \t]*([\w\x80-\xff]+)\([ \t]*\2\b)"
)
# Lines in which a name is given back, stored, or asked for its own name. The names are read from the lines: an
# expression for each name would take longer to compile than all lines to match.
_NAME = rb"([\w\x80-\xff]+)"
_NAMES = pattern(_NAME)
_STORED = pattern(
    rb"[ \t]*(?:return[ \t]+%s|%s[\w.]*(?:\[[^\]=\n]*\])?[ \t]*=[ \t]*%s"
    rb"|[\w.]+(?:\[[^\]=\n]*\]|\([^()\n]*\))?\.(?:append|add)\([ \t]*%s[ \t]*\))[ \t\r]*"
    % (_NAME, _NAME, _NAME, _NAME)
)
_NAMED = pattern(rb"%s\.__(?:name|qualname|module)__" % _NAME)
_UPDATED = pattern(rb"\bupdate_wrapper\([ \t]*%s[ \t]*," % _NAME)
_ANEW = pattern(rb"\(\s*(\w+)\.__name__\s*,\s*\1\.__bases__\s*,")
_ACCESSORS = ("fset", "fdel")


def read_giving(source: Source, found: Captures, scopes: Scopes) -> None:
    """Fill in `gives` of every function: what all its `return`s give alike, in the forms of `docs/FACTS.md`.

    These are the function's own parameter, a function within it, a property, a class that is made anew, or what another
    function gives.
    """
    given: dict[Scope, Json] = {}
    for node in found.get("return", ()):
        scope = scopes.at(node.start_byte)
        if scope.kind is not Kind.FUNCTION or scope.lost:
            continue
        match = _GIVEN.match(source.data, node.start_byte, node.end_byte)
        if _gives_itself(source, scope, node):
            continue
        if match is None or match[1] in _PASSING:
            wrapped = _WRAPPED.fullmatch(source.data, node.start_byte, node.end_byte)
            form = _wrapped(scopes, scope, wrapped) if wrapped is not None else None
        else:
            form = _form(source, scopes, scope, node, match)
        given[scope] = _alike(given[scope], form) if scope in given else form
    for scope, form in given.items():
        if form is not None:
            scope.gives = form
            scope.only_stores = form[0] == "parameter" and _only_stores(source, scope, form[1].encode())


def _gives_itself(source: Source, scope: Scope, node: Node) -> bool:
    match = _AGAIN.match(source.data, node.start_byte, node.end_byte)
    return match is not None and (match[1] or match[3]) == scope.name.encode()


def _only_stores(source: Source, scope: Scope, name: bytes) -> bool:
    """Whether all that a function does with what it is given, besides giving it back, is to keep it somewhere."""
    text = source.data[source.line_start(source.line(scope.body)) : scope.end]
    lines = (
        _NAMED.sub(lambda asked: b"" if asked[1] == name else asked[0], line) for line in text.split(b"\n")
    )
    return all(_stores(line, name) for line in lines if name in line and name in _NAMES.findall(line))


def _stores(line: bytes, name: bytes) -> bool:
    stored = _STORED.fullmatch(line)
    return stored is not None and stored[2] != name and name in (stored[1], stored[3], stored[4])


def _alike(known: Json, form: Json) -> Json:
    """What two `return`s give alike: one may give the decorator that another calls."""
    if known == form:
        return known
    either = next((each for each in (known, form) if each and each[0] == "either"), None)
    of_function = all(each and each[0] in ("either", "function") for each in (known, form))
    return either if either and of_function and known[1] == form[1] else None


def _wrapped(scopes: Scopes, scope: Scope, match: re.Match[bytes]) -> Json:
    """A function within this one that it gives as another type, or made to look like the function it was given."""
    name = (match[1] or match[2]).decode("ascii", "replace")
    inner = scopes.members.get((scope, name))
    return (
        ["function", name, match[1] is not None]
        if inner is not None and inner.kind is Kind.FUNCTION
        else None
    )


def _form(source: Source, scopes: Scopes, scope: Scope, node: Node, match: re.Match[bytes]) -> Json:
    name = match[1].decode("ascii", "replace")
    if match[2]:
        value = node.named_child(0)
        if value is not None and _is_decorator_of_first(source, scopes, scope, value):
            return ["either", name]
        if value is None or value.type != "call" or value.end_byte != node.end_byte or name in scope.bound:
            return None
        if name == "property":
            return _property(source, scopes, scope, value)
        if _makes_anew(source, scope, value):
            return ["class", name]
        if name[0].isupper():
            return ["instance", name] if (scopes.module, name) in scopes.members else None
        return ["call", name] if scope.parent is scopes.module else None
    inner = scopes.members.get((scope, name))
    if inner is not None:
        alone = sum(each.parent is scope and each.name == name for each in scopes.all) == 1
        if not alone or inner.kind is not Kind.FUNCTION or _is_rebound(source, scope, match[1]):
            return None
        updated = any(each[1] == match[1] for each in _UPDATED.finditer(source.data, scope.body, scope.end))
        return ["function", name, updated]
    first = 1 if scope.receiver else 0
    own = any(parameter[0] == name for parameter in scope.signature[first : first + 1])
    return ["parameter", name] if own and not _is_rebound(source, scope, match[1]) else None


def _makes_anew(source: Source, scope: Scope, call: Node) -> bool:
    """Whether a call makes a class of what the first parameter of this function is called and derives from."""
    listed = call.child_by_field_name("arguments")
    match = _ANEW.match(source.data, listed.start_byte, listed.end_byte) if listed is not None else None
    return match is not None and any(row[0].encode() == match[1] for row in scope.signature[:1])


def _is_decorator_of_first(source: Source, scopes: Scopes, scope: Scope, call: Node) -> bool:
    """Whether a call is one of a function within this one, with the first parameter alone: `decorate(function)`."""
    called, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    first = scope.signature[:1]
    if called is None or listed is None or listed.named_child_count != 1 or not first:
        return False
    inner = scopes.members.get((scope, source.text(called)))
    argument = listed.named_child(0)
    return inner is not None and argument is not None and source.text(argument) == first[0][0]


def _is_rebound(source: Source, scope: Scope, name: bytes) -> bool:
    """Whether a name of a function may mean something else than its definition by the end."""
    text = source.data[source.line_start(source.line(scope.body)) : scope.end]
    if text.count(name) < 2:
        return False  # It is only given back.
    if not _may_bind(text, name):
        return False
    escaped = re.escape(name)
    return re.search(_BOUND % (escaped, escaped, escaped), text, re.MULTILINE) is not None


def _may_bind(text: bytes, name: bytes) -> bool:
    """Whether some mention of a name has signs of a binding beside it; a look that most names do not pass."""
    place = text.find(name)
    while place >= 0:
        before = text[max(0, place - _LONGEST_GAP) : place]
        word = before.rstrip(_BLANKS)
        if _BEHIND.match(text, place + len(name)) or (
            word != before and (not word or word.endswith(_BEFORE))
        ):
            return True
        place = text.find(name, place + len(name))
    return False


def _property(source: Source, scopes: Scopes, scope: Scope, call: Node) -> Json:
    """`["property", setter, deleter]`: whether there is each, null where that is not known."""
    listed = call.child_by_field_name("arguments")
    values: dict[str, Node] = {}
    for place, argument in enumerate(listed.named_children if listed is not None else ()):
        if argument.type in ("list_splat", "dictionary_splat"):
            return ["property", None, None]
        if argument.type == "keyword_argument":
            key, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
            if key is not None and value is not None:
                values[source.text(key)] = value
        elif place < 3:
            values[("fget", *_ACCESSORS)[place]] = argument
    return ["property", *(_is_given(source, scopes, scope, values.get(each)) for each in _ACCESSORS)]


def _is_given(source: Source, scopes: Scopes, scope: Scope, value: Node | None) -> bool | None:
    """Whether an argument is a function; None where that is not known."""
    if value is None or value.type == "none":
        return False
    if value.type == "lambda":
        return True
    if value.type != "identifier":
        return None
    name = source.text(value)
    own = (scope, name) in scopes.members and not _is_rebound(source, scope, name.encode())
    return True if own or (name not in scope.bound and (scopes.module, name) in scopes.members) else None
