from ninja.security import APIKeyCookie, APIKeyHeader, APIKeyQuery, HttpBasicAuth, HttpBearer


class Bearer(HttpBearer):
    def authenticate(self, request, token):
        if token == "supersecret":
            return token


class HeaderKey(APIKeyHeader):
    param_name = "X-API-Key"

    def authenticate(self, request, key):
        return key if key == "k" else None


class QueryKey(APIKeyQuery):
    param_name = "api_key"

    def authenticate(self, request, key):
        return key


class CookieKey(APIKeyCookie):
    def authenticate(self, request, key):
        return key


class Basic(HttpBasicAuth):
    def authenticate(self, request, username, password):
        return username == password


def by_address(request):
    return request.META["REMOTE_ADDR"] == "127.0.0.1"


header_key = HeaderKey()
