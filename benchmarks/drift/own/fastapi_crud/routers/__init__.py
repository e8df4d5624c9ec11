from fastapi import APIRouter

from . import posts, users

api = APIRouter()
for module in (users, posts):
    api.include_router(module.router)
