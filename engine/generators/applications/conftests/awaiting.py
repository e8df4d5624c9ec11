"""What a client is made of whose application lives on the loop of a fixture."""


class Awaited:
    """Sends requests by an asynchronous client, and waits for each answer on the loop that its fixture runs on.

    `raised` is what the application raised over the last one.
    """

    def __init__(self, inner, loop):
        self._inner = inner
        self._loop = loop
        self.raised = None

    def request(self, method, url, **given):
        """The answer to one request."""
        return self._loop.run_until_complete(self._inner.request(method, url, **given))

    def __getattr__(self, name):
        return lambda url, **given: self.request(name.upper(), url, **given)
