"""The stems of verbs, by which an act and the state that it brings about are known as one: `close` and `closed`."""

from __future__ import annotations

_IRREGULAR = {
    "paid": "pay", "sent": "send", "made": "make", "sold": "sell", "bought": "buy", "gave": "give", "given": "give",
    "took": "take", "taken": "take", "lent": "lend", "wrote": "write", "written": "write", "left": "leave",
    "won": "win", "spent": "spend", "withdrew": "withdraw", "withdrawn": "withdraw", "began": "begin", "held": "hold",
    "chose": "choose", "chosen": "choose", "drew": "draw", "drawn": "draw", "kept": "keep", "lost": "lose",
    "frozen": "freeze", "broken": "break", "broke": "break", "stolen": "steal", "sought": "seek", "rode": "ride",
}  # fmt: skip
_ADJECTIVES = {"activate": "active", "deactivate": "inactive", "complete": "complete", "open": "open"}
"""What acts bring about that is called otherwise than the act."""
_UNDONE = {
    "resume": ("paused", "suspended", "stopped"), "restore": ("archived", "deleted", "removed", "hidden"),
    "reopen": ("closed",), "enable": ("disabled",), "disable": ("enabled", "active"), "release": ("held", "reserved"),
    "reinstate": ("suspended", "banned"), "show": ("hidden",), "thaw": ("frozen",), "continue": ("paused",),
    "withdraw": ("published",), "revoke": ("valid", "active"), "deactivate": ("active", "activated"),
    "suspend": ("active",), "close": ("open",), "start": ("stopped", "paused"),
}  # fmt: skip
"""How flags are called that stand no more after an act."""


def stem(word: str) -> str:
    """The stem of a verb: `paid` and `pays` are `pay`, `cancelled` is `cancel`."""
    word = _IRREGULAR.get(word, word)
    if word.endswith(("ied", "ies")) and len(word) > 5:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            cut = word.removesuffix(ending)
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] else cut
    return word


def brings_about(verb: str, state: str) -> bool:
    """Whether a verb says that something comes to stand so: `close` brings about `closed`, `reopen` `open`."""
    verb, state = verb.lower(), state.lower()
    if state.startswith("not_"):
        return _undoes(verb, state.removeprefix("not_"))
    again = verb.removeprefix("re").lstrip("-_") if verb.startswith("re") else verb
    if _ADJECTIVES.get(verb) == state or (again != verb and again == state):
        return True
    is_participle = state in _IRREGULAR or state.endswith(("ed", "en"))
    return is_participle and stem(state) in (stem(verb), stem(again))


def _undoes(verb: str, state: str) -> bool:
    """Whether a verb says that something stands so no more: `unarchive`, `resume` of what is paused."""
    if state in _UNDONE.get(verb, ()):
        return True
    return any(
        verb.startswith(each) and brings_about(verb.removeprefix(each), state) for each in ("un", "de", "dis")
    )
