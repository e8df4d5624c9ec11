// Makes elements. Text only ever becomes text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(3).filter((each) => each !== null && each !== undefined && each !== false));
  return made;
}

function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(3).filter((each) => each !== null && each !== undefined && each !== false));
  return parent;
}

function plural(count, noun, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many || `${noun}s`}`;
}

function say(words) {
  document.getElementById("said").textContent = words;
}

function kept(name, value) {
  // Browsers may refuse storage to files; then nothing is remembered.
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    return null;
  }
  return value;
}

function badge(severity) {
  return el("span", { class: `badge ${severity}` }, severity);
}

function bar(share, kind) {
  const made = el("span", { class: `meter ${kind || ""}`, "aria-hidden": "true" }, el("span"));
  made.firstChild.style.width = `${Math.max(share > 0 ? 2 : 0, Math.round(share * 100))}%`;
  return made;
}

function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

function later(task, delay) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...given), delay);
  };
}
