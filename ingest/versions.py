"""The versions of the built-in readers, judge and resolvers.

Raise one where it reads anything otherwise: what its former version read is read again then.
"""

from typing import Final

PYTHON: Final = 71
PYTHON_TESTS: Final = 100 * PYTHON + 9
OPENAPI: Final = 42
STORIES: Final = 40
PAGES: Final = 26
GHERKIN: Final = 32
JAVA: Final = 1
CONTRACT_VALIDITY: Final = 4
FASTAPI: Final = 77
FLASK: Final = 64
CONNEXION: Final = 41
AIOHTTP: Final = 45
LITESTAR: Final = 39
DJANGO: Final = 89
