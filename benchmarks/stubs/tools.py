"""Runs stubtest and crossfact on one pair, each as a process of its own, and reads what they report."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import crossfact
from benchmarks.stubs.corpus import PYTHON, WORK
from benchmarks.stubs.records import Kind, Report


class Answer(NamedTuple):
    """What a tool reported, each symbol and kind once, and its seconds of CPU and of wall time."""

    reports: list[Report]
    cpu: float
    wall: float


def ask_stubtest(folder: Path, module: str) -> Answer:
    """stubtest's reports on the stubs in `folder/stubs` and the package in `folder/runtime`, which it imports."""
    stubs, runtime = _trees(folder)
    imported = f"{runtime}{os.pathsep}{folder}.needs"
    environment = {**_environment(), "MYPYPATH": stubs, "PYTHONPATH": imported}
    settings = str(Path(__file__).parent / "stubtest.ini")
    command = [str(PYTHON), "-m", "mypy.stubtest", "--concise", "--mypy-config-file", settings, module]
    text, cpu, wall = _run(command, folder, environment, errors=subprocess.STDOUT)
    if "mypy build errors" in text or "not checking stubs" in text:
        sys.exit(f"{folder}: stubtest could not read the stubs: {text[:500]}")
    if "/mypy/stubtest.py" in text:
        print(f"{folder}: stubtest broke off; what it told before counts", file=sys.stderr)
    # What the package itself prints when it is imported stands between the reports.
    lines = (line for line in text.splitlines() if line.split(" ")[0].partition(".")[0] == module)
    return Answer(_once(map(read_stubtest, lines)), cpu, wall)


def _trees(folder: Path) -> tuple[str, str]:
    """Where stubtest finds stubs and runtime: in one tree together where some package has stubs but for itself.

    Apart, mypy would take such a package from the runtime's source, and all of its modules with it.
    """
    stubs, runtime = folder / "stubs", folder / "runtime"
    packages = {each.parent.relative_to(stubs) for each in stubs.rglob("*.pyi")}
    alone = [each for each in packages if not (stubs / each / "__init__.pyi").exists()]
    if not any((runtime / each / "__init__.py").exists() for each in alone):
        return "stubs", "runtime"
    beside = folder.with_name(f"{folder.name}.together")
    if not beside.is_dir():
        shutil.copytree(runtime, beside)
        shutil.copytree(stubs, beside, dirs_exist_ok=True)
    return str(beside), str(beside)


def ask_crossfact(folder: Path, store: Path) -> Answer:
    """crossfact's reports on the same folder."""
    roots = ["--source-root", "runtime", "--source-root", "stubs"]
    options = ["--no-history", "--store", str(store), "--format", "json", "--fail-on", "never"]
    text, cpu, wall = _run(crossfact("check", ".", *roots, *options), folder, _environment())
    try:
        findings = json.loads(text)["findings"]
    except (ValueError, KeyError):
        sys.exit(f"{folder}: crossfact gave no report: {text[:500]}")
    return Answer(_once(map(_read_finding, findings)), cpu, wall)


def warm_up(folder: Path) -> None:
    """Let both tools compile and keep what they import, so that no timed run has to."""
    ask_stubtest(folder, next(iter(sorted(each.stem for each in (folder / "stubs").iterdir()))))
    with tempfile.TemporaryDirectory() as store:
        ask_crossfact(folder, Path(store) / "facts.db")


