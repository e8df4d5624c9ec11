"""Links of criteria with code and tests: tags, decisions, and evidence."""

from __future__ import annotations

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from crossval.link.traces.calibration import DEFINITIONS, FILES, cut
from crossval.link.traces.language import language_of
from crossval.link.traces.likeness import Likeness
from crossval.link.traces.linking import links
from crossval.link.traces.named import named_links
from crossval.link.traces.passages import Artifact, Passage, Proposal
from crossval.link.traces.proposing import propose
from crossval.link.traces.records import CONFIDENT, Decisions
from crossval.link.traces.tags import tagged_links
from graph.facts import Extract, Fact, Json, Kind, Location, Relation, Tag, Verb
from graph.source import Memory

LENDING = Passage("C1", "An item that is lent can be reserved by another member.")
FINES = Passage("C2", "Each day too late costs a fine of 20 cents.")
RESERVE = Artifact(
    "reserve", "reserve_item", "loans", "item member", "Keep an item that is lent for a member."
)
FINE = Artifact("fine", "fine", "money", "days", "What it costs to be too late, in cents.")
CLOCK = Artifact("clock", "now", "clock", "zone", "The time of day.")


def fact(kind: Kind, key: str, tag: Tag = Tag.CODE, **aspects: Json) -> Fact:
    return Fact(tag=tag, kind=kind, key=key, name=key, source=Location("a", 1, 1), aspects=aspects)


def criterion(key: str, text: str, **aspects: Json) -> Fact:
    return fact(Kind.CRITERION, key, Tag.SPEC, text=text, **aspects)


def first(proposals: list[Proposal], passage: str) -> Proposal:
    return next(each for each in proposals if each.passage == passage)


def test_the_artifact_that_says_the_same_comes_first() -> None:
    found = propose([LENDING, FINES], [RESERVE, FINE, CLOCK])
    assert first(found, "C1").artifact == "reserve"
    assert first(found, "C2").artifact == "fine"


def test_a_reason_names_the_shared_words_as_the_passage_writes_them() -> None:
    found = first(propose([LENDING, FINES], [RESERVE, FINE, CLOCK]), "C1")
    assert found.reason.startswith("the name has ‘item’, ‘reserved’; both say ")
    assert "‘member’" in found.reason


def test_single_digits_and_parts_of_versions_are_no_reason() -> None:
    code = Artifact("limits", "fine_limit_2", "money", "", "Release 3.11: a fine is 404 cents in 2 days.")
    passage = Passage("C1", "Since 3.11 a fine is at most 404 cents, 2 in May.")
    assert first(propose([passage, FINES], [code, CLOCK]), "C1").reason == (
        "the name has ‘fine’; both say ‘404’, ‘cents’"
    )


def test_where_nothing_is_shared_nothing_is_proposed() -> None:
    alien = Passage("C3", "Invoices are archived for ten years.")
    assert not [each for each in propose([LENDING, alien], [RESERVE, FINE, CLOCK]) if each.passage == "C3"]
    assert propose([], [RESERVE]) == propose([LENDING], []) == []


def test_what_is_used_by_a_match_is_nearer_than_what_nobody_uses() -> None:
    user = Artifact("user", "reserve_item", "loans", comments="Reserve an item for a member.", uses=("used",))
    used, alone = (
        Artifact("used", "slot", "x", comments="item"),
        Artifact("alone", "slot", "x", comments="item"),
    )
    found = propose([LENDING, FINES], [alone, used, user, FINE, CLOCK])
    sure = {each.artifact: each.confidence for each in found if each.passage == "C1"}
    assert sure["used"] > sure.get("alone", 0)


def test_italian_requirements_are_stemmed_as_italian() -> None:
    texts = [
        "L'amministratore elimina una classe che non è più usata, e il sistema mostra la lista delle classi."
    ]
    assert language_of(texts) == "italian"
    assert language_of(["The shop answers with the list of books."]) == language_of([]) == "english"
    wish = Passage(
        "U1", "L'amministratore della scuola elimina la nota che non è di un alunno", "Elimina nota"
    )
    removing = Artifact("a", "ServletEliminare", body="eliminando le note")
    assert first(propose([wish], [CLOCK, removing]), "U1").artifact == "a"


