// The traceability matrix: stories and their criteria beside the code and the tests that they are tied to.

const CHUNK = 200;

function demands() {
  // What has to be met: the criteria, and stories that have none.
  return DATA.stories.flatMap((story) => (story.criteria.length ? story.criteria : [story]));
}

function inCode(row) {
  return row.code.some(([id]) => id.startsWith("code:"));
}

const TIES = {
  all: ["All", () => true],
  code: ["Without code", (row) => !inCode(row)],
  tests: ["Without tests", (row) => !row.tests.length],
  findings: ["With findings", (row) => row.findings.length > 0],
};

const storiesView = {
  make() {
    const rows = demands();
    const met = (fits) => rows.filter(fits).length;
    this.which = el("select", { onchange: () => this.remember() }, Object.entries(TIES).map(([value, [words]]) => el("option", { value }, words)));
    this.search = el("input", { type: "search", placeholder: "Words, code, tests…", "data-search": true, oninput: later(() => this.remember(), 60) });
    this.body = el("div", { class: "matrix" });
    if (!rows.length) return el("div", { class: "page" }, el("h1", {}, "Stories"), el("p", { class: "empty" }, "No user stories or features were read, so there is nothing to trace."));
    return el("div", { class: "page" },
      el("h1", {}, "Stories, code and tests"),
      el("dl", { class: "coverage" }, [["tied to code", met(inCode)], ["tied to tests", met((row) => row.tests.length)], ["with findings", met((row) => row.findings.length)]].map(([words, count]) =>
        el("div", {}, el("dt", {}, words), el("dd", {}, `${count} of ${rows.length} `, bar(count / rows.length, words === "with findings" ? "error" : ""))))),
      el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, field("Search", this.search), field("Show", this.which)),
      this.body);
  },

  open(values) {
    if (!demands().length) return;
    this.search.value = values.q || "";
    this.which.value = Object.hasOwn(TIES, values.show) ? values.show : "all";
    this.apply();
  },

  remember() {
    history.replaceState(null, "", address("stories", { q: this.search.value, show: this.which.value === "all" ? "" : this.which.value }));
    this.apply();
  },

  apply() {
    const fits = TIES[this.which.value][1];
    const words = this.search.value.toLowerCase();
    const shown = DATA.stories.map((story) => [story, (story.criteria.length ? story.criteria : [story]).filter((row) => fits(row) && (!words || JSON.stringify([story.key, story.text, row]).toLowerCase().includes(words)))])
      .filter(([, rows]) => rows.length);
    const draw = (from) => shown.slice(from, from + CHUNK).map(([story, rows]) => storySection(story, rows));
    fill(this.body, shown.length ? draw(0) : el("p", { class: "empty" }, "Nothing fits."));
    if (shown.length > CHUNK) {
      const more = el("button", { type: "button", onclick: () => more.replaceWith(...draw(CHUNK), ...(shown.length > 2 * CHUNK ? shown.slice(2 * CHUNK).map(([story, rows]) => storySection(story, rows)) : [])) }, `${shown.length - CHUNK} more stories`);
      this.body.append(more);
    }
  },
};

function storySection(story, rows) {
  const head = ["Criterion", "Contract and code", "Tests", "Findings"].map((words) => el("th", { scope: "col" }, words));
  return el("section", { class: "story" },
    el("h2", {}, el("span", { class: "key" }, story.key), " ", story.text === story.key ? "" : story.text),
    el("p", { class: "line quiet" }, place(story.path, story.line), graphLink(story)),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `What ${story.key} in ${story.path} is tied to` }, el("table", {}, el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, rows.map((row) => el("tr", {},
        el("th", { scope: "row" }, row === story ? el("span", { class: "quiet" }, "the story itself") : [el("span", { class: "key" }, row.key), " ", row.text],
          el("span", { class: "line quiet" }, place(row.path, row.line), graphLink(row)),
          row.claims.length ? el("details", {}, el("summary", {}, plural(row.claims.length, "claim")), el("ul", {}, row.claims.map((claim) => el("li", {}, el("code", {}, claim))))) : null),
        el("td", {}, strands(row.code, "code")), el("td", {}, strands(row.tests, "tests")),
        el("td", {}, row.findings.length ? el("ul", { class: "plain" }, some(row.findings.map((number) => findingLink(FINDINGS[number])))) : el("span", { class: "quiet" }, "–"))))))));
}

function graphLink(row) {
  return FACT_BY_ID.has(row.id) ? el("a", { href: address("graph", { fact: row.id }) }, "graph") : null;
}

function strands(found, what) {
  const missing = what === "code" ? !found.some(([id]) => id.startsWith("code:")) : !found.length;
  const note = missing ? el("span", { class: "missing" }, what === "code" ? "no code known" : "no test known") : null;
  return !found.length ? note : [note, el("ul", { class: "plain" }, some(found.map(([id, path, line, confidence, reason]) => el("li", { title: reason },
    factName(id), el("span", { class: "quiet block" }, place(path, line), confidence < 1 ? ` ${confidence.toFixed(2)}` : "")))))];
}

function some(items) {
  return items.length <= 4 ? items : [...items.slice(0, 3), el("li", {}, el("details", {}, el("summary", {}, `${items.length - 3} more`), el("ul", { class: "plain" }, items.slice(3))))];
}

function findingLink(finding) {
  return el("li", {}, el("span", { class: `dot ${finding.severity}` }), " ", el("a", { href: address("findings", { f: finding.address }), title: finding.message }, el("span", { class: "away" }, `${finding.severity} `), finding.rule));
}
