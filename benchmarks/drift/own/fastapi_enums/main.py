import enum
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Any, Literal, Optional, Union

from fastapi import APIRouter, Body, Cookie, FastAPI, Header, Query, status
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAlias, TypeAliasType


class Tags(Enum):
    items = "items"
    users = "users"


class Size(str, Enum):
    SMALL = "s"
    MEDIUM = "m"
    LARGE = "l"

    @property
    def label(self) -> str:
        return self.name.title()


class Priority(IntEnum):
    LOW = 1
    NORMAL = 5
    HIGH = 10


class Mode(StrEnum):
    READ = auto()
    WRITE = auto()
    APPEND = "append_only"


class Mixed(Enum):
    ONE = 1
    TWO = "two"
    YES = True


class Numbered(int, enum.Enum):
    FIRST = 1
    SECOND = 2


class Auto(Enum):
    A = auto()
    B = auto()
    C = auto()


Color = Enum("Color", {"RED": "red", "GREEN": "green"})
Shade = StrEnum("Shade", ["LIGHT", "DARK"])
Kind = StrEnum("Kind", "CAT DOG")

Order = Literal["asc", "desc"]
Level = Literal[1, 2, 3]
SortKey = Union[Literal["name", "price"], Literal["created"]]
OneLiteral = Literal["only"]
Alias = TypeAliasType("Alias", Literal["x", "y"])
Unit: TypeAlias = Literal["kg", "g"]


class Weekday(Enum):
    """Days"""

    def __new__(cls, value, label):
        member = object.__new__(cls)
        member._value_ = value
        member.label = label
        return member

    MON = ("mon", "Monday")
    TUE = ("tue", "Tuesday")


class Special(str, Enum):
    _ignore_ = ["x"]
    PREFIX = "pre"
    FULL = PREFIX + "fix"
    A, B = "aa", "bb"


class Item(BaseModel):
    model_config = ConfigDict(use_enum_values=True)
    name: str
    size: Size = Size.MEDIUM
    priority: Priority = Priority.NORMAL
    mode: Mode = Field(default=Mode.READ, examples=["read"])
    mixed: Mixed | None = None
    numbered: Optional[Numbered] = None
    auto: Auto = Auto.A
    color: Color
    shade: Shade
    kind: Kind
    order: Order = "asc"
    level: Level = 1
    key: SortKey = "name"
    only: OneLiteral = "only"
    alias: Alias = "x"
    sizes: list[Size] = []
    sizes_set: set[Size] = Field(default_factory=set)
    by_size: dict[Size, int] = {}
    by_mode: dict[str, Mode] = {}
    hidden: int | SkipJsonSchema[None] = None
    unit: Unit = "kg"
    weekday: Weekday
    special: Special
    either: Size | Priority
    type: Literal["item"] = "item"
    lit_none: Literal["a", "b", None] = None
    enum_literal: Literal[Size.SMALL, Size.LARGE] = Size.SMALL
    extra_schema: str = Field(json_schema_extra={"enum": ["q", "w"]}, default="q")


app = FastAPI()
router = APIRouter(prefix="/things", tags=[Tags.items])


@app.get("/enum/{size}", tags=[Tags.items])
async def by_size(size: Size, q: Annotated[Priority, Query()] = Priority.LOW):
    if size is Size.SMALL:
        return {"size": size}
    return {"size": size.value}


@app.get("/enum-list")
async def enum_list(
    sizes: Annotated[list[Size], Query()] = [],
    modes: list[Mode] = Query(default=[Mode.READ]),
    order: Literal["asc", "desc"] = "asc",
    level: Annotated[Level, Query(deprecated=True)] = 2,
    maybe: Size | None = None,
    opt: Optional[Priority] = Query(None),
    lit: Annotated[Literal["a", "b"] | None, Query(alias="Lit")] = None,
    key: SortKey = "price",
    alias: Alias = "y",
    x_mode: Annotated[Mode | None, Header()] = None,
    theme: Annotated[Shade, Cookie()] = Shade.DARK,
    hidden: Annotated[str | SkipJsonSchema[None], Query()] = None,
):
    return []


@app.post("/items", response_model=Item, status_code=status.HTTP_201_CREATED, tags=["items", Tags.users])
async def create(item: Item) -> Any:
    return item


@app.put("/items/{level}/{mode}")
async def put(
    level: Level, mode: Mode, item: Annotated[Item, Body(embed=True)], kind: Annotated[Kind, Body()]
) -> list[Item]:
    return [item]


@router.get("/{number}", response_model=dict[str, Size])
def get_number(number: Numbered, day: Weekday = Weekday.MON):
    return {}


@router.get("/", response_model=list[Priority])
def priorities():
    return list(Priority)


@router.get("/one", response_model=Size)
def one_size():
    return Size.SMALL


@router.get("/literal")
def literal() -> Literal["on", "off"]:
    return "on"


app.include_router(router)
