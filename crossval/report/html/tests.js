// The tests of the plan: how each stands, what its proof on twins came to, and what was done to heal it.

const testsView = {
  make() {
    if (!DATA.cases.length) return el("div", { class: "page" }, el("h1", {}, "Tests"), el("p", { class: "empty" }, "There is no test plan yet. ", el("code", {}, "crossfact go"), " makes one: tests from the specs, each proven on twins, stand-ins of the system that are made from the specs."));
    const sum = (name) => DATA.cases.reduce((total, each) => total + each[name], 0);
    const tried = DATA.cases.filter((each) => each.twins || each.mutants);
    this.search = el("input", { type: "search", placeholder: "Words in test, subject, fact…", "data-search": true, oninput: later(() => this.remember(), 60) });
    this.status = el("select", { onchange: () => this.remember() }, el("option", { value: "" }, "any"), counted(DATA.cases, (each) => each.status).map(([status, count]) => el("option", { value: status }, `${status} (${count})`)));
    this.body = el("tbody");
    this.more = el("p");
    const heals = DATA.cases.filter((each) => each.heals.length);
    return el("div", { class: "page" },
      el("h1", {}, "Tests and their proofs"),
      el("dl", { class: "coverage" },
        [["proofs hold", DATA.cases.filter((each) => each.holds).length, tried.length], ["green on twins", sum("twins_green"), sum("twins")], ["broken twins noticed", sum("mutants_killed"), sum("mutants")], ["tests healed", heals.length, DATA.cases.length]]
          .map(([words, count, all]) => el("div", {}, el("dt", {}, words), el("dd", {}, `${count} of ${all} `, bar(all ? count / all : 0))))),
      heals.length ? el("section", {}, el("h2", {}, "What was healed"), heals.map((each) => el("details", { class: "heal" }, el("summary", {}, each.description, " ", el("span", { class: "quiet" }, plural(each.heals.length, "change"))),
        each.heals.map((heal) => el("dl", { class: "facts" }, Object.entries(heal).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])))))) : null,
      el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, field("Search", this.search), field("Status", this.status)),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tests" }, el("table", { class: "cases" }, el("thead", {}, el("tr", {}, ["Test", "Status", "Layer", "Priority", "Proof", "On the project"].map((words) => el("th", { scope: "col" }, words)))), this.body)),
      this.more);
  },

  open(values) {
    if (!DATA.cases.length) return;
    this.search.value = values.q || "";
    this.status.value = values.status || "";
    this.apply();
  },

  remember() {
    history.replaceState(null, "", address("tests", { q: this.search.value, status: this.status.value }));
    this.apply();
  },

  apply() {
    const words = this.search.value.toLowerCase();
    const shown = DATA.cases.filter((each) => (!this.status.value || each.status === this.status.value) && (!words || JSON.stringify(each).toLowerCase().includes(words)));
    fill(this.body, shown.slice(0, CHUNK).map(caseRow));
    const more = el("button", { type: "button", onclick: () => { this.body.append(...shown.slice(CHUNK).map(caseRow)); more.remove(); } }, `${shown.length - CHUNK} more tests`);
    fill(this.more, shown.length ? (shown.length > CHUNK ? more : null) : el("span", { class: "empty" }, "Nothing fits."));
  },
};

function caseRow(each) {
  const why = each.needs || each.error || each.reason;
  return el("tr", {},
    el("th", { scope: "row" }, each.description, el("span", { class: "quiet block" }, each.subject, " · ", each.technique, each.node ? ` · ${each.node}` : ""),
      why ? el("span", { class: "quiet block" }, why) : null,
      each.cites.length ? el("details", {}, el("summary", {}, `cites ${plural(each.cites.length, "fact")}`), el("ul", { class: "plain" }, each.cites.map((id) => el("li", {}, factName(id))))) : null),
    el("td", {}, el("span", { class: `status ${each.status.toLowerCase()}` }, each.status.toLowerCase().replaceAll("_", " "))),
    el("td", {}, each.layer), el("td", { class: "figure" }, each.priority ? each.priority.toFixed(1) : "–"),
    el("td", {}, each.twins || each.mutants ? [el("span", { class: each.holds ? "holds" : "fails" }, each.holds ? "holds" : "does not hold"), el("span", { class: "quiet block" }, `${each.twins_green}/${each.twins} twins, ${each.mutants_killed}/${each.mutants} broken noticed`)] : el("span", { class: "quiet" }, "–")),
    el("td", {}, each.real || el("span", { class: "quiet" }, "–")));
}
