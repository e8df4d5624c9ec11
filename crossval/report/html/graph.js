// The picture of the fact graph around a finding, a story or any fact, beside what the chosen fact says.

const graphView = {
  around: null,

  make() {
    this.drawing = new Drawing({ picked: (fact) => this.pick(fact), opened: (fact) => { location.hash = address("graph", { fact: fact.id }); } });
    this.search = el("input", { type: "search", placeholder: "Find a fact…", "data-search": true, "aria-label": "Find a fact", oninput: later(() => this.list(), 60) });
    this.rows = new Rows({
      label: "Facts", height: 44,
      draw: (fact) => [el("span", { class: `shape ${fact.tag}` }), el("span", { class: "row-main" }, el("span", { class: "row-title" }, fact.label), el("span", { class: "row-note" }, fact.tag === fact.kind ? fact.kind : `${fact.tag} ${fact.kind}`)), fact.worst ? el("span", { class: `dot ${fact.worst}` }) : null],
      chosen: (fact) => (this.drawing.node.has(fact.place) ? this.pick(fact) : (location.hash = address("graph", { fact: fact.id }))),
      opened: () => this.drawing.chosen && (location.hash = address("graph", { fact: this.drawing.chosen.id })),
    });
    this.detail = el("div", { class: "fact-detail", "aria-live": "polite" });
    this.title = el("h1", {});
    this.back = el("span", { class: "line quiet" });
    const button = (words, label, act) => el("button", { type: "button", "aria-label": label, title: label, onclick: act }, words);
    const tools = el("div", { class: "canvas-tools", role: "toolbar", "aria-label": "Picture" },
      button("+", "Zoom in", () => this.drawing.zoom(1.3)), button("−", "Zoom out", () => this.drawing.zoom(1 / 1.3)), button("Fit", "Fit the picture", () => this.drawing.fit()),
      el("a", { class: "button", href: address("graph") }, "Everything"));
    const legend = el("p", { class: "legend" }, [["spec", "spec"], ["code", "code"], ["test", "test"]].map(([tag, words]) => el("span", {}, el("span", { class: `shape ${tag}` }), words)), el("span", {}, el("span", { class: "stroke contradicts" }), "contradicts"), el("span", {}, el("span", { class: "stroke inferred" }), "inferred"));
    if (!FACTS.length) return el("div", { class: "page" }, el("h1", {}, "Graph"), el("p", { class: "empty" }, "There are no facts to draw."));
    this.drawing.box.append(tools, legend);
    return el("div", { class: "graph" },
      el("aside", { class: "side" }, el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, this.search), this.rows.box, this.detail),
      el("div", { class: "stage" }, el("header", { class: "stage-head" }, this.title, this.back), this.drawing.box));
  },

  open(values) {
    if (!FACTS.length) return;
    const finding = BY_IDENTITY.get(values.finding);
    const fact = FACT_BY_ID.get(values.fact) || (finding && FACTS[finding.nodes[0]]) || null;
    const ring = finding ? finding.ring : fact ? fact.ring : -1;
    this.whole = ring < 0;
    this.nodes = this.whole ? FACTS.map((each) => ({ fact: each, x: each.x, y: each.y })) : ringNodes(DATA.picture.rings[ring]);
    fill(this.title, finding ? finding.message : fact && !this.whole ? fact.label : "Everything around the findings and stories");
    fill(this.back, finding ? el("a", { href: address("findings", { f: finding.address }) }, "Back to the finding") : null,
      finding && !finding.nodes.length ? el("span", {}, "No fact of the graph belongs to this finding.") : null,
      el("span", {}, `${plural(this.nodes.length, "fact")} of ${FACTS.length.toLocaleString("en")}`));
    this.drawing.set(this.nodes, EDGES, fact, this.whole);
    this.search.value = "";
    this.list();
    this.describe(fact);
  },

  list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const among = words.length ? FACTS : this.nodes.map((node) => node.fact);
    const found = among.filter((fact) => words.every((word) => fact.id.toLowerCase().includes(word) || fact.words.toLowerCase().includes(word)));
    this.rows.set(found, found.indexOf(this.drawing.chosen));
  },

  pick(fact) {
    this.drawing.choose(fact);
    const index = this.rows.items.indexOf(fact);
    if (index !== this.rows.at) this.rows.set(this.rows.items, index);
    this.describe(fact);
  },

  describe(fact) {
    if (!fact) {
      fill(this.detail, el("p", { class: "quiet" }, "Choose a fact in the list or in the picture to see what it says."));
      return;
    }
    const relations = fact.edges.map((edge) => {
      const forward = edge.first === fact.place;
      const other = FACTS[forward ? edge.second : edge.first];
      return el("li", {}, el("span", { class: "verb" }, forward ? `${edge.verb} → ` : `← ${edge.verb} `), factLink(other.id), edge.reason ? el("span", { class: "quiet" }, ` ${edge.reason}`) : null, edge.confidence < 1 ? el("span", { class: "quiet" }, ` ${edge.confidence.toFixed(2)}`) : null);
    });
    fill(this.detail,
      el("h2", {}, fact.label),
      el("p", {}, fact.words),
      el("p", { class: "line" }, place(fact.path, fact.line), el("a", { href: address("graph", { fact: fact.id }) }, "Centre on it")),
      frame(fact.path, fact.line, 0, 5),
      fact.findings.length ? el("section", {}, el("h3", {}, plural(fact.findings.length, "finding")), el("ul", { class: "plain" }, fact.findings.slice(0, 20).map(findingLink))) : null,
      el("h3", {}, plural(fact.edges.length, "relation")), el("ul", { class: "plain relations" }, relations.slice(0, 80)),
      fact.others ? el("p", { class: "quiet" }, `and ${plural(fact.others, "fact")} that this report leaves out`) : null,
      el("p", { class: "fact" }, fact.id));
  },
};

function ringNodes([centres, ...numbers]) {
  const nodes = [];
  for (let index = 0; index < numbers.length; index += 3) {
    nodes.push({ fact: FACTS[numbers[index]], x: numbers[index + 1], y: numbers[index + 2], centre: index / 3 < centres });
  }
  return nodes;
}
