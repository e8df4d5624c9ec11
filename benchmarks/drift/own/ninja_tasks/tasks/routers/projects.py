from typing import List
from uuid import UUID

from django.http import HttpRequest
from ninja import Body, Query, Router
from ninja.pagination import LimitOffsetPagination, PageNumberPagination, paginate

from tasks import schemas
from tasks.auth import Basic, CookieKey, QueryKey
from tasks.filters import TaskFilter, Window
from tasks.models import Project, Task

router = Router(tags=["projects"])
inner = Router(auth=[QueryKey(), CookieKey()])


@router.get("/", response=List[schemas.ProjectOut])
@paginate
def projects(request: HttpRequest):
    return Project.objects.all()


@router.get("/rows", response=List[schemas.ProjectRow], auth=None)
@paginate(PageNumberPagination, page_size=50)
def rows(request, search: str | None = None):
    return Project.objects.all()


@router.get("/{project_id}", response={200: schemas.ProjectOut, 404: schemas.Message}, url_name="project")
def project(request, project_id: UUID):
    try:
        return Project.objects.get(id=project_id)
    except Project.DoesNotExist:
        return 404, {"detail": "no such project"}


@inner.get("/tasks", response=List[schemas.TaskRow])
@paginate(LimitOffsetPagination)
def tasks(request, project_id: UUID, filters: TaskFilter = Query(...)):
    return filters.filter(Task.objects.filter(project=project_id))


@inner.get("/window", response=list[schemas.TaskOut], auth=Basic())
def window(request, project_id: UUID, window: Query[Window], skip: int = 0):
    return []


@inner.post("/tasks", response={201: schemas.Wrapped[schemas.TaskOut]})
def add(request, project_id: UUID, task: schemas.TaskIn, notify: bool = Body(False)):
    return 201, {"data": {}}


@inner.post("/pets", response=schemas.Pet)
def pets(request, project_id: UUID, pet: schemas.Pet):
    return pet


router.add_router("/{uuid:project_id}", inner, tags=["tasks"])
