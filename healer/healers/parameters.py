"""Follows parameters: calls of tests give what functions take now, each value to the parameter that it was for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from graph.facts import Fact
from graph.literals import is_literal
from healer.healers.arguments import Argument, Slot, rearranged, slots
from healer.healers.callees import Run, receives, runs
from healer.healers.deriving import derived
from healer.healers.plan import Plan
from healer.movements import Cause, Movement
from healer.reading.bindings import Binding, Scope
from healer.reading.marks import parametrized
from healer.reading.meanings import Meanings
from healer.reading.source import Edit

PARAMETERS = frozenset(
    {
        Cause.PARAMETER_RENAMED,
        Cause.PARAMETERS_REORDERED,
        Cause.PARAMETER_KEYWORD_ONLY,
        Cause.PARAMETER_REMOVED,
        Cause.PARAMETER_ADDED,
    }
)
_ONLY = "positional-only"
_PLACED = (_ONLY, "positional-or-keyword")
_NAMED = (*_PLACED, "keyword-only")


class Parameter(NamedTuple):
    """One parameter: `kind` as `inspect` has it, `default` as source text, `None` without one."""

    name: str
    kind: str
    default: str | None


class _Given(NamedTuple):
    """A value that a call gives to a parameter: the argument's place, its text without a name."""

    place: int
    text: str
    by_place: bool
    is_pure: bool


def parameters(file: Meanings, plan: Plan) -> list[Edit]:
    """The edits by which all calls of a file fit what the called functions take now."""
    moved: dict[str, list[Movement]] = {}
    for movement in plan.of(*PARAMETERS, Cause.DEFAULT_CHANGED):
        moved.setdefault(movement.subject.partition("#")[0], []).append(movement)
    edits: list[Edit] = []
    for run in runs(file, plan, moved) if moved else ():
        made = list(_Call(file, plan, run, moved[run.callee.function]).edits())
        if made:
            edits += made
            for movement in moved[run.callee.function]:
                plan.follow(movement)
    return edits


