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
FASTAPI: Final = 83
FLASK: Final = 70
CONNEXION: Final = 47
AIOHTTP: Final = 51
LITESTAR: Final = 43
DJANGO: Final = 98
