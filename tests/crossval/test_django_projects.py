"""What is said, and what is not, where a contract meets a project of Django, its REST framework or Ninja."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from crossval.findings import Finding

Check = Callable[[Mapping[str, str]], list[Finding]]

SETTINGS = """
ROOT_URLCONF = "urls"
REST_FRAMEWORK = {"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]}
"""
MANAGE = """
import os
from django.core.management import execute_from_command_line
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_settings")
"""
REST = """
from django.db import models
from django.urls import include, path
from rest_framework import serializers, viewsets
from rest_framework.routers import DefaultRouter

class Book(models.Model):
    title = models.CharField(max_length=10)
    kind = models.CharField(max_length=1, choices=[("a", "A"), ("b", "B")], blank=True)
    pages = models.IntegerField()

class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = "__all__"

class BookViewSet(viewsets.ModelViewSet):
    http_method_names = ["post"]
    serializer_class = BookSerializer
    queryset = Book.objects.all()

router = DefaultRouter()
router.register("books", BookViewSet)
urlpatterns = [path("", include(router.urls)), path("accounts/", include("allauth.urls"))]
"""
CONTRACT = """openapi: 3.0.3
info: {title: books, version: "1"}
security: [{session: []}, {basic: []}]
paths:
  /books/:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}
        "400": {description: refused}
components:
  securitySchemes:
    session: {type: apiKey, in: cookie, name: sessionid}
    basic: {type: http, scheme: basic}
  schemas:
    Kind: {enum: [a, b], type: string}
    Blank: {enum: [""]}
    Book:
      type: object
      properties:
        id: {type: integer, readOnly: true}
        title: {type: string, minLength: 1, maxLength: 10}
        kind: {oneOf: [{$ref: "#/components/schemas/Kind"}, {$ref: "#/components/schemas/Blank"}]}
        pages: {type: integer, minimum: -2147483648, maximum: 2147483647}
      required: [id, title, pages]
"""


def rest(contract: str) -> dict[str, str]:
    return {"openapi.yaml": contract, "urls.py": REST, "site_settings.py": SETTINGS, "manage.py": MANAGE}


def test_what_the_rest_framework_adds_by_itself_is_no_finding(check_project: Check) -> None:
    assert check_project(rest(CONTRACT)) == []


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("maxLength: 10", "maxLength: 11", "bound-mismatch"),
        ("enum: [a, b]", "enum: [a, c]", "enum-mismatch"),
        ("required: [id, title, pages]", "required: [id, title]", "required-mismatch"),
        ("pages: {type: integer", "pages: {type: string", "type-mismatch"),
        ("application/json: {schema", "application/xml: {schema", "media-type-mismatch"),
        ('"201"', '"200"', "success-status-mismatch"),
        ("scheme: basic", "scheme: bearer", "security-mismatch"),
        ("/books/:", "/book/:", "operation-not-implemented"),
    ],
)
def test_drift_from_the_rest_framework_is_found(
    check_project: Check, before: str, after: str, rule: str
) -> None:
    assert rule in {finding.rule for finding in check_project(rest(CONTRACT.replace(before, after, 1)))}


STATS = """
    @action(detail=False, methods=["post"])
    def stats(self, request):
        return Response(StatsSerializer({}).data)
"""
STATS_CONTRACT = """
  /books/stats/:
    post:
      security: [{session: []}, {basic: []}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NAME"}}}}
      responses:
        "200":
          description: told
          content: {application/json: {schema: {$ref: "#/components/schemas/NAME"}}}
"""


@pytest.mark.parametrize(
    ("name", "rules"), [("Book", set()), ("Kind", {"body-not-implemented", "type-mismatch"})]
)
def test_what_exporters_guess_of_an_undeclared_action_is_not_held_against_it(
    check_project: Check, name: str, rules: set[str]
) -> None:
    head = "from rest_framework.decorators import action\nfrom rest_framework.response import Response\n"
    stats = "\nclass StatsSerializer(serializers.Serializer):\n    total = serializers.IntegerField()\n"
    view = REST.replace("\nclass BookViewSet(", f"{stats}\nclass BookViewSet(").replace(
        "    serializer_class = BookSerializer\n", f"    serializer_class = BookSerializer\n{STATS}"
    )
    added = STATS_CONTRACT.replace("NAME", name)
    contract = CONTRACT.replace("components:\n", f"{added}components:\n", 1)
    found = check_project({**rest(contract), "urls.py": head + view})
    assert {each.rule for each in found} == rules


NOTES = """
from rest_framework import generics, serializers
from rest_framework.response import Response
from django.urls import path

class NoteSerializer(serializers.Serializer):
    text = serializers.CharField(max_length=10)

class Notes(generics.GenericAPIView):
    serializer_class = NoteSerializer

    def post(self, request):
        return Response({"seen": bool(request.data.get("text"))})

urlpatterns = [path("notes/", Notes.as_view())]
"""
NOTES_CONTRACT = """openapi: 3.0.3
info: {title: notes, version: "1"}
security: [{session: []}, {basic: []}]
paths:
  /notes/:
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NAME"}}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/NAME"}}}}
components:
  securitySchemes:
    session: {type: apiKey, in: cookie, name: sessionid}
    basic: {type: http, scheme: basic}
  schemas:
    NAME:
      type: object
      properties: {text: {type: string, maxLength: 10}}
      required: [text]
