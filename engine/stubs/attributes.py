"""Attributes and constants as a stub shows them: with their annotation, their literal's type, or as an alias."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from crossval.link.names.found import Found, Presence
from crossval.link.names.modules import Module
from crossval.link.names.properties import as_property
from engine.stubs.expressions import call_shape, is_literal, is_scalar, literal_type, parse, roots
from engine.stubs.functions import Functions
from engine.stubs.names import Names
from graph.facts import Fact, Kind

_CUT = 200
_FORMS = frozenset(
    {
        f"typing.{name}"
        for name in ("TypeVar", "TypeVarTuple", "ParamSpec", "NewType", "NamedTuple", "TypedDict")
    }
    | {"collections.namedtuple"}
    | {f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")}
)
_GENERIC = frozenset({"list", "dict", "set", "frozenset", "tuple", "type"})


class Attributes:
    """Writes the attributes of one module and of its classes."""

    def __init__(self, module: Module, names: Names, functions: Functions) -> None:
        self._module = module
        self._names = names
        self._functions = functions

    def write(self, facts: Sequence[Fact], holder: str) -> list[str]:
        """The line for an attribute that these facts tell of, within the class `holder` if given."""
        fact = facts[0]
        made = self._property(facts, holder)
        if made:
            return self._functions.write(made, holder)
        text = next((f.aspects["annotation"] for f in facts if "annotation" in f.aspects), None)
        value = self._value(facts)
        if "type_parameters" in fact.aspects:
            return [self._type_statement(fact, value, holder)]
        if text is not None:
            return [self._annotated(fact.name, text, value, holder)]
        if value is not None and not fact.aspects.get("instance"):
            alias = self._alias(value, holder)
            if alias is not None:
                return [f"{fact.name} = {alias}"]
        kinds = {self._kind(each, holder) for each in facts}
        kind = kinds.pop() if len(kinds) == 1 else self._functions.incomplete()
        shown = (
            f" = {ast.unparse(value)}"
            if value is not None and fact.name.isupper() and is_scalar(value)
            else ""
        )
        return [f"{fact.name}: {kind}{shown}"]

    def _property(self, facts: Sequence[Fact], holder: str) -> list[Fact]:
        """The accessors of a property that a call makes, `total = property(get_total)`; empty for all else."""
        found = Found(
            Presence.PRESENT, tuple(facts), self._module, f"{holder}.{facts[0].name}" if holder else ""
        )
        made = as_property(found).facts
        if made == found.facts or any("?" in fact.aspects["decorators"] for fact in made):
            return []
        value = self._value(facts)
        getter = value.args[0] if isinstance(value, ast.Call) and value.args else None
        name = f"{holder}.{getter.id}" if isinstance(getter, ast.Name) else ""
        returns = {fact.aspects.get("returns") for fact in self._module.definitions.get(name, ())} - {None}
        if len(returns) == 1:
            made[0].aspects["returns"] = returns.pop()
        for fact in made[1:]:
            # Written as by decorators, an accessor takes what it sets.
            fact.aspects["decorators"] = [f"{fact.name}.{fact.aspects['kind']}"]
            if fact.aspects["kind"] == "setter":
                given = ["value", "positional-or-keyword", None, None, fact.source.line]
                fact.aspects["parameters"] = [*fact.aspects["parameters"], given]
        return list(made)

    def _type_statement(self, fact: Fact, value: ast.expr | None, holder: str) -> str:
        """The line for `type Name[T] = …`."""
        with self._names.parametrised(fact, holder) as given:
            shown = self._functions.type(None if value is None else ast.unparse(value), holder)
        return f"type {fact.name}{given} = {shown or self._functions.incomplete()}"

    def member(self, fact: Fact, holder: str) -> list[str]:
        """The line for a member of an enumeration."""
        value = self._value([fact])
        if value is not None and not is_literal(value):
            # What type checkers would take for a union of types, `READ | WRITE`, is left open.
            known = not isinstance(value, ast.BinOp) and self._names.need_all(roots(value), holder)
            value = value if known else None
        return [f"{fact.name} = {'...' if value is None else ast.unparse(value)}"]

    def field(self, fact: Fact, holder: str) -> list[str]:
        """The line for an annotated field of a dataclass or a named tuple, which shows whether it has a default."""
        type_ = self._functions.type(fact.aspects["annotation"], holder)
        text = fact.aspects.get("value")
        if text is None:
            return [f"{fact.name}: {type_}"]
        value = self._value([fact])
        shown = "..."
        if isinstance(value, ast.Call):
            shape = call_shape(value)
            if self._names.need_all(roots(shape), holder):
                shown = ast.unparse(shape)
        elif is_literal(value) and value is not None:
            shown = ast.unparse(value)
        return [f"{fact.name}: {type_} = {shown}"]

    def _value(self, facts: Sequence[Fact]) -> ast.expr | None:
        """The one value that an attribute has, where it is known as a whole."""
        text = facts[0].aspects.get("value") if len(facts) == 1 else None
        return None if text is None or len(text) >= _CUT else parse(text)

    def _annotated(self, name: str, text: str, value: ast.expr | None, holder: str) -> str:
        last = text.rpartition(".")[2]
        if last == "TypeAlias":
            known = value is not None and self._names.need_all(roots(value), holder)
            shown = ast.unparse(value) if value is not None and known else self._functions.incomplete()
            return f"{name}: {self._functions.type(text, holder)} = {shown}"
        type_ = self._functions.type(text, holder)
        if last == "Final":
            if is_scalar(value) and value is not None:
                return f"{name}: {type_} = {ast.unparse(value)}"
            return f"{name}: {type_}[{literal_type(value, self._names.is_builtin) or self._functions.incomplete()}]"
        constant = name.isupper() and is_scalar(value) and value is not None
        return f"{name}: {type_} = {ast.unparse(value)}" if constant and value else f"{name}: {type_}"

    def _alias(self, value: ast.expr, holder: str) -> str | None:
        """An expression that names or makes a type, a function or a type variable; None for all else."""
        if not (self._names_definition(value, holder) or self._makes_type(value)):
            return None
        return ast.unparse(value) if self._names.need_all(roots(value), holder) else None

    def _names_definition(self, value: ast.expr, holder: str) -> bool:
        if not isinstance(value, ast.Name | ast.Attribute):
            return False
        text = ast.unparse(value)
        for local in (f"{holder}.{text}", text) if holder else (text,):
            facts = self._module.definitions.get(local)
            if facts is not None:
                return all(fact.kind in (Kind.CLASS, Kind.FUNCTION) for fact in facts)
        if isinstance(vars(builtins).get(text), type) and self._names.is_builtin(text):
            return True
        head = text.partition(".")[0]
        return head in self._module.imports and head not in self._module.definitions

    def _makes_type(self, value: ast.expr) -> bool:
        """Whether this is a subscripted type, a union, or a call such as `TypeVar("T")`."""
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
            return all(self._is_type(side) for side in (value.left, value.right))
        if isinstance(value, ast.Subscript):
            return self._is_type(value)
        return isinstance(value, ast.Call) and self._resolve(value.func) in _FORMS

    def _is_type(self, value: ast.expr) -> bool:
        match value:
            case ast.Constant(value=None):
                return True
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return self._is_type(left) and self._is_type(right)
            case ast.Subscript(value=inner):
                name = self._resolve(inner)
                return name.startswith(("typing.", "collections.abc.")) or name in _GENERIC
            case ast.Name(id=name):
                facts = self._module.definitions.get(name, ())
                return (bool(facts) and facts[0].kind is Kind.CLASS) or isinstance(
                    vars(builtins).get(name), type
                )
            case _:
                return False

    def _resolve(self, expression: ast.expr) -> str:
        return self._module.scope.resolve(ast.unparse(expression))

    def _kind(self, fact: Fact, holder: str) -> str:
        value = self._value([fact])
        if fact.aspects.get("instance") and isinstance(value, ast.Name):
            stated = self._given(fact, value.id, holder)
            if stated is not None:
                return stated
        kind = literal_type(value, self._names.is_builtin)
        if kind is None:
            return self._functions.incomplete()
        return kind.replace("Incomplete", self._functions.incomplete()) if "Incomplete" in kind else kind

    def _given(self, fact: Fact, name: str, holder: str) -> str | None:
        """The type of the constructor's parameter that an attribute is set to."""
        for constructor in self._module.definitions.get(f"{holder}.__init__", ()):
            place = constructor.source
            if constructor.kind is Kind.FUNCTION and place.line <= fact.source.line <= place.end_line:
                for parameter, kind, text, value, _ in constructor.aspects["parameters"]:
                    if parameter == name and not kind.startswith("var-") and value != "None":
                        return self._functions.type(text, holder)
        return None
