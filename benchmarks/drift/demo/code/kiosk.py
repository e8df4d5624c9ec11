"""A newsstand: its editions, articles, issues and columnists over HTTP."""

from datetime import date

from fastapi import FastAPI, HTTPException, Path, Query
from pydantic import BaseModel, Field

app = FastAPI(title="Kiosk", version="1.0.0")


class NewEdition(BaseModel):
    title: str = Field(min_length=1, max_length=80)
    region: str = Field(min_length=2, max_length=2)


class Edition(BaseModel):
    id: int
    title: str = Field(min_length=1, max_length=80)
    region: str = Field(min_length=2, max_length=2)


class Article(BaseModel):
    id: int
    headline: str
    rating: int = Field(ge=0, le=10)


class Issue(BaseModel):
    number: int
    day: date
    printed_at: str


class Columnist(BaseModel):
    name: str
    biography: str | None


EDITIONS = {1: Edition(id=1, title="Morning", region="at"), 2: Edition(id=2, title="Evening", region="de")}
ARTICLES = [Article(id=1, headline="Rain", rating=4), Article(id=2, headline="Sun", rating=7)]
ISSUES = [Issue(number=1, day=date(2026, 1, 2), printed_at="shortly before dawn")]
COLUMNISTS = [Columnist(name="Ada", biography=None)]


@app.get("/health")
def health() -> dict[str, str]:
    return {"state": "open"}


@app.get("/editions")
def find_editions(region: str = Query(min_length=2, max_length=2)) -> list[Edition]:
    return [edition for edition in EDITIONS.values() if edition.region == region]


@app.post("/editions")
def add_edition(edition: NewEdition) -> Edition:
    return Edition(id=len(EDITIONS) + 1, title=edition.title, region=edition.region)


@app.get("/editions/{edition_id}")
def show_edition(edition_id: int = Path(ge=1)) -> Edition:
    if edition_id not in EDITIONS:
        raise HTTPException(status_code=404, detail="no such edition")
    return EDITIONS[edition_id]


@app.delete("/editions/{edition_id}", status_code=204)
def withdraw_edition(edition_id: int = Path(ge=1)) -> None:
    EDITIONS.pop(edition_id, None)


@app.get("/articles")
def list_articles(limit: int = Query(10, ge=1, le=50)) -> list[str]:
    return [article.headline for article in ARTICLES[:limit]]


@app.get("/articles/best")
def best_article() -> Article:
    return max(ARTICLES, key=lambda article: article.rating)


@app.get("/issues/latest")
def latest_issue() -> Issue:
    return ISSUES[-1]


@app.post("/issues/{number}/reprint", status_code=202)
def reprint_issue(number: int = Path(ge=1)) -> dict[str, int]:
    return {"number": number}


@app.get("/columnists")
def list_columnists() -> list[Columnist]:
    return COLUMNISTS
