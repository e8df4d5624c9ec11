from __future__ import annotations

import dataclasses
from collections import deque
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Dict,
    FrozenSet,
    Generic,
    List,
    Literal,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
)
from uuid import UUID, uuid4

from fastapi import Body, FastAPI
from typing_extensions import NotRequired, TypedDict
from pydantic import (
    AnyUrl,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    EmailStr,
    Field,
    HttpUrl,
    IPvAnyAddress,
    Json,
    PlainSerializer,
    RootModel,
    SecretStr,
    StrictInt,
    StringConstraints,
    WithJsonSchema,
    computed_field,
    conint,
    conlist,
    constr,
    field_serializer,
    field_validator,
    AliasChoices,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class Base(BaseModel):
    model_config = ConfigDict(from_attributes=True, str_strip_whitespace=True)
    id: UUID = Field(default_factory=uuid4)
    created_at: datetime = Field(default_factory=lambda: datetime.now(timezone.utc))


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    first_name: str
    last_name: str | None = None
    home_address_line: Optional[str] = Field(default=None, max_length=80)
    fixed_name: int = Field(alias="FIXED")


class Image(BaseModel):
    url: HttpUrl
    name: str = Field(min_length=1, max_length=40)


class Address(Base):
    street: constr(min_length=3, max_length=99)
    zip_code: str = Field(pattern=r"^\d{5}$")
    number: conint(gt=0, lt=10000)
    lines: conlist(str, min_length=1, max_length=3) = ["a"]
    ratio: Annotated[float, Field(ge=0, le=1)] = 0.5
    images: list[Image] | None = None


class Person(Base):
    email: EmailStr
    website: AnyUrl | None = None
    password: SecretStr
    age: int | None = Field(default=None, ge=0, le=150)
    balance: Decimal = Field(default=Decimal("0"), max_digits=10, decimal_places=2)
    delay: timedelta | None = None
    birthday: date
    wakes: time = time(7)
    seen: AwareDatetime | None = None
    ip: IPvAnyAddress | None = None
    raw: bytes = b""
    address: Address
    addresses: dict[str, Address] = {}
    friends: list[Person] = []
    pair: tuple[int, str] = (1, "a")
    many: tuple[int, ...] = ()
    unique: set[str] = set()
    frozen: FrozenSet[int] = frozenset()
    queue: deque[int] = deque()
    sequence: Sequence[str] = []
    weights: dict[int, float] = {}
    anything: Any = None
    obj: object = None
    js: Json[list[int]] | None = None
    strict: StrictInt = 1
    nested: dict[str, list[dict[str, int | None]]] = {}
    untyped_list: list = []
    untyped_dict: dict = {}
    secret_number: int = Field(5, exclude=True)
    nick: str = Field(validation_alias=AliasChoices("nick", "nickname"), default="n")
    alias_out: str = Field(serialization_alias="aliasOut", default="n")
    old: str | None = Field(None, deprecated=True)

    @computed_field
    @property
    def display(self) -> str:
        return self.email

    @computed_field(return_type=int)
    def score(self):
        return 1

    @field_validator("email")
    @classmethod
    def check_email(cls, value: str) -> str:
        return value

    @field_serializer("delay")
    def write_delay(self, value: timedelta | None) -> float | None:
        return None

    @field_serializer("birthday", when_used="json")
    def write_birthday(self, value: date) -> str:
        return value.isoformat()


class Cat(BaseModel):
    pet_type: Literal["cat"]
    meows: int


class Dog(BaseModel):
    pet_type: Literal["dog", "wolf"] = "dog"
    barks: float = 1.0


Pet = Annotated[Union[Cat, Dog], Field(discriminator="pet_type")]


class Owner(BaseModel):
    pet: Pet
    pets: list[Pet] = []
    other: Cat | Dog | None = None
    mixed: int | str | float = 0
    maybe_list: list[int] | int | None = None


class Page(BaseModel, Generic[T]):
    items: list[T]
    total: int = Field(ge=0)
    page: int | None = Field(None, ge=1)
    next: Optional[str] = None


class Envelope(BaseModel, Generic[T]):
    data: T | None = None
    error: str | None = None


class PersonPage(Page[Person]):
    extra: str


class Names(RootModel[list[str]]):
    pass


class Lookup(RootModel):
    root: dict[str, Address]


class Tree(BaseModel):
    value: int
    children: list[Tree] = []
    parent: Optional["Tree"] = None


class Point(NamedTuple):
    x: int
    y: float = 0.0


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Partial(TypedDict, total=False):
    title: str
    year: int


@dataclasses.dataclass
class Author:
    name: str
    items: list[int] = dataclasses.field(default_factory=list)
    motto: str | None = None
    born: date | None = None


@pydantic_dataclass
class Publisher:
    name: str
    city: Annotated[str, Field(max_length=12)] = "x"
    authors: list[Author] = dataclasses.field(default_factory=list)


class Forbidding(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"a": 1}]})
    a: int
    b: Annotated[str, BeforeValidator(str), Field(max_length=7)] = "b"
    c: Annotated[list[Annotated[str, StringConstraints(min_length=1)]], Field(max_length=5)] = []
    d: Annotated[int, Field(gt=1)] | None = None


