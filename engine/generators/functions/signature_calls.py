"""What a call needs beside its types: nothing that has to be there, and what a variable of its types stands for."""

from __future__ import annotations

import ast
import re

import msgspec

from crossval.compare.annotations import parse_expression
from engine.generators.functions.calls import VAR_KEYWORD, VAR_POSITIONAL, Parameter, parameters_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.made import Call
from engine.generators.functions.type_checks import types_in
from graph.facts import Fact, Kind
from planner.functions.drawn_values import words_of
from planner.functions.effects import is_about_digits, is_of_a_form

# What looks elsewhere for what it gives, and how it is told where.
_LOOKING = frozenset(
    {
        *("accept", "connect", "download", "execute", "fetch", "load", "loads", "main", "open", "parse"),
        *("read", "receive", "recv", "request", "run", "send", "start", "upload", "urlopen", "call", "visit"),
        "crawl",
    }
)  # fmt: skip
# What brings up to date what lies elsewhere, where it is told nothing, and is not an object's own business.
_RENEWING = frozenset({"refresh", "reload", "sync", "synchronize", "update", "upgrade"})
# What does something as a whole, whatever it is given.
_RUNNING = frozenset({"run", "main", "execute", "start", "serve"})
_EXAMINING = frozenset({"validate", "verify", "authenticate", "authorize", "ensure"})
# What reads a value out of a text, which then has to be of a form.
_READING = frozenset({"parse", "cast", "convert", "coerce"})
# What makes something else of what it is given, which has a form that no type states.
_FORMING = frozenset(
    {
        *("parse", "load", "loads", "decode", "deserialize", "deserialise", "unpack", "unmarshal", "unpickle"),
        *("compile", "tokenize", "tokenise", "evaluate", "eval"),
    }
)  # fmt: skip
# What does the same, as the name of who does it: a `date_deserializer`.
_DOERS = {
    **dict.fromkeys(("deserializer", "deserialiser"), "deserialize"),
    **{
        "parser": "parse",
        "loader": "load",
        "decoder": "decode",
        "unpickler": "unpickle",
        "evaluator": "evaluate",
    },
}
# What only others call, which know what else it takes.
_CALLED = frozenset(
    {*_DOERS, "serializer", "serialiser", "handler", "callback", "hook", "listener", "middleware"}
)
# What finds something by its name, and gives it as what it is: not a list, nor an answer that nothing was found.
_SEEKING = frozenset({"find", "lookup", "locate", "search", "resolve"})
_NOT_FOUND = frozenset(
    {"bool", "type(None)", "list", "tuple", "set", "dict", "int", "str", "Iterable", "Iterator"}
)
_FORMING_SO = ("load", "parse", "decode", "unpack")
# What a thing is asked for by, and what makes one that is called so.
_NAMING = frozenset({"name", "key", "id", "identifier", "alias"})
_MAKING = frozenset({"add", "build", "create", "define", "make", "new", "push", "register", "set", "with"})
# What asks how one thing is reached from another, which made-up ones are not.
_BETWEEN = frozenset({"path", "paths", "route", "go", "goto", "ancestor", "ancestors", "common", "relative"})
# What is read where nothing else is named.
_STANDARD = frozenset({"input", "file", "path", "filename", "stream", "fp"})
_PLACES = frozenset({"url", "uri", "href", "host", "hostname", "domain"})
# What somebody has to answer at.
_REACHED = _PLACES | frozenset({"email", "mail"})
# What a function works on, even where it is written as if it could be left out.
_WORKED_ON = frozenset(
    {
        *("content", "contents", "d", "data", "date", "document", "input", "inputs", "item", "items", "obj", "object"),
        *("source", "string", "strings", "t", "text", "texts", "value", "values", "word", "words", "x"),
    }
)  # fmt: skip
_ON_DISK = frozenset({"file", "filename", "filepath", "path"})
_OPENING = frozenset({"read", "open", "load"})
# What a method reads or writes that is told nothing.
_STORED = frozenset({"file", "files", "disk"})
# What says where to look, or whom to ask; and what is made without looking.
_ELSEWHERE = _PLACES | frozenset(
    {
        *("path", "paths", "file", "files", "filename", "filenames", "dir", "directory", "folder", "stream"),
        *("fp", "fd", "env", "environ", "argv", "args", "config", "settings", "port", "socket", "timeout"),
        *("cwd", "root", "user", "prompt", "frame", "tb", "exc", "pid", "name", "module", "out", "output"),
        *("input", "cls", "thread"),
    }
)  # fmt: skip
# The end of a time with its zone, as a text.
_ZONED = re.compile(r"\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})[\"']")
_READ_OF = frozenset(
    {"int", "(int, float)", "complex", "datetime", "date", "time", "timedelta", "Decimal", "Fraction"}
)
_MADE_ALONE = frozenset(
    {"str", "bytes", "int", "(int, float)", "bool", "list", "dict", "tuple", "set", "bytearray"}
)


