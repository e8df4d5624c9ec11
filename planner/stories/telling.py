"""What clauses of a Then say of things that were made, which are read where no answer shows them yet."""

from __future__ import annotations

from planner.contracts.operations import Operation
from planner.contracts.paths import PARAMETER
from planner.contracts.resources import maker_of, singular
from planner.contracts.things import Thing
from planner.stories.clauses import Clause, clause_in, told_field
from planner.stories.exchanges import Exchange
from planner.stories.listings import Listings, is_refusal


class Telling(Listings):
    """The requests of steps, and what clauses tell of the things that they made."""

    def _expect_clause(self, step: str) -> bool:
        """Whether a step tells of a field of a thing that was made, which is told of an answer that shows it then."""
        clause = clause_in(step)
        made = self._meant(clause) if clause is not None else None
        if clause is None or made is None:
            return False
        thing, number = made
        operation, exchange = self._sent[-1]
        is_shown = not is_refusal(exchange) and self._acts_on(number, exchange)
        told = told_field(clause.rest, operation.shown()) if is_shown else None
        if told is None:
            told = told_field(clause.rest, thing.reader.shown()) if thing.reader is not None else None
            if told is None or thing.reader is None:
                return False
            self._ask_about(number, thing.reader, step)
        before = self._sent[-1][1].answer
        shown = before[0] if before and isinstance(before[0], dict) else {}
        self._tell(answer=({**shown, told[0]: told[1]},), in_part=True)
        return True

    def _meant(self, clause: Clause) -> tuple[Thing, int] | None:
        """The thing that a clause is about, and the number of the request that made it; None where none is known."""
        if clause.name:
            named = self._made_so(clause.name)
            found = [each for each in self._things if named is not None and each.maker.key == named[0]]
            return (found[0], named[1]) if named is not None and found else None
        noun = singular(clause.noun) or self._acting.noun_of(self._sent[-1][0])
        for thing in self._things:
            if thing.noun == noun and (made := self._made_by(thing.maker)):
                among = [source[0] for source in self._sent[-1][1].sources.values() if source[0] in made]
                return thing, (among or made)[-1]
        return None

    def _ask_about(self, number: int, reader: Operation, step: str) -> None:
        """The request that reads what an earlier one made."""
        names = PARAMETER.findall(reader.path)
        found = maker_of(reader.path, names[0], self._operations) if len(names) == 1 else None
        if found is None or found[0].key != self._sent[number][0].key:
            self._ask(reader, step)
            return
        told = Exchange(method="GET", path=reader.path, sources={names[0]: (number, found[1])})
        self._sent.append((reader, told))

    def _acts_on(self, number: int, exchange: Exchange) -> bool:
        """Whether a request is the one that made a thing, or one whose path names it last."""
        if exchange is self._sent[number][1]:
            return True
        names = PARAMETER.findall(exchange.path)
        maker = self._sent[number][0]
        found = maker_of(exchange.path, names[-1], self._operations) if names else None
        sources = exchange.sources
        last = (
            sources[names[-1]][0] if names and names[-1] in sources else max(self._made_by(maker), default=-1)
        )
        return found is not None and found[0].key == maker.key and last == number
