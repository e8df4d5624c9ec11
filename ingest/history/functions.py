"""Which commits touched which functions: today's lines followed back through every change."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ingest.history.records import Change, Commit, History, Hunk


class _Span(NamedTuple):
    """A function's lines in some version of its file, as places between lines: from `start` up to `end`."""

    name: str
    start: int
    end: int


_Files = dict[str, tuple[_Span, ...]]


def touched_functions(
    history: History,
    functions: Mapping[str, Sequence[tuple[str, int, int]]],
    clean: Collection[str],
) -> dict[str, tuple[str, ...]]:
    """The commits that changed each function, newest first, by the function's name.

    `functions` maps a path to names with first and last line; `clean` names the files whose lines are those of the
    history's head (see `clean_paths`): of others nothing can be said. Where a change rewrote a function together
    with what stood around it, its lines before are not known, and older commits are not counted.
    """
    changed = {change.path for commit in history.commits for side in commit.differences for change in side}
    start: _Files = {
        path: tuple(_Span(name, first - 1, last) for name, first, last in functions[path])
        for path in functions.keys() & changed & set(clean)
    }
    states: dict[str, _Files] = {}
    touched: dict[str, list[str]] = {}
    for commit in _children_first(history.commits):
        files = start if commit.hash == history.commits[0].hash else states.pop(commit.hash, {})
        if len(commit.parents) < 2:
            for name in _touched(files, commit.changes):
                touched.setdefault(name, []).append(commit.hash)
        for number, (parent, changes) in enumerate(zip(commit.parents, commit.differences, strict=False)):
            # The last parent may have the mapping itself; the others need one of their own.
            own = files if number == len(commit.parents) - 1 else dict(files)
            before = _before(own, changes)
            states[parent] = _merged(states[parent], before) if parent in states else before
    rank = {commit.hash: number for number, commit in enumerate(history.commits)}
    return {name: tuple(sorted(touched[name], key=rank.__getitem__)) for name in sorted(touched)}


def _children_first(commits: Sequence[Commit]) -> Iterator[Commit]:
    """Commits so that each comes after all of its children; clocks may have said otherwise."""
    known = {commit.hash: commit for commit in commits}
    waiting = Counter(parent for commit in commits for parent in commit.parents if parent in known)
    ready = [commit for commit in reversed(commits) if not waiting[commit.hash]]
    while ready:
        commit = ready.pop()
        yield commit
        for parent in reversed(commit.parents):
            if parent in known:
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(known[parent])


def _touched(files: _Files, changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        spans = files.get(change.path, ())
        if not spans or not change.hunks:
            continue
        places = [_after(hunk) for hunk in change.hunks]
        starts = [first for first, _ in places]
        for span in spans:
            if _meets(span, places, starts):
                yield span.name


def _meets(span: _Span, places: list[tuple[int, int]], starts: list[int]) -> bool:
    """Whether a place lies inside a span; a mere removal only if lines of the span stand on both sides of it."""
    index = bisect_right(starts, span.start) - 1
    for first, last in places[max(index, 0) :]:
        if first >= span.end:
            return False
        if last > span.start and (first < last or first > span.start):
            return True
    return False


def _before(files: _Files, changes: Sequence[Change]) -> _Files:
    """The functions' lines before some changes; the mapping given is the one that is returned."""
    moved: _Files = {}
    for change in changes:
        spans = files.pop(change.path, ())
        if spans and not change.created:
            kept = tuple(_back(spans, change.hunks))
            if kept:
                moved[change.old] = kept
    files.update(moved)
    return files


def _back(spans: Sequence[_Span], hunks: Sequence[Hunk]) -> Iterator[_Span]:
    """The spans that are known to have been there before the hunks, in the old version's lines."""
    places = [_after(hunk) for hunk in hunks]
    starts = [first for first, _ in places]
    shifts = [0]
    for hunk in hunks:
        shifts.append(shifts[-1] + hunk.old_count - hunk.new_count)
    for span in spans:
        start = _start_before(span, hunks, places, starts, shifts)
        end = _end_before(span, hunks, places, starts, shifts)
        if start < end:
            yield _Span(span.name, start, end)


def _start_before(
    span: _Span,
    hunks: Sequence[Hunk],
    places: list[tuple[int, int]],
    starts: list[int],
    shifts: list[int],
) -> int:
    index = bisect_right(starts, span.start) - 1
    if index < 0:
        return span.start
    first, last = places[index]
    old_first, old_last = _old(hunks[index])
    if first == span.start and first < last:
        # A hunk that begins with the function and ends in it replaced its first lines; of one that replaced all of
        # it, nothing tells whether the old lines were the function's.
        return old_first if last < span.end else old_last
    if last > span.start:
        return old_last
    return span.start + shifts[index + 1]


def _end_before(
    span: _Span,
    hunks: Sequence[Hunk],
    places: list[tuple[int, int]],
    starts: list[int],
    shifts: list[int],
) -> int:
    # The last hunk that begins before the span's end: one that begins right at it lies behind the span.
    index = bisect_right(starts, span.end - 1) - 1
    if index < 0:
        return span.end
    first, last = places[index]
    old_first, old_last = _old(hunks[index])
    if last == span.end and first < last:
        return old_last if first > span.start else old_first
    if last > span.end:
        return old_first
    return span.end + shifts[index + 1]


def _after(hunk: Hunk) -> tuple[int, int]:
    """The new lines of a hunk as places between lines."""
    start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
    return start, start + hunk.new_count


def _old(hunk: Hunk) -> tuple[int, int]:
    """The old lines of a hunk as places between lines."""
    start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
    return start, start + hunk.old_count


def _merged(one: _Files, other: _Files) -> _Files:
    """What is known on either way from today to a commit."""
    for path, spans in other.items():
        if path not in one:
            one[path] = spans
        elif one[path] != spans:
            names = {span.name for span in one[path]}
            one[path] += tuple(span for span in spans if span.name not in names)
    return one
