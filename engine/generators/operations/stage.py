"""What must exist before an operation can succeed, and the smallest request that does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from crossval.compare.components import split_null
from engine.generators.operations.logins import (
    let_in,
    remembered,
    renewal,
    renewing,
    way_to_account,
    with_account,
    with_remembered,
)
from engine.generators.operations.path_names import fit_for_path
from engine.generators.operations.references import (
    named_caller,
    referred,
    told_twice,
)
from engine.generators.operations.requesting import Requesting
from engine.generators.operations.requests import answered, as_the_other, asked
from engine.generators.operations.scenes import Scene, any_path, content_of, path_member
from engine.generators.source import literal
from engine.generators.values.distinct import name_in_path, tag_of
from engine.generators.values.schema_values import NoValueError, valid
from graph.facts import Json
from planner.contracts.chosen_names import Place, named_by_client, putter_of, value_at
from planner.contracts.joining import joiner_of, loader_of, put_by_caller
from planner.contracts.lifecycles import acts_before, subject_of
from planner.contracts.listed_things import Listed, listed, listed_reference
from planner.contracts.operations import Member, Operation
from planner.contracts.parties import is_for_the_other, not_own, offered_within
from planner.contracts.paths import PARAMETER
from planner.contracts.prerequisites import done_before
from planner.contracts.references import maker_of_reference
from planner.contracts.referring import named_at, referring, referring_in_query, unknown_reference
from planner.contracts.resolving import EXAMPLE
from planner.contracts.resources import called, collection_of, is_text, list_place, maker_of, snake
from planner.contracts.schemes import usual_scheme
from planner.contracts.supplies import stock_for, supply_for_reference, supply_of
from planner.contracts.unknowable import (
    cannot_be_asked,
    may_lack,
    names_what_may_lack,
)
from planner.stories.told_values import TOLD

_DEPTH = 3
_NONE = ', ""'


class Stage(Requesting):
    """Knows all operations of a contract, and so how to make what a request needs."""

    def __init__(
        self,
        operations: Sequence[Operation],
        tag: str = "",
        *,
        has_account: bool = False,
        has_own_caller: bool = False,
    ) -> None:
        super().__init__(operations, tag)
        self.has_account, self.has_own_caller = has_account, has_own_caller
        told = [{answer.status for answer in operation.answers} for operation in operations]
        # A status that the contract has for whatever is asked says nothing of one operation.
        self._usual = usual_scheme(operations)
        readings = (operation.path for operation in operations if operation.method == "GET")
        self._looked_up = {snake(name) for path in readings for name in PARAMETER.findall(path)}
        self._everywhere = set.intersection(*told) if len(told) > 2 else set()

    def of(self, case: str, *, has_account: bool = False, has_own_caller: bool = False) -> Stage:
        """The same stage for one case, whose requests make other things than those of other cases.

        With `has_account` there is the fixture `account`, whom the service lets in; with `has_own_caller` each test has
        a caller of its own, whom it may change or end.
        """
        every = [*self.operations.values()]
        return Stage(every, tag_of(case), has_account=has_account, has_own_caller=has_own_caller)

    def with_operation(self, operation: Operation) -> Stage:
        """The same stage with another form of one of its operations."""
        every = [*{**self.operations, operation.key: operation}.values()]
        return Stage(every, self.tag, has_account=self.has_account, has_own_caller=self.has_own_caller)

    def scene(
        self,
        operation: Operation,
        *,
        depth: int = _DEPTH,
        whole: bool = False,
        optional: bool = False,
        as_made: bool = False,
        supplied: bool = True,
    ) -> Scene:
        """What must exist before an operation can succeed; `whole` makes it with all that may be left out.

        With `optional` there are also the things that fields name which may be left out; `as_made` leaves it in the
        state in which it was made, and without `supplied` there is no more of anything than at first. Raises
        NoValueError where no operation makes it.
        """
        unaskable = cannot_be_asked(
            operation, self._usual, self.operations.values(), has_own_caller=self.has_own_caller
        )
        if unaskable is not None:
            raise NoValueError(unaskable)
        if (known := way_to_account(operation, self.operations.values())) is not None:
            before = self.scene(known.register)
            return let_in(known, before, self.request(known.register, before))
        if self.has_account and (inside := with_account(operation)) is not None:
            return inside
        if (register := remembered(operation, self.operations.values())) is not None:
            before = self.scene(register)
            return with_remembered(register, operation, before, self.request(register, before))
        again = renewal(operation, self.operations.values(), has_account=self.has_account)
        if again is not None:
            before = self.scene(again.login)
            return renewing(again, before, self.request(again.login, before))
        scene, loader = Scene(), loader_of(operation, self.operations.values())
        for name in PARAMETER.findall(operation.path):
            member = path_member(operation, name)
            found = maker_of(operation.path, name, self.operations.values())
            if loader is not None and found is not None and found[0].key == loader.key:
                found = maker_of_reference(name, loader.required()[name], self.operations.values())
            putter = putter_of(operation.path, name, self.operations.values())
            sender = named_by_client(operation.path, name, self.operations.values())
            if found is None and putter is None and sender is not None and depth:
                scene = self._with_thing(scene, sender[0], name, sender[1], depth, whole)
            elif found is not None and depth:
                made = self._with_thing(scene, found[0], name, found[1], depth, whole, member)
                scene = self._by_whom(made, scene, operation, found[0], name)
            elif putter is not None and member is not None and depth:
                scene = self._with_named(scene, putter, member, operation, depth, whole)
            elif depth and (one := listed(operation.path, name, self.operations.values())) is not None:
                scene = self._with_listed(scene, one, name, depth, whole)
            elif member is not None and EXAMPLE in member.schema:
                told = member.schema.get(TOLD)
                cites = tuple(dict.fromkeys((*scene.cites, told))) if told else scene.cites
                scene = _with(scene, path={**scene.path, name: repr(member.schema[EXAMPLE])}, cites=cites)
            elif member is not None and (
                "enum" in split_null(member.schema)[0]
                or not may_lack(operation, member, self.operations.values())
            ):
                scene = _with(scene, path={**scene.path, name: repr(valid(member.schema, name))})
            else:
                raise NoValueError(f"an existing {name}: no operation makes one")
        scene = self._with_references(scene, operation, depth, optional=optional)
        if depth and supplied:
            scene = self._with_supply_of_reference(scene, operation)
        every = self.operations.values()
        joiner, own = joiner_of(operation.path, every), put_by_caller(operation, every)
        if own is not None and own.method != operation.method and depth:
            scene = self.with_acts(scene, [*acts_before(own, every), own])
        if loader is not None and depth:
            scene = self._with_loaded(scene, loader, PARAMETER.findall(operation.path)[-1])
        if joiner is not None and joiner.method != operation.method and depth:
            scene = self._with_joined(scene, joiner, depth)
        if depth and not as_made:
            scene = self.with_acts(scene, acts_before(operation, self.operations.values()))
            if (prior := done_before(operation, self.operations.values())) is not None:
                scene = self.with_acts(scene, [*acts_before(prior[0], self.operations.values()), prior[0]])
        supply = (
            supply_of(operation, self.operations.values()) if depth and supplied and not as_made else None
        )
        if supply is not None:
            scene = self.with_acts(scene, [supply.operation], {supply.amount: supply.number})
        if not scene.references and "404" not in self._everywhere and names_what_may_lack(operation):
            raise NoValueError(f"what a request to {operation.key} names: it may be answered with 404")
        unknown = unknown_reference(operation, {*scene.references, *scene.path}, self.things, self._looked_up)
        if unknown is not None:
            raise NoValueError(f"what {unknown} of {operation.key} names: no operation makes one")
        return scene

    def _with_thing(
        self,
        scene: Scene,
        maker: Operation,
        name: str,
        key: str | Place,
        depth: int,
        whole: bool = False,
        named: Member | None = None,
        called_so: str = "",
    ) -> Scene:
        """The scene with a thing, which a field of its answer identifies, or a place of what its maker was sent.

        `named` is the parameter of a path that is to name it; `called_so` tells it from another of its kind.
        """
        inner = self.scene(maker, depth=depth - 1)
        thing = "_".join(filter(None, (called(collection_of(maker.path)), snake(called_so))))
        request = self.request(maker, _with(inner, path={**inner.path, **scene.path}), whole=whole)
        if named is not None and isinstance(key, str):
            request = fit_for_path(request, maker, key, named, self.tag or tag_of(""))
        made = asked(thing, request)
        if maker.success is not None:
            made.append(f"assert {answered(thing, maker.success.status)}")
        content, schema = content_of(thing, maker.success)
        identity = f"{content}[{literal(key)}]" if isinstance(key, str) else repr(value_at(request.body, key))
        return Scene(
            lines=tuple(dict.fromkeys((*scene.lines, *inner.lines, *made))),
            path={**scene.path, name: identity},
            cites=tuple(
                dict.fromkeys(
                    (*scene.cites, *inner.cites, maker.success.fact if maker.success else maker.fact.id)
                )
            ),
            created=content if isinstance(key, str) else "",
            sent=request.body,
            shown=tuple(schema.get("required", ())),
            references=scene.references,
        )

    def _by_whom(
        self, made: Scene, before: Scene, operation: Operation, maker: Operation, name: str
    ) -> Scene:
        """The scene with its thing made by the other caller, where who asks for the operation may not have made it."""
        every = self.operations.values()
        within = [each.key for each in offered_within(operation, every)]
        if maker.key in within:
            is_other = is_for_the_other(operation, every)
        else:
            around = [each for each in every if each.key in within]
            is_other = not_own(operation, every) is not None or (
                any(_is_around(maker, each, every) for each in around)
                and not is_for_the_other(operation, every)
            )
        if not is_other:
            return made
        new = tuple(as_the_other(each) for each in made.lines if each not in before.lines)
        lines = tuple(dict.fromkeys((*before.lines, *new)))
        return _with(made, lines=lines, others=before.others | {name})

    def _with_listed(self, scene: Scene, one: Listed, name: str, depth: int, whole: bool = False) -> Scene:
        """The scene with a thing that a list shows anew after the request which makes it and does not show its name."""
        inner = self.scene(one.maker, depth=depth - 1)
        inner = _with(inner, path={**inner.path, **scene.path})
        thing, request = called(collection_of(one.maker.path)), self.request(one.maker, inner, whole=whole)
        read = self.request(one.lister, inner).call()
        assert one.maker.success is not None and one.lister.success is not None, "it would not be listed"
        places = ", ".join(literal(each) for each in (one.key, one.place, one.total))
        lines = (
            f"before_{thing} = {read}",
            *asked(thing, request),
            f"assert {answered(thing, one.maker.success.status)}",
            f"after_{thing} = {read}",
            f"assert {answered(f'after_{thing}', one.lister.success.status)}",
            f"listed_{thing} = added(before_{thing}, after_{thing}, {places.removesuffix(_NONE).removesuffix(_NONE)})",
        )
        cites = (*scene.cites, *inner.cites, one.maker.success.fact, one.lister.success.fact)
        return Scene(
            lines=tuple(dict.fromkeys((*scene.lines, *inner.lines, *lines))),
            path={**scene.path, name: f"listed_{thing}[{literal(one.key)}]"},
            cites=tuple(dict.fromkeys(cites)),
            sent=request.body,
            references=scene.references,
        )

    def _with_named(
        self, scene: Scene, putter: Operation, member: Member, operation: Operation, depth: int, whole: bool
    ) -> Scene:
        """The scene with a thing that a PUT makes under a name that its client chooses.

        For that PUT it is there as well, unless it is only told to make new ones.
        """
        schema = told_twice(member, putter)
        value = valid(schema, member.name)
        if EXAMPLE not in schema or "pattern" in schema:
            value = name_in_path(schema, value, self.tag or tag_of(""))
        named = _with(scene, path={**scene.path, member.name: repr(value)})
        assert putter.success is not None, "it would be no such PUT"
        if putter.key == operation.key and putter.success.status == "201":
            return named
        inner = self._with_references(named, putter, depth - 1)
        thing, request = called(putter.path), self.request(putter, inner, whole=whole)
        content, schema = content_of(thing, putter.success)
        return Scene(
            lines=(
                *inner.lines,
                *asked(thing, request),
                _done(thing, putter),
            ),
            path=inner.path,
            cites=tuple(dict.fromkeys((*inner.cites, putter.success.fact))),
            created=content if schema else "",
            sent=request.body,
            shown=tuple(schema.get("required", ())),
            references=scene.references,
        )

    def _with_loaded(self, scene: Scene, loader: Operation, name: str) -> Scene:
        """The scene with what a path names last put into the thing before it, by the body of a request."""
        assert loader.success is not None, "it would be no loader"
        told = _with(scene, references={**scene.references, name: scene.path[name]})
        lines = (*asked("loaded", self.request(loader, told)), _done("loaded", loader))
        cites = tuple(dict.fromkeys((*scene.cites, loader.success.fact)))
        return _with(scene, lines=(*scene.lines, *lines), cites=cites)

    def _with_joined(self, scene: Scene, joiner: Operation, depth: int) -> Scene:
        """The scene with the thing that a path names last put into the one before it."""
        assert joiner.success is not None, "it would be no joiner"
        inner = self._with_references(scene, joiner, depth - 1)
        thing = f"joined_{called(joiner.path)}"
        made = asked(thing, self.request(joiner, inner))
        return _with(
            scene,
            lines=(*inner.lines, *made, f"assert {answered(thing, joiner.success.status)}"),
            cites=tuple(dict.fromkeys((*inner.cites, joiner.success.fact))),
        )

    def brought_by(self, act: Operation, operation: Operation) -> Scene:
        """The scene of an operation whose thing an act brought into its state, after what that act needs itself."""
        acts = [*acts_before(act, self.operations.values()), act]
        return self.with_acts(self.scene(operation), acts)

    def with_acts(
        self, scene: Scene, acts: Sequence[Operation], sent: Mapping[str, Json] | None = None
    ) -> Scene:
        """The scene with its thing brought into another state by acts of its own; `sent` is put into their bodies."""
        for act in acts:
            assert act.success is not None, "it would be no such act"
            done, request = called(act.path), self.request(act, scene)
            if sent and isinstance(request.body, dict):
                request = msgspec.structs.replace(request, body={**request.body, **sent})
            made = asked(done, request)
            scene = _with(
                scene,
                lines=(*scene.lines, *made, _done(done, act)),
                cites=tuple(dict.fromkeys((*scene.cites, act.success.fact))),
            )
        return scene

    def _with_references(
        self, scene: Scene, operation: Operation, depth: int, *, optional: bool = False
    ) -> Scene:
        """The scene with the things that required fields of the body name, such as `book_id`, or all its fields."""
        if not depth:
            return scene
        fields, used = referring_in_query(operation), set[str]()
        if operation.body is not None:
            fields += referring(operation.body.schema, optional=optional)
        for place, schema in fields:
            name = named_at(place)
            if name in scene.path:
                continue
            found, is_list = referred(name, schema, self.operations.values())
            is_itself = found is None or found[0].key == operation.key
            if is_itself and self.has_own_caller and (own := named_caller(name, schema)):
                scene = _with(scene, references={**scene.references, place: own})
                continue
            one = listed_reference(name, self.operations.values()) if found is None else None
            maker = one.maker if one is not None else found[0] if found is not None else operation
            if maker.key == operation.key:
                continue
            if one is not None:
                made = self._with_listed(scene, one, name, depth)
            elif found is not None:
                is_second = maker.key in used
                used.add(maker.key)
                stage = self.of(f"{self.tag} {name}") if is_second else self
                made = stage._with_thing(
                    scene, maker, name, found[1], depth, called_so=name if is_second else ""
                )
            told = made.path[name]
            if found is not None and is_text(found[0].shown().get(found[1], {})) and _is_number(schema):
                told = f"int({told})"
            reference = f"[{told}]" if is_list else told
            scene = _with(
                scene, lines=made.lines, cites=made.cites, references={**scene.references, place: reference}
            )
        return scene

    def _with_supply_of_reference(self, scene: Scene, operation: Operation) -> Scene:
        """The scene with more of what a thing has that a field names, where as it is made it has too little."""
        every = self.operations.values()
        fields = dict(referring(operation.body.schema)) if operation.body is not None else {}
        makers = {
            place: found[0]
            for place in scene.references
            if place in fields and (found := referred(named_at(place), fields[place], every)[0]) is not None
        }
        told = supply_for_reference(operation, makers, every) if makers else None
        if told is None:
            return self._with_stock(scene, operation, makers)
        place, supply = told
        there = Scene(path={PARAMETER.findall(supply.operation.path)[-1]: scene.references[place]})
        done = self.with_acts(there, [supply.operation], {supply.amount: supply.number})
        return _with(
            scene, lines=(*scene.lines, *done.lines), cites=tuple(dict.fromkeys((*scene.cites, *done.cites)))
        )

    def _with_stock(self, scene: Scene, operation: Operation, makers: Mapping[str, Operation]) -> Scene:
        """The scene with some of what a field names in stock, where that is put in as a thing of its own."""
        told = stock_for(operation, makers, self.operations.values()) if makers else None
        if told is None:
            return scene
        place, supply, named = told
        success = supply.operation.success
        if success is None:
            return scene
        there = Scene(references={named: scene.references[place]})
        request = self.request(supply.operation, there)
        if isinstance(request.body, dict):
            request = msgspec.structs.replace(request, body={**request.body, supply.amount: supply.number})
        stocked = f"stocked_{called(supply.operation.path)}"
        made = [*asked(stocked, request), f"assert {answered(stocked, success.status)}"]
        cites = (*scene.cites, success.fact)
        return _with(scene, lines=(*scene.lines, *made), cites=tuple(dict.fromkeys(cites)))

    def list_in(self, operation: Operation) -> str | None:
        """Where an answer has its list: empty for the whole, `["items"]` for a field; None where it has none."""
        place = list_place(operation)
        return None if place is None else f"[{literal(place)}]" if place else ""

    def anywhere(self, operation: Operation) -> Scene:
        """A scene for requests that are refused whatever their path names."""
        return self._with_references(Scene(path=any_path(operation)), operation, _DEPTH)


def _is_around(maker: Operation, inner: Operation, operations: Collection[Operation]) -> bool:
    """Whether one operation makes that within which another one makes things."""
    subject = subject_of(inner, operations)
    return subject is not None and subject.maker.key == maker.key


def _is_number(schema: dict[str, Json]) -> bool:
    plain = split_null(schema)[0]
    one = plain.get("items") or {} if plain.get("type") == "array" else plain
    return split_null(one)[0].get("type") == "integer"


def _with(scene: Scene, **given: object) -> Scene:
    return msgspec.structs.replace(scene, **given)


def _done(name: str, act: Operation) -> str:
    """The statement that an act succeeded; what is put may be new, or there before."""
    assert act.success is not None, "it would be no such act"
    if act.method == "PUT":
        return f"assert {name}.status_code in (200, 201, 204)"
    return f"assert {answered(name, act.success.status)}"
