"""A pytest plugin that puts twins in the place of modules: each test runs once for each of its twins and mutants.

Which they are stands in the JSON file that the environment variable `CROSSFACT_MODULES` names. The twins are imported
under the modules' own names, afresh for each run; what was imported before is put back afterwards.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

import msgspec
import pytest

from engine.twins.modules_runs import ModuleTwins

pytest_plugins = (
    "engine.generators.applications.conftests.signatures",
    "engine.generators.applications.conftests.made_up",
)
_FIXTURE = "crossfact_module_twin"
_TWINS = msgspec.json.decode(Path(os.environ["CROSSFACT_MODULES"]).read_bytes(), type=ModuleTwins)
_NAMES = frozenset(
    ".".join(name.split(".")[:length]) for name in _TWINS.modules for length in range(1, name.count(".") + 2)
)
_COMPILED: dict[int, CodeType] = {}


class _Finder(MetaPathFinder, InspectLoader):
    """Finds and loads the twins; `patches` says which text makes a module's mutant in this run."""

    def __init__(self, patches: dict[str, int]) -> None:
        self._patches = patches

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _NAMES:
            return None
        return spec_from_loader(fullname, self, is_package=self.is_package(fullname))

    def is_package(self, fullname: str) -> bool:
        return any(name.startswith(f"{fullname}.") for name in _NAMES)

    def get_source(self, fullname: str) -> str:
        number = _TWINS.modules.get(fullname)
        return "" if number is None else _TWINS.texts[number]

    def get_code(self, fullname: str) -> CodeType:
        number = _TWINS.modules.get(fullname, -1)
        if number not in _COMPILED:
            _COMPILED[number] = compile(self.get_source(fullname), f"<twin of {fullname}>", "exec")
        return _COMPILED[number]

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        patch = self._patches.get(module.__name__)
        if patch is not None:
            code = compile(_TWINS.texts[patch], f"<mutant of {module.__name__}>", "exec")
            exec(code, module.__dict__)  # noqa: S102 (a text of ours, written from facts)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of generated tests."""
    config.addinivalue_line("markers", "spec(*facts): the facts of the specs that a test checks")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test once for each of its twins."""
    runs = _TWINS.runs.get(metafunc.function.__name__)
    if runs is not None:
        metafunc.parametrize(_FIXTURE, range(len(runs)), indirect=True)


@pytest.fixture(name=_FIXTURE, autouse=True)
def module_twin(request: pytest.FixtureRequest) -> Iterator[None]:
    """The twin of this run, in the place of the modules, until the test is over."""
    finder = _Finder(_TWINS.runs[request.node.originalname][request.param])
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name in _NAMES}
    sys.meta_path.insert(0, finder)
    yield
    sys.meta_path.remove(finder)
    for name in _NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(before)
