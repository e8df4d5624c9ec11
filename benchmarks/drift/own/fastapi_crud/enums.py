from enum import Enum


class StrEnumBase(str, Enum):
    @classmethod
    def values(cls) -> list[str]:
        return [m.value for m in cls]

    def __str__(self) -> str:
        return str(self.value)


class Status(StrEnumBase):
    DRAFT = "draft"
    LIVE = "live"


class Role(StrEnumBase):
    ADMIN = "admin"
    USER = "user"
