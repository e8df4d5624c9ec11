"""Which examples show what others left behind, or where they stand, so that a test of its own gives something else."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Sequence

from crossval.compare.annotations import parse_expression
from engine.generators.functions.constructors import constructor, may_be_shared
from engine.generators.functions.example_names import bound, called_names, loaded
from engine.generators.functions.facts import NoTestError, Surface
from engine.generators.functions.needed_steps import Step
from engine.generators.functions.shown_calls import bound_arguments
from graph.facts import Fact, Kind
from graph.literals import literal_value
from planner.functions.drawn_values import words_of

# Modules of which Python 3 has none of the same name.
_OLD = re.compile(
    r"\s*(?:from|import) (StringIO|cStringIO|urllib2|urlparse|ConfigParser|Queue|cPickle|HTMLParser|httplib)\b"
)
# What is said first of something that draws what it gives.
_CHANCE = re.compile(r"\brandom(?:ly|i[sz]ed?s?)?\b|\bshuffle[sd]?\b", re.IGNORECASE)
# How the file is called of which an object is made, what the name of one looks like, and what only has such a name.
_FILES = frozenset({"filename", "filepath", "file", "fname"})
_A_FILE = re.compile(r"[\w./-]+\.[A-Za-z]\w{0,4}")
_NAMING = frozenset({"file", "filename", "path", "name", "extension", "suffix", "mime"})
_SHUFFLING = frozenset({"shuffle", "shuffled", "randomize", "randomise"})
_SEEDED = re.compile(r"seed|random_state|\brng\b", re.IGNORECASE)


def refuse_home(steps: Sequence[Step], step: Step) -> None:
    """Raise NoTestError for an expected text that says in which module or function what the example makes lies."""
    nodes = [node for each in (*steps, step) for node in ast.walk(each.tree)]
    defined = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    own = [(r"(?<!\.)\.|<function |<class '", node.name) for node in nodes if isinstance(node, defined)]
    own += [("<function ", "<lambda>") for node in nodes if isinstance(node, ast.Lambda)]
    for before, name in own:
        if re.search(rf"(?:{before}){re.escape(name)}(?!\w)", step.expected):
            raise NoTestError(f"in which module `{name}` of the example lies")


def refuse_shared(steps: Sequence[Step], surface: Surface) -> None:
    """Raise NoTestError for a line that tells an object to do something of which there may be one for all tests."""
    shared = set()
    for each in steps:
        match each.tree.body:
            case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=made)))]:
                known = surface.class_named(made)
                if known is not None and may_be_shared(known, surface):
                    shared.add(name)
            case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))] if name in shared:
                raise NoTestError(f"an example that leaves nothing behind: there may be one `{name}` for all")


def refuse_lying(steps: Sequence[Step], surface: Surface) -> None:
    """Raise NoTestError for an object of the project that is told the name of a file, as its constructor calls it: only
    the writer of the example has that file, whatever its form is."""
    for call in (node for each in steps for node in ast.walk(each.tree) if isinstance(node, ast.Call)):
        made = surface.class_named(ast.unparse(call.func).rpartition(".")[2])
        for name, value in _given(call, made, surface).items() if made is not None else ():
            told = str(literal_value(value))
            if set(words_of(name)) & _FILES and _A_FILE.fullmatch(told):
                raise NoTestError(f"an example without `{told}`, which only its writer has")


def _given(call: ast.Call, made: Fact, surface: Surface) -> dict[str, str]:
    """What a call gives to the constructor of a class by the names of its parameters; nothing of a class that is named
    for names of files, or whose constructor nobody states."""
    if set(words_of(made.name)) & _NAMING:
        return {}
    try:
        return bound_arguments(call, constructor(made, surface)[0]) or {}
    except NoTestError:
        return {}


def refuse_left(before: Sequence[Step], steps: Sequence[Step], fact: Fact) -> None:
    """Raise NoTestError for an example of a class that has nothing of it, below one that makes an object: it is there
    to show what making one leaves behind.
    """
    is_made = fact.kind is Kind.CLASS and any(fact.name in loaded(each.tree) for each in before)
    if is_made and not any(fact.name in loaded(each.tree) for each in steps):
        raise NoTestError(
            f"an example that leaves nothing behind: what a new {fact.name} changes is not said"
        )


def refuse_drawn(steps: Sequence[Step], step: Step, fact: Fact, surface: Surface) -> None:
    """Raise NoTestError for what a docstring of something random shows: it came up once, unless a seed stands there or
    only its length or kind is looked at."""
    if any(_SEEDED.search(each.source) for each in (*steps, step)):
        return
    shuffling = next((each for each in called_names(step.tree) if set(words_of(each)) & _SHUFFLING), "")
    if shuffling and not set(called_names(step.tree)) & {"len", "sorted", "set", "Counter"}:
        raise NoTestError(f"values that stay the same: {shuffling} draws their order by chance")
    if fact.kind is Kind.PAGE:
        return
    holder = surface.holder(fact)
    told = [one for each in (fact, holder) if each is not None for one in surface.same(each)]
    docs = [each.aspects.get("doc") for each in told]
    words = [str(doc.get("summary", "")) for doc in docs if isinstance(doc, dict)]
    match step.tree.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="len" | "isinstance" | "type" | "all" | "any"))):
            return
        case ast.Expr(value=ast.Call()) if any(_CHANCE.search(each) for each in words):
            raise NoTestError(f"values that stay the same: {fact.name} draws them by chance")


def refuse_old(fact: Fact) -> None:
    """Raise NoTestError for a docstring or page that imports what only Python 2 has: its texts were bytes."""
    doc = fact.aspects.get("doc")
    for source, *_ in doc.get("examples", ()) if isinstance(doc, dict) else ():
        if found := _OLD.match(str(source)):
            raise NoTestError(f"an example of today's Python: another one imports {found[1]}")


def refuse_moved(fact: Fact) -> None:
    """Raise NoTestError for a docstring that asks the same twice, of nothing that it made, and shows other answers: its
    lines change something for all that comes after them."""
    doc = fact.aspects.get("doc")
    rows = doc.get("examples", ()) if isinstance(doc, dict) and fact.kind is not Kind.PAGE else ()
    answers: dict[str, str] = {}
    made: set[str] = set()
    for source, expected, *_ in rows:
        tree = parse_expression(str(source))
        if tree is None:
            with contextlib.suppress(SyntaxError, ValueError):
                made |= bound(ast.parse(str(source)))
            continue
        told = (str(source), str(expected))
        is_asked = isinstance(tree, ast.Call) and bool(expected) and not loaded(tree) & made
        if is_asked and answers.setdefault(*told) != told[1]:
            raise NoTestError(f"an example that leaves nothing behind: `{told[0][:60]}` gives two answers")
