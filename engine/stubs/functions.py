"""Functions and methods as a stub shows them: decorators, parameters, what they return."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crossval.compare.annotations import NONE, UNKNOWN
from crossval.link.names.modules import Module
from engine.stubs.expressions import INCOMPLETE, annotation, call_shape, default, parse, roots
from engine.stubs.names import Names
from graph.facts import Fact

# The interpreter itself insists on these results.
_RESULTS = {
    **dict.fromkeys(("__init__", "__init_subclass__", "__set_name__", "__del__"), "None"),
    **dict.fromkeys(("__str__", "__repr__", "__format__"), "str"),
    **dict.fromkeys(("__len__", "__hash__", "__index__", "__int__", "__length_hint__"), "int"),
    **{"__bool__": "bool", "__bytes__": "bytes", "__float__": "float", "__complex__": "complex"},
}
# They say nothing about how a function is called or what it gives.
_WITHOUT_WEIGHT = frozenset(
    {"functools.wraps", "reprlib.recursive_repr", "atexit.register", "typing.no_type_check"}
)


class Functions:
    """Writes the functions of one module."""

    def __init__(self, module: Module, names: Names) -> None:
        self._module = module
        self._names = names

    def write(self, facts: Sequence[Fact], holder: str) -> list[str]:
        """The lines of all definitions that one name has under one condition: overloads, a property with its setter,
        else the last one, which counts."""
        overloads = [fact for fact in facts if fact.aspects.get("overload")]
        if overloads:
            return [line for fact in overloads for line in self._one(fact, holder)]
        by_role: dict[str, Fact] = {}
        for fact in facts:
            role = fact.aspects["kind"]
            by_role[role if role in {"setter", "deleter"} else "read"] = fact
        return [line for fact in by_role.values() for line in self._one(fact, holder)]

    def type(self, text: str | None, holder: str) -> str | None:
        """An annotation as it can stand in the stub, `Incomplete` where it cannot; None where there is none."""
        if text is None:
            return None
        found = annotation(text, lambda name: self._names.need(name, holder))
        return self.incomplete() if found is None else found

    def incomplete(self) -> str:
        """What the stub calls a type that nobody stated."""
        return self._names.add("_typeshed", INCOMPLETE)

    def decorators(self, fact: Fact, holder: str) -> list[str]:
        """The decorators of a function or class that say how it can be used, without their `@`."""
        kept = []
        for text in fact.aspects.get("decorators", []):
            parsed = parse(text)
            if (
                parsed is None
                or self._module.scope.resolve(text.partition("(")[0].strip()) in _WITHOUT_WEIGHT
            ):
                continue
            shape = call_shape(parsed)
            if self._names.need_all(roots(shape), holder):
                kept.append(ast.unparse(shape))
        return kept

    def _one(self, fact: Fact, holder: str) -> list[str]:
        awaited = fact.aspects.get("async") and not fact.aspects.get("generator")
        with self._names.parametrised(fact, holder) as given:
            parameters = ", ".join(self._parameters(fact, holder))
            result = self._result(fact, holder)
        name = f"{'async ' if awaited else ''}def {fact.name}{given}"
        head = f"{name}({parameters}){f' -> {result}' if result else ''}: ..."
        return [*(f"@{text}" for text in self.decorators(fact, holder)), head]

    def _parameters(self, fact: Fact, holder: str) -> list[str]:
        listed: list[str] = []
        before = ""
        for name, kind, text, value, _ in fact.aspects["parameters"]:
            if before == "positional-only" and kind != before:
                listed.append("/")
            if kind == "keyword-only" and before not in {"keyword-only", "var-positional"}:
                listed.append("*")
            before = kind
            star = {"var-positional": "*", "var-keyword": "**"}.get(kind, "")
            type_ = self._type_of_parameter(text, value, holder)
            shown = "" if value is None else default(value)
            if type_ is None:
                listed.append(f"{star}{name}={shown}" if shown else f"{star}{name}")
            else:
                listed.append(f"{star}{name}: {type_}{f' = {shown}' if shown else ''}")
        return [*listed, "/"] if before == "positional-only" else listed

    def _type_of_parameter(self, text: str | None, value: str | None, holder: str) -> str | None:
        """The annotation, with the `None` that a default of `None` implies."""
        type_ = self.type(text, holder)
        if type_ is None or text is None or value != "None":
            return type_
        stated = self._module.scope.annotation(text)
        states_it = any(member == NONE for member in stated.alternatives)
        return type_ if states_it or stated.name in {"object", UNKNOWN.name} else f"{type_} | None"

    def _result(self, fact: Fact, holder: str) -> str | None:
        stated = self.type(fact.aspects.get("returns"), holder)
        if stated is not None:
            return stated
        if holder and fact.name in _RESULTS:
            return _RESULTS[fact.name] if self._is_free(_RESULTS[fact.name]) else None
        if not fact.aspects.get("generator"):
            return None
        kind = "AsyncGenerator" if fact.aspects.get("async") else "Generator"
        count = 2 if fact.aspects.get("async") else 3
        return f"{self._names.add('collections.abc', kind)}[{', '.join([self.incomplete()] * count)}]"

    def _is_free(self, name: str) -> bool:
        return name == "None" or self._names.is_builtin(name)
