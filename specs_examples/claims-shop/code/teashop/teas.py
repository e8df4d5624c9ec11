"""The teas on sale."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.security import HTTPBearer
from pydantic import BaseModel

router = APIRouter(prefix="/teas")
staff_only = HTTPBearer()


class Tea(BaseModel):
    id: int
    name: str
    region: str
    weight: int


class NewTea(BaseModel):
    name: str
    region: str
    weight: int = 50


TEAS: dict[int, Tea] = {}


@router.get("")
def list_teas(limit: Annotated[int, Query(ge=1, le=100)] = 25, region: str | None = None) -> list[Tea]:
    """The teas on sale, those of one region only where it is given. AC-1.1, AC-1.2, AC-1.4"""
    return [tea for tea in TEAS.values() if region in (None, tea.region)][:limit]


@router.post("", status_code=201, dependencies=[Depends(staff_only)])
def add_tea(new: NewTea) -> Tea:
    """Put a tea on sale. AC-4.2, AC-1.5"""
    tea = Tea(id=len(TEAS) + 1, name=new.name, region=new.region, weight=new.weight)
    TEAS[tea.id] = tea
    return tea


@router.get("/{tea_id}")
def show_tea(tea_id: int) -> Tea:
    """One tea. AC-1.3"""
    if tea_id not in TEAS:
        raise HTTPException(status_code=404, detail="There is no such tea.")
    return TEAS[tea_id]


@router.delete("/{tea_id}", status_code=204)
def remove_tea(tea_id: int) -> None:
    """Take a tea off sale. AC-4.1"""
    if TEAS.pop(tea_id, None) is None:
        raise HTTPException(status_code=404, detail="There is no such tea.")
