from ninja import NinjaAPI
from ninja.security import django_auth

from tasks.auth import Bearer

api = NinjaAPI(
    title="Tasks",
    version="1.0",
    auth=[Bearer(), django_auth],
    urls_namespace="tasks",
    servers=[{"url": "https://tasks.example.com", "description": "production"}],
)


class Gone(Exception):
    pass


api.add_router("/projects", "tasks.routers.projects.router")
api.add_router("", "tasks.routers.misc.router", tags=["misc"])


@api.get("/me", response={200: dict, 418: None})
def me(request):
    return {"name": "me"}
