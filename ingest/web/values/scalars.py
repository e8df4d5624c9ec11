"""The types of the standard library and of Pydantic that are one JSON value, with the schema they have.

The schemas are those that Pydantic 2 generates (`TypeAdapter(T).json_schema()`).
"""

from __future__ import annotations

from typing import Final

from graph.schema_algebra import Schema, unknown


def _text(format: str = "", **more: int) -> Schema:
    return {"type": "string", **({"format": format} if format else {}), **more}


_INTEGER: Schema = {"type": "integer"}
_NUMBER: Schema = {"type": "number"}
_DECIMAL = unknown("a Decimal is read from a number or a string, and written as one or the other by version")

_ADDRESSES = (
    *("FileUrl", "FtpUrl", "AnyWebsocketUrl", "RedisDsn", "AmqpDsn", "KafkaDsn", "MySQLDsn", "CockroachDsn"),
    *("ClickHouseDsn", "MariaDBDsn", "SnowflakeDsn"),
)
_CHECKED: Schema = {"type": "string", "x-implied": ["format", "maxLength", "minLength", "pattern"]}
"""A text of which the schema says nothing, although more is demanded of it."""

_EXTRA: dict[str, Schema] = {
    "color.Color": _text("color"),
    "country.CountryAlpha2": {**_CHECKED, "pattern": r"^\w{2}$"},
    "country.CountryAlpha3": {**_CHECKED, "pattern": r"^\w{3}$"},
    "country.CountryNumericCode": {**_CHECKED, "pattern": "^[0-9]{3}$"},
    "country.CountryShortName": _CHECKED,
    "language_code.LanguageAlpha2": {**_CHECKED, "pattern": r"^\w{2}$"},
    "language_code.LanguageName": _CHECKED,
    "mongo_object_id.MongoObjectId": _text(minLength=24, maxLength=24),
    "payment.PaymentCardNumber": _text(minLength=12, maxLength=19),
    "pendulum_dt.Date": _text("date"),
    "pendulum_dt.DateTime": _text("date-time"),
    "pendulum_dt.Duration": _text("duration"),
    "pendulum_dt.Time": _text("time"),
    "phone_numbers.PhoneNumber": _text("phone"),
    "routing_number.ABARoutingNumber": _text(minLength=9, maxLength=9),
    **dict.fromkeys(
        ("cron.CronStr", "domain.DomainStr", "iban.IBAN", "isbn.ISBN", "mac_address.MacAddress"), _CHECKED
    ),
    **dict.fromkeys(("mime_types.MimeType", "s3.S3Path", "semantic_version.SemanticVersion"), _CHECKED),
}
"""The types of pydantic-extra-types, by module and name."""
SCALARS: Final[dict[str, Schema]] = {
    "builtins.int": _INTEGER,
    "builtins.float": _NUMBER,
    "builtins.str": _text(),
    "builtins.bool": {"type": "boolean"},
    "builtins.bytes": _text("binary"),
    "datetime.datetime": _text("date-time"),
    "datetime.date": _text("date"),
    "datetime.time": _text("time"),
    "datetime.timedelta": _text("duration"),
    "decimal.Decimal": _DECIMAL,
    "uuid.UUID": _text("uuid"),
    "pathlib.Path": _text("path"),
    "pathlib.PurePath": _text("path"),
    "re.Pattern": _text("regex"),
    "typing.Text": _text(),
    "typing.AnyStr": _text(),
    "typing.LiteralString": _text(),
    "ipaddress.IPv4Address": _text("ipv4"),
    "ipaddress.IPv6Address": _text("ipv6"),
    "pydantic.EmailStr": _text("email"),
    "pydantic.NameEmail": _text("name-email"),
    "pydantic.AnyUrl": _text("uri", minLength=1),
    "pydantic.AnyHttpUrl": _text("uri", minLength=1),
    "pydantic.HttpUrl": _text("uri", minLength=1, maxLength=2083),
    "pydantic.IPvAnyAddress": _text("ipvanyaddress"),
    "ipaddress.IPv4Network": _text("ipv4network"),
    "ipaddress.IPv6Network": _text("ipv6network"),
    "ipaddress.IPv4Interface": _text("ipv4interface"),
    "ipaddress.IPv6Interface": _text("ipv6interface"),
    "pydantic.IPvAnyNetwork": _text("ipvanynetwork"),
    "pydantic.IPvAnyInterface": _text("ipvanyinterface"),
    **{f"pydantic.{name}": _text("uri", minLength=1) for name in _ADDRESSES},
    **{f"pydantic.{name}": _text("multi-host-uri", minLength=1) for name in ("PostgresDsn", "MongoDsn")},
    "pydantic.WebsocketUrl": _text("uri", minLength=1, maxLength=2083),
    "pydantic.NewPath": _text("path"),
    "pydantic.UUID6": _text("uuid6"),
    "pydantic.UUID7": _text("uuid7"),
    "pydantic.UUID8": _text("uuid8"),
    "pydantic.NatsDsn": _text("multi-host-uri", minLength=1),
    "pydantic.Base64Bytes": _text("base64"),
    "pydantic.Base64Str": _text("base64"),
    "pydantic.Base64UrlBytes": _text("base64url"),
    "pydantic.Base64UrlStr": _text("base64url"),
    "pydantic.PaymentCardNumber": _text(minLength=12, maxLength=19),
    "pydantic.SocketPath": _text("path"),
    "pydantic.StrictBytes": _text("binary"),
    "pydantic.color.Color": _text("color"),
    **{f"pydantic_extra_types.{name}": schema for name, schema in _EXTRA.items()},
    "pydantic.SecretStr": {"type": "string", "format": "password", "writeOnly": True},
    "pydantic.SecretBytes": {"type": "string", "format": "password", "writeOnly": True},
    "pydantic.StrictStr": _text(),
    "pydantic.StrictInt": _INTEGER,
    "pydantic.StrictFloat": _NUMBER,
    "pydantic.StrictBool": {"type": "boolean"},
    "pydantic.FiniteFloat": _NUMBER,
    "pydantic.PositiveInt": {**_INTEGER, "exclusiveMinimum": 0},
    "pydantic.NonNegativeInt": {**_INTEGER, "minimum": 0},
    "pydantic.NegativeInt": {**_INTEGER, "exclusiveMaximum": 0},
    "pydantic.NonPositiveInt": {**_INTEGER, "maximum": 0},
    "pydantic.PositiveFloat": {**_NUMBER, "exclusiveMinimum": 0},
    "pydantic.NonNegativeFloat": {**_NUMBER, "minimum": 0},
    "pydantic.NegativeFloat": {**_NUMBER, "exclusiveMaximum": 0},
    "pydantic.NonPositiveFloat": {**_NUMBER, "maximum": 0},
    "pydantic.PastDate": _text("date"),
    "pydantic.FutureDate": _text("date"),
    "pydantic.PastDatetime": _text("date-time"),
    "pydantic.FutureDatetime": _text("date-time"),
    "pydantic.AwareDatetime": _text("date-time"),
    "pydantic.NaiveDatetime": _text("date-time"),
    "pydantic.UUID1": _text("uuid1"),
    "pydantic.UUID3": _text("uuid3"),
    "pydantic.UUID4": _text("uuid4"),
    "pydantic.UUID5": _text("uuid5"),
    "pydantic.FilePath": _text("file-path"),
    "pydantic.DirectoryPath": _text("directory-path"),
    "fastapi.UploadFile": _text("binary"),
    "starlette.UploadFile": _text("binary"),
    "flask_openapi3.FileStorage": _text("binary"),
}

CONSTRAINED: Final[dict[str, tuple[str, Schema]]] = {
    "conint": ("scalar", _INTEGER),
    "confloat": ("scalar", _NUMBER),
    "constr": ("scalar", _text()),
    "conbytes": ("scalar", _text("binary")),
    "condecimal": ("scalar", _DECIMAL),
    "condate": ("scalar", _text("date")),
    "conlist": ("array", {}),
    "conset": ("set", {}),
    "confrozenset": ("set", {}),
}

ARRAYS: Final = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "deque", "Deque", "Iterator"}
)
SETS: Final = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet"})
MAPPINGS: Final = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict", "Counter"}
)
