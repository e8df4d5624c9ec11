"""Models that a project takes from another distribution are read in its environment, and told where they are used."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.commands import inside, surroundings

MODEL = "from pydantic import BaseModel\n\n\nclass Parcel(BaseModel):\n    label: str\n"
APPLICATION = """from fastapi import FastAPI
from parcels import Parcel

app = FastAPI()


@app.get("/parcel")
def parcel() -> Parcel:
    return Parcel(label="x")
"""
CONTRACT = {
    "openapi": "3.1.0",
    "info": {"title": "Parcels", "version": "1"},
    "paths": {
        "/parcel": {
            "get": {
                "responses": {
                    "200": {
                        "description": "It.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Parcel"}}},
                    }
                }
            }
        }
    },
    "components": {
        "schemas": {
            "Parcel": {
                "type": "object",
                "required": ["label"],
                "properties": {"label": {"type": "integer"}},
            }
        }
    },
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    packages = root / ".venv" / "lib" / "python3.12" / "site-packages"
    described = packages / "parcels-1.0.dist-info"
    described.mkdir(parents=True)
    (root / ".venv" / "bin").mkdir()
    (root / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (root / ".venv" / "pyvenv.cfg").write_text("", encoding="utf-8")
    (described / "METADATA").write_text("Name: parcels\nRequires-Dist: pydantic\n\n", encoding="utf-8")
    (packages / "parcels.py").write_text(MODEL, encoding="utf-8")
    (root / "app.py").write_text(APPLICATION, encoding="utf-8")
    (root / "openapi.json").write_text(json.dumps(CONTRACT), encoding="utf-8")
    return root


def told(project: Path) -> list[tuple[str, str]]:
    without = {name: value for name, value in surroundings().items() if name != "VIRTUAL_ENV"}
    said = inside(project, "check", "--format", "json", environment=without)
    found = json.loads(said.stdout)["findings"]
    return [(each["rule"], f"{each['code']['path']}:{each['code']['line']}") for each in found]


def test_a_type_that_an_installed_model_has_is_told_where_the_project_uses_the_model(project: Path) -> None:
    assert told(project) == [("type-mismatch", "app.py:2")]


def test_an_upgraded_distribution_is_read_again(project: Path) -> None:
    told(project)
    path = next(project.glob(".venv/lib/*/site-packages/parcels.py"))
    path.write_text(MODEL.replace("label: str", "label: int  # a number now"), encoding="utf-8")
    assert told(project) == []


def test_without_an_environment_nothing_is_known_of_it(project: Path) -> None:
    (project / ".venv" / "pyvenv.cfg").unlink()
    assert told(project) == []
