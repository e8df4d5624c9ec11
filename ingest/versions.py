"""The versions of the built-in readers, judge and resolvers.

Raise one where it reads anything otherwise: what its former version read is read again then.
"""

from typing import Final

PYTHON: Final = 57
PYTHON_TESTS: Final = 100 * PYTHON + 9
OPENAPI: Final = 31
STORIES: Final = 27
PAGES: Final = 17
GHERKIN: Final = 22
JAVA: Final = 1
CONTRACT_VALIDITY: Final = 4
FASTAPI: Final = 66
FLASK: Final = 49
CONNEXION: Final = 33
AIOHTTP: Final = 36
LITESTAR: Final = 32
DJANGO: Final = 63
