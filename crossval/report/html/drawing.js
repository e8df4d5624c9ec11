// Draws facts and their relations on a canvas: pan, zoom, pick. Shapes tell witnesses apart where colours cannot.

const PALETTE = ["ink", "quiet", "line", "paper", "spec", "code", "test", "error", "warning", "note", "accent"];
const LARGE = new Set(["operation", "module", "class", "story", "schema"]);

class Drawing {
  constructor({ picked, opened }) {
    Object.assign(this, { picked, opened, nodes: [], edges: [], node: new Map(), chosen: null, near: null, over: null, x: 0, y: 0, scale: 1 });
    this.canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": "Picture of the fact graph. Arrow keys move it, plus and minus zoom, 0 fits it, n and p choose the next and previous fact, Enter centres on it." });
    this.pen = this.canvas.getContext("2d");
    this.probe = el("span", { hidden: true });
    this.box = el("div", { class: "canvas" }, this.canvas, this.probe);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  set(nodes, edges, chosen, dims) {
    this.nodes = nodes;
    this.node = new Map(nodes.map((node) => [node.fact.place, node]));
    this.edges = edges.filter((edge) => this.node.has(edge.first) && this.node.has(edge.second) && edge.first !== edge.second);
    this.choose(chosen, dims);
    this.resize();
    this.fit();
  }

  choose(fact, dims = true) {
    this.chosen = fact;
    this.near = dims && fact && new Set(fact.edges.flatMap((edge) => [edge.first, edge.second]));
    this.redraw();
  }

  colours() {
    const found = {};
    for (const name of PALETTE) {
      this.probe.style.color = `var(--${name})`;
      found[name] = getComputedStyle(this.probe).color;
    }
    this.palette = found;
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    const sharp = window.devicePixelRatio || 1;
    const fresh = !this.width;
    Object.assign(this, { width, height, sharp });
    this.canvas.width = Math.round(width * sharp);
    this.canvas.height = Math.round(height * sharp);
    if (!this.palette) this.colours();
    if (fresh) this.fit();
    this.redraw();
  }

  fit() {
    if (!this.width || !this.nodes.length) return;
    const xs = this.nodes.map((node) => node.x);
    const ys = this.nodes.map((node) => node.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.scale = Math.min(1.6, (this.width - 160) / Math.max(1, right - left), (this.height - 110) / Math.max(1, bottom - top));
    this.scale = Math.max(0.01, this.scale);
    this.x = this.width / 2 - ((left + right) / 2) * this.scale;
    this.y = this.height / 2 - ((top + bottom) / 2) * this.scale;
    this.redraw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(6, Math.max(0.01, this.scale * factor));
    this.x = x - ((x - this.x) / this.scale) * scale;
    this.y = y - ((y - this.y) / this.scale) * scale;
    this.scale = scale;
    this.redraw();
  }

  move(x, y) {
    this.x += x;
    this.y += y;
    this.redraw();
  }

  reach(node) {
    return (LARGE.has(node.fact.kind) ? 7 : 5) * Math.min(1.5, Math.max(0.35, this.scale ** 0.6)) + (node.centre ? 3 : 0);
  }

  at(x, y) {
    let best = null;
    let nearest = 14 ** 2;
    for (const node of this.nodes) {
      const distance = (node.x * this.scale + this.x - x) ** 2 + (node.y * this.scale + this.y - y) ** 2;
      if (distance < nearest) [best, nearest] = [node, distance];
    }
    return best;
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (this.width && this.palette) this.draw();
    });
  }

