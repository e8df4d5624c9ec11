from fastapi import APIRouter


class CrudRouter(APIRouter):
    """A router with a default response class and a trailing slash."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
