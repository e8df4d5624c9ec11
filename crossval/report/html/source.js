// One file as far as the report carries it, with the findings beside their lines.

const sourceView = {
  make() {
    this.page = el("div", { class: "page wide" });
    return this.page;
  },

  open({ path, line }) {
    const paths = [...SOURCES.keys()];
    const marks = new Map();
    for (const finding of FINDINGS) {
      for (const witness of [finding.spec, finding.code, ...finding.related]) {
        if (witness && witness[1] === path) {
          if (!marks.has(witness[2])) marks.set(witness[2], new Set());
          marks.get(witness[2]).add(finding);
        }
      }
    }
    const chosen = el("select", { onchange: () => { location.hash = sourceAddress(chosen.value); } }, SOURCES.has(path) ? null : el("option", { value: "" }, "choose a file"), paths.map((each) => el("option", { value: each, selected: each === path }, each)));
    const margin = (number) => [...(marks.get(number) || [])].slice(0, 6).map((finding) => el("a", { class: `mark ${finding.severity}`, href: address("findings", { f: finding.address }), title: finding.message }, finding.rule));
    const runs = (SOURCES.get(path) || []).map(([first, ...texts]) => codeTable(path, texts.map((text, index) => [first + index, text]), new Set([Number(line)]), margin));
    fill(this.page, el("h1", {}, path || "Sources"), el("form", { class: "filters" }, field("File", chosen)),
      runs.length ? runs.flatMap((run, index) => (index ? [el("p", { class: "cut", "aria-label": "Lines that are not in this report" }, "⋯"), run] : [run])) : el("p", { class: "empty" }, path ? "The lines of this file are not in this report." : "The lines around each finding, by file."));
    if (line) {
      const row = document.getElementById(`L${line}`);
      row?.scrollIntoView({ block: "center" });
    }
  },
};