  draw() {
    const { pen } = this;
    pen.setTransform(this.sharp, 0, 0, this.sharp, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    for (const node of this.nodes) {
      node.px = node.x * this.scale + this.x;
      node.py = node.y * this.scale + this.y;
      node.seen = node.px > -40 && node.py > -40 && node.px < this.width + 40 && node.py < this.height + 40;
    }
    this.drawEdges();
    for (const node of this.nodes) if (node.seen) this.drawNode(node);
    pen.globalAlpha = 1;
    this.drawLabels();
  }

  drawEdges() {
    const { pen, palette } = this;
    const styles = { plain: [], inferred: [], contradicts: [], near: [] };
    for (const edge of this.edges) {
      const ends = [this.node.get(edge.first), this.node.get(edge.second)];
      if (!ends[0].seen && !ends[1].seen) continue;
      const touches = this.chosen && (edge.first === this.chosen.place || edge.second === this.chosen.place);
      styles[edge.verb === "contradicts" ? "contradicts" : touches ? "near" : edge.confidence < 1 ? "inferred" : "plain"].push(ends);
    }
    const crowded = this.edges.length > 1500;
    const looks = { plain: [palette.line, crowded ? 0.5 : 1, []], inferred: [palette.quiet, crowded ? 0.35 : 0.7, [2, 4]], near: [palette.accent, 1.4, []], contradicts: [palette.error, crowded ? 1 : 1.4, [6, 4]] };
    for (const [name, pairs] of Object.entries(styles)) {
      const [colour, width, dashes] = looks[name];
      Object.assign(pen, { strokeStyle: colour, lineWidth: width });
      pen.setLineDash(dashes);
      pen.beginPath();
      for (const [from, to] of pairs) {
        pen.moveTo(from.px, from.py);
        pen.lineTo(to.px, to.py);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  drawNode(node) {
    const { pen, palette } = this;
    const { fact } = node;
    const radius = this.reach(node);
    const dimmed = this.near && fact !== this.chosen && !this.near.has(fact.place);
    const far = this.scale <= 0.3;
    pen.globalAlpha = dimmed ? 0.45 : 1;
    pen.fillStyle = palette[fact.tag] || palette.quiet;
    if (far && fact !== this.chosen) {
      // Shapes cannot be told from afar, and thousands of them take their time.
      if (fact.worst) {
        pen.fillStyle = palette[fact.worst];
        pen.fillRect(node.px - radius - 1.2, node.py - radius - 1.2, radius * 2 + 2.4, radius * 2 + 2.4);
        pen.fillStyle = palette[fact.tag] || palette.quiet;
      }
      pen.fillRect(node.px - radius, node.py - radius, radius * 2, radius * 2);
      return;
    }
    pen.strokeStyle = palette.paper;
    pen.lineWidth = 1.5;
    pen.beginPath();
    if (fact.tag === "code") pen.rect(node.px - radius * 0.88, node.py - radius * 0.88, radius * 1.76, radius * 1.76);
    else if (fact.tag === "test") {
      pen.moveTo(node.px, node.py - radius * 1.15);
      pen.lineTo(node.px + radius, node.py + radius * 0.8);
      pen.lineTo(node.px - radius, node.py + radius * 0.8);
      pen.closePath();
    } else pen.arc(node.px, node.py, radius, 0, Math.PI * 2);
    pen.fill();
    if (!far) pen.stroke();
    const ring = fact === this.chosen ? palette.accent : fact.worst ? palette[fact.worst] : "";
    if (ring) {
      pen.strokeStyle = ring;
      pen.lineWidth = fact === this.chosen ? 3 : 2;
      pen.beginPath();
      pen.arc(node.px, node.py, radius + 4, 0, Math.PI * 2);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  drawLabels() {
    const { pen, palette } = this;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const weight = (node) => (node.fact === this.chosen ? 1e6 : 0) + (node === this.over ? 1e5 : 0) + (node.centre ? 1e4 : 0)
      + (this.near && this.near.has(node.fact.place) ? 500 : 0) + (node.fact.worst ? 100 : 0) + (LARGE.has(node.fact.kind) ? 50 : 0) + Math.min(40, node.fact.edges.length);
    const wanted = this.nodes.filter((node) => node.seen && (this.scale > 0.45 || weight(node) > 400 || (this.scale > 0.2 && LARGE.has(node.fact.kind))));
    wanted.sort((a, b) => weight(b) - weight(a));
    const size = this.nodes.length < 120 ? 6 : 3;
    const taken = this.nodes.length < 400 ? this.nodes.map((node) => [node.px - size, node.py - size, node.px + size, node.py + size]) : [];
    const free = (box) => box[0] > 2 && box[2] < this.width - 2 && !taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
    let drawn = 0;
    for (const node of wanted) {
      if (drawn > 160) break;
      const { label } = node.fact;
      const words = label.length > 34 ? `${label.slice(0, 33)}…` : label;
      const width = pen.measureText(words).width;
      const gap = this.reach(node) + (node.fact.worst || node.fact === this.chosen ? 9 : 5);
      const sides = [[node.px + gap, node.py], [node.px - gap - width, node.py]];
      if (node.px < this.width / 2) sides.reverse();
      sides.push([node.px - width / 2, node.py + gap + 6], [node.px - width / 2, node.py - gap - 6]);
      const boxes = sides.map(([x, y]) => [x, y - 7, x + width, y + 7]);
      const must = node.fact === this.chosen || node === this.over;
      const box = boxes.find(free) || (must && boxes[0]);
      if (!box) continue;
      taken.push(box);
      drawn += 1;
      Object.assign(pen, { strokeStyle: palette.paper, lineWidth: 3, lineJoin: "round" });
      pen.strokeText(words, box[0], box[1] + 7);
      pen.fillStyle = must || node.centre ? palette.ink : palette.quiet;
      pen.fillText(words, box[0], box[1] + 7);
    }
  }

  listen() {
    const { canvas } = this;
    const spots = new Map();
    let moved = 0;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      spots.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = spots.get(event.pointerId);
      if (!before) {
        const over = this.at(event.offsetX, event.offsetY);
        if (over !== this.over) {
          this.over = over;
          canvas.style.cursor = over ? "pointer" : "";
          this.redraw();
        }
        return;
      }
      const now = [event.offsetX, event.offsetY];
      moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
      if (spots.size === 2) {
        const [, other] = [...spots].find(([id]) => id !== event.pointerId);
        const apart = (spot) => Math.hypot(spot[0] - other[0], spot[1] - other[1]) || 1;
        this.zoom(apart(now) / apart(before), other[0], other[1]);
      } else this.move(now[0] - before[0], now[1] - before[1]);
      spots.set(event.pointerId, now);
    });
    const ended = (event) => spots.delete(event.pointerId);
    canvas.addEventListener("pointerup", (event) => {
      if (moved < 6 && spots.size === 1) {
        const node = this.at(event.offsetX, event.offsetY);
        if (node) this.picked(node.fact);
      }
      ended(event);
    });
    canvas.addEventListener("pointercancel", ended);
    canvas.addEventListener("pointerleave", () => {
      this.over = null;
      this.redraw();
    });
    canvas.addEventListener("dblclick", (event) => {
      const node = this.at(event.offsetX, event.offsetY);
      if (node) this.opened(node.fact);
      else this.zoom(1.6, event.offsetX, event.offsetY);
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = (by) => {
      const index = this.nodes.findIndex((node) => node.fact === this.chosen);
      const next = this.nodes[(index + by + this.nodes.length) % this.nodes.length];
      if (next) this.picked(next.fact);
    };
    const keys = {
      ArrowLeft: () => this.move(60, 0), ArrowRight: () => this.move(-60, 0), ArrowUp: () => this.move(0, 60), ArrowDown: () => this.move(0, -60),
      "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.fit(),
      n: () => step(1), p: () => step(-1), Enter: () => this.chosen && this.opened(this.chosen),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
