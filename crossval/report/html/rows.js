// A list of any length of which only the rows in sight are elements; one row is chosen, by mouse or keys.

class Rows {
  constructor({ label, height, draw, chosen, opened }) {
    Object.assign(this, { height, draw, chosen, opened, items: [], at: -1, shown: new Map() });
    this.space = el("div", { class: "rows-space", role: "presentation" });
    this.box = el("div", { class: "rows", role: "listbox", tabindex: "0", "aria-label": label }, this.space);
    this.box.addEventListener("scroll", () => this.paint(), { passive: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-at]");
      if (row) this.choose(Number(row.dataset.at), true);
    });
    new ResizeObserver(() => this.paint()).observe(this.box);
  }

  set(items, at) {
    this.items = items;
    this.at = at;
    this.space.style.height = `${items.length * this.height}px`;
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    const room = this.box.clientHeight || 600;
    if (at < 0) this.box.scrollTop = 0;
    else if (at * this.height < this.box.scrollTop || (at + 1) * this.height > this.box.scrollTop + room) this.box.scrollTop = (at + 0.5) * this.height - room / 2;
    this.paint();
  }

  paint() {
    const room = this.box.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 4);
    const last = Math.min(this.items.length, Math.ceil((this.box.scrollTop + room) / this.height) + 4);
    for (const [index, row] of this.shown) {
      if (index < first || index >= last) {
        row.remove();
        this.shown.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      if (!this.shown.has(index)) this.space.append(this.row(index));
    }
    const active = this.shown.get(this.at);
    if (active) this.box.setAttribute("aria-activedescendant", active.id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(index) {
    const row = el("div", {
      class: "row", role: "option", id: `row-${index}`, "data-at": index, "aria-selected": String(index === this.at),
      "aria-setsize": this.items.length, "aria-posinset": index + 1,
    }, this.draw(this.items[index]));
    row.style.transform = `translateY(${index * this.height}px)`;
    row.style.height = `${this.height}px`;
    this.shown.set(index, row);
    return row;
  }

  choose(index, byHand) {
    if (index < 0 || index >= this.items.length) return;
    this.shown.get(this.at)?.setAttribute("aria-selected", "false");
    this.at = index;
    this.reveal();
    this.paint();
    this.shown.get(index)?.setAttribute("aria-selected", "true");
    this.chosen(this.items[index], byHand);
  }

  reveal() {
    const top = this.at * this.height;
    const room = this.box.clientHeight || 600;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.height > this.box.scrollTop + room) this.box.scrollTop = top + this.height - room;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      const wanted = Math.min(this.items.length - 1, Math.max(0, this.at + steps[event.key]));
      this.choose(wanted, false);
    } else if (event.key === "Enter") this.opened?.();
    else return;
    event.preventDefault();
  }
}
