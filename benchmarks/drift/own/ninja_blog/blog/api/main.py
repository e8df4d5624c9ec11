from ninja import NinjaAPI, Swagger
from ninja.security import SessionAuth, django_auth_superuser

from . import comments, posts
from .accounts import router as accounts


def build() -> NinjaAPI:
    made = NinjaAPI(title="Blog", docs=Swagger(), urls_namespace="blog")
    for prefix, module in (("posts", posts), ("comments", comments)):
        made.add_router(f"/{prefix}/", module.router)
    made.add_router("accounts", accounts, auth=SessionAuth())

    @made.get("/health", response={200: str, 503: str}, tags=["ops"])
    def health(request):
        return "ok"

    @made.get("/admin", auth=django_auth_superuser, response=dict[str, int])
    def admin(request):
        return {"posts": 1}

    return made
