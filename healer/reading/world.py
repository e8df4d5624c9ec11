"""What dotted names meant and mean in the code, by the facts of one revision: re-exports and bases are followed."""

from __future__ import annotations

import ast

from graph.facts import Fact, Kind
from healer.healer import Lookup

_KINDS = (Kind.FUNCTION, Kind.CLASS, Kind.ATTRIBUTE, Kind.MODULE)
_DEPTH = 12
_WRAPPERS = frozenset({"Optional", "Annotated", "Final", "ClassVar"})


class World:
    """The code as of one revision. A name is *canonical* where it says in which module the thing is defined."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._facts: dict[tuple[str, Kind | None], Fact | None] = {}
        self._canonical: dict[str, str] = {}

    def fact(self, name: str, kind: Kind | None = None) -> Fact | None:
        """The fact about what a canonical name stands for; a definition before a module of the same name."""
        if (name, kind) not in self._facts:
            ids = (f"code:{each}:{name}" for each in ((kind,) if kind else _KINDS))
            self._facts[name, kind] = next((fact for id_ in ids if (fact := self._lookup(id_))), None)
        return self._facts[name, kind]

    def is_module(self, name: str) -> bool:
        """Whether a dotted name is a module of the project."""
        return self.fact(name, Kind.MODULE) is not None

    def is_class(self, name: str) -> bool:
        """Whether a canonical name is a class."""
        return self.fact(name, Kind.CLASS) is not None

    def function(self, name: str) -> Fact | None:
        """The fact of a function by its canonical name."""
        return self.fact(name, Kind.FUNCTION)

    def spec(self, name: str) -> Fact | None:
        """What a spec says about a function, by its canonical name."""
        return self._lookup(f"spec:{Kind.FUNCTION}:{name}")

    def is_open(self, name: str) -> bool:
        """Whether a module or class may have members that no fact tells: made at run time, or had from elsewhere."""
        fact = self.fact(name)
        if fact is None:
            return True
        aspects = fact.aspects
        if fact.kind is Kind.MODULE:
            stars = [row[1] for row in aspects.get("imports", ()) if row[0] == "*"]
            return bool(aspects.get("dynamic") or aspects.get("dynamic_classes")) or not all(
                self.is_module(each) and not self.is_open(each) for each in stars if each != name
            )
        if fact.kind is not Kind.CLASS:
            return True
        bases = [base for base in aspects.get("bases", ()) if base != "object"]
        known = len(self.lineage(name)) > len(bases)
        return (
            bool(aspects.get("dynamic") or aspects.get("keywords") or aspects.get("decorators")) or not known
        )

    def module_of(self, name: str) -> str:
        """The longest beginning of a dotted name that is a module; empty where none is."""
        parts = name.split(".")
        return next(
            (
                module
                for length in range(len(parts), 0, -1)
                if self.is_module(module := ".".join(parts[:length]))
            ),
            "",
        )

    def resolve(self, name: str) -> str:
        """The canonical name of what a dotted name stands for; empty where the facts do not tell."""
        if name not in self._canonical:
            self._canonical[name] = ""  # what leads to itself is nothing
            self._canonical[name] = self._resolved(name, _DEPTH) or self._below_folder(name)
        return self._canonical[name]

    def _below_folder(self, name: str) -> str:
        """What a name stands for that begins with the folder above its package, as `src.shop.price` does in tests."""
        parts = name.split(".")
        for number in range(1, len(parts)):
            package = self.fact(parts[number], Kind.MODULE)
            if package is not None and package.source.path.startswith(f"{'/'.join(parts[:number])}/"):
                return self.resolve(".".join(parts[number:]))
        return ""

    def member(self, owner: str, name: str) -> str:
        """The canonical name of a member of a class, its own or that of the nearest base; empty where not known."""
        for each in self.lineage(owner):
            if self.fact(f"{each}.{name}") is not None:
                return f"{each}.{name}"
        return ""

    def lineage(self, owner: str) -> list[str]:
        """A class and its bases in the project, the nearest first."""
        lineage: list[str] = []
        waiting = [owner]
        while waiting and len(lineage) < _DEPTH:
            current = waiting.pop(0)
            fact = self.fact(current, Kind.CLASS)
            if fact is None or current in lineage:
                continue
            lineage.append(current)
            module = self.module_of(current)
            waiting += [
                found
                for base in fact.aspects.get("bases", ())
                if (found := self.resolve(f"{module}.{base.partition('[')[0]}"))
            ]
        return lineage

    def constructor(self, owner: str) -> str:
        """The function that a call of a class runs, as far as the project defines it; empty where it does not."""
        return self.member(owner, "__init__") or self.member(owner, "__new__")

    def returned(self, name: str) -> str:
        """The class of what a function gives, or of an attribute's value, by its annotation; empty where not known."""
        fact = self.fact(name)
        if fact is None:
            return ""
        text = fact.aspects.get("returns") or fact.aspects.get("annotation")
        if isinstance(text, str):
            return self.annotated(text, name)
        # A class that is called gives an object of it, and its name alone would be read as an annotation.
        made, called, _ = str(fact.aspects.get("value") or "").partition("(")
        return self.annotated(made, name) if called else ""

    def annotated(self, text: str, where: str) -> str:
        """The class of the project that an annotation names, as written in the definition of a canonical name."""
        try:
            tree = ast.parse(text.strip("\"'"), mode="eval").body
        except (SyntaxError, ValueError):
            return ""
        return self._annotation(tree, where)

    def _annotation(self, node: ast.expr, where: str) -> str:
        match node:
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                sides = [side for side in (left, right) if not _is_none(side)]
                return self._annotation(sides[0], where) if len(sides) == 1 else ""
            case ast.Subscript(value=value, slice=inner):
                name = ast.unparse(value).rpartition(".")[2]
                first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
                return self._annotation(first if name in _WRAPPERS else value, where)
            case ast.Constant(value=str(text)):
                return self.annotated(text, where)
            case ast.Name(id="Self"):
                return where.rpartition(".")[0]
            case ast.Name() | ast.Attribute():
                found = self.resolve(f"{self.module_of(where)}.{ast.unparse(node)}")
                return found if self.is_class(found) else ""
        return ""

    def _resolved(self, name: str, depth: int) -> str:
        module = self.module_of(name)
        if not module or not depth:
            return ""
        if name == module:
            package, _, own = name.rpartition(".")
            found = self._imported(package, own, depth) if package else ""
            return self._resolved(found, depth - 1) if found and found != name else name
        rest = name[len(module) + 1 :].split(".")
        current = module
        for at, part in enumerate(rest):
            inner = f"{current}.{part}"
            if self.fact(inner) is not None:
                current = inner
            elif self.is_class(current):
                current = self.member(current, part)
            else:
                found = self._imported(current, part, depth) if current == module else ""
                return self._resolved(".".join([found, *rest[at + 1 :]]), depth - 1) if found else ""
            if not current:
                return ""
        return current

    def _imported(self, module: str, name: str, depth: int) -> str:
        """What a name that a module imports stands for: it hides a submodule that is called so."""
        fact = self.fact(module, Kind.MODULE)
        imports = fact.aspects.get("imports", ()) if fact is not None else ()
        for local, target, *_ in imports:
            if local == name:
                return str(target)
        for local, target, *_ in imports:
            if local != "*" or target == module or not self._is_given(str(target), name):
                continue
            if self._resolved(f"{target}.{name}", depth - 1):
                return f"{target}.{name}"
        return ""

    def _is_given(self, module: str, name: str) -> bool:
        """Whether a star import of a module may give a name."""
        fact = self.fact(module, Kind.MODULE)
        aspects = fact.aspects if fact is not None else {}
        if "exports" in aspects:
            return name in aspects["exports"]
        return bool(aspects.get("exports_computed")) or not name.startswith("_")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
