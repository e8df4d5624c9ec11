async def bearer_info(token: str, required_scopes=None, request=None):
    if token == "secret":
        return {"sub": "operator", "scope": ["write"]}
    return None


def api_key(key, required_scopes=None):
    return {"sub": key} if key else None
