SECRET_KEY = "not secret"
DEBUG = True
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "stock"]
ROOT_URLCONF = "urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
