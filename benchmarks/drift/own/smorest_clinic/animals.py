"""The clinic's patients."""

from __future__ import annotations

from flask.views import MethodView
from flask_smorest import Blueprint, abort

from smorest_clinic.schemas import (
    AnimalQuery,
    AnimalSchema,
    PhotoSchema,
    TokenHeader,
    VisitQuery,
    VisitSchema,
)

blp = Blueprint("animals", __name__, url_prefix="/animals", description="The patients")
ANIMALS: dict[int, dict] = {}


def find(animal_id):
    if animal_id not in ANIMALS:
        abort(404, message="there is no such animal")
    return ANIMALS[animal_id]


@blp.route("/")
class Animals(MethodView):
    @blp.arguments(AnimalQuery, location="query")
    @blp.response(200, AnimalSchema(many=True))
    def get(self, query):
        """All patients."""
        return list(ANIMALS.values())

    @blp.arguments(AnimalSchema)
    @blp.response(201, AnimalSchema)
    @blp.alt_response(409, description="the name is taken")
    def post(self, animal):
        """Take a patient in."""
        if animal["name"] in ANIMALS:
            abort(409)
        return animal


@blp.route("/<int:animal_id>")
class Animal(MethodView):
    @blp.response(200, AnimalSchema)
    @blp.alt_response(404, description="no such animal")
    def get(self, animal_id):
        return find(animal_id)

    @blp.arguments(AnimalSchema(partial=True, exclude=("owner_id",)))
    @blp.response(200, AnimalSchema)
    @blp.alt_response(404, description="no such animal")
    def patch(self, animal, animal_id):
        found = find(animal_id)
        found.update(animal)
        return found

    @blp.response(204)
    @blp.alt_response(404, description="no such animal")
    @blp.doc(deprecated=True)
    def delete(self, animal_id):
        find(animal_id)
        del ANIMALS[animal_id]


@blp.route("/<int:animal_id>/visits", methods=["GET"])
@blp.arguments(VisitQuery, location="query")
@blp.arguments(TokenHeader, location="headers")
@blp.response(200, VisitSchema(many=True))
@blp.paginate(max_page_size=50)
def visits(query, headers, animal_id, pagination_parameters):
    pagination_parameters.item_count = 0
    return []


@blp.route("/<int:animal_id>/visits", methods=["POST"])
@blp.arguments(VisitSchema)
@blp.response(201, VisitSchema)
@blp.doc(operationId="addVisit")
def add_visit(visit, animal_id):
    return visit


@blp.route("/<int:animal_id>/photo", methods=["PUT"])
@blp.arguments(PhotoSchema, location="form")
@blp.response(204)
def photo(data, animal_id):
    return None
