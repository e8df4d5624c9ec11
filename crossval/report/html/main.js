// Which view is shown, the theme, and the keys that work everywhere.

const VIEWS = {
  overview: ["Overview", overviewView], findings: ["Findings", findingsView], stories: ["Stories", storiesView], tests: ["Tests", testsView],
  graph: ["Graph", graphView], source: ["Sources", sourceView], limits: ["Limits", limitsView],
};
const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };
const KEYS = [["1 – 7", "go to a view"], ["/", "search"], ["↑ ↓ or j k", "choose the next or previous row"], ["Enter", "go to what is chosen"], ["?", "show these keys"],
  ["+ − 0", "zoom the picture, fit it"], ["arrows", "move the picture"], ["n p", "choose the next or previous fact in the picture"], ["Esc", "leave a field or this list"]];
const made = new Map();
const main = document.getElementById("main");
let current = "";

function route() {
  const { view, values } = here();
  const name = Object.hasOwn(VIEWS, view) ? view : "overview";
  const [title, shown] = VIEWS[name];
  if (!made.has(name)) made.set(name, shown.make());
  if (current !== name) {
    fill(main, made.get(name));
    main.scrollTop = 0;
    current = name;
    document.body.dataset.view = name;
    document.title = `${title} · ${DATA.name} · crossfact`;
    for (const link of document.querySelectorAll("#views a")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
  shown.open(values);
  performance.mark("shown");
}

function paintTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = THEMES[name];
  button.setAttribute("aria-label", `Theme: ${THEMES[name]}`);
  button.dataset.theme = name;
  graphView.drawing?.colours();
}

document.getElementById("project").textContent = DATA.name;
fill(document.getElementById("views"), Object.entries(VIEWS).map(([name, [title]], index) => {
  const counts = { findings: FINDINGS.length, stories: DATA.stories.length, tests: DATA.cases.length };
  return el("a", { href: address(name), "data-view": name, title: `Key ${index + 1}` }, title, counts[name] ? el("span", { class: "count" }, counts[name].toLocaleString("en")) : null);
}));

const help = document.getElementById("help");
fill(help, el("h2", { id: "help-title" }, "Keys"), el("dl", { class: "facts" }, KEYS.map(([key, words]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)])),
  el("form", { method: "dialog" }, el("button", {}, "Close")));
document.getElementById("keys").addEventListener("click", () => help.showModal());

document.getElementById("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.getElementById("theme").dataset.theme) + 1) % names.length];
  kept("crossfact-theme", next);
  paintTheme(next);
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || help.open) return;
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing) return;
  const views = Object.keys(VIEWS);
  if (event.key === "/") {
    const search = main.querySelector("[data-search]");
    if (!search) location.hash = address("findings");
    setTimeout(() => main.querySelector("[data-search]")?.focus());
  } else if (event.key === "?") help.showModal();
  else if (views[Number(event.key) - 1]) location.hash = address(views[Number(event.key) - 1]);
  else if (["j", "k"].includes(event.key) && current === "findings" && event.target !== findingsView.rows.box) findingsView.rows.key(event);
  else return;
  event.preventDefault();
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => graphView.drawing?.colours());
addEventListener("hashchange", route);
const theme = kept("crossfact-theme");
paintTheme(Object.hasOwn(THEMES, theme) ? theme : "auto");
route();
setTimeout(prepareWords, 200);