def stands_for(returns: str, fact: Fact, surface: Surface) -> str:
    """The type that a variable stands for, where a call gives what it stands for as such; any other type is itself.

    What holds such things may give none of them.
    """
    known = surface.at(surface.resolved(returns, surface.module(fact)))
    text = "" if known is None or known.kind is not Kind.ATTRIBUTE else str(known.aspects.get("value", ""))
    tree = parse_expression(text) if "TypeVar(" in text else None
    is_given = any(each.annotation == returns and each.required for each in parameters_of(fact))
    if not isinstance(tree, ast.Call) or not is_given:
        return returns
    bounds = [*tree.args[1:2], *(each.value for each in tree.keywords if each.arg == "bound")]
    first = types_in(bounds[0])[:1] if bounds else ["int"]
    return first[0] if first else returns


def is_alone(fact: Fact, types: set[str]) -> bool:
    """Whether a function that has to be given nothing makes something by itself, and looks nowhere for it."""
    words = [words_of(each.name) for each in parameters_of(fact)]
    return bool(words) and types <= _MADE_ALONE and not any(set(each) & _ELSEWHERE for each in words)


def refuse_unsaid(fact: Fact) -> None:
    """Raise NoTestError for a call that gives nothing to what may be given anything, or of which the first thing is
    only written as if it could be left out: `None`, where its type has none."""
    parameters = parameters_of(fact)
    if parameters and all(
        each.kind in (VAR_POSITIONAL, VAR_KEYWORD) and not each.annotation for each in parameters
    ):
        raise NoTestError(f"what {fact.name} is given, which takes anything")
    if len(parameters) > 1 and all(each.default == "None" for each in parameters):
        raise NoTestError(f"which of its arguments {fact.name} is given")
    first = parameters[0] if parameters else None
    if first is not None and first.default == "None" and set(words_of(first.name)) & _WORKED_ON:
        raise NoTestError(f"what {fact.name} does without its {first.name}")
    if (
        first is not None
        and first.default == "None"
        and first.annotation
        and not _may_be_none(first.annotation)
    ):
        raise NoTestError(f"a value for `{first.name}` of {fact.name}, whose type has no None")


def refuse_called(fact: Fact) -> None:
    """Raise NoTestError for what is called by others that know what else it takes, and for what is told what to expect
    of the rest that it is given."""
    words, parameters = words_of(fact.name), parameters_of(fact)
    if words and words[-1] in _CALLED and any(each.kind == VAR_KEYWORD for each in parameters):
        raise NoTestError(f"what else {fact.name} is given by those that call it")
    required = [each for each in parameters if each.required]
    told = next((each.name for each in required if "expected" in words_of(each.name)), "")
    if told and len(required) > 1:
        raise NoTestError(f"which {told} is that of what {fact.name} is given")


def _may_be_none(annotation: str) -> bool:
    return re.search(r"\b(?:None|Optional|Any|object|Incomplete)\b", annotation) is not None


def refuse_unzoned(fact: Fact, call: Call) -> None:
    """Raise NoTestError for a time without a zone that is given to an object made of times that have one."""
    if "datetime(" in call.arguments and any(_ZONED.search(line) for line in call.arrange):
        raise NoTestError(f"a time that fits those of which the object is made, for {fact.name}")


