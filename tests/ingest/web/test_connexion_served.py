"""Connexion: models that a generator wrote, and services that a file of settings puts together."""

from __future__ import annotations

from collections.abc import Collection

from graph.facts import Kind
from ingest.web.resolvers.connexion import ConnexionResolver
from tests.ingest.web.test_connexion import SERVER, Project, operation, resolved
from tests.ingest.web.test_connexion import contract as written

MODEL = """
class Model(object):
    openapi_types = {}
    attribute_map = {}
"""
PET = """
from typing import List
from models.base import Model
from models.kind import Kind

class Pet(Model):
    def __init__(self, name=None, tag_list=None, kind=None, size=None):
        self.openapi_types = {"name": str, "tag_list": List[str], "kind": Kind, "size": int}
        self.attribute_map = {"name": "name", "tag_list": "tagList", "kind": "kind", "size": "size"}
        self._name = name

    @classmethod
    def from_dict(cls, dikt) -> "Pet":
        return util.deserialize_model(dikt, cls)

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        if name is None:
            raise ValueError("Invalid value for `name`, must not be `None`")
        if name is not None and len(name) > 60:
            raise ValueError("too long")
        if name is not None and not re.search(r"^[a-z]+$", name):
            raise ValueError("another form")
        self._name = name

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, size):
        allowed_values = [1, 2]
        if size not in allowed_values:
            raise ValueError("no such size")
        self._size = size
"""
KIND = """
from models.base import Model

class Kind(Model):
    CAT = "cat"
    DOG = "dog"

    def __init__(self):
        self.openapi_types = {}
        self.attribute_map = {}
"""
GENERATED = """
import connexion
from models.pet import Pet

def create(body):
    if connexion.request.is_json:
        body = Pet.from_dict(connexion.request.get_json())
    return Pet(name="rex"), 201
"""
CREATING = """openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      operationId: api.pets.create
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: made}}
"""


def test_models_that_a_generator_wrote_are_read_by_their_tables_and_setters() -> None:
    files = {"server.py": SERVER, "spec/openapi.yaml": CREATING, "api/pets.py": GENERATED}
    files |= {"models/base.py": MODEL, "models/pet.py": PET, "models/kind.py": KIND}
    found = {fact.id: fact for fact in ConnexionResolver().resolve(Project(files)).facts}
    reference = {"$ref": "code:schema:models.pet.Pet"}
    assert found["code:body:POST /pets#application/json"].aspects["schema"] == reference
    assert found["code:response:POST /pets#201"].aspects["content"] == {"application/json": reference}
    pet = found["code:schema:models.pet.Pet"].aspects["schema"]
    assert pet["required"] == ["name"]
    plain = {name: {k: v for k, v in s.items() if k[:2] != "x-"} for name, s in pet["properties"].items()}
    assert plain == {
        "name": {"type": "string", "maxLength": 60, "pattern": "^[a-z]+$"},
        "tagList": {"type": "array", "items": {"type": "string"}},
        "kind": {"$ref": "code:schema:models.kind.Kind"},
        "size": {"type": "integer", "enum": [1, 2]},
    }
    assert "null" in pet["properties"]["tagList"]["x-implied"]
    assert "null" not in pet["properties"]["name"]["x-implied"]
    assert found["code:schema:models.kind.Kind"].aspects["schema"]["enum"] == ["cat", "dog"]


FOCA = """
import connexion
from foca.foca import foca
app = foca("config.yaml")
"""
FAILURES = """
import connexion

class Missing(Exception): ...

exceptions = {Exception: {"title": "wrong", "status": "500"}, Missing: {"title": "none", "status": "404"}}
"""
CONTROLLER = """
import connexion
from foca.utils.logging import log_traffic
from service.errors import Missing

@log_traffic
def getThing(thing_id: str) -> dict:
    found = look(thing_id)
    if not found:
        raise Missing
    return found

@log_traffic
def dropThing(thing_id):
    return None, "204"
"""
THINGS = """openapi: 3.0.3
info: {title: Things, version: "1"}
paths:
  /things/{thing_id}:
    parameters: [{name: thing_id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {"200": {description: thing}}}
    delete: {operationId: dropThing, responses: {"204": {description: gone}}}
"""


