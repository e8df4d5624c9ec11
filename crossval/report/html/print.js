// What goes to paper: the summary, all findings that the filters leave, the matrix and the tests, without any controls.

function printed() {
  const findings = findingsView.items || FINDINGS;
  const lines = (witness) => {
    if (!witness) return null;
    const [, path, line, value] = witness;
    const text = linesAround(path, line, 1, 1).map(([number, words]) => `${number === line ? ">" : " "} ${String(number).padStart(5)} | ${words}`).join("\n");
    return [el("p", { class: "fact" }, `${path}:${line}`, value ? `: ${value}` : ""), text ? el("pre", {}, text) : null];
  };
  return [
    el("h1", {}, `${DATA.name}: ${verdict()}`), el("p", {}, scope()),
    el("h2", {}, findings.length === FINDINGS.length ? "Findings" : `Findings (${findings.length} of ${FINDINGS.length})`),
    findings.map((finding) => el("section", { class: "printed" },
      el("h3", {}, `${finding.severity} [${finding.rule}] `, finding.message), lines(finding.spec), lines(finding.code), finding.hint ? el("p", {}, `Help: ${finding.hint}`) : null)),
    DATA.stories.length ? [el("h2", {}, "Stories, code and tests"), el("table", {}, el("tbody", {}, demands().map((row) => el("tr", {}, el("th", {}, row.key, " ", row.text),
      el("td", {}, row.code.map(([id]) => el("div", {}, id))), el("td", {}, row.tests.map(([id]) => el("div", {}, id))), el("td", {}, row.findings.map((number) => el("div", {}, FINDINGS[number].rule)))))))] : null,
    DATA.cases.length ? [el("h2", {}, "Tests"), el("table", {}, el("tbody", {}, DATA.cases.map((each) => el("tr", {}, el("th", {}, each.description), el("td", {}, each.status), el("td", {}, `${each.twins_green}/${each.twins} twins, ${each.mutants_killed}/${each.mutants} broken noticed`)))))] : null,
  ];
}

addEventListener("beforeprint", () => fill(document.getElementById("print"), printed()));
addEventListener("afterprint", () => fill(document.getElementById("print")));