@settings(max_examples=40, deadline=None)
@given(st.permutations([RESERVE, FINE, CLOCK]), st.permutations([LENDING, FINES]))
def test_the_order_of_what_was_read_changes_no_confidence(
    artifacts: list[Artifact], demands: list[Passage]
) -> None:
    def told(proposals: list[Proposal]) -> set[tuple[str, str, float]]:
        return {(each.passage, each.artifact, round(each.confidence, 3)) for each in proposals}

    # The rank of equal scores may differ, and with it their chance a little; these have none.
    assert told(propose(demands, artifacts)) == told(propose([LENDING, FINES], [RESERVE, FINE, CLOCK]))


def shop(*relations: Relation) -> Memory:
    facts = [
        criterion("AC-1", "A book that is out of stock cannot be ordered.", explicit_id=True),
        criterion("US-9.1", "A voucher lowers the total.", explicit_id=False),
        fact(Kind.FUNCTION, "shop.order", doc={"summary": "Order a book that is in stock."}),
        fact(Kind.FUNCTION, "shop.ship", doc={"summary": "Send a parcel."}),
        fact(Kind.TEST, "tests/test_a.py::test_x", Tag.TEST),
        fact(Kind.COMMIT, "c0ffee", subject="AC-1: nobody orders what is not there", touches=[]),
    ]
    return Memory([Extract(facts=facts, relations=list(relations))])


def confidences(source: Memory, decisions: Decisions | None = None, key: str = "AC-1") -> dict[str, float]:
    found = links(source, decisions).get(f"spec:criterion:{key}", ())
    return {link.other.split(":", 2)[2]: link.confidence for link in found}


def test_a_tag_is_certain_and_evidence_is_not() -> None:
    tagged = shop(Relation(Verb.IMPLEMENTS, "code:function:shop.ship", "spec:*:AC-1"))
    assert confidences(tagged)["shop.ship"] == 1
    assert 0 < confidences(tagged)["shop.order"] < 1
    assert "shop.ship" not in confidences(shop())


def test_a_citation_in_a_test_and_the_subject_of_a_commit_are_tags() -> None:
    source = shop(
        Relation(Verb.VERIFIES, "test:test:tests/test_a.py::test_x", "spec:criterion:AC-1"),
        Relation(Verb.TOUCHES, "code:commit:c0ffee", "code:*:shop.ship"),
    )
    found = confidences(source)
    assert found["tests/test_a.py::test_x"] == found["shop.ship"] == 1


def test_an_id_that_nobody_wrote_cannot_be_cited() -> None:
    source = shop(Relation(Verb.IMPLEMENTS, "code:function:shop.ship", "spec:*:US-9.1"))
    assert confidences(source, key="US-9.1") == {}


def test_a_decision_wins_over_tags_and_evidence() -> None:
    source = shop(Relation(Verb.IMPLEMENTS, "code:function:shop.ship", "spec:*:AC-1"))
    decided = Decisions(
        accepted=frozenset({("spec:criterion:AC-1", "test:test:tests/test_a.py::test_x")}),
        rejected=frozenset(
            {
                ("spec:criterion:AC-1", "code:function:shop.ship"),
                ("spec:criterion:AC-1", "code:function:shop.order"),
            }
        ),
    )
    assert confidences(source, decided) == {"tests/test_a.py::test_x": 1}


def test_a_contract_and_its_route_are_one_thing_with_two_ids() -> None:
    contract = fact(
        Kind.OPERATION, "GET /books/{id}", Tag.SPEC, method="GET", path="/books/{id}", operation_id="showBook"
    )
    route = fact(Kind.OPERATION, "GET /books/{book_id}", method="GET", path="/books/{book_id}")
    other = fact(Kind.OPERATION, "GET /authors", method="GET", path="/authors")
    wish = criterion("AC-2", "I am shown a book.")
    found = links(Memory([Extract(facts=[contract, route, other, wish])]))["spec:criterion:AC-2"]
    assert [link.other for link in found[:2]] == [
        "code:operation:GET /books/{book_id}",
        "spec:operation:GET /books/{id}",
    ]
    assert found[0].confidence == found[1].confidence < CONFIDENT


