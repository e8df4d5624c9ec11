"""The versions of the built-in readers, judge and resolvers.

Raise one where it reads anything otherwise: what its former version read is read again then.
"""

from typing import Final

PYTHON: Final = 79
PYTHON_TESTS: Final = 100 * PYTHON + 9
OPENAPI: Final = 46
STORIES: Final = 43
PAGES: Final = 29
GHERKIN: Final = 35
JAVA: Final = 1
CONTRACT_VALIDITY: Final = 4
FASTAPI: Final = 82
FLASK: Final = 69
CONNEXION: Final = 46
AIOHTTP: Final = 50
LITESTAR: Final = 42
DJANGO: Final = 97
