from blog.api.main import build

api = build()
