"""The versions of the built-in readers, judge and resolvers.

Raise one where it reads anything otherwise: what its former version read is read again then.
"""

from typing import Final

PYTHON: Final = 54
PYTHON_TESTS: Final = 100 * PYTHON + 9
OPENAPI: Final = 32
STORIES: Final = 27
PAGES: Final = 15
GHERKIN: Final = 23
JAVA: Final = 1
CONTRACT_VALIDITY: Final = 4
FASTAPI: Final = 60
FLASK: Final = 45
CONNEXION: Final = 29
AIOHTTP: Final = 32
LITESTAR: Final = 28
DJANGO: Final = 58
