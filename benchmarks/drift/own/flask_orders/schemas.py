from marshmallow import Schema, fields, validate

from flask_orders.domain import OrderState


class LineSchema(Schema):
    sku = fields.Str(required=True, validate=validate.Regexp(r"^[A-Z]{2}\d{4}$"))
    quantity = fields.Int(required=True, validate=validate.Range(min=1, max=99))
    price = fields.Float(required=True, validate=validate.Range(min=0))


class OrderSchema(Schema):
    id = fields.Int(dump_only=True)
    customer = fields.Str(required=True, validate=validate.Length(min=1, max=60))
    lines = fields.List(fields.Nested(LineSchema), required=True)
    state = fields.Enum(OrderState, by_value=True, dump_only=True)
    note = fields.Str(allow_none=True)


order_schema = OrderSchema()
orders_schema = OrderSchema(many=True)
