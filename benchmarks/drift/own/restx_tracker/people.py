"""Those who report and vote."""

from __future__ import annotations

from flask_restx import Namespace, Resource, fields

from restx_tracker.models import person

api = Namespace("people", path="/people")
vote = api.model("Vote", {"weight": fields.Integer(required=True, min=1, max=5)})


@api.route("")
class People(Resource):
    @api.doc("list_people", params={"q": "A part of the name", "page": {"type": "integer", "default": 1}})
    @api.marshal_list_with(person)
    def get(self):
        return []

    @api.expect([person])
    @api.doc(id="add_people")
    @api.response(201, "Added", [person])
    def post(self):
        return [], 201


@api.route("/<string:name>/votes/<int:number>", doc={"responses": {404: "Nobody of that name"}})
class Votes(Resource):
    @api.doc("vote")
    @api.expect(vote)
    @api.response(204, "Counted")
    def post(self, name, number):
        if not name:
            api.abort(404)
        return None, 204
