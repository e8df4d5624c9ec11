from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Choice(BaseModel):
    label: str
    votes: int = 0


class NewPoll(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=5, max_length=140)
    choices: list[str] = Field(min_length=2, max_length=8)
    kind: Literal["single", "multiple"] = "single"


class Poll(BaseModel):
    id: int
    question: str
    kind: str
    choices: list[Choice]
    closed: bool = False


class Vote(BaseModel):
    choice: int = Field(ge=0)
    voter: str
