// The report's data, and the addresses of what it shows: everything after `#` says which view, and what in it.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SEVERITIES = ["error", "warning", "note"];
const KINDS = ["gap", "contradiction", "defect"];

const FACTS = DATA.picture.facts.map(([id, label, words, path, line, others, x, y, ring], place) => {
  const [tag, kind] = id.split(":", 2);
  return { place, id, label, words, path, line, others, x, y, ring, tag, kind, edges: [], findings: [], worst: "" };
});
const EDGES = DATA.picture.edges.map(([verb, first, second, confidence = 1, reason = ""]) => ({
  verb: DATA.picture.verbs[verb], first, second, confidence, reason,
}));
for (const edge of EDGES) {
  FACTS[edge.first].edges.push(edge);
  if (edge.first !== edge.second) FACTS[edge.second].edges.push(edge);
}

const FINDINGS = DATA.findings;
FINDINGS.forEach((finding, number) => {
  finding.number = number;
  for (const place of finding.nodes) {
    const fact = FACTS[place];
    fact.findings.push(finding);
    if (!fact.worst || SEVERITIES.indexOf(finding.severity) < SEVERITIES.indexOf(fact.worst)) fact.worst = finding.severity;
  }
});

const BY_IDENTITY = new Map();
for (const finding of FINDINGS) {
  // Equal fingerprints are told apart by their order.
  let identity = finding.id;
  for (let count = 2; BY_IDENTITY.has(identity); count += 1) identity = `${finding.id}-${count}`;
  finding.address = identity;
  BY_IDENTITY.set(identity, finding);
}
const FACT_BY_ID = new Map(FACTS.map((fact) => [fact.id, fact]));
// Maps, since a file may be called `constructor`.
const SOURCES = new Map(Object.entries(DATA.sources));
const RULES = new Map(Object.entries(DATA.rules));

function address(view, values) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(values || {})) if (value) told.set(name, value);
  const query = told.toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path || "overview", values: Object.fromEntries(new URLSearchParams(query || "")) };
}

function sourceAddress(path, line) {
  return address("source", { path, line });
}

function place(path, line) {
  const words = line ? `${path}:${line}` : path;
  return SOURCES.has(path) ? el("a", { class: "place", href: sourceAddress(path, line) }, words) : el("span", { class: "place" }, words);
}
