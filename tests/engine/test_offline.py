"""No command reaches for the network or writes outside the project, however hostile the environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

CHILD = """
import json, os, sys

def forbid(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "socket.gethostbyname"):
        os.write(2, f"NETWORK {event} {arguments[1:]}".encode())
        os._exit(99)

sys.addaudithook(forbid)
from engine.cli.main import COMMANDS, crossfact

arguments = json.loads(sys.argv[1])
for name in COMMANDS:
    for given in arguments.get(name, [["--help"]]):
        try:
            crossfact.main([name, *given], prog_name="crossfact", standalone_mode=False)
        except SystemExit:
            pass
    heavy = {"llama_index", "openai", "chromadb", "networkx", "nltk", "tiktoken"} & sys.modules.keys()
    if name == "ask" and heavy:
        sys.exit(f"ask imported {heavy}")
"""

ARGUMENTS = """{
    "check": [["."]], "ingest": [["."]], "facts": [[]], "show": [["AC-1.2"]], "neighbors": [["AC-1.2"]],
    "path": [["spec:criterion:AC-1.2", "spec:criterion:AC-1.1"]], "stats": [[]], "rules": [[]],
    "explain": [["response-undeclared"]], "baseline": [["."]], "ask": [["how long may a title be?"]]
}"""


def test_no_command_reaches_out(tmp_path: Path) -> None:
    project, home, temporary = tmp_path / "project", tmp_path / "home", tmp_path / "temporary"
    shutil.copytree(ROOT / "specs_examples" / "todo-tdd" / "specs", project / "specs")
    (project / "shop.py").write_text("def pay(amount: int = 1) -> int:\n    return amount\n")
    home.mkdir()
    temporary.mkdir()
    kept = {"PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "SYSTEMROOT"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    hostile = {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "TIKTOKEN_CACHE_DIR": str(home / "nothing"),
        "NLTK_DATA": str(home / "nothing"),
        "OPENAI_API_KEY": "sk-hostile",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CROSSFACT_DEBUG": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", CHILD, ARGUMENTS],
        cwd=project,
        env={**environment, **hostile},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "AC-1.2 demands" in done.stdout
    assert sorted(map(str, home.rglob("*"))) == []
    assert sorted(map(str, temporary.rglob("*"))) == []
    assert {each.name for each in tmp_path.iterdir()} == {"project", "home", "temporary"}
