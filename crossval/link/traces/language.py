"""Which language a project's requirements are written in, as far as stemming needs to know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_FREQUENT = {
    "english": "the of and to a in is that for be with are this by on an or as shall must when which",
    "italian": "il la di che e un una per del della non con sono lo le gli nel alla si da dei viene",
    "german": "der die das und ist ein eine nicht mit den von zu dem wird auf für im werden soll muss",
    "french": "le la les de des et un une est pas que pour dans du sur par avec qui au doit être",
    "spanish": "el la los las de y un una es no que para en por con se del al debe cuando",
    "portuguese": "o a os as de e um uma é não que para em por com do da se ao deve quando",
    "dutch": "de het een en van is niet met voor op dat te in zijn wordt moet aan door als bij",
}
"""The most frequent words of each language; the names are those of the Snowball algorithms."""

_WORD = re.compile(r"[^\W\d_]+")


def language_of(texts: Iterable[str]) -> str:
    """The Snowball algorithm that fits these texts: English unless another language's words are clearly more."""
    counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    scores = {
        language: sum(counts[word] for word in set(words.split())) for language, words in _FREQUENT.items()
    }
    best = max(scores, key=lambda language: (scores[language], language == "english"))
    return best if scores[best] > 1.5 * scores["english"] else "english"
