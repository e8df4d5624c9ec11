"""The HTML report in a real browser: filters, links, picture, keys, themes and paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from benchmarks.report.browser import FILTER, pages_cpu
from benchmarks.report.made import large_report
from crossval.report.html.page import show
from tests.crossval.test_report_html import HOSTILE, data_of, shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
VIEWS = ("overview", "findings", "stories", "tests", "graph", "source", "limits")
LINES = re.compile(r"^\d+", re.MULTILINE)


@pytest.fixture(scope="session")
def data(bookshop: Path) -> Any:
    return data_of(bookshop.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    file = folder / "report.html"
    file.write_text(show(large_report(folder / "project")), encoding="utf-8")
    return file


def count_shown(page: Page) -> str:
    return str(page.inner_text("#found"))  # without playwright installed, mypy knows no page


def until(page: Page, condition: str) -> None:
    """Wait until a condition holds; playwright's own waiting would need `eval`, which the page's policy refuses."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def go(page: Page, address: str) -> None:
    page.evaluate("address => { location.hash = address; }", address)
    page.wait_for_timeout(50)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_opens_by_its_link_and_says_where_it_is(
    open_page: Open, bookshop: Path, scheme: str
) -> None:
    page = open_page(bookshop, color_scheme=scheme)
    for view in VIEWS:
        page.click(f"#views a[data-view={view}]")
        page.wait_for_selector(f"body[data-view={view}]")
        assert page.get_attribute("#views [aria-current=page]", "data-view") == view
        assert len(page.inner_text("main")) > 50
        assert page.locator("main h1").count() == 1


def test_the_summary_leads_to_the_findings_it_counts(open_page: Open, bookshop: Path, data: Any) -> None:
    page = open_page(bookshop)
    errors = sum(each["severity"] == "error" for each in data["findings"])
    assert page.inner_text(".tile.error").split() == [str(errors), "errors"]
    page.click(".tile.error")
    assert count_shown(page) == f"{errors} of {len(data['findings'])} findings"
    assert page.get_attribute(".chip.error", "aria-pressed") == "true"


def test_findings_filter_by_rule_severity_subject_and_words_together(
    open_page: Open, bookshop: Path, data: Any
) -> None:
    page = open_page(bookshop, "#/findings")
    findings = data["findings"]
    wanted = next(each for each in findings if each["severity"] == "warning")
    page.click(".chip.warning")
    warnings = [each for each in findings if each["severity"] == "warning"]
    assert count_shown(page) == f"{len(warnings)} of {len(findings)} findings"
    page.select_option("select", wanted["rule"])
    page.get_by_label("Subject").fill(wanted["subject"].upper())
    page.get_by_label("Search").fill(f"{wanted['code'][1]} {wanted['rule'][:4]}")
    assert page.inner_text(".detail h1") == wanted["message"]
    assert page.locator(".row").count() == 1
    until(page, "location.hash.includes('q=')")
    page.reload()
    assert page.inner_text(".detail h1") == wanted["message"]
    assert page.locator(".row").count() == 1
    page.get_by_label("Search").fill("nothing has these words")
    assert "No finding fits" in page.inner_text(".detail")
    page.click("text=Clear filters")
    assert count_shown(page) == f"{len(findings)} findings"


def test_a_finding_shows_both_sides_with_numbered_lines_that_lead_to_the_file_and_back(
    open_page: Open, bookshop: Path, data: Any
) -> None:
    finding = next(each for each in data["findings"] if each["spec"] and each["code"])
    page = open_page(bookshop, f"#/findings?f={finding['id']}")
    assert page.inner_text(".detail h1") == finding["message"]
    for side in ("spec", "code"):
        _, path, line, _ = finding[side]
        panel = page.locator(f".sides .panel.{side}")
        assert f"{path}:{line}" in panel.inner_text()
        assert panel.locator("tr.marked .number").inner_text() == str(line)
        assert len(LINES.findall(panel.locator("table").inner_text())) >= 5
    left, right = (page.locator(f".sides .panel.{side}").bounding_box() for side in ("spec", "code"))
    assert left and right and left["y"] == right["y"] and left["x"] + left["width"] < right["x"]
    page.click(".sides .panel.code tr.marked .number a")
    page.wait_for_selector("body[data-view=source]")
    assert page.locator("tr.marked .number").inner_text() == str(finding["code"][2])
    page.click(f"tr.marked .mark:has-text('{finding['rule']}')")
    page.wait_for_selector("body[data-view=findings]")
    assert page.inner_text(".detail h1") == finding["message"]


def test_the_matrix_names_what_has_no_code_or_no_test(open_page: Open, bookshop: Path, data: Any) -> None:
    rows = [row for story in data["stories"] for row in story["criteria"] or [story]]
    page = open_page(bookshop, "#/stories")
    assert page.locator(".matrix tbody tr").count() == len(rows)
    page.select_option("select", "tests")
    untested = [row for row in rows if not row["tests"]]
    assert page.locator(".matrix tbody tr").count() == len(untested) > 0
    assert page.locator(".missing").first.inner_text() in ("no test known", "no code known")
    assert "show=tests" in page.url
    go(page, "#/stories")
    page.locator(".matrix a[href^='#/findings']").first.press("Enter")
    page.wait_for_selector("body[data-view=findings]")


