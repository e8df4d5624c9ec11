"""The versions of the built-in readers, judge and resolvers.

Raise one where it reads anything otherwise: what its former version read is read again then.
"""

from typing import Final

PYTHON: Final = 49
PYTHON_TESTS: Final = 100 * PYTHON + 8
OPENAPI: Final = 28
STORIES: Final = 23
PAGES: Final = 12
GHERKIN: Final = 19
JAVA: Final = 1
CONTRACT_VALIDITY: Final = 4
FASTAPI: Final = 50
FLASK: Final = 35
CONNEXION: Final = 22
AIOHTTP: Final = 24
LITESTAR: Final = 23
DJANGO: Final = 49