def refuse_elsewhere(fact: Fact, call: Call, types: set[str], *, is_shown: bool = False) -> None:
    """Raise NoTestError for what looks for something that has to be there, by its name and its arguments, or reads a
    number or a time out of any text, unless what it is given `is_shown`.
    """
    _refuse_several(fact, call)
    asked = _Asked.of(fact, call, types)
    if asked.is_made_up and set(words_of(fact.name)) & _BETWEEN and types != {"bool"}:
        raise NoTestError(f"an example of a call of {fact.name}: how what it is given belongs together")
    if asked.looks_elsewhere:
        raise NoTestError(f"what {fact.name} finds in a test")
    if is_shown:
        return
    if types and types <= _READ_OF - {"int"} and "object()" in call.arguments:
        raise NoTestError(
            f"an example of a call of {fact.name}: of which things it makes a {'/'.join(sorted(types))}"
        )
    if asked.seeks and not types & (_NOT_FOUND | _READ_OF):
        raise NoTestError(f"an example of a call of {fact.name}: what it finds is not said")
    wanted = {*_READ_OF, "bool"} if asked.verb in _READING else _READ_OF
    reads = is_of_a_form(fact.name) and types & wanted and asked.takes("str")
    reads = reads or (is_about_digits(fact.key) and "str" in str(fact.aspects.get("parameters")))
    if reads or (asked.forms and not types <= {"bool", "type(None)"}):
        raise NoTestError(f"an example of a call of {fact.name}: of which form that is which it is given")


def _refuse_several(fact: Fact, call: Call) -> None:
    """Raise NoTestError for a number that is asked of an object which is made of several things, or of a list."""
    if fact.name not in ("__int__", "__float__", "__complex__") or not call.arrange:
        return
    match ast.parse(call.arrange[-1]).body[0]:
        case ast.Assign(value=ast.Call(args=given, keywords=named)):
            values = [*given, *(each.value for each in named)]
            if len(values) > 1 or any(
                isinstance(each, ast.List | ast.Tuple | ast.Set | ast.Dict) for each in values
            ):
                raise NoTestError(f"which number an object of {call.called.partition('.')[0]} is")


class _Asked(msgspec.Struct, frozen=True):
    """What a call asks for, by the words of its names: the first word of its function says what that does."""

    fact: Fact
    call: Call
    types: set[str]
    verb: str
    required: tuple[Parameter, ...]
    named: frozenset[str]

    @classmethod
    def of(cls, fact: Fact, call: Call, types: set[str]) -> _Asked:
        words = words_of(fact.name) or [""]
        verb = _DOERS.get(words[-1], words[0])
        parameters = parameters_of(fact)
        named = frozenset(word for each in parameters for word in words_of(each.name))
        return cls(fact, call, types, verb, tuple(each for each in parameters if each.required), named)

    def takes(self, type_: str) -> bool:
        """Whether something that has to be given is of a type."""
        return any(type_ in (each.annotation or "") for each in self.required)

    @property
    def is_property(self) -> bool:
        return self.fact.aspects.get("kind") == "property"

    @property
    def is_made_up(self) -> bool:
        """Whether it is given an object of the project, or an address that nobody has: these pass no examination."""
        is_object = re.search(r"\b[A-Z]\w*\(", self.call.arguments) is not None
        return is_object or bool(self.named & _REACHED)

    @property
    def looks_elsewhere(self) -> bool:
        """Whether what it gives depends on what is there: at an address, in a standard stream, in what it is given."""
        if self.is_property:
            return False
        places = _PLACES | _ON_DISK if self.verb in _OPENING else _PLACES
        has_place = any(set(words_of(each.name)) & places for each in self.required)
        looks = self.verb in _LOOKING and (has_place or not self.call.arguments)
        examines = self.verb in _EXAMINING and self.is_made_up and self.types != {"bool"}
        reads = not self.required and bool(self.named & _STANDARD)
        is_method = self.fact.aspects.get("kind") == "method"
        renews = self.verb in _RENEWING and not is_method
        touches = not self.call.arguments and (renews or bool({*words_of(self.fact.name)} & _STORED))
        return self.verb in _RUNNING or looks or examines or reads or touches

    @property
    def seeks(self) -> bool:
        """Whether it finds something by a text, as its name or its only arguments say."""
        by_name = bool(self.required) and {each.name for each in self.required} <= _NAMING
        makes = self.verb in _MAKING or self.fact.name.startswith("__") or self.is_property
        return self.takes("str") and (self.verb in _SEEKING or (by_name and not makes))

    @property
    def forms(self) -> bool:
        """Whether it makes something else of what it is given, which has a form that no type states."""
        by_verb = self.verb.startswith(_FORMING_SO) or self.verb in _FORMING
        is_read = self.takes("str") or self.takes("bytes")
        return (by_verb and bool(self.call.arguments)) or (self.verb.startswith("from") and is_read)
