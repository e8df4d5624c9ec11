"""What the clinic sends and takes."""

from __future__ import annotations

import enum

import marshmallow as ma
from marshmallow import fields, validate

NAME = validate.Length(min=1, max=80)


class Species(enum.Enum):
    CAT = "cat"
    DOG = "dog"
    BIRD = "bird"


class Strict(ma.Schema):
    class Meta:
        unknown = ma.RAISE


class AddressSchema(ma.Schema):
    street = fields.Str(required=True, validate=NAME)
    city = fields.Str(required=True)
    postcode = fields.Str(validate=validate.Regexp(r"^[0-9]{5}$"))


class OwnerSchema(Strict):
    id = fields.UUID(dump_only=True)
    name = fields.String(required=True, validate=NAME)
    mail = fields.Email(required=True, data_key="e-mail")
    phone = fields.Str(allow_none=True, load_default=None)
    address = fields.Nested(AddressSchema, required=True)
    password = fields.Str(load_only=True, validate=validate.Length(min=8))
    animals = fields.List(fields.Nested("AnimalSchema", exclude=("owner",)), dump_only=True)


class AnimalSchema(Strict):
    id = fields.Int(dump_only=True)
    name = fields.Str(required=True, validate=NAME)
    species = fields.Enum(Species, by_value=True, required=True)
    born = fields.Date()
    weight = fields.Float(validate=validate.Range(min=0.1, max=500))
    tags = fields.List(fields.Str(), validate=validate.Length(max=5), load_default=list)
    scores = fields.Dict(keys=fields.Str(), values=fields.Integer())
    owner = fields.Nested(OwnerSchema, only=("id", "name"), dump_only=True)
    owner_id = fields.UUID(load_only=True, required=True)


class VisitSchema(ma.Schema):
    class Meta:
        unknown = ma.EXCLUDE

    id = fields.Int(dump_only=True)
    at = fields.DateTime(required=True)
    reason = fields.Str(required=True, validate=[validate.Length(max=200)])
    urgency = fields.Str(load_default="normal", validate=validate.OneOf(["low", "normal", "high"]))
    price = fields.Integer(validate=validate.Range(min=0))
    report = fields.Url()
    follow_up = fields.Nested(lambda: VisitSchema(), many=True, dump_only=True)


class AnimalQuery(ma.Schema):
    species = fields.Str(validate=validate.OneOf([s.value for s in Species]))
    name = fields.Str()
    older_than = fields.Int(validate=validate.Range(min=0, max=100))
    sort = fields.Str(load_default="name", validate=validate.OneOf(("name", "born")))


class VisitQuery(ma.Schema):
    since = fields.Date(required=True)
    until = fields.Date()


class TokenHeader(ma.Schema):
    trace = fields.Str(data_key="X-Trace", required=True)


class PhotoSchema(ma.Schema):
    title = fields.Str(required=True, validate=NAME)
    place = fields.Str()
