"""How Connexion names the function that serves an operation, and the arguments that it calls it with."""

from __future__ import annotations

import builtins
import keyword
import re

import msgspec

from graph.facts import Fact

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Naming(msgspec.Struct, frozen=True):
    """One of Connexion's resolvers: its class, the module that it starts from, and its name for collections."""

    kind: str = "Resolver"
    module: str = ""
    collection: str = "search"

    def dotted(self, operation: Fact) -> str:
        """The dotted name of the function that serves an operation; empty where it has none."""
        identifier = str(operation.aspects.get("operation_id") or "")
        controller = str(operation.aspects.get("controller") or "")
        if identifier:
            before = controller or (self.module if self.kind == "RelativeResolver" else "")
            return f"{before}.{identifier}" if before else identifier
        if self.kind in ("Resolver", "RelativeResolver"):
            return ""
        return self._of_path(operation, controller)

    def _of_path(self, operation: Fact, controller: str) -> str:
        parts = [part for part in raw_path(operation).split("/") if part]
        fixed = [part for part in parts if not _is_variable(part)]
        resource = ".".join(fixed).replace("-", "_")
        method = str(operation.aspects["method"]).lower()
        module = controller or (f"{self.module}.{resource}" if resource else self.module)
        collection = method == "get" and bool(resource) and not _is_variable(parts[-1])
        name = self.collection if collection else method
        if self.kind == "RestyResolver" or "." not in module:
            return f"{module}.{name}"
        package, _, view = module.rpartition(".")
        verb = "get" if collection and self.kind == "MethodViewResolver" else name
        return f"{package}.{_camelized(view)}View.{verb}"


def raw_path(operation: Fact) -> str:
    """The path as the contract writes it, without what its servers put before it."""
    return str(operation.aspects["path"]).removeprefix(str(operation.aspects.get("base_path") or ""))


def argument_names(name: str) -> set[str]:
    """What an argument for a parameter of this name may be called, in both of Connexion's manners."""
    plain = _sanitised(name)
    snake = _BOUNDARY.sub("_", name).replace("-", "_").lower()
    shadowed = f"{snake}_" if hasattr(builtins, snake) or keyword.iskeyword(snake) else snake
    return {plain, _sanitised(shadowed)}


def _sanitised(name: str) -> str:
    kept = re.sub(r"[^0-9a-zA-Z_]", "", re.sub(r"\[(?!])", "_", name))
    return re.sub(r"^[^a-zA-Z_]+", "", kept)


def _is_variable(part: str) -> bool:
    return part.startswith("{") and part.endswith("}")


def _camelized(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
