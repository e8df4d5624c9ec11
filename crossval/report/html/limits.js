// What the report does not know, did not read, or leaves out.

const limitsView = {
  make() {
    const part = (title, words, all, head, rows) => el("section", {}, el("h2", {}, `${title} (${all.toLocaleString("en")})`), el("p", { class: "quiet" }, words),
      rows.length ? el("details", { open: rows.length <= 50 }, el("summary", {}, rows.length < all ? `the first ${rows.length}` : "list"), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, el("table", {}, el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows)))) : null);
    const cells = (...values) => el("tr", {}, values.map((value) => el("td", {}, value)));
    return el("div", { class: "page" }, el("h1", {}, "Limits of this report"),
      part("Not known", "What reading alone cannot settle; nothing is claimed about it.", DATA.unknowns, ["Where", "Subject", "Aspect", "Why"], DATA.unknown.map(([subject, aspect, path, line, reason]) => cells(place(path, line), subject, el("code", {}, aspect), reason))),
      part("Not read", "Files, or parts of them, that no facts came from.", DATA.skips, ["Where", "Why"], DATA.skipped.map(([path, line, reason]) => cells(place(path, line), reason))),
      part("Left out", "Findings that a suppression or the baseline silences.", DATA.summary.suppressed + DATA.summary.baselined, ["Severity", "Rule", "What", "Why"], DATA.silenced.map(([severity, rule, message, reason]) => cells(badge(severity), rule, message, reason))));
  },
  open() {},
};
