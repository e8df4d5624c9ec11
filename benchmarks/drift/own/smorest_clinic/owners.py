"""Those who bring the patients."""

from __future__ import annotations

from flask.views import MethodView
from flask_smorest import Blueprint

from smorest_clinic.schemas import AddressSchema, OwnerSchema

blp = Blueprint("owners", "owners", url_prefix="/owners")
BEARER = [{"bearer": []}]


@blp.route("")
class Owners(MethodView):
    @blp.response(200, OwnerSchema(many=True, only=["id", "name", "mail"]))
    @blp.doc(security=BEARER)
    def get(self):
        return []

    @blp.arguments(OwnerSchema)
    @blp.response(201, OwnerSchema)
    @blp.doc(security=BEARER)
    def post(self, owner):
        return owner


@blp.route("/<uuid:owner_id>/address")
class Address(MethodView):
    @blp.response(200, AddressSchema)
    def get(self, owner_id):
        return {}

    @blp.arguments(AddressSchema)
    @blp.response(200, AddressSchema)
    def put(self, address, owner_id):
        return address
