// Source lines around a place, with their numbers, each a link to the line in the file's own view.

function linesAround(path, line, before, after) {
  const found = [];
  for (const [first, ...texts] of SOURCES.get(path) || []) {
    const start = Math.max(first, line - before);
    const end = Math.min(first + texts.length - 1, line + after);
    for (let number = start; number <= end; number += 1) found.push([number, texts[number - first]]);
  }
  return found.some(([number]) => number === line) ? found : [];
}

function frame(path, line, before = 4, after = 4) {
  const lines = linesAround(path, line, before, after);
  if (!lines.length) return el("p", { class: "quiet" }, "The lines are not in this report.");
  return codeTable(path, lines, new Set([line]));
}

function codeTable(path, lines, marked, margin) {
  const rows = lines.map(([number, text]) =>
    el("tr", { class: marked.has(number) ? "marked" : null, id: margin ? `L${number}` : null },
      el("td", { class: "number" }, el("a", { href: sourceAddress(path, number), "aria-label": `${path} line ${number}`, tabindex: marked.has(number) ? null : "-1" }, String(number))),
      el("td", { class: "text" }, text || " "),
      margin ? el("td", { class: "margin" }, margin(number)) : null));
  return el("div", { class: "lines", tabindex: "0", role: "region", "aria-label": `${path}, lines ${lines[0][0]} to ${lines[lines.length - 1][0]}` }, el("table", { role: "presentation" }, el("tbody", {}, rows)));
}

function witnessPanel(side, witness, silent) {
  if (!witness) {
    return el("section", { class: `panel ${side} silent` },
      el("h2", {}, side === "spec" ? "Spec" : "Code"),
      el("p", { class: "quiet" }, silent));
  }
  const [fact, path, line, value] = witness;
  const tag = fact.split(":", 1)[0];
  const title = { spec: "Spec", code: "Code", test: "Test" }[tag] || "File";
  return el("section", { class: `panel ${["spec", "code", "test"].includes(tag) ? tag : side}` },
    el("h2", {}, title, " ", place(path, line)),
    frame(path, line),
    value ? el("p", { class: "says" }, el("span", {}, "says "), el("code", {}, value)) : null,
    el("p", { class: "fact" }, factLink(fact)));
}

function factLink(id, words = id) {
  return FACT_BY_ID.has(id) ? el("a", { href: address("graph", { fact: id }), title: `${id}: show it in the graph` }, breakable(words)) : el("span", { title: id }, breakable(words));
}

function factName(id) {
  // The fact as people call it: its shape for who speaks, its kind, its key without the file it is in.
  const [tag, kind, ...key] = id.split(":");
  return [el("span", { class: `shape ${tag}`, role: "img", "aria-label": tag }), " ", factLink(id, key.join(":").split("::").pop()), " ", el("span", { class: "quiet" }, kind === tag ? "" : kind)];
}

function breakable(words) {
  // Long names break where a person would break them.
  return words.split(/(?<=[._/:#-])(?=\w)/).flatMap((part, index) => (index ? [el("wbr"), part] : [part]));
}
