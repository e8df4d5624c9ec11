"""Whom a page speaks to: what is said to a model, to contributors or to those who fill in a form is no spec.

Prompts, skills and rules for agents ask for stories, show how one looks and bind whoever works by them; the system
that is built is not spoken of. They are known by where they lie, by what stands before their text, and by how they
begin.
"""

from __future__ import annotations

import re

# `CLAUDE.md`, `review.prompt.md`, `system_prompt.md`: names that tools and people give such pages.
_FILE = re.compile(
    r"(?:claude|agents?|gemini|qwen|codex|skill|contributing|copilot[_-]instructions|(?:.*[._-])?(?:prompts?|chatmode)"
    r"|.*\.(?:agent|instructions))\.(?:md|markdown)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"(?:^|/)(?:prompts?|skills|sub-?agents|chat-?modes|slash-commands|templates?)/", re.IGNORECASE
)
_OF_WORKERS = re.compile(
    r"(?:^|/)(?:agents?|commands?|personas?|roles|rules|workflows|tasks|modes)/", re.IGNORECASE
)
# Below these a folder is called as a part of the system is.
_OF_SPECS = re.compile(
    r"(?:^|/)(?:specs?|specifications?|requirements?|stories|user-?stories|features?|capabilities|prds?)/",
    re.IGNORECASE,
)
_FRONT = re.compile(r"---[ \t]*(?:\r\n|\r|\n)(?P<front>.*?)(?:\r\n|\r|\n)---[ \t]*(?=[\r\n]|\Z)", re.DOTALL)
_KEY = re.compile(r"(?:^|\r)(?P<key>[A-Za-z][\w-]*)[ \t]*:", re.MULTILINE)
_OF_AGENTS = re.compile(
    r"(?:allowed-tools|disallowed-tools|tools|argument-hint|disable-model-invocation|user-invocable|applyto"
    r"|globs|alwaysapply|subagent|subtask|temperature|permissionmode)"
)
_OF_STORIES = re.compile(
    r"(?:id|story|as_a|as_an|role|want|priority"
    r"|status|epic|acceptance_criteria|criteria)"
)
_BEGINNING = 700
_WORKER = (
    r"(?:assistant|agent|expert|engineer|developer|architect|manager|analyst|reviewer|writer|specialist|tester|model|AI|LLM"
    r"|planner|designer|owner|lead|consultant|researcher|strategist|orchestrator|coordinator|coach|facilitator|Claude|GPT)"
)
_TOLD_WHO = re.compile(
    rf"(?:^|[\r\n>*_ ])(?:You are|You're|Act as|You will act as|Assume the role of)\b[^\r\n.]{{0,90}}\b{_WORKER}s?\b"
)
# Places that are filled in, and the markup of prompts.
_FILLED_IN = re.compile(
    r"\$ARGUMENTS\b|(?:^|[\r\n])(?:#{1,6}[ \t][^\r\n]*\{\{[^{}\r\n]+\}\}"
    r"|<(?:role|instructions?|task|persona|output[_-]format|rules)>[ \t]*[\r\n])"
)
_FENCE = re.compile(r"(?:^|[\r\n])[ \t]{0,3}(?:```|~~~)")


def speaks_to_workers(path: str, text: str) -> bool:
    """Whether a page is a prompt, instructions for those who work on the project, or a form that they fill in."""
    folder, _, name = path.rpartition("/")
    folder += "/"
    if _FILE.fullmatch(name) or _has_places(text):
        return True
    if (place := _FOLDER.search(folder)) and not _OF_SPECS.search(folder, 0, place.start() + 1):
        return True
    front = _FRONT.match(text)
    keys = {match["key"].lower() for match in _KEY.finditer(front["front"])} if front else set[str]()
    if not any(map(_OF_STORIES.fullmatch, keys)) and (
        {"name", "description"} <= keys or any(map(_OF_AGENTS.fullmatch, keys))
    ):
        return True
    if "description" in keys and _OF_WORKERS.search(folder) and not _OF_SPECS.search(folder):
        return True
    start = front.end() if front else 0
    return _TOLD_WHO.search(text, start, start + _BEGINNING) is not None


def _has_places(text: str) -> bool:
    """Whether a page has places to be filled in or the markup of a prompt, and does not only show them."""
    return any(
        sum(1 for _ in _FENCE.finditer(text, 0, match.start())) % 2 == 0
        for match in _FILLED_IN.finditer(text)
    )