class _Call:
    """One call, with the parameters of its function then and now."""

    def __init__(self, file: Meanings, plan: Plan, run: Run, moved: list[Movement]) -> None:
        self.file = file
        self.plan = plan
        self.run = run
        self.renamed = {
            str(each.before): str(each.after) for each in moved if each.cause is Cause.PARAMETER_RENAMED
        }
        self.function = run.callee.function
        self.now = plan.now.function(plan.moves.after(self.function))
        self.old = self._rows(plan.then.function(self.function))
        self.new = self._rows(self.now)

    def edits(self) -> Iterator[Edit]:
        if self.now is None or (not self.old and not self.new):
            return
        yield from self._unpacked()
        every = slots(self.file.source, self.run.node)
        if every is None:
            return
        skipped = self.run.first
        own = every[skipped:]
        arguments = self._arguments(own)
        if arguments is None:
            arguments = self._only_named(own)
        if [each.text for each in arguments] != [each.text for each in own]:
            yield from (
                rearranged(self.file.source, self.run.node, own, arguments)
                if own or not skipped
                else (_after(every[-1], arguments))
            )

    def _arguments(self, own: list[Slot]) -> list[Argument] | None:
        """What the call has to give; `None` where that cannot be known."""
        placed = [each for each in own if not isinstance(each.node, ast.keyword)]
        if any(each.is_starred for each in placed):
            return None
        rows = [row for row in self.old if row.kind in _PLACED]
        takes_more = any(row.kind == "var-positional" for row in self.old)
        extra = placed[len(rows) :]
        if extra and not takes_more:
            return None
        given: dict[str, _Given] = {}
        for row, slot in zip(rows, placed, strict=False):
            given[row.name] = _Given(own.index(slot), slot.text, True, slot.is_pure)
        stars: list[Argument] = []
        for at, slot in enumerate(own):
            if isinstance(slot.node, ast.keyword) and slot.node.arg is None:
                stars.append(Argument(slot.text, at))
            elif isinstance(slot.node, ast.keyword):
                text = slot.text.partition("=")[2].strip()
                given[str(slot.node.arg)] = _Given(at, text, False, slot.is_pure)
        return self._laid_out(own, given, [Argument(each.text, own.index(each)) for each in extra], stars)

    def _laid_out(
        self, own: list[Slot], given: dict[str, _Given], extra: list[Argument], stars: list[Argument]
    ) -> list[Argument] | None:
        now = {row.name: row for row in self.new}
        takes_any = any(row.kind == "var-keyword" for row in self.new)
        known = {row.name for row in self.old}
        values: dict[str, _Given] = {}
        for name, value in given.items():
            new = self.renamed.get(name, name)
            if new in now and now[new].kind in _NAMED:
                values[new] = value
            elif name not in known or (takes_any and not value.by_place):
                values[name] = value
        if not stars and not self._completed(values):
            return None
        by_place = self._by_place(values, must=bool(extra))
        if by_place is None:
            return None
        laid = [Argument(values[name].text, values[name].place) for name in by_place] + extra
        rest = sorted(
            (
                (value.place if value.place >= 0 else len(own), name)
                for name, value in values.items()
                if name not in by_place
            ),
        )
        for _, name in rest:
            if name in now and now[name].kind == _ONLY:
                return None
            value = values[name]
            text = f"{name}={value.text}"
            node = own[value.place].node if value.place >= 0 else None
            if isinstance(node, ast.keyword) and node.arg is not None:
                text = name + own[value.place].text[len(node.arg) :]
            laid.append(Argument(text, value.place))
        return laid + stars

    def _completed(self, values: dict[str, _Given]) -> bool:
        """Give what is required now and was not before; false where no value can be derived."""
        before = {self.renamed.get(row.name, row.name): row for row in self.old}
        for row in self.new:
            if row.kind not in _NAMED or row.default is not None or row.name in values:
                continue
            old = before.get(row.name)
            if old is not None and old.default is None:
                return False  # it was required before: the call is wrong in itself
            text = old.default if old is not None else None
            if text is None and self.now is not None:
                text = derived(self.file, self.plan, self.run.node, self.now, row.name)
            if text is None or (old is not None and not is_literal(text)):
                return False
            later = [each.name for each in self.new[self.new.index(row) + 1 :] if each.kind in _PLACED]
            is_placed = row.kind == _ONLY or (
                row.kind in _PLACED and any(n in values and values[n].by_place for n in later)
            )
            values[row.name] = _Given(-1, text, is_placed, True)
        return True

    def _by_place(self, values: dict[str, _Given], *, must: bool) -> list[str] | None:
        """The parameters whose values stand without a name, in order; `None` where more arguments need all of them."""
        found: list[str] = []
        rows = [row for row in self.new if row.kind in _PLACED]
        impure = sum(not value.is_pure for value in values.values()) > 1
        order = sorted(values, key=lambda name: values[name].place)
        for row in rows:
            value = values.get(row.name)
            if value is None or not (value.by_place or row.kind == _ONLY):
                break
            if impure and row.kind != _ONLY and order[len(found)] != row.name:
                break  # the values are to be computed in the same order
            found.append(row.name)
        if must and (len(found) < len(rows) or not any(r.kind == "var-positional" for r in self.new)):
            return None
        return found

    def _only_named(self, own: list[Slot]) -> list[Argument]:
        """The arguments with those that are named renamed, and nothing else done."""
        arguments = []
        for at, slot in enumerate(own):
            name = slot.node.arg if isinstance(slot.node, ast.keyword) else None
            new = self.renamed.get(name) if name else None
            text = new + slot.text[len(name) :] if new and name else slot.text
            arguments.append(Argument(text, at))
        return arguments

    def _unpacked(self) -> Iterator[Edit]:
        """Names of parameters that are keys of what `**` unpacks."""
        for keyword in self.run.node.keywords:
            if keyword.arg is None:
                for keys in self._keys(keyword.value):
                    for key in keys:
                        new = self.renamed.get(str(key.value)) if isinstance(key, ast.Constant) else None
                        if new is not None and isinstance(key, ast.Constant):
                            edit = self.file.source.within_literal(key, str(key.value), new)
                            yield from [edit] if edit is not None else []

    def _keys(self, node: ast.expr) -> Iterator[list[ast.expr | None]]:
        if isinstance(node, ast.Dict):
            yield list(node.keys)
        elif isinstance(node, ast.Name):
            scope = self.file.bindings.scope(node)
            bindings = scope.bound[node.id] if scope is not None else []
            uses = self.file.bindings.uses(scope, node.id) if scope is not None else []
            parents = [self.file.source.parents[use] for use in uses if isinstance(use.ctx, ast.Load)]
            if len(bindings) == 1 and all(
                isinstance(each, ast.keyword) and each.arg is None for each in parents
            ):
                for value in _values(scope, bindings[0]) if scope is not None else ():
                    if isinstance(value, ast.Dict):
                        yield list(value.keys)

    def _rows(self, fact: Fact | None) -> list[Parameter]:
        if fact is None:
            return []
        rows = [Parameter(str(row[0]), str(row[1]), row[3]) for row in fact.aspects.get("parameters", ())]
        return rows[1:] if receives(self.plan, self.function) and not self.run.callee.given else rows


def _values(scope: Scope, binding: Binding) -> list[ast.expr]:
    """The expressions of the file that may be the value of a binding; none where they are not written there."""
    if isinstance(binding.node, ast.arg):
        function = scope.node
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return []
        return parametrized(function, binding.node.arg) or []
    is_value = binding.value is not None and not (binding.element or binding.entered or binding.annotated)
    return [binding.value] if binding.value is not None and is_value else []


def _after(last: Slot, arguments: list[Argument]) -> list[Edit]:
    """Arguments where the call had none of its own, behind those that say what is to be called."""
    return [Edit(last.end, last.end, "".join(f", {each.text}" for each in arguments))]
