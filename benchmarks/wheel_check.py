"""Builds the wheel, installs it with all dependencies into a fresh environment, and runs it on an example.

This needs the package index, so it is no test of `make test`; tests/engine/test_wheel.py does the same offline.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Raise CalledProcessError where any step fails."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        build = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(place),
            str(ROOT),
        ]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = place.glob("*.whl")
        venv.create(place / "env", with_pip=True)
        python = str(place / "env" / "bin" / "python")
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)],
            check=True,
        )
        subprocess.run([str(place / "env" / "bin" / "crossfact"), "--version"], check=True)
        example = str(ROOT / "specs_examples" / "clean")
        subprocess.run(
            [str(place / "env" / "bin" / "crossfact"), "check", example, "--store", str(place / "facts.db")],
            check=True,
        )
    print("wheel check: built, installed and run in a fresh environment")


if __name__ == "__main__":
    main()