"""


@pytest.mark.parametrize(
    ("before", "after", "name", "aspects"),
    [
        ("", "", "Note", set()),
        ("maxLength: 10", "maxLength: 11", "Note", {"fields.text.maxLength"}),
        ("      required: [text]\n", "", "Note", {"fields.text.required"}),
        ("{text: {", "{more: {type: string}, text: {", "Note", {"fields.more"}),
        ("maxLength: 10", "maxLength: 11", "Remark", set()),
    ],
)
def test_what_exporters_guess_is_held_to_the_serializer_of_its_name(
    check_project: Check, before: str, after: str, name: str, aspects: set[str]
) -> None:
    contract = NOTES_CONTRACT.replace(before, after).replace("NAME", name) if before else NOTES_CONTRACT
    found = check_project({**rest(contract.replace("NAME", name)), "urls.py": NOTES})
    assert {each.aspect for each in found} == aspects


def test_what_code_outside_of_the_project_may_answer_is_not_missed(check_project: Check) -> None:
    text = CONTRACT.replace(
        "components:\n",
        '  /accounts/login/:\n    post: {responses: {"200": {description: in}}}\ncomponents:\n',
        1,
    )
    assert check_project(rest(text)) == []


def test_a_function_view_answers_any_method_and_offers_get(check_project: Check) -> None:
    view = "from django.http import JsonResponse\nfrom django.urls import path\n"
    view += "def ping(request):\n    return JsonResponse({})\nurlpatterns = [path('ping', ping), path('pong', ping)]\n"
    contract = (
        'openapi: 3.0.3\ninfo: {title: p, version: "1"}\npaths:\n  /ping:\n    put: &ok {responses: {"200": '
    )
    contract += "{description: ok}}}\n    get: *ok\n"
    found = check_project({"urls.py": view, "openapi.yaml": contract})
    assert [(each.rule, each.subject) for each in found] == [("operation-undocumented", "GET /pong")]


def test_drift_from_ninja_is_found(check_project: Check) -> None:
    code = """
from django.urls import path
from ninja import NinjaAPI, Schema

class Item(Schema):
    name: str

api = NinjaAPI()

@api.post("/items", response={201: Item})
def add(request, item: Item, dry: bool = False):
    return 201, item

urlpatterns = [path("api/", api.urls)]
"""
    contract = """openapi: 3.1.0
info: {title: items, version: "1"}
paths:
  /api/items:
    post:
      parameters: [{name: dry, in: query, required: false, schema: {type: boolean, default: false}}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}
components:
  schemas:
    Item: {type: object, properties: {name: {type: string}}, required: [name]}
"""
    assert check_project({"urls.py": code, "openapi.yaml": contract}) == []
    drifted = contract.replace("default: false", "default: true").replace(
        "name: {type: string}", "name: {type: integer}"
    )
    found = {finding.rule for finding in check_project({"urls.py": code, "openapi.yaml": drifted})}
    assert found == {"default-mismatch", "type-mismatch"}


def test_what_must_be_a_uuid_is_no_number(check_project: Check) -> None:
    view = "from django.http import JsonResponse\nfrom django.urls import path\n"
    view += (
        "def one(request, key):\n    return JsonResponse({})\nurlpatterns = [path('items/<uuid:key>', one)]\n"
    )
    contract = (
        'openapi: 3.0.3\ninfo: {title: p, version: "1"}\npaths:\n  /items/{key}:\n    get:\n'
        "      parameters: [{name: key, in: path, required: true, schema: {type: KIND}}]\n"
        '      responses: {"200": {description: ok}}\n'
    )
    for kind, rules in (("integer", {"type-mismatch"}), ("string", set())):
        found = check_project({"urls.py": view, "openapi.yaml": contract.replace("KIND", kind)})
        assert {each.rule for each in found} - {"format-mismatch"} == rules
