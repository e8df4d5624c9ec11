"""Step definitions of behave, pytest-bdd and radish, and which steps of scenarios they take."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from crossval.link.stories.step_types import StepTypes, hole
from graph.facts import Fact, Kind, Tag
from graph.source import FactSource

_DECORATOR = re.compile(r"^(?:\w+\.)?(?:given|when|then|step|Given|When|Then|Step)\(")
_FRAMEWORKS = ("behave", "pytest_bdd", "radish", "aloe")
_PLACEHOLDER = re.compile(r"<([^<>]+)>")
_HOLE = re.compile(r"(?<!\{)\{(?!\{)[^{}]*\}")
HOLE = "{}"
"""What readers write for the computed part of a step that code runs."""
_COMMENT = re.compile(r"\s+#.*")
_ARGUMENT = "\N{OBJECT REPLACEMENT CHARACTER}"
_REGULAR = ("re", "RegularExpression", "compile")
_MOST_ROWS = 20
_SET_MATCHER = frozenset({"use_step_matcher", "use_default_step_matcher", "step_matcher"})
_SPECIAL = re.compile(r"\\[dwsDWSb]|\(\?|\[[^\]]*\]|[.)][*+?]")


class Definition(NamedTuple):
    """One step definition: its function, its pattern as written, and what texts may match; None if not readable."""

    fact: Fact
    text: str
    patterns: tuple[re.Pattern[str], ...] | None


class Taken(NamedTuple):
    """A step of a scenario, and the definitions that take it."""

    fact: Fact
    step: str
    by: tuple[Definition, ...]


def scenarios(source: FactSource) -> list[Fact]:
    """The scenarios of feature files."""
    told = source.facts(tag=Tag.SPEC, kinds={Kind.CRITERION})
    return [fact for fact in told if fact.source.path.endswith(".feature")]


class Elsewhere(NamedTuple):
    """An import that may register steps which nothing here defines, for the features below a folder."""

    folder: str
    fact: Fact
    target: str
    line: int


class Steps:
    """Knows the step definitions of a project, and which of them take a step."""

    def __init__(self, source: FactSource) -> None:
        self.definitions = list(_definitions(source))
        self._taking: dict[str, frozenset[int]] = {}

    def taken(self, told: Iterable[Fact]) -> Iterator[Taken]:
        """Each step of these scenarios with the definitions that take it."""
        for fact in told:
            for kind in ("given", "when", "then"):
                for words in fact.aspects.get(kind, ()):
                    step = str(words).partition("\n")[0].strip()
                    yield Taken(fact, step, self.taking(fact, step, str(words).strip()))

    def rows_untaken(self, told: Iterable[Fact]) -> Iterator[Taken]:
        """The steps of outlines that some rows of examples fill so that a definition takes them and others so that
        none does: each with the text that the first of those rows gives."""
        for each in self.taken(told):
            rows = list(_rows(each.fact, each.step))
            if not each.by or not rows or self._places(each.step):
                continue
            met = [bool(self.taking(each.fact, text)) for text in rows]
            if any(met) and not all(met):
                yield Taken(each.fact, rows[met.index(False)], ())

    def taking(self, fact: Fact, step: str, whole: str = "") -> tuple[Definition, ...]:
        """The definitions that take a step, which stands in the text of a fact, with the values of any row of examples
        in the place of their names; `whole` is the step with what stands below it."""
        # A colon at the end announces a table; what stands behind a number sign is a comment to some runners; older
        # pytest-bdd takes the lines below a step for a part of it.
        said = dict.fromkeys((step, step.rstrip(":").strip(), _COMMENT.sub("", step), whole or step))
        texts = [text for each in said for text in _written_out(fact, each)]
        places = frozenset[int]().union(*map(self._places, texts))
        return tuple(self.definitions[place] for place in sorted(places))

    def _places(self, text: str) -> frozenset[int]:
        """The places of the definitions that take a text: the same steps stand in many scenarios."""
        found = self._taking.get(text)
        if found is None:
            found = self._taking[text] = frozenset(
                place
                for place, each in enumerate(self.definitions)
                if any(pattern.fullmatch(text) for pattern in each.patterns or ())
            )
        return found


def elsewhere(source: FactSource, known: Iterable[Definition]) -> Iterator[Elsewhere]:
    """The imports in folders called `steps` that are there for the steps which they register: those of files that do
    nothing else, and those of all names, where no module of the project with definitions is meant."""
    defining = {each.fact.key.rpartition(".")[0] for each in known}
    modules = [fact for fact in source.facts(kinds={Kind.MODULE}) if "/steps/" in f"/{fact.source.path}"]
    if not modules:
        return
    written = {fact.source.path for fact in source.facts(kinds={Kind.FUNCTION, Kind.CLASS})}
    for fact in modules:
        folder = f"/{fact.source.path}".rpartition("/steps/")[0].lstrip("/")
        for local, target, line in fact.aspects.get("imports", ()):
            module = str(target).removesuffix(".*")
            owner = module.partition(".")[0]
            if fact.source.path in written and local != "*":
                continue
            if owner in _FRAMEWORKS or owner in sys.stdlib_module_names or not owner:
                continue
            if not any(
                f"{module}.".startswith(f"{each}.") or each.endswith(f".{module}") for each in defining
            ):
                yield Elsewhere(folder, fact, module, line)


def runnable(source: FactSource) -> frozenset[str]:
    """The ids of the scenarios that the project runs by itself: those whose every step has a definition."""
    told = scenarios(source)
    known = Steps(source) if told else None
    if known is None or not known.definitions:
        return frozenset()
    steps = list(known.taken(told))
    return frozenset({each.fact.id for each in steps} - {each.fact.id for each in steps if not each.by})


def _definitions(source: FactSource) -> Iterator[Definition]:
    modules = {
        fact.key: fact
        for fact in source.facts(kinds={Kind.MODULE})
        if any(str(target).startswith(_FRAMEWORKS) for _, target, _ in fact.aspects.get("imports", ()))
    }
    if not modules:
        return
    paths = {fact.source.path: fact for fact in modules.values()}
    beginnings = any(
        str(target).rpartition(".")[2] in _SET_MATCHER
        for module in modules.values()
        for _, target, _ in module.aspects.get("imports", ())
    )
    for each in modules.values():
        if line := each.aspects.get("steps_by_calls"):
            yield Definition(each, f"line {line}", None)
    types = StepTypes(source)
    for fact in source.facts(kinds={Kind.FUNCTION}):
        module = paths.get(fact.source.path)
        if module is None or fact.tag is Tag.SPEC:
            continue
        imported = {local: str(target) for local, target, _ in module.aspects.get("imports", ())}
        for decorator in fact.aspects.get("decorators", ()):
            name = re.match(r"\w+", decorator)
            if not _DECORATOR.match(decorator) or name is None:
                continue
            if imported.get(name[0], "").startswith(_FRAMEWORKS) or "*" in imported:
                yield _definition(fact, decorator, types.of(decorator, module), beginnings=beginnings)


def _definition(fact: Fact, decorator: str, types: Mapping[str, str], *, beginnings: bool) -> Definition:
    """A definition with a pattern that admits all that its own matcher admits, and sometimes more.

    Which matcher a bare text is for may be set anywhere, so it is taken as a template and, where it is one, as a
    regular expression.
    """
    text, kind = _literal(decorator)
    if text is None:
        return Definition(fact, decorator, None)
    anchored = kind == "compile" or text.startswith("^")
    # The matcher `re` of behave asks only that a step begins so.
    regular = _regular(
        text, prefix=anchored or (kind == "" and (beginnings or _SPECIAL.search(text) is not None))
    )
    if kind in _REGULAR:
        ways = [regular] if regular else []
    else:
        ways = [
            way for way in (regular if kind == "" else None, _template(text, types), _expression(text)) if way
        ]
    return Definition(fact, text, tuple(ways) or None)


def _regular(text: str, *, prefix: bool) -> re.Pattern[str] | None:
    """A regular expression, that need only match the beginning of a step where it is anchored by hand."""
    try:
        return re.compile(f"(?:{text}).*" if prefix else text, re.DOTALL)
    except (re.error, RecursionError, OverflowError):
        return None


def _template(text: str, types: Mapping[str, str]) -> re.Pattern[str]:
    """A text with holes for arguments; doubled braces are braces, and blanks may be any number of them."""
    parts = []
    holes = [hole(match[0], types) for match in _HOLE.finditer(text)]
    for part in _HOLE.split(text):
        plain = part.replace("{{", "{").replace("}}", "}")
        parts.append(r"\s+".join(map(re.escape, re.split(r"\s+", plain))))
    written = "".join(f"{part}{admits}" for part, admits in zip_longest(parts, holes, fillvalue=""))
    return re.compile(written, re.DOTALL | re.IGNORECASE)


def _expression(text: str) -> re.Pattern[str] | None:
    """A Cucumber expression: `(s)` may be left out, `a/an` is one of the two; None where the text has neither.

    Source: the documentation of Cucumber expressions.
    """
    if "/" not in text and "(" not in text:
        return None
    parts = []
    for word in re.split(r"(\s+)", _HOLE.sub(_ARGUMENT, text)):
        ways = (
            re.sub(r"\\\(([^()]*)\\\)", r"(?:\1)?", re.escape(way))
            for way in re.split(r"(?<=[^\s/])/(?=[^\s/])", word)
        )
        parts.append(f"(?:{'|'.join(ways)})")
    try:
        return re.compile("".join(parts).replace(_ARGUMENT, ".*"), re.DOTALL)
    except re.error:
        return None


def _literal(decorator: str) -> tuple[str | None, str]:
    """The text of a step decorator, and the name of the parser around it (empty for a bare text)."""
    try:
        call = ast.parse(decorator, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None, ""
    kind = ""
    while isinstance(call, ast.Call) and (call.args or call.keywords):
        inner = call.args[0] if call.args else call.keywords[0].value
        if isinstance(inner, ast.Constant):
            return (inner.value if isinstance(inner.value, str) else None), kind
        if isinstance(inner, ast.Call):
            name = inner.func
            kind = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        call = inner
    return None, kind


def _written_out(fact: Fact, step: str) -> Iterator[str]:
    yield step
    yield from _rows(fact, step, whole=False)
    if not fact.aspects.get("examples"):
        yield _PLACEHOLDER.sub(HOLE, step)


def _rows(fact: Fact, step: str, *, whole: bool = True) -> Iterator[str]:
    """The step with the values of each row of examples; with `whole` only of rows that have a value for each name."""
    names = _PLACEHOLDER.findall(step)
    for row in fact.aspects.get("examples", ())[:_MOST_ROWS] if names else ():
        if whole and not all(str(row.get(name, "")).strip() for name in names):
            continue
        text = step
        for name in names:
            text = text.replace(f"<{name}>", str(row.get(name, HOLE)))
        yield text
