// The view of findings: filters above, the list on the left, the chosen finding with both sides on the right.

const findingsView = {
  filter: { ...NO_FILTER },
  chosen: null,

  make() {
    this.rows = new Rows({
      label: "Findings",
      height: 76,
      draw: (finding) => [
        el("span", { class: `dot ${finding.severity}`, title: finding.severity }),
        el("span", { class: "row-main" },
          el("span", { class: "row-title" }, el("span", { class: "away" }, `${finding.severity}: `), finding.message),
          el("span", { class: "row-note" }, finding.rule, " · ", finding.subject)),
      ],
      chosen: (finding) => this.show(finding, true),
      opened: () => this.detail.focus(),
    });
    this.search = el("input", { type: "search", placeholder: "Words in message, place, fact…", "data-search": true });
    this.subject = el("input", { type: "search", placeholder: "any", list: "subjects" });
    const rules = counted(FINDINGS, (each) => each.rule).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    this.rule = el("select", {}, el("option", { value: "" }, "any"), rules.map(([name, count]) => el("option", { value: name }, `${name} (${count})`)));
    const subjects = counted(FINDINGS, (each) => each.subject).slice(0, 500);
    this.chips = [["severity", SEVERITIES], ["kind", KINDS]].map(([name, values]) =>
      el("span", { class: "chips", role: "group", "aria-label": name }, values.map((value) => {
        const count = FINDINGS.filter((each) => each[name] === value).length;
        if (!count) return null;
        const chip = el("button", { type: "button", class: `chip ${value}`, "aria-pressed": "false", "data-name": name, "data-value": value },
          `${value} `, el("span", { class: "count" }, count.toLocaleString("en")));
        chip.addEventListener("click", () => this.toggle(name, value));
        return chip;
      })));
    this.count = el("p", { class: "quiet", id: "found" });
    this.clear = el("button", { type: "button", class: "plain", onclick: () => this.change({ ...NO_FILTER }) }, "Clear filters");
    this.search.addEventListener("input", () => this.change({ q: this.search.value }));
    this.subject.addEventListener("input", () => this.change({ subject: this.subject.value }));
    this.rule.addEventListener("change", () => this.change({ rule: this.rule.value }));
    this.detail = el("article", { class: "detail", tabindex: "-1", "aria-label": "The chosen finding" });
    return el("div", { class: "findings" },
      el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
        field("Search", this.search), field("Rule", this.rule), field("Subject", this.subject),
        el("datalist", { id: "subjects" }, subjects.map(([subject]) => el("option", { value: subject }))),
        this.chips, this.clear),
      el("div", { class: "split" }, el("div", { class: "side" }, this.count, this.rows.box), this.detail));
  },

  open(values) {
    this.filter = filterOf(values);
    this.chosen = BY_IDENTITY.get(values.f) || null;
    this.apply();
  },

  toggle(name, value) {
    const values = new Set(this.filter[name].split(",").filter(Boolean));
    if (!values.delete(value)) values.add(value);
    this.change({ [name]: [...values].join(",") });
  },

  change(values) {
    performance.mark("filter-begins");
    Object.assign(this.filter, values);
    this.apply();
    performance.measure("filter", "filter-begins");
    this.remember();
    said();
  },

  apply() {
    const { filter } = this;
    for (const [control, name] of [[this.search, "q"], [this.rule, "rule"], [this.subject, "subject"]]) {
      if (control.value !== filter[name]) control.value = filter[name];
    }
    for (const chip of this.chips.flatMap((group) => [...group.children])) {
      chip.setAttribute("aria-pressed", String(filter[chip.dataset.name].split(",").includes(chip.dataset.value)));
    }
    this.items = filtered(filter);
    if (!this.chosen || !this.items.includes(this.chosen)) this.chosen = this.items[0] || null;
    this.rows.set(this.items, this.items.indexOf(this.chosen));
    this.clear.hidden = Object.values(filter).every((value) => !value);
    const all = FINDINGS.length;
    fill(this.count, this.items.length === all ? plural(all, "finding") : `${this.items.length.toLocaleString("en")} of ${plural(all, "finding")}`);
    this.show(this.chosen, false);
  },

  remember() {
    remembered({ ...this.filter, f: this.chosen?.address });
  },

  show(finding, remember) {
    this.chosen = finding;
    if (remember) this.remember();
    if (finding && this.drawn === finding) return;
    this.drawn = finding;
    if (!finding) {
      fill(this.detail, el("h1", {}, "Findings"), el("p", { class: "empty" }, FINDINGS.length ? "No finding fits these filters." : "No disagreement was found."));
      return;
    }
    fill(this.detail, findingDetail(finding));
    this.detail.scrollTop = 0;
  },
};

// Browsers refuse an address that changes too often.
const remembered = later((values) => {
  if (here().view === "findings") history.replaceState(null, "", address("findings", values));
}, 150);
const said = later(() => say(plural(findingsView.items.length, "finding")), 400);

function findingDetail(finding) {
  const rule = RULES.get(finding.rule);
  const wide = finding.affects.filter((each) => each !== finding.subject);
  return [
    el("header", {},
      el("p", { class: "line" }, badge(finding.severity), el("a", { class: "rule", href: address("findings", { rule: finding.rule }), title: "All findings of this rule" }, finding.rule),
        el("span", { class: "quiet" }, finding.kind), finding.confidence < 1 ? el("span", { class: "quiet" }, `confidence ${finding.confidence.toFixed(2)}`) : null),
      el("h1", {}, finding.message),
      el("p", { class: "line quiet" }, el("span", {}, finding.subject), el("code", {}, finding.aspect),
        el("a", { href: address("graph", { finding: finding.address }) }, "Show in the graph"))),
    el("div", { class: "sides" },
      witnessPanel("spec", finding.spec, "The specs say nothing about this."),
      witnessPanel("code", finding.code, "The code says nothing about this.")),
    finding.hint ? el("p", { class: "hint" }, el("strong", {}, "How to fix it "), finding.hint) : null,
    finding.related.length ? el("section", {}, el("h2", { class: "small" }, "See also"), finding.related.map(([fact, path, line]) =>
      el("div", { class: "related" }, el("p", {}, place(path, line), " ", el("span", { class: "fact" }, factLink(fact))), frame(path, line, 1, 1)))) : null,
    wide.length ? el("p", {}, el("strong", {}, "Affects "), wide.map((each, index) => [index ? ", " : "", el("a", { href: address("findings", { subject: each }) }, each)])) : null,
    rule ? el("details", { class: "about" }, el("summary", {}, `About ${finding.rule}`), el("p", {}, rule.summary), helpOf(rule.help)) : null,
  ];
}

function helpOf(help) {
  // The rule's own documentation: paragraphs, headings, and code between fences.
  const made = [];
  for (const [index, part] of help.split(/^```.*$/m).entries()) {
    if (index % 2) made.push(el("pre", {}, part.trim()));
    else for (const block of part.split(/\n(?=#+ )|\n\s*\n/)) {
      const [, heading, rest] = block.trim().match(/^(?:#+ +(.*)(?:\n|$))?([\s\S]*)$/);
      if (heading) made.push(el("h4", {}, heading));
      if (rest.trim()) made.push(el("p", {}, rest.trim()));
    }
  }
  return made;
}