def test_what_foca_serves_is_found_by_the_functions_that_contracts_name() -> None:
    files = {"service/app.py": FOCA, "service/errors.py": FAILURES, "service/api/things.yaml": THINGS}
    for place, contract in (
        ("service/ga4gh/server.py", THINGS),
        ("service/server.py", THINGS.replace("operationId: ", "operationId: server.")),
    ):
        named = {**files, place: CONTROLLER, "service/api/things.yaml": contract}
        extract = ConnexionResolver().resolve(Project(named))
        statuses = {
            f.key for f in extract.facts if f.kind is Kind.RESPONSE and f.aspects["origin"] != "framework"
        }
        assert statuses == {
            "GET /things/{thing_id}#200",
            "GET /things/{thing_id}#404",
            "DELETE /things/{thing_id}#204",
        }, place
        assert all(f.aspects["statuses_complete"] for f in extract.facts if f.kind is Kind.OPERATION), place


def test_a_status_that_a_condition_or_a_branch_chooses_is_each_of_those_that_it_may_be() -> None:
    spec = """
openapi: 3.0.0
info: {title: Pets, version: "1"}
paths:
  /made:
    put: {operationId: pets.put, responses: {"200": {description: Kept}}}
  /found:
    get: {operationId: pets.find, responses: {"200": {description: One}}}
"""
    pets = """
def put(name):
    return {}, 201 if is_new(name) else 200

def find(name):
    if is_lost(name):
        code = 404
    else:
        code = 200
    return {}, code
"""
    files = {"server.py": SERVER, "pets.py": pets, "spec/openapi.yaml": spec}
    told = ConnexionResolver().resolve(Project(files))
    given = {f.key for f in told.facts if f.kind is Kind.RESPONSE and f.aspects["origin"] != "framework"}
    assert given == {"PUT /made#200", "PUT /made#201", "GET /found#200", "GET /found#404"}


def test_what_a_function_puts_into_the_body_it_does_not_ask_for_and_a_package_says_where_its_contract_lies() -> (
    None
):
    server = "import connexion\nimport pkg_resources\napp = connexion.FlaskApp(__name__)\n"
    server += "app.add_api(pkg_resources.resource_filename('shop', 'api/openapi.yaml'))\n"
    asked = "requestBody: {content: {application/json: {schema: {type: object}}}}, "
    spec = written(operation("/people", "post", "people.create", asked))
    people = "def create(body):\n    body['made'] = 3\n    return {'name': body['name']}, 201\n"
    extract = resolved({"app.py": server, "people.py": people, "shop/api/openapi.yaml": spec})
    (body,) = [fact for fact in extract.facts if fact.kind is Kind.BODY]
    assert list(body.aspects["schema"]["properties"]) == ["name"]


def test_functions_that_import_nothing_of_foca_are_found_by_their_names() -> None:
    plain = CONTROLLER.replace("import connexion\n", "from flask import current_app  # beside connexion\n")
    plain = plain.replace("from foca.utils.logging import log_traffic\n", "").replace("@log_traffic\n", "")
    files = {"service/app.py": FOCA, "service/errors.py": FAILURES, "service/api/things.yaml": THINGS}
    extract = ConnexionResolver().resolve(Importing({**files, "service/controllers.py": plain}))
    handlers = {f.aspects["handler"] for f in extract.facts if f.kind is Kind.OPERATION}
    assert handlers == {"service.controllers.getThing", "service.controllers.dropThing"}


class Importing(Project):
    """A project that tells apart what its modules import."""

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        code = [
            path
            for path, text in self.files.items()
            if path.endswith(".py")
            and any(f"import {name}\n" in text or f"from {name}" in text for name in packages)
        ]
        return tuple(sorted(path.removesuffix(".py").replace("/", ".") for path in code))


SHARED = """openapi: 3.0.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get: {operationId: pets.get, responses: {"200": {description: All}}}
    post:
      operationId: pets.post
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {photo: {type: string}}}}}}
      responses: {"201": {description: Made}}
  /pets/{pet_id}:
    parameters: [{name: pet_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: pets.get, responses: {"200": {description: One}}}
    delete: {operationId: pets.delete, responses: {"204": {description: Gone}}}
"""


def test_a_function_of_two_operations_answers_one_of_them_in_each_form() -> None:
    pets = """
def get(pet_id=None):
    if pet_id is None:
        return [{"name": "rex"}]
    return {"name": "rex"}

def post(photo, note=None):
    return {}, 201

def delete(pet_id):
    return kept(pet_id)

def kept(pet_id: int):
    return None, 204
"""
    extract = resolved({"server.py": SERVER, "pets.py": pets, "spec/openapi.yaml": SHARED})
    found = {f.key: f.aspects for f in extract.facts}
    assert "content" not in found["GET /pets/{pet_id}#200"]
    assert found["POST /pets#multipart/form-data"]["schema"]["required"] == ["photo"]
    assert set(found["POST /pets#multipart/form-data"]["schema"]["properties"]) == {"photo", "note"}
    assert found["DELETE /pets/{pet_id}#path.pet_id"]["schema"]["type"] == "integer"
