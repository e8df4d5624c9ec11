// The first view: the run in numbers, and where the disagreements are.

const overviewView = {
  make() {
    const { summary } = DATA;
    return el("div", { class: "overview" },
      el("header", { class: "lead" }, el("h1", {}, verdict()), el("p", { class: "quiet" }, scope())),
      el("div", { class: "tiles" },
        SEVERITIES.map((severity) => tile(summary[severity], plural(summary[severity], severity).replace(/^\S+ /, ""), address("findings", { severity }), severity)),
        [["gaps", "gap", "one side is silent"], ["contradictions", "contradiction", "both speak and differ"], ["defects", "defect", "one side is wrong in itself"]]
          .map(([name, kind, words]) => tile(summary[name], name, address("findings", { kind }), "", words)),
        storyTile(), testTile()),
      FINDINGS.length ? el("div", { class: "charts" },
        chart("Rules", counted(FINDINGS, (each) => each.rule), (rule) => address("findings", { rule }), (rule) => FINDINGS.find((each) => each.rule === rule).severity),
        chart("Subjects", counted(FINDINGS, (each) => each.subject), (subject) => address("findings", { subject })),
        chart("Files", counted(FINDINGS, (each) => (each.code || each.spec)[1]), (path) => address("source", { path }), undefined, (path) => (path.length > 34 ? `…${path.slice(-33)}` : path))) : null);
  },
  open() {},
};

function verdict() {
  if (!FINDINGS.length) return `No ${DATA.summary.baselined || DATA.summary.since ? "new " : ""}disagreement found`;
  return SEVERITIES.filter((each) => DATA.summary[each]).map((each) => plural(DATA.summary[each], each)).join(", ");
}

function scope() {
  const { summary } = DATA;
  const told = [`${plural(summary.sources, "source")}: ${plural(summary.facts.spec, "spec fact")}, ${plural(summary.facts.code, "code fact")}, ${plural(summary.facts.test, "test fact")}`];
  if (summary.suppressed) told.push(`${summary.suppressed} suppressed`);
  if (summary.baselined) told.push(`${summary.baselined} in the baseline`);
  if (summary.since) told.push(`only what was added since ${summary.since}`);
  if (DATA.unknowns) told.push(`${plural(DATA.unknowns, "aspect")} could not be known from reading`);
  return told.join(" · ");
}

function tile(count, words, href, kind, note) {
  return el("a", { class: `tile ${kind || ""} ${count ? "" : "none"}`, href },
    el("strong", {}, typeof count === "number" ? count.toLocaleString("en") : count), el("span", {}, words), note ? el("small", {}, note) : null);
}

function storyTile() {
  const rows = demands();
  if (!rows.length) return null;
  const both = rows.filter((row) => inCode(row) && row.tests.length).length;
  return tile(`${both}/${rows.length}`, "criteria traced", address("stories"), "", "to code and to a test");
}

function testTile() {
  const proven = DATA.cases.filter((each) => each.holds).length;
  return DATA.cases.length ? tile(`${proven}/${DATA.cases.length}`, "tests proven", address("tests"), "", "on twins made from the specs") : null;
}

function chart(title, counts, href, severity, shown = (name) => name) {
  const most = counts.length ? counts[0][1] : 1;
  const row = ([name, count]) => el("li", {}, el("a", { href: href(name) }, el("span", { class: "name", title: name }, shown(name)), bar(count / most, severity?.(name)), el("span", { class: "count" }, count.toLocaleString("en"))));
  return el("section", { class: "chart" }, el("h2", {}, title), el("ol", {}, counts.slice(0, 10).map(row)),
    counts.length > 10 ? el("details", {}, el("summary", {}, `${counts.length - 10} more`), el("ol", {}, counts.slice(10, 300).map(row))) : null);
}