def _environment() -> dict[str, str]:
    """Bytecode is kept, as it is for users, but apart from the checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(WORK / "bytecode")}


def _run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], errors: int = subprocess.DEVNULL
) -> tuple[str, float, float]:
    with tempfile.TemporaryFile("w+") as output:
        begun = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=errors)
        _, _, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime, wall


def _once(reports: Iterable[Report | None]) -> list[Report]:
    kept: dict[tuple[str, Kind], Report] = {}
    for report in reports:
        if report is not None:
            kept.setdefault(report.key, report)
    return [kept[key] for key in sorted(kept)]


_MESSAGES = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"failed to (import|be imported)|encountered unexpected error", Kind.IMPORT),
        (r"failed to find stubs", Kind.MODULE_NOT_IN_STUBS),
        (r"metaclass", Kind.METACLASS),
        (r"disjoint", Kind.DISJOINT_BASE),
        (r"@final|marked final|abstract", Kind.FINAL),
        (r"is not present in stub", Kind.NOT_IN_STUB),
        (r"is not present at runtime", Kind.NOT_IN_CODE),
        (r"\basync def\b|coroutine", Kind.ASYNC),
        (r"default value|default of type", Kind.DEFAULT),
        (r"is a (classmethod|staticmethod)|is not a (classmethod|staticmethod)", Kind.BINDING),
        (r"differs from runtime parameter|not have parameter|not have \*", Kind.PARAMETERS),
        (r"should be (positional|keyword)|positional-only|keyword-only", Kind.PARAMETERS),
        (r"read-only|is inconsistent, .*property", Kind.PROPERTY),
        (r"variable differs|is not a (TypeVar|Union|type alias)|is not a subclass of", Kind.TYPE),
        (r"literal value|Final", Kind.VALUE),
        (r"is not a (function|type|class|module|property)", Kind.KIND),
    )
)


def read_stubtest(line: str) -> Report | None:
    """One line of `--concise`; None for lines that are no report."""
    symbol, separator, message = line.partition(" ")
    if not separator or symbol == "Found" or not re.fullmatch(r"[\w.]+", symbol):
        return None
    if symbol.endswith(".__all__"):
        return Report(symbol.removesuffix(".__all__"), Kind.EXPORTS, message)
    for pattern, kind in _MESSAGES:
        if pattern.search(message):
            return Report(symbol, kind, message)
    return Report(symbol, Kind.OTHER, message)


_RULES = {
    "module-not-implemented": Kind.MODULE_NOT_IN_CODE,
    "argument-default-mismatch": Kind.DEFAULT,
    "argument-type-mismatch": Kind.TYPE,
    "attribute-type-mismatch": Kind.TYPE,
    "attribute-value-mismatch": Kind.VALUE,
    "return-type-mismatch": Kind.RETURNS,
    "async-mismatch": Kind.ASYNC,
    "base-missing": Kind.BASES,
    "base-not-in-stub": Kind.BASES,
    "arguments-unspecified": Kind.PARAMETERS,
    "decorator-not-in-stub": Kind.FINAL,
    "metaclass-mismatch": Kind.METACLASS,
    "definition-kind-mismatch": Kind.KIND,
    "method-kind-mismatch": Kind.BINDING,
    "exports-mismatch": Kind.EXPORTS,
    **{f"argument-{word}": Kind.PARAMETERS for word in ("missing", "extra", "renamed")},
    **{f"argument-{word}-mismatch": Kind.PARAMETERS for word in ("kind", "order")},
}
_WORDS = (("not-in-stub", Kind.NOT_IN_STUB), ("not-implemented", Kind.NOT_IN_CODE))
_MORE_WORDS = (
    ("export", Kind.EXPORTS),
    ("setter", Kind.PROPERTY),
    ("property", Kind.PROPERTY),
    ("return", Kind.RETURNS),
    ("raise", Kind.RAISES),
    ("exception", Kind.RAISES),
    ("final", Kind.FINAL),
    ("abstract", Kind.FINAL),
    ("base", Kind.BASES),
    ("type", Kind.TYPE),
)


def _read_finding(finding: Mapping[str, str]) -> Report | None:
    rule = finding["rule"]
    kind = _RULES.get(rule) or next(
        (kind for word, kind in (*_WORDS, *_MORE_WORDS) if word in rule), Kind.OTHER
    )
    return Report(finding["subject"].rpartition(" ")[2], kind, f"{rule}: {finding['message']}")


def ask_in_process(folder: Path) -> list[Report]:
    """crossfact's reports on a folder, without the cost of a process; its facts stay there for the next time."""
    from engine.check import check
    from engine.project import open_project

    options = {"history": False, "jobs": 1, "source_roots": ["runtime", "stubs"]}
    project = open_project(
        [str(folder)],
        here=folder,
        environment={},
        options=options,
        configuration=None,
        tell=lambda text: None,
    )
    try:
        findings = check(project, tell=lambda text: None).report.findings
    finally:
        project.store.close()
    told = [_read_finding({"rule": f.rule, "subject": f.subject, "message": f.message}) for f in findings]
    return _once(told)
