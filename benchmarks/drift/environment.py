"""Fetches source distributions and makes throw-away environments, all below a working folder."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterable
from pathlib import Path

import msgspec

from benchmarks.drift.records import Application, Framework, Truth

WORK = Path(__file__).resolve().parent.parent / ".work"
EXPORTERS = Path(__file__).resolve().parent / "exporters"


def source_distribution(name: str, version: str, work: Path) -> Path:
    """The unpacked source distribution of a package at a version; fetched once."""
    target = work / "downloads" / f"{name}-{version}"
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    archive = _archive(name, version, target.parent)
    unpacking = target.with_name(target.name + ".unpacking")
    with tarfile.open(archive) as tar:
        tar.extractall(unpacking, filter="data")
    (only,) = unpacking.iterdir()
    only.rename(target)
    unpacking.rmdir()
    return target


def examples(name: str, version: str, below: str, work: Path) -> Path:
    """A folder that holds nothing but the folder `below` of a source distribution, so that importing the examples
    finds the installed package and not the sources beside them."""
    target = work / "examples" / f"{name}-{version}"
    if not (target / below).is_dir():
        shutil.copytree(source_distribution(name, version, work) / below, target / below)
    return target


def _archive(name: str, version: str, folder: Path) -> Path:
    """The source distribution of a version, downloaded where there is none yet, however it spells the name."""
    found = _spelled(name, version, folder)
    if found is None:
        source = ["--no-deps", "--no-binary", name, f"{name}=={version}"]
        _quietly([sys.executable, "-m", "pip", "download", "-q", "-d", str(folder), *source])
        found = _spelled(name, version, folder)
    if found is None:
        raise SystemExit(f"{name} {version} has no source distribution")
    return found


def _spelled(name: str, version: str, folder: Path) -> Path | None:
    """The archive of a version, whose name may have other capitals, hyphens, dots and underscores."""
    wanted = _plain(f"{name}-{version}.tar.gz")
    return next((each for each in sorted(folder.glob("*.tar.gz")) if _plain(each.name) == wanted), None)


def _plain(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def environment(name: str, requirements: Iterable[str], work: Path = WORK) -> Path:
    """The Python of an environment of this name that holds these requirements; made anew when they change."""
    folder = work / "env" / name.lower().replace(" ", "-")
    python, mark = folder / "bin" / "python", folder / "requirements.txt"
    wanted = "\n".join(requirements)
    if not (mark.is_file() and mark.read_text() == wanted):
        venv.create(folder, with_pip=True, clear=True)
        _quietly([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements])
        mark.write_text(wanted)
    return python


def _quietly(command: list[str]) -> None:
    """Run a command and show what it said only where it failed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def _digest(folder: Path) -> str:
    """What the Python files below a folder hold, as a hash."""
    whole = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        whole.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return whole.hexdigest()


def truths(framework: Framework, applications: list[Application], work: Path = WORK) -> dict[str, Truth]:
    """What the framework says of each application, by name; asked once per set of sources and versions."""
    tasks = [
        {"name": each.name, "folder": str(each.folder), "module": each.module, "options": each.options}
        for each in applications
    ]
    programs = [(EXPORTERS / name).read_text() for name in ("driver.py", f"{framework.exporter}.py")]
    sources = [_digest(folder) for folder in sorted({each.folder for each in applications})]
    identity = json.dumps([tasks, framework.requirements, programs, sources], sort_keys=True)
    digest = hashlib.sha256(identity.encode()).hexdigest()[:16]
    kept = work / "truth" / f"{framework.name.lower().replace(' ', '-')}-{digest}.jsonl"
    if not kept.is_file():
        python = environment(framework.name, framework.requirements, work)
        done = subprocess.run(
            [str(python), "driver.py", framework.exporter],
            cwd=EXPORTERS,
            input="".join(json.dumps(task) + "\n" for task in tasks),
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"the exporter of {framework.name} failed:\n{done.stderr[-3000:]}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(done.stdout)
    lines = kept.read_text().splitlines()
    return {truth.name: truth for truth in (msgspec.json.decode(line, type=Truth) for line in lines)}
