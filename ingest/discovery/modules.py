"""Dotted module names of Python files and stubs, told from the listing of files alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from ingest.discovery.distributions import normal

CUSTOMARY = frozenset(["src", "lib", "python", "code", "stubs", "typings", "specs", "spec"])
"""Folders that by custom are no packages but hold them."""


class Layout:
    """Where packages begin: `packages`, `projects`, `holders` and `unpacked` as `Folders` saw them, `source_roots` as
    configured.

    `published` gives the normal name under which the project of a folder is published, empty where it is not known.
    """

    def __init__(
        self,
        *,
        packages: Iterable[str],
        projects: Iterable[str] = (),
        holders: Iterable[str] = (),
        unpacked: Iterable[str] = (),
        source_roots: Iterable[str] = (),
        published: Callable[[str], str] = lambda folder: "",
    ) -> None:
        self._configured = frozenset(source_roots)
        # The root is never a package: its name differs from one checkout to the next.
        self._packages = frozenset(
            p for p in packages if p and p not in self._configured and _is_package_name(p)
        )
        self._projects = frozenset(projects)
        self._holders = frozenset(holders)
        self._unpacked = frozenset(unpacked)
        self._published = cache(published)
        self._roots: dict[str, str] = {"": ""}

    def module(self, path: str) -> str:
        """The dotted name of a Python file or stub; a package's `__init__` has the package's name."""
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        root = self._root_of(folder)
        parts = folder[len(root) :].strip("/").split("/") if folder != root else []
        if parts:
            parts[0] = parts[0].removesuffix("-stubs")
        if stem != "__init__" or not parts:
            parts.append(stem)
        return ".".join(parts)

    def _root_of(self, folder: str) -> str:
        """The folder that the names of the modules in `folder` are relative to."""
        pending = []
        while folder not in self._roots:
            pending.append(folder)
            folder = _parent(folder)
        for below in reversed(pending):
            self._roots[below] = self._decide(below)
        return self._roots[pending[0] if pending else folder]

    def _decide(self, folder: str) -> str:
        parent = _parent(folder)
        if folder in self._configured:
            return folder
        if folder in self._packages:
            return (
                self._roots[parent]
                if self._is_below_package(parent) or self._is_namespace(parent)
                else parent
            )
        if self._is_below_package(parent):
            return self._roots[parent]
        name = folder.rpartition("/")[2]
        if folder in self._projects or name in CUSTOMARY or not _is_package_name(folder):
            return folder
        return self._roots[parent]

    def _is_below_package(self, folder: str) -> bool:
        while folder:
            if folder in self._packages:
                return True
            if folder in self._configured:
                return False
            folder = _parent(folder)
        return False

    def _is_namespace(self, folder: str) -> bool:
        """Whether a folder without `__init__` is a part of a package's name (PEP 420).

        It is in an unpacked wheel, and where between it and a `src`, a configured source root, or the folder of a
        project that is published as a package below it, lie only folders that hold nothing but folders.
        """
        root, above = self._roots[folder], folder
        if root in self._unpacked:
            return True
        while above != root:
            if above in self._holders:
                return False
            above = _parent(above)
        if root in self._configured or root.rpartition("/")[2] == "src":
            return True
        return folder != root and self._is_published(root, folder)

    def _is_published(self, root: str, folder: str) -> bool:
        """Whether what a project is published as is a package below a folder: `jaraco.text` is `jaraco/text`."""
        name = self._published(root)
        below = [each for each in self._packages if each.startswith(f"{folder}/")] if name else []
        return any(normal(each[len(root) :].strip("/")) == name for each in below)


def module_names(code: Iterable[str], stubs: Iterable[str], layout: Layout) -> dict[str, str]:
    """The module of each path. A stub that lies apart from its code follows the code: `design/shop/pricing.pyi` is
    `shop.pricing` where the code has that module, or at least the package `shop`."""
    names = {path: layout.module(path) for path in code}
    modules = set(names.values())
    packages = {name.rpartition(".")[0] for name in modules} - {""}
    for path in stubs:
        name = layout.module(path)
        is_beside_code = f"{_parent(path)}/__init__.py" in names
        if name not in modules and name.rpartition(".")[0] not in packages and not is_beside_code:
            name = _name_in_code(path, modules, packages) or name
        names[path] = name
    return names


def _name_in_code(path: str, modules: set[str], packages: set[str]) -> str:
    parts = [part.removesuffix("-stubs") for part in path.rpartition(".")[0].split("/")]
    if parts[-1] == "__init__":
        parts.pop()
    endings = [(".".join(parts[start:-1]), ".".join(parts[start:])) for start in range(len(parts))]
    for _, module in endings:
        if module in modules:
            return module
    return next((module for package, module in endings if package in packages), "")


def _parent(folder: str) -> str:
    return folder.rpartition("/")[0]


def _is_package_name(folder: str) -> bool:
    return folder.rpartition("/")[2].removesuffix("-stubs").isidentifier()