def test_a_project_without_stories_has_no_links() -> None:
    assert links(Memory([Extract(facts=[fact(Kind.FUNCTION, "shop.order")])])) == {}


def test_a_test_that_hardly_fits_is_not_linked() -> None:
    wish = criterion("AC-2", "The librarian writes a letter to whoever holds a map for more than a month.")
    far = [
        fact(Kind.TEST, f"tests/test_house.py::test_{name}", Tag.TEST) for name in ("letter", "wall", "door")
    ]
    near = fact(Kind.TEST, "tests/test_loans.py::test_a_month_of_a_map_is_followed_by_a_letter", Tag.TEST)
    assert not links(Memory([Extract(facts=[wish, *far])]))
    found = links(Memory([Extract(facts=[wish, *far, near])]))[wish.id]
    assert found[0].other == near.id


def test_a_rule_is_given_only_what_somebody_said() -> None:
    source = shop(Relation(Verb.IMPLEMENTS, "code:function:shop.ship", "spec:*:AC-1"))
    assert [link.other for link in links(source, confident=True)["spec:criterion:AC-1"]] == [
        "code:function:shop.ship"
    ]
    surest = max(each.confidence for each in propose([LENDING] * 3 + [FINES], [RESERVE, FINE, CLOCK]))
    assert surest < CONFIDENT


def test_likeness_is_the_mean_cosine_to_the_others() -> None:
    likeness = Likeness([{"order": 1.0, "total": 1.0}, {"order": 1.0, "total": 1.0}, {"alone": 1.0}])
    assert list(likeness.to_all.round(3)) == [0.333, 0.333, 0.0]
    assert list(likeness.to_best(numpy.array([2, 1]), numpy.array([0])).round(3)) == [0.0, 1.0]
    assert Likeness([]).crowd == 0.0


def test_more_is_proposed_where_the_code_is_more_alike_than_so_much_code_usually_is() -> None:
    chances = numpy.array([0.6, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01])
    assert cut(chances, 0.12, 100) < cut(chances, 0.06, 100)
    assert cut(chances, 0.06, 1_000) < cut(chances, 0.06, 20)


def test_likeness_moves_the_cut_only_so_far() -> None:
    chances = numpy.array([0.6, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01])
    assert cut(chances, 0.5, 100) == cut(chances, 0.9, 100)
    assert cut(chances, 0.0, 100) <= 0.6
    assert cut(numpy.array([]), 0.0, 0) == 2


def test_of_single_definitions_a_passages_likeliest_that_acts_is_proposed_where_others_are_too_unlikely() -> (
    None
):
    passages = [
        Passage("C1", "A member pays the fine for a late item."),
        Passage("C2", "Whoever waits hears of it, on a shelf of a room, by a quiet message in the evening."),
    ]
    tell = "Give somebody a message, whatever the hour is and wherever they are in the house."
    artifacts = [
        Artifact("pay", "pay", "desk", "fine member"),
        Artifact("Fine", "Fine", "money", "day", acts=False),
        Artifact("late", "late", "loans", "item day"),
        Artifact("Room", "Room", "house", "number", acts=False),
        Artifact("tell", "tell", "house", "number", tell),
        CLOCK,
    ]

    def proposed(single: bool) -> list[str]:
        return [each.artifact for each in propose(passages, artifacts, single) if each.proposed]

    assert proposed(single=False) == ["pay", "late", "Fine", "Room", "tell"]
    assert proposed(single=True) == ["pay", "late", "Room", "tell"]


def test_fewer_links_are_proposed_with_single_definitions_than_with_files() -> None:
    chances = numpy.array([0.6, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01])
    assert cut(chances, 0.06, 200, DEFINITIONS) > cut(chances, 0.06, 200, FILES)