def test_tests_show_their_proofs_and_what_was_healed(open_page: Open, bookshop: Path) -> None:
    page = open_page(bookshop, "#/tests")
    assert "3/3 twins, 5/5 broken noticed" in page.inner_text("tbody")
    page.click("details.heal summary")
    assert "limit is called count now" in page.inner_text("details.heal")
    page.select_option("select", "PENDING")
    assert page.locator("tbody tr").count() == 1


def settled(page: Page) -> str:
    """The picture as it is once it is drawn, as a data address."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture: str = page.evaluate("document.querySelector('canvas').toDataURL()")
    return picture


def test_the_picture_around_a_finding_pans_zooms_and_leads_to_facts(
    open_page: Open, bookshop: Path, data: Any
) -> None:
    finding = next(each for each in data["findings"] if each["spec"] and each["code"])
    page = open_page(bookshop, f"#/findings?f={finding['id']}")
    page.click("text=Show in the graph")
    page.wait_for_selector("body[data-view=graph]")
    assert page.inner_text(".stage-head h1") == finding["message"]
    states = [settled(page)]
    assert len(states[0]) > 10_000
    page.hover("canvas", position={"x": 300, "y": 300})
    page.mouse.wheel(0, -300)
    states.append(settled(page))
    page.mouse.down()
    page.mouse.move(600, 500)
    page.mouse.up()
    states.append(settled(page))
    page.click("button[aria-label='Zoom out']")
    states.append(settled(page))
    assert len(set(states)) == 4
    page.click("button[aria-label='Fit the picture']")
    _click_second_node(page, data["picture"]["rings"][finding["ring"]])
    number = data["picture"]["rings"][finding["ring"]][4]
    assert page.inner_text(".fact-detail h2") == data["picture"]["facts"][number][1]
    page.click("text=Back to the finding")
    assert page.inner_text(".detail h1") == finding["message"]


def _click_second_node(page: Page, ring: list[int]) -> None:
    """Click where the picture, when it fits, has the second of its nodes."""
    xs, ys = ring[2::3], ring[3::3]
    box = page.locator("canvas").bounding_box()
    assert box
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(1.6, (box["width"] - 160) / max(1, across), (box["height"] - 110) / max(1, down))
    x = box["width"] / 2 + (xs[1] - (min(xs) + max(xs)) / 2) * scale
    y = box["height"] / 2 + (ys[1] - (min(ys) + max(ys)) / 2) * scale
    page.mouse.click(box["x"] + x, box["y"] + y)


def test_a_fact_is_found_and_shown_with_its_lines_relations_and_findings(
    open_page: Open, bookshop: Path
) -> None:
    page = open_page(bookshop, "#/graph")
    page.get_by_label("Find a fact").fill("code operation POST /orders")
    until(page, "document.querySelectorAll('.graph .row').length < 5")
    page.locator(".graph .row").first.click()
    detail = page.locator(".fact-detail")
    assert "handled by" in detail.inner_text() and "finding" in detail.inner_text()
    assert detail.locator("tr.marked").count() == 1
    detail.locator(".relations a").first.click()
    until(page, "location.hash.includes('fact=')")
    assert page.locator(".fact-detail h2").count() == 1


def test_everything_works_from_the_keyboard_alone(open_page: Open, bookshop: Path, data: Any) -> None:
    page = open_page(bookshop)
    keys = page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    keys.press("2")
    page.wait_for_selector("body[data-view=findings]")
    keys.press("j")
    assert page.inner_text(".detail h1") == data["findings"][1]["message"]
    keys.press("/")
    until(page, "document.activeElement.type === 'search'")
    keys.type("order")
    keys.press("Escape")
    assert "of" in count_shown(page)
    for _ in range(20):
        if page.evaluate("document.activeElement.getAttribute('role')") == "listbox":
            break
        keys.press("Tab")
    first = page.inner_text(".detail h1")
    keys.press("ArrowDown")
    assert page.inner_text(".detail h1") != first
    active = page.get_attribute(".rows", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    keys.press("End")
    keys.press("Enter")
    assert page.evaluate("document.activeElement.classList.contains('detail')")
    keys.press("?")
    assert page.locator("dialog[open]").count() == 1
    keys.press("Escape")
    keys.press("5")
    page.focus("canvas")
    before = settled(page)
    keys.press("n")
    assert page.inner_text(".fact-detail h2") == data["picture"]["facts"][0][1]
    keys.press("+")
    keys.press("ArrowLeft")
    assert settled(page) != before
    keys.press("Enter")
    until(page, "location.hash.includes('fact=')")


def test_the_theme_follows_the_system_until_it_is_chosen_and_is_remembered(
    open_page: Open, bookshop: Path
) -> None:
    page = open_page(bookshop, color_scheme="dark")

    def ground() -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(each) for each in re.findall(r"\d+", colour)[:3])

    assert ground() < 150
    page.click("#theme")
    assert page.inner_text("#theme") == "Light" and ground() > 600
    page.reload()
    assert page.inner_text("#theme") == "Light" and ground() > 600
    page.click("#theme")
    assert page.inner_text("#theme") == "Dark" and ground() < 150


def test_paper_gets_all_findings_that_the_filters_leave_and_no_controls(
    open_page: Open, bookshop: Path, data: Any
) -> None:
    page = open_page(bookshop, "#/findings?severity=warning")
    warnings = [each for each in data["findings"] if each["severity"] == "warning"]
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print .printed").count() == len(warnings)
    assert page.is_visible("#print") and not page.is_visible("main") and not page.is_visible("header.bar")
    assert warnings[0]["message"] in page.inner_text("#print")
    assert len(page.pdf()) > 10_000


def test_nothing_that_a_fact_says_runs_or_becomes_an_element(open_page: Open, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    hostile = shown(*(each[:100_000] for each in HOSTILE))
    report.write_text(show(hostile), encoding="utf-8")
    page = open_page(report)
    for view in VIEWS:
        go(page, f"#/{view}")
        assert (
            page.locator(
                "main img, main svg, main script, main iframe, main object, main form[action]"
            ).count()
            == 0
        )
    for finding in data_of(report.read_text(encoding="utf-8"))["findings"]:
        go(page, f"#/findings?f={finding['id']}")
        assert page.text_content(".detail h1") == finding["message"]
        go(page, f"#/source?path={finding['code'][1]}&line=2")
    odd = ("findings?q=<img src=x onerror=alert(1)>", "source?path=__proto__", "constructor", "graph?fact=x")
    for address in odd:
        go(page, f"#/{address}")
    hrefs = page.eval_on_selector_all("a", "links => links.map((link) => link.getAttribute('href'))")
    assert all(each.startswith("#") for each in hrefs)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#print img, #print svg, #print script, #print a").count() == 0


def test_markup_that_got_into_the_page_all_the_same_would_not_run(
    browser: Any, bookshop: Path, tmp_path: Path
) -> None:
    """The second wall: even where the first failed, the page's policy refuses scripts, styles, requests and markup."""
    poisoned = bookshop.read_text(encoding="utf-8").replace(
        "<noscript>", "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'><noscript>", 1
    )
    file = tmp_path / "poisoned.html"
    file.write_text(poisoned, encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    assert page.evaluate("window.hit") is None
    sink = "() => { try { document.body.innerHTML = '<b>x</b>'; } catch (error) { return error.name; } }"
    assert page.evaluate(sink) == "TypeError"
    assert (
        page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => error.name)") == "TypeError"
    )
    page.close()


