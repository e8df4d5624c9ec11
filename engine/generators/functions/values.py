"""Simple values of annotated types, as source: what a test gives to a function where no spec cites a value."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping, Sequence

from crossval.compare.annotations import parse_expression
from engine.generators.functions.abstract import is_to_be_derived_from
from engine.generators.functions.calendars import numbers_for
from engine.generators.functions.calls import KEYWORD_ONLY, Parameter
from engine.generators.functions.constructors import (
    constructor,
    holds_by_itself,
    refuse_left_out,
    refuse_refused,
    refuse_untold,
    takes_anything,
)
from engine.generators.functions.enumerated import member_of
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.looking import is_opened, refuse_looking, refuse_unplaced
from engine.generators.functions.read_texts import refuse_read
from engine.generators.functions.shown_calls import shown_arguments, shown_calls
from engine.generators.functions.told_forms import is_of_some_form, told_form
from engine.generators.values.ends import end_of
from engine.generators.values.known_values import (
    HOLDING,
    MADE,
    OTHERS,
    OTHERS_MADE,
    PARTS,
    PLAIN,
    Value,
    holding,
)
from graph.facts import Fact, Kind
from planner.functions.drawn_values import (
    PLACES,
    formed,
    is_any,
    is_called_as,
    is_checked,
    is_counted,
    is_free,
    words_of,
)

_DEPTH = 3
# Type variables of keys, which are texts more often than numbers.
_KEY = re.compile(r"_?K(?:_|T|ey|$)")
# What a text that is called so has to be read as.
_NUMBER = frozenset(
    {"number", "num", "int", "integer", "float", "decimal", "digit", "digits", "amount", "count", "hex"}
)
_NUMBERS = frozenset({"int", "float", "complex"})
# Beside these a text is what one of them is read of.
_READ_OF_TEXT = re.compile(
    r"(?:\w+\.)*(?:dict|Dict|Mapping|MutableMapping|datetime|date|time|timedelta|Decimal|Fraction|UUID)\b"
)
# What is made of points, of which so many are needed as nobody says.
_POINTS = frozenset({"coords", "coordinates", "ring", "polygon", "vertices", "polyline"})
_FILE_TYPE = re.compile(r"(?:\w+\.)*(?:PathLike|Path|IO|TextIO|BinaryIO)\b")
_MATCH = re.compile(r"(?:re|typing|regex)\.Match\b")
# From so many classes on that derive from one, it is a kind of things and not a thing.
_SEVERAL = 2
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "collections", ""})


class Maker:
    """Makes values of types as the annotations of a module name them; with `others`, such as are not the usual ones.

    With `likely` it takes any text where nothing says that another is asked for: for what only the type of a result
    depends on. With `bare` objects are made of no more than has to be given, however they are shown elsewhere. What the
    function or class that it is `about` says of the form of a text is kept.
    """

    def __init__(
        self,
        surface: Surface,
        *,
        others: bool = False,
        likely: bool = False,
        bare: bool = False,
        about: Fact | None = None,
    ) -> None:
        self._surface = surface
        self._about = about
        self._others = others
        self._likely = likely
        self._bare = bare

    def arguments(self, parameters: Sequence[Parameter], module: str, depth: int = 0) -> Value:
        """The arguments that a call has to give. Raises NoTestError for a type that no value is known of."""
        words: list[str] = []
        imports: list[str] = []
        for each in parameters:
            if each.required:
                value = self.of(each.annotation, module, each.name, depth)
                words.append(
                    f"{each.name}={value.expression}" if each.kind == KEYWORD_ONLY else value.expression
                )
                imports += value.imports
        return Value(", ".join(words), tuple(imports))

    def of(self, annotation: str | None, module: str, name: str, depth: int = 0) -> Value:
        """A value of an annotated type; a text is the name of what it is for. Raises NoTestError."""
        tree = None if annotation is None else parse_expression(annotation)
        if tree is None:
            raise NoTestError(f"a value for `{name}`, whose type nobody states")
        return self._of(tree, module, name, depth)

    def instance(
        self, fact: Fact, depth: int = 0, given: Mapping[str, str] | None = None, *, idle: bool = False
    ) -> Value:
        """A new object of a class, by the signature that its spec gives, some of whose parameters may have given
        values. As a docstring or page shows it, where one does.

        Raises NoTestError, also for one that is made of nothing but defaults of `None` and not `idle`.
        """
        every = shown_calls(fact, self._surface)
        is_shown_idle = any(not (each.args or each.keywords) for each in every)
        shown = [] if self._bare else every[self._others :]
        if shown and (shown[0].args or shown[0].keywords) and not given:
            unit = self._surface.unit(fact)
            refuse_unplaced(shown[0], fact, self._surface)
            return Value(
                ast.unparse(ast.Call(ast.Name(unit.expression), shown[0].args, shown[0].keywords)),
                (unit.imported,),
            )
        if is_to_be_derived_from(fact):
            raise NoTestError(f"how an object of {fact.name} is made")
        unit = self._surface.unit(fact)
        fields, module = constructor(fact, self._surface, bare=self._bare)
        if takes_anything(fields) and not (is_shown_idle or holds_by_itself(fact, self._surface)):
            raise NoTestError(f"how many arguments an object of {fact.name} is made with")
        words: list[str] = []
        imports: list[str] = []
        by_place = True
        usual = {} if self._others else shown_arguments(fact, self._surface, fields)
        given = {**usual, **(given or {})}
        for each in fields:
            if each.name in given:
                placed = by_place and each.by_position and (each.required or not words)
                by_place = by_place and placed
                words.append(given[each.name] if placed else f"{each.name}={given[each.name]}")
            elif not each.required:
                by_place = False
            elif (
                is_called_as(each.name, fact.name)
                and not is_free(each.name)
                and not (told_form(fact, each.name, self._surface) or is_counted(each.name, each.annotation))
            ):
                raise NoTestError(f"of which form that is which a {fact.name} is made of")
            else:
                value = self._stored(each, fact) or self._for(fact).of(
                    each.annotation, module, each.name, depth + 1
                )
                named = each.kind == KEYWORD_ONLY or not by_place
                words.append(f"{each.name}={value.expression}" if named else value.expression)
                imports += value.imports
        left_out = [each for each in fields if not (each.required or each.name in given)]
        if not words and not is_shown_idle:
            refuse_looking(fields, fact)
            refuse_untold(fields, fact, idle=idle)
        refuse_left_out(fields, left_out, fact)
        refuse_read(fact, [each for each in fields if each.name not in usual], self._surface)
        if words and all(each.rpartition("=")[2] == "None" for each in words):
            raise NoTestError(f"what an object of {fact.name} is made of")
        made = f"{unit.expression}({', '.join(words)})"
        refuse_refused(fact, made, self._surface)
        return Value(made, (unit.imported, *imports))

    def _for(self, fact: Fact) -> Maker:
        """The same for the values that an object of a class is made of."""
        return Maker(self._surface, others=self._others, likely=self._likely, bare=self._bare, about=fact)

    def _stored(self, parameter: Parameter, fact: Fact) -> Value | None:
        """A text for what an object merely keeps, as an attribute or property of the same name and type."""
        is_number = bool(_NUMBER & set(words_of(parameter.name)))
        if not self._likely or parameter.annotation != "str" or formed(parameter.name) or is_number:
            return None
        named = [each for each in self._surface.members(fact) if each.name == parameter.name]
        is_kept = any(
            each.kind is Kind.ATTRIBUTE and each.aspects.get("annotation") == "str" for each in named
        )
        is_kept |= not is_checked(parameter.name) and any(
            each.aspects.get("kind") == "property" and each.aspects.get("returns") == "str" for each in named
        )
        if not is_kept or is_opened(parameter, fact, self._surface):
            return None
        return Value(f'"{parameter.name}"')

    def _of(self, node: ast.expr, module: str, name: str, depth: int) -> Value:
        match node:
            case ast.Constant(value=None):
                return Value("None")
            case ast.Constant(value=str() as text):
                return self.of(text, module, name, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._first([left, right], module, name, depth)
            case ast.Name() | ast.Attribute():
                return self._named(self._surface.resolved(ast.unparse(node), module), module, name, depth, [])
            case ast.Subscript(value=value, slice=inner):
                listed = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                return self._named(
                    self._surface.resolved(ast.unparse(value), module), module, name, depth, list(listed)
                )
        raise self._no_value(node, name)

    def _first(self, nodes: Sequence[ast.expr], module: str, name: str, depth: int) -> Value:
        """A value of the first of several types that one is known of, `None` last.

        A text beside a class of the project is one of which an object is made, and so has a form; one beside a number
        says a number where the name asks for one, and one beside a dictionary or a time is one that it is read of. What
        may be a match is what a pattern found, and nothing else.
        """
        if any(
            _MATCH.match(self._surface.resolved(ast.unparse(each).partition("[")[0], module))
            for each in nodes
        ):
            raise NoTestError(f"what matches, for `{name}`")
        is_number = bool(_NUMBER & set(words_of(name))) and any(
            ast.unparse(each) in _NUMBERS for each in nodes
        )
        is_read = any(_READ_OF_TEXT.match(ast.unparse(each)) for each in nodes)
        # Of which file an object is made, only its user knows.
        is_made = self._about is not None and self._about.kind is Kind.CLASS
        is_read |= is_made and any(_FILE_TYPE.match(ast.unparse(each)) for each in nodes)
        if is_number or is_read or any(self._is_own(each, module) for each in nodes):
            nodes = [
                each
                for each in nodes
                if ast.unparse(each).rpartition(".")[2] not in ("str", "bytes", "AnyStr")
            ]
        problem = NoTestError(f"a value for `{name}`")
        for node in sorted(nodes, key=lambda each: ast.unparse(each) == "None"):
            try:
                return self._of(node, module, name, depth)
            except NoTestError as error:
                problem = error
        raise problem

    def _is_own(self, node: ast.expr, module: str) -> bool:
        """Whether a type is a class of the project."""
        fact = self._surface.at(self._surface.resolved(ast.unparse(node).strip("'\""), module))
        return fact is not None and fact.kind is Kind.CLASS

    def _named(self, key: str, module: str, name: str, depth: int, inner: list[ast.expr]) -> Value:
        origin, _, last = key.rpartition(".")
        key = "str" if last in ("Text", "AnyStr") and origin in _TYPING else key
        if key in ("str", "bytes", "bytearray"):
            ways = {"other": self._others, "packed": key != "str"}
            plain = "" if self._about is None else told_form(self._about, name, self._surface, **ways)
            about = self._about
            if not plain and about is not None and is_of_some_form(about, name, self._surface):
                raise NoTestError(f"of which form the text is that may stand for `{name}`")
            plain = plain or formed(name, others=self._others)
            if not plain and self._likely and key == "str" and is_any(name):
                plain = f'"{name.strip("_")}"'
            if not plain:
                raise NoTestError(f"a text that may stand for `{name}`")
            return Value({"str": plain, "bytes": f"b{plain}"}.get(key, f"bytearray(b{plain})"))
        if key == "int" and name.strip("_").lower().rpartition("_")[2] in PLACES:
            raise NoTestError(f"a number that may stand for `{name}`")
        if key == "float" and (part := PARTS.get((words_of(name) or [""])[-1])):
            return Value(part[self._others])
        if key in ("int", "float"):
            told = numbers_for(name, module, self._about, self._surface)
            number = told[self._others] if told else end_of("number", name, other=self._others)
            if number:
                return Value(number.partition(".")[0] if key == "int" else number)
        if key in ("type", "typing.Type") and inner:
            return self._class(inner[0], module, name)
        if key == "type" and not self._is_question():
            raise NoTestError(f"which class may stand for `{name}`")
        if not origin and key in PLAIN:
            return Value(OTHERS.get(key, PLAIN[key]) if self._others else PLAIN[key])
        if key in MADE:
            imported, expression = MADE[key]
            expression = OTHERS_MADE.get(key, expression) if self._others else expression
            expression = end_of(key, name, other=self._others) or expression
            return Value(expression, (imported,) if imported else ())
        if origin in _TYPING and (made := self._container(last, module, name, depth, inner)):
            return made
        fact = self._surface.at(key)
        if fact is not None and fact.kind is Kind.ATTRIBUTE:
            return self._variable(str(fact.aspects.get("value", "")), self._surface.module(fact), name, depth)
        if fact is not None and fact.kind is Kind.CLASS and depth < _DEPTH:
            return member_of(fact, self._surface, other=self._others) or self._argument(fact, name, depth)
        raise NoTestError(f"a value for `{name}`, of type {key}")

    def _is_question(self) -> bool:
        """Whether what is given is only asked something, with yes or no for an answer."""
        return self._about is not None and self._about.aspects.get("returns") == "bool"

    def _argument(self, fact: Fact, name: str, depth: int) -> Value:
        """An object to be given to something. Raises NoTestError where only objects of derived classes are made."""
        if len(self._surface.heirs(fact)) >= _SEVERAL:
            raise NoTestError(f"which kind of {fact.name} may stand for `{name}`")
        return self.instance(fact, depth)

    def _class(self, node: ast.expr, module: str, name: str) -> Value:
        """A class that is asked for as such."""
        fact = self._surface.at(self._surface.resolved(ast.unparse(node).partition("[")[0], module))
        if fact is not None and fact.kind is Kind.CLASS:
            if len(self._surface.heirs(fact)) >= _SEVERAL:
                raise NoTestError(f"which kind of {fact.name} may stand for `{name}`")
            unit = self._surface.unit(fact)
            return Value(unit.expression, (unit.imported,))
        if isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, None), type):
            return Value(node.id)
        raise self._no_value(node, name)

    def _variable(self, value: str, module: str, name: str, depth: int) -> Value:
        """A value of a type variable: of its bound, of its first constraint, or any number."""
        match parse_expression(value):
            case ast.Call(
                func=ast.Name(id="TypeVar") | ast.Attribute(attr="TypeVar"), args=args, keywords=words
            ):
                bounds = [*args[1:2], *(each.value for each in words if each.arg == "bound")]
                if bounds:
                    return self._of(bounds[0], module, name, depth)
                if any(isinstance(each, ast.Constant) and _KEY.match(str(each.value)) for each in args[:1]):
                    return Value('"another"' if self._others else '"text"')
                return Value("2" if self._others else "1")
            case ast.Subscript() | ast.BinOp() | ast.Name() | ast.Attribute() as alias if depth < _DEPTH:
                return self._of(alias, module, name, depth + 1)
        raise NoTestError(f"a value for `{name}`")

    def _container(
        self, last: str, module: str, name: str, depth: int, inner: list[ast.expr]
    ) -> Value | None:
        if last == "Literal" and inner:
            return Value(ast.unparse(inner[-1 if self._others else 0]))
        if last in ("Optional", "Union") and inner:
            return self._first(inner, module, name, depth)
        if last in ("Annotated", "Final") and inner:
            return self._of(inner[0], module, name, depth)
        if last == "Callable" and len(inner) == 2:
            result = self._of(inner[1], module, name, depth + 1)
            return Value(f"lambda *values: {result.expression}", result.imports)
        if last not in HOLDING or not inner:
            return None
        if words_of(name)[-1:] and words_of(name)[-1] in _POINTS:
            raise NoTestError(f"how many points make sense for `{name}`")
        values = [
            self._of(each, module, name, depth)
            for each in inner
            if not (isinstance(each, ast.Constant) and each.value is ...)
        ]
        return holding(last, values)

    def _no_value(self, node: ast.expr, name: str) -> NoTestError:
        return NoTestError(f"a value for `{name}`, of type {ast.unparse(node)}")