def spelled(text: str, *claims: str) -> dict[str, float]:
    """The names that a criterion of this text is linked with because it spells them out, of a small shop."""
    requests: list[Json] = [{"kind": "request", "value": each, "modality": "must"} for each in claims]
    told = criterion("AC-1", text, claims=requests)
    functions = [
        fact(Kind.FUNCTION, key)
        for key in ("shop.carts.Cart.add_item", "shop.carts.sum_up", "shop.mail.send")
    ]
    others = [fact(Kind.CLASS, "shop.carts.Cart"), fact(Kind.CLASS, "shop.mail.MailBox")]
    operation = fact(Kind.OPERATION, "GET /carts/{cart_id}")
    handled = Relation(Verb.HANDLED_BY, operation.id, "code:function:shop.mail.send")
    source = Memory([Extract(facts=[told, operation, *functions, *others], relations=[handled])])
    return {link.other.split(":", 2)[2]: link.confidence for link in named_links(source)}


def test_what_a_criterion_spells_out_is_meant_but_no_rule_judges_by_it() -> None:
    found = spelled("`Cart.add_item()` and `sum_up` fill the `MailBox`", "GET /carts/7")
    assert set(found) == {
        "shop.carts.Cart.add_item",
        "shop.carts.sum_up",
        "shop.mail.MailBox",
        "GET /carts/{cart_id}",
        "shop.mail.send",
    }
    assert all(0.7 < confidence < CONFIDENT for confidence in found.values())


def test_a_common_word_a_methods_name_alone_and_a_request_that_nothing_answers_name_nothing() -> None:
    assert spelled("`send` it with `add_item`, and `sum` the Cart up", "GET /orders/7") == {}


def test_a_name_that_criteria_of_many_stories_spell_out_is_a_word_of_theirs() -> None:
    told = [criterion(f"{story}.1", "It answers with a `shop_error`") for story in ("cart", "order", "mail")]
    told += [criterion(f"cart.{number}", "`sum_up` adds it") for number in (2, 3)]
    functions = [fact(Kind.FUNCTION, key) for key in ("shop.shop_error", "shop.sum_up")]
    found = [(link.spec, link.other) for link in named_links(Memory([Extract(facts=[*told, *functions])]))]
    assert found == [(each.id, "code:function:shop.sum_up") for each in told[3:]]


def test_an_id_that_two_pages_give_to_different_things_is_no_tag() -> None:
    def told(path: str, text: str) -> Fact:
        return Fact(
            tag=Tag.SPEC,
            kind=Kind.CRITERION,
            key="FR-001",
            name=text,
            source=Location(path, 1, 1),
            aspects={"text": text, "explicit_id": True},
        )

    pay, send = told("specs/001/spec.md", "Cards are charged."), told("specs/002/spec.md", "Mails are sent.")
    test = fact(Kind.TEST, "tests/test_a.py::test_x", Tag.TEST)
    cites = [Relation(Verb.VERIFIES, test.id, "spec:*:FR-001")]
    extract = Extract(facts=[pay, send, test], relations=cites)
    assert list(tagged_links(Memory([extract]))) == []
    alone = Extract(facts=[pay, test], relations=cites)
    assert [link.other for link in tagged_links(Memory([alone]))] == [test.id]


def test_a_test_that_validates_a_numbered_requirement_of_a_feature_is_tagged() -> None:
    def numbered(feature: str) -> Fact:
        place = Location(f".kiro/specs/{feature}/requirements.md", 1, 1)
        aspects: dict[str, Json] = {"text": f"WHEN {feature} THE system SHALL answer", "number": "1.2"}
        key = f"{feature}.2"
        return Fact(tag=Tag.SPEC, kind=Kind.CRITERION, key=key, name=feature, source=place, aspects=aspects)

    test = fact(Kind.TEST, "tests/test_a.py::test_x", Tag.TEST)
    facts = [numbered("sign-in"), numbered("sign-out"), test]

    def linked(cited: str) -> list[str]:
        extract = Extract(facts=facts, relations=[Relation(Verb.VERIFIES, test.id, f"spec:*:{cited}")])
        return [link.spec for link in tagged_links(Memory([extract]))]

    assert linked("REQUIREMENT-1.2@sign-in") == ["spec:criterion:sign-in.2"]
    assert linked("REQUIREMENT-1.2") == []