class Allowing(BaseModel, extra="allow"):
    a: int


class Wide(BaseModel):
    a: Annotated[datetime, PlainSerializer(lambda v: v.isoformat(), return_type=str)]
    b: Annotated[str, WithJsonSchema({"type": "string", "format": "color"})]
    c: int = 1


app = FastAPI()


@app.post("/people", response_model=Person, status_code=201)
async def create(person: Person):
    return person


@app.get("/people")
async def people() -> Page[Person]: ...


@app.get("/people2", response_model=PersonPage)
async def people2(): ...


@app.get("/envelopes")
async def envelope() -> Envelope[list[Address]]: ...


@app.post("/owners")
async def owner(owner: Owner) -> Owner:
    return owner


@app.post("/pets")
async def pet(pet: Pet) -> Pet: ...


@app.post("/union")
async def union(pet: Cat | Dog) -> Union[Cat, Dog]: ...


@app.post("/names")
async def names(names: Names) -> Names: ...


@app.post("/lookup")
async def lookup(lookup: Lookup) -> Lookup: ...


@app.post("/tree")
async def tree(tree: Tree) -> Tree: ...


@app.get("/points")
async def points() -> list[Point]: ...


@app.post("/movies")
async def movies(movie: Movie, partial: Partial) -> Movie: ...


@app.post("/authors")
async def authors(author: Author) -> Publisher: ...


@app.post("/camel", response_model_by_alias=False)
async def camel(camel: Camel) -> Camel: ...


@app.post("/camel2")
async def camel2(camel: Camel) -> Camel: ...


@app.post("/forbid")
async def forbid(body: Forbidding) -> Allowing: ...


@app.post("/wide")
async def wide(body: Wide) -> Wide: ...


@app.post("/several/{ident}")
async def several(
    ident: int,
    image: Image,
    cat: Cat | None = None,
    importance: Annotated[int, Body(gt=0)] = 1,
    q: str | None = None,
) -> dict[str, float]: ...


@app.post("/lists")
async def lists(images: list[Image]) -> set[str]: ...


@app.post("/weights")
async def weights(weights: dict[int, float]) -> Dict[int, List[Image]]: ...


@app.post("/optional")
async def optional(image: Image | None = None) -> Image | None: ...


@app.put("/embed")
async def embed(image: Annotated[Image, Body(embed=True)]) -> int: ...


@app.put("/scalar")
async def scalar(value: Annotated[str, Body(min_length=3)]) -> str: ...


@app.put("/times")
async def times(
    start: Annotated[datetime, Body()],
    after: Annotated[timedelta, Body()],
    at: Annotated[time | None, Body()] = None,
) -> list[datetime]: ...
