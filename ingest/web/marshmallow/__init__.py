"""marshmallow's schemas: classes, fields, validators, and the ways in which they are used."""
