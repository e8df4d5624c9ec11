// Which findings are shown: by rule, severity, kind, subject and words.

function wordsOf(each) {
  // Made when they are first looked for: nothing of it is needed to show the page.
  if (!each.words) {
    const places = [each.spec, each.code, ...each.related].filter(Boolean).map(([fact, path, line, value]) => `${fact} ${path}:${line} ${value}`);
    each.words = [each.message, each.rule, each.severity, each.kind, each.subject, each.aspect, each.hint, ...places, ...each.affects].join("\n").toLowerCase();
  }
  return each.words;
}

function subjectWordsOf(each) {
  return (each.subjectWords ??= [each.subject, ...each.affects].join("\n").toLowerCase());
}

function prepareWords(from = 0) {
  const end = Math.min(FINDINGS.length, from + 250);
  for (let index = from; index < end; index += 1) wordsOf(FINDINGS[index]);
  if (end < FINDINGS.length) setTimeout(prepareWords, 0, end);
}

const NO_FILTER = { q: "", rule: "", severity: "", kind: "", subject: "" };

function filtered(filter) {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const severities = new Set(filter.severity.split(",").filter(Boolean));
  const kinds = new Set(filter.kind.split(",").filter(Boolean));
  const subject = filter.subject.trim().toLowerCase();
  return FINDINGS.filter((each) =>
    (!filter.rule || each.rule === filter.rule)
    && (!severities.size || severities.has(each.severity))
    && (!kinds.size || kinds.has(each.kind))
    && (!subject || subjectWordsOf(each).includes(subject))
    && words.every((word) => wordsOf(each).includes(word)));
}

function filterOf(values) {
  return Object.fromEntries(Object.keys(NO_FILTER).map((name) => [name, values[name] || ""]));
}

function counted(things, key) {
  const counts = new Map();
  for (const each of things) counts.set(key(each), (counts.get(key(each)) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
