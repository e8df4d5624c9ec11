"""Connexion: the contract names the function that serves an operation."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from graph.facts import Extract, Fact, Kind
from ingest.ingestor import Document, Role
from ingest.openapi.reader import OpenApiReader
from ingest.web.resolvers.connexion import ConnexionResolver

SERVER = """
import connexion
app = connexion.FlaskApp(__name__, specification_dir="spec/")
app.add_api("openapi.yaml")
"""
PETS = """
from connexion import NoContent, problem
from connexion.exceptions import OAuthProblem

class Missing(Exception): ...

def search(limit, pet_kind=None, *, page: int):
    return [], 200

def create(body):
    if body:
        return problem(409, "Conflict", "there is one")
    return NoContent, 201

async def get(pet_id: str, wrong):
    if not pet_id:
        raise Missing()
    raise OAuthProblem("no")

def ignored(**kwargs):
    return None
"""


class Project:
    """A project of this code and these contracts, by path."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def document(self, module: str) -> Document | None:
        path = module.replace(".", "/") + ".py"
        text = self.files.get(path)
        return None if text is None else Document(path=path, role=Role.PYTHON, text=text, module=module)

    def importers(self, packages: Collection[str]) -> tuple[str, ...]:
        code = [path for path in self.files if path.endswith(".py") and "connexion" in self.files[path]]
        return tuple(sorted(path.removesuffix(".py").replace("/", ".") for path in code))

    def promised(self) -> tuple[Fact, ...]:
        read = [
            OpenApiReader().read(Document(path=path, role=Role.CONTRACT, text=text))
            for path, text in self.files.items()
            if path.endswith(".yaml")
        ]
        return tuple(sorted((fact for extract in read for fact in extract.facts), key=lambda fact: fact.id))


def contract(*operations: str, servers: str = "") -> str:
    paths = "".join(f"  {operation}\n" for operation in operations)
    return f"openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\nsecurity: []\n{servers}paths:\n{paths}"


def operation(path: str, method: str, identifier: str, more: str = "") -> str:
    named = f"operationId: {identifier}, " if identifier else ""
    return f"{path}: {{{method}: {{{named}{more}responses: {{'200': {{description: ok}}}}}}}}"


def resolved(files: dict[str, str]) -> Extract:
    return ConnexionResolver().resolve(Project(files))


def keys(extract: Extract, kind: Kind) -> list[str]:
    return [fact.key for fact in extract.facts if fact.kind is kind]


def aspects(extract: Extract, kind: Kind, key: str) -> dict[str, Any]:
    (found,) = [fact for fact in extract.facts if fact.kind is kind and fact.key == key]
    return found.aspects


def test_an_operation_is_served_by_the_function_that_its_id_names() -> None:
    spec = contract(operation("/pets", "get", "api.pets.search"), servers="servers: [{url: /v1}]\n")
    extract = resolved({"app.py": SERVER, "api/pets.py": PETS, "spec/openapi.yaml": spec})
    found = aspects(extract, Kind.OPERATION, "GET /v1/pets")
    assert (found["handler"], found["framework"]) == ("api.pets.search", "connexion")


