"""Field classes of a project that extend a library's: whether they may work out by code what their values are."""

from __future__ import annotations

import ast

from ingest.web.program.targets import ClassTarget


def works_out(owner: ClassTarget, *words: str) -> bool:
    """Whether the `__init__` of a class may change what its base makes of the call's own arguments.

    It does not where it hands its arguments on and names nothing that is called by one of the words.
    """
    made = next((n for n in owner.node.body if getattr(n, "name", "") == "__init__"), None)
    if not isinstance(made, ast.FunctionDef):
        return "__init__" in owner.body.bindings
    handed = {id(each.value) for n in ast.walk(made) if isinstance(n, ast.Call) for each in n.keywords}
    handed |= {id(n.value) for n in ast.walk(made) if isinstance(n, ast.Starred)}
    rest = {each.arg for each in (made.args.kwarg, made.args.vararg) if each is not None}
    return made.args.kwarg is None or any(
        (isinstance(n, ast.keyword) and n.arg is not None)
        or (isinstance(n, ast.Name) and n.id in rest and id(n) not in handed)
        or (isinstance(n, ast.Attribute) and any(word in n.attr for word in words))
        for n in ast.walk(made)
    )