def test_without_scripts_the_page_says_what_to_do(open_page: Open, bookshop: Path) -> None:
    page = open_page(bookshop, java_script_enabled=False)
    assert "crossfact check" in page.inner_text("body")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_fault_that_axe_knows(browser: Any, bookshop: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)  # axe is a script of its own
    page = context.new_page()
    page.goto(bookshop.as_uri())
    faults = []
    for view in (*VIEWS, "source?path=specs/openapi.yaml&line=13"):
        go(page, f"#/{view}")
        faults += [
            (view, each["id"], each["nodes"][0]["html"]) for each in axe.run(page).response["violations"]
        ]
    context.close()
    assert faults == []


def test_a_narrow_window_shows_all_without_scrolling_sideways(open_page: Open, bookshop: Path) -> None:
    page = open_page(bookshop, viewport={"width": 420, "height": 800})
    for view in VIEWS:
        go(page, f"#/{view}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 420, view


def test_five_thousand_findings_are_small_and_quick(browser: Any, open_page: Open, large: Path) -> None:
    """Times are those of the page's own process, so that others on the machine count little."""
    assert large.stat().st_size < 10_000_000
    session = browser.new_browser_cdp_session()
    begun = pages_cpu(session)
    page = open_page(large, "#/findings")
    page.wait_for_selector(".row")
    assert pages_cpu(session) - begun < 2
    assert count_shown(page) == "5,000 findings"
    page.wait_for_timeout(1_000)
    begun = pages_cpu(session)
    asked = (
        "price",
        "author area_3",
        "isbn string",
        "GET /areas/7",
        "language contract",
        "no such words",
        "",
    )
    for words in asked:
        page.evaluate(FILTER, words)
    assert (pages_cpu(session) - begun) / len(asked) < 0.1
    page.click(".chip.error")
    page.locator(".rows").press("End")
    assert page.locator(".row").count() < 40
    go(page, "#/graph")
    page.wait_for_selector("text=5,000 facts of 5,000")
    assert len(settled(page)) > 100_000


def test_a_report_that_says_little_opens_too(open_page: Open, tmp_path: Path) -> None:
    empty = msgspec.structs.replace(shown("GET /books"), threads=tuple, report=shown("x").report)
    report = tmp_path / "report.html"
    report.write_text(show(empty), encoding="utf-8")
    page = open_page(report)
    for view in VIEWS:
        go(page, f"#/{view}")
        assert page.locator("main h1").count() == 1