def test_an_id_that_names_nothing_gives_no_operation_and_one_outside_of_the_project_an_unknown() -> None:
    spec = contract(
        operation("/gone", "get", "api.pets.gone"),
        operation("/away", "get", "other.package.f"),
        operation("/nameless", "get", ""),
    )
    extract = resolved({"app.py": SERVER, "api/pets.py": PETS, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.OPERATION) == ["GET /away"]
    assert aspects(extract, Kind.OPERATION, "GET /away")["statuses_complete"] is False
    assert [note.subject for note in extract.unknown] == ["GET /away"]


def test_controllers_and_resolvers_by_path_name_functions_too() -> None:
    spec = contract(
        operation("/pets", "get", ""),
        operation("/pets/{id}", "delete", ""),
        operation("/more", "get", "search", "x-openapi-router-controller: api.pets, "),
    )
    server = SERVER.replace('"openapi.yaml"', '"openapi.yaml", resolver=connexion.RestyResolver("api")')
    extract = resolved({"app.py": server, "api/pets.py": PETS, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.OPERATION) == ["GET /more", "GET /pets"]


def test_classes_are_named_after_the_path_by_the_method_view_resolver() -> None:
    spec = contract(operation("/pet_shops", "get", ""), operation("/pet_shops/{id}", "put", ""))
    server = SERVER.replace(
        '"openapi.yaml"', '"openapi.yaml", resolver=MethodViewResolver("api"), base_path="/b"'
    )
    server = "from connexion.resolver import MethodViewResolver\n" + server
    views = "class PetShopsView:\n    def get(self): return {}, 200\n    def put(self, id): return {}\n"
    extract = resolved({"app.py": server, "api.py": views, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.OPERATION) == ["GET /b/pet_shops", "PUT /b/pet_shops/{id}"]


def test_methods_of_an_object_are_named_by_a_resolver_that_asks_it() -> None:
    spec = contract(operation("/pets", "get", "search"), operation("/gone", "get", "gone"))
    server = SERVER.replace(
        '"openapi.yaml"', '"openapi.yaml", resolver=Resolver(lambda name: getattr(backend, name))'
    )
    server = "from connexion import Resolver\nfrom shop import Backend\nbackend = Backend()\n" + server
    backend = "class Backend:\n    def search(self, limit=10):\n        return [], 200\n"
    extract = resolved({"app.py": server, "shop.py": backend, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.OPERATION) == ["GET /pets"]
    assert aspects(extract, Kind.OPERATION, "GET /pets")["handler"] == "shop.Backend.search"


def test_functions_are_looked_for_beside_the_module_that_serves() -> None:
    spec = contract(operation("/pets", "get", "pets.search"))
    files = {"src/shop/app.py": SERVER, "src/shop/pets.py": PETS, "src/shop/spec/openapi.yaml": spec}
    assert keys(resolved(files), Kind.OPERATION) == ["GET /pets"]


def test_arguments_are_held_against_the_parameters_of_the_contract() -> None:
    parameters = (
        "parameters: [{name: limit, in: query}, {name: petKind, in: query}, {name: other, in: query}], "
    )
    spec = contract(operation("/pets", "get", "api.pets.search", parameters))
    extract = resolved({"app.py": SERVER, "api/pets.py": PETS, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.PARAMETER) == [
        "GET /pets#query.limit",
        "GET /pets#query.page",
        "GET /pets#query.petKind",
    ]
    assert aspects(extract, Kind.PARAMETER, "GET /pets#query.limit")["required"] is True
    assert aspects(extract, Kind.PARAMETER, "GET /pets#query.petKind")["required"] is False
    assert aspects(extract, Kind.OPERATION, "GET /pets")["parameters_complete"] is True


def test_arguments_without_annotations_are_like_those_beside_them_and_have_the_types_of_their_defaults() -> (
    None
):
    code = """
from dataclasses import dataclass

@dataclass
class Pet:
    name: str
    def shown(self) -> dict:
        return {"name": self.name}

def found(word) -> Pet | None: ...

def search(word="a", page=1, kind=None):
    pet = found(word)
    return pet.shown()
"""
    parameters = "parameters: [{name: word, in: query}, {name: page, in: query}], "
    spec = contract(operation("/pets", "get", "api.pets.search", parameters))
    extract = resolved({"app.py": SERVER, "api/pets.py": code, "spec/openapi.yaml": spec})
    assert aspects(extract, Kind.PARAMETER, "GET /pets#query.word")["schema"] == {"type": "string"}
    assert aspects(extract, Kind.PARAMETER, "GET /pets#query.page")["schema"] == {"type": "integer"}
    assert aspects(extract, Kind.PARAMETER, "GET /pets#query.kind")["required"] is False
    assert aspects(extract, Kind.RESPONSE, "GET /pets#200")["origin"] == "success"
    assert aspects(extract, Kind.OPERATION, "GET /pets")["statuses_complete"] is True


def test_answers_come_from_tuples_problems_and_exceptions_with_handlers() -> None:
    body = "requestBody: {content: {application/json: {schema: {type: object}}}}, "
    spec = contract(
        operation("/pets", "post", "api.pets.create", body),
        operation("/pets/{pet_id}", "get", "api.pets.get"),
        operation("/none", "get", "api.pets.ignored"),
    )
    server = SERVER + "from api.pets import Missing\ndef missing(request, exc):\n    return {}, 404\n"
    server += "app.add_error_handler(Missing, missing)\n"
    extract = resolved({"app.py": server, "api/pets.py": PETS, "spec/openapi.yaml": spec})
    given = [
        fact.key
        for fact in extract.facts
        if fact.kind is Kind.RESPONSE and fact.aspects["origin"] != "framework"
    ]
    assert given == [
        "GET /none#204",
        "GET /pets/{pet_id}#401",
        "GET /pets/{pet_id}#404",
        "POST /pets#201",
        "POST /pets#409",
    ]
    assert keys(extract, Kind.BODY) == ["POST /pets#application/json"]


def test_a_contract_that_cannot_be_found_is_unknown() -> None:
    server = SERVER.replace('"openapi.yaml"', "__import__('os').environ['X']")
    extract = resolved({"app.py": server, "spec/openapi.yaml": contract()})
    assert not extract.facts
    assert [note.reason for note in extract.unknown] == ["which contract is served here cannot be known"]


def test_arguments_without_annotations_are_what_their_function_does_with_them() -> None:
    parameters = "".join(
        f"{{name: {name}, in: query, schema: {{type: {kind}}}}}, "
        for name, kind in (
            ("offset", "integer"),
            ("size", "integer"),
            ("least", "integer"),
            ("text", "string"),
        )
    )
    spec = contract(operation("/pets", "get", "pets.search", f"parameters: [{parameters}], "))
    code = (
        "PETS = []\n"
        "def search(offset, size, least, text):\n"
        "    found = [p for p in PETS if p['age'] >= 1 and least > 3 and text.lower() in p['name']]\n"
        "    return found[offset:offset + size], 200\n"
    )
    extract = resolved({"app.py": SERVER, "pets.py": code, "spec/openapi.yaml": spec})
    kinds = {
        fact.key.rpartition(".")[2]: fact.aspects["schema"].get("type")
        for fact in extract.facts
        if fact.kind is Kind.PARAMETER
    }
    assert kinds == {"offset": "integer", "size": "integer", "least": "integer", "text": "string"}


def test_answers_have_the_types_of_bodies_that_the_contract_writes_out_elsewhere_and_of_keyword_arguments() -> (
    None
):
    body = "requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, "
    spec = contract(
        operation("/pets", "post", "pets.add", body), operation("/more", "post", "pets.more", body)
    )
    spec += "components: {schemas: {Pet: {type: object, properties: {name: {type: string}, age: {type: integer}}}}}\n"
    code = (
        "def add(body):\n"
        "    pet = {key: body[key] for key in ('name', 'age')}\n"
        "    return {'name': body['name'], 'age': body['age'], 'n': len(pet)}, 201\n"
        "def more(**kwargs):\n"
        "    return {'name': kwargs['body']['name']}, 201\n"
    )
    extract = resolved({"app.py": SERVER, "pets.py": code, "spec/openapi.yaml": spec})
    content = aspects(extract, Kind.RESPONSE, "POST /pets#201")["content"]["application/json"]["properties"]
    assert {name: schema["type"] for name, schema in content.items()} == {
        "name": "string",
        "age": "integer",
        "n": "integer",
    }
    taken = aspects(extract, Kind.BODY, "POST /pets#application/json")["schema"]
    assert taken["required"] == ["age", "name"]
    assert "name" in aspects(extract, Kind.BODY, "POST /more#application/json")["schema"]["properties"]


GARAGE = """
from connexion import request
from pydantic import BaseModel

class Car(BaseModel):
    plate: str
    mileage: int
    electric: bool = False

cars = {}

def post(body: dict, **rest):
    car = Car(**body)
    if request.headers.get("X-Urgent") == "yes":
        cars[car.plate] = car
    return car.model_dump(), 201
"""
ERRORS = """
import json
from connexion.lifecycle import ConnexionResponse

class Sold(Exception):
    def __init__(self, detail: str):
        self.detail = detail

def sold(request, exc):
    return ConnexionResponse(409, mimetype="application/json", body=json.dumps({"message": exc.detail}))

def buy(pet_id):
    raise Sold("gone")
"""


def test_a_model_of_the_body_tells_its_fields_and_what_connexion_checks_is_left_to_the_contract() -> None:
    body = "requestBody: {required: true, content: {application/json: {schema: {type: object}}}}, "
    spec = contract(operation("/cars", "post", "garage.post", body))
    extract = resolved({"app.py": SERVER, "garage.py": GARAGE, "spec/openapi.yaml": spec})
    schema = aspects(extract, Kind.BODY, "POST /cars#application/json")["schema"]
    assert schema["required"] == ["mileage", "plate"]
    assert schema["properties"]["mileage"] == {"type": "integer"}
    assert "type" not in schema["properties"]["plate"]


def test_headers_that_a_function_asks_for_are_all_where_it_asks_nothing_else_of_the_request() -> None:
    parameters = "parameters: [{name: X-Other, in: header}], "
    spec = contract(operation("/cars", "post", "garage.post", parameters))
    extract = resolved({"app.py": SERVER, "garage.py": GARAGE, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.PARAMETER) == ["POST /cars#header.x-urgent"]
    assert aspects(extract, Kind.OPERATION, "POST /cars")["parameters_complete"] is True
    more = GARAGE.replace("cars[car.plate] = car", "cars[car.plate] = request.query_params")
    extract = resolved({"app.py": SERVER, "garage.py": more, "spec/openapi.yaml": spec})
    assert aspects(extract, Kind.OPERATION, "POST /cars")["parameters_complete"] is False


def test_everything_by_keyword_is_taken_only_where_it_is_looked_at() -> None:
    parameters = "parameters: [{name: page, in: query}], "
    spec = contract(operation("/cars", "post", "garage.post", parameters))
    extract = resolved({"app.py": SERVER, "garage.py": GARAGE, "spec/openapi.yaml": spec})
    assert "POST /cars#query.page" not in keys(extract, Kind.PARAMETER)
    more = GARAGE.replace("cars = {}", "cars = {}\n").replace("return car", "print(rest)\n    return car")
    extract = resolved({"app.py": SERVER, "garage.py": more, "spec/openapi.yaml": spec})
    assert "POST /cars#query.page" in keys(extract, Kind.PARAMETER)


def test_what_an_error_handler_writes_as_json_is_its_answer() -> None:
    parameters = "parameters: [{name: pet_id, in: query, required: true}], "
    spec = contract(operation("/sales", "post", "errors.buy", parameters))
    server = "import errors\n" + SERVER + "\napp.add_error_handler(errors.Sold, errors.sold)\n"
    extract = resolved({"app.py": server, "errors.py": ERRORS, "spec/openapi.yaml": spec})
    content = aspects(extract, Kind.RESPONSE, "POST /sales#409")["content"]
    assert content["application/json"]["properties"]["message"]["type"] == "string"


def test_an_argument_of_which_fields_are_taken_is_a_body_and_a_contract_may_lie_behind_a_folder() -> None:
    server = SERVER.replace('"openapi.yaml"', 'config.basedir + "/openapi.yaml"')
    spec = contract(operation("/people", "post", "people.create", ""))
    people = "def create(person):\n    return {'name': person['name']}, 201\n"
    extract = resolved({"app.py": server, "people.py": people, "spec/openapi.yaml": spec})
    assert keys(extract, Kind.BODY) == ["POST /people#application/json"]
    assert keys(extract, Kind.PARAMETER) == []


def test_a_problem_is_answered_as_the_media_type_of_problems() -> None:
    spec = contract(operation("/people", "get", "people.none", ""))
    people = "from connexion import problem\n\ndef none():\n    return problem(404, 'None', 'Nobody')\n"
    extract = resolved({"app.py": SERVER, "people.py": people, "spec/openapi.yaml": spec})
    content = aspects(extract, Kind.RESPONSE, "GET /people#404")["content"]
    assert content["application/problem+json"]["required"] == ["detail", "status", "title", "type"]


def test_an_api_of_its_own_serves_what_was_read_from_an_open_file_by_a_resolver_that_only_waits() -> None:
    server = (
        "from pathlib import Path\nfrom connexion import FlaskApi, Resolver\nfrom yaml import safe_load\n\n\n"
        "class Lazy(Resolver):\n"
        "    def resolve(self, operation):\n"
        "        return Later(self.resolve_function_from_operation_id, self.resolve_operation_id(operation))\n\n\n"
        "class Renaming(Resolver):\n"
        "    def resolve_operation_id(self, operation):\n        return 'x'\n\n\n"
        "def serve(app):\n"
        "    with Path(__file__).parent.joinpath('spec', 'openapi.yaml').open() as file:\n"
        "        specification = safe_load(file)\n"
        "    api = FlaskApi(specification=specification, resolver=RESOLVER(), base_path='/v1')\n"
        "    app.register_blueprint(api.blueprint)\n"
    )
    people = "def create(person):\n    return {'name': person['name']}, 201\n"
    files = {
        "people.py": people,
        "spec/openapi.yaml": contract(operation("/people", "post", "people.create")),
    }
    lazy = resolved({"app.py": server.replace("RESOLVER", "Lazy"), **files})
    assert keys(lazy, Kind.BODY) == ["POST /v1/people#application/json"]
    renaming = resolved({"app.py": server.replace("RESOLVER", "Renaming"), **files})
    assert keys(renaming, Kind.BODY) == []


STATUSES = """
from flask import Response

def plain(code=200, text=""):
    response = Response()
    response.status_code = code
    response.data = text
    return response

def missing(text):
    return plain(code=404, text=text)

def get(pet_id):
    if not pet_id:
        return missing("none")
    return plain(text="one")
"""


def test_a_response_has_the_status_that_it_is_given_after_it_was_made() -> None:
    found = resolved(
        {
            "spec/openapi.yaml": contract(operation("/pets/{pet_id}", "get", "pets.get")),
            "app.py": SERVER,
            "pets.py": STATUSES,
        }
    )
    own = [f for f in found.facts if f.kind is Kind.RESPONSE and f.aspects["origin"] != "framework"]
    assert sorted(str(f.aspects["status"]) for f in own) == ["200", "404"]
