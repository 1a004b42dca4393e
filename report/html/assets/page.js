"use strict";
// The page's behaviour: each violation can be stepped through. Everything shown is in the
// data; nothing is fetched.
(() => {
  const runs = JSON.parse(document.getElementById("data").textContent) || [];
  const svgNS = "http://www.w3.org/2000/svg";

  // el makes an element with properties and children.
  function el(name, props, ...children) {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(props || {})) {
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (k === "style") e.style.cssText = v; // the page's policy forbids style attributes
      else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v === true ? "" : v);
    }
    e.append(...children);
    return e;
  }

  // draw makes an element of a drawing.
  function draw(name, props, text) {
    const e = document.createElementNS(svgNS, name);
    for (const [k, v] of Object.entries(props || {})) k === "style" ? (e.style.cssText = v) : e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  const colour = (t) => `var(--t${((t - 1) % 8) + 1})`;
  // broken lets long names break behind dots, commas and brackets rather than anywhere.
  const broken = (text) => text.split(/(?<=[.,(])(?=\S)/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));
  const clip = (text, n) => (text.length > n ? text.slice(0, n - 1) + "…" : text);

  class View {
    constructor(section, run) {
      this.section = section;
      this.run = run;
      this.at = 0;
      this.order = -1;
      this.build();
      this.go(run.damage > 0 ? run.damage : Math.min(1, run.steps.length));
    }

    build() {
      const r = this.run, n = r.steps.length;
      this.range = el("input", { type: "range", min: n ? 1 : 0, max: n, value: 1, "aria-label": "step", oninput: () => this.go(+this.range.value) });
      this.now = el("span", { class: "now" });
      const button = (label, title, act) => el("button", { type: "button", title, "aria-label": title, onclick: act }, label);
      const controls = el("div", { class: "controls" },
        button("«", "first step", () => this.go(1)), button("‹", "step back", () => this.go(this.at - 1)),
        button("›", "step forward", () => this.go(this.at + 1)), button("»", "last step", () => this.go(n)), this.range, this.now);
      if (r.damage) controls.append(button("damage", "the step behind which nothing is right", () => this.go(r.damage)));
      r.orders.forEach((_, i) => {
        const b = button(`order ${i + 1}`, `lay order ${i + 1} over the calls`, () => this.show(this.order === i ? -1 : i));
        b.setAttribute("aria-pressed", "false");
        b.dataset.order = i;
        controls.append(b);
      });
      this.lanes = el("div", { class: "lanes", tabindex: 0, role: "img", "aria-label": "threads against time" });
      this.said = el("div", { class: "said", "aria-live": "polite" });
      this.list = el("ol", { class: "steps", "aria-label": "steps" });
      r.steps.forEach((s, i) => this.list.append(el("li", { class: (s.told ? "" : "folded") + (r.damage === i + 1 ? " damage" : ""), onclick: () => this.go(i + 1) },
        el("span", { class: "no" }, String(i + 1)), el("span", { class: "who", style: `color:${s.told ? colour(s.thread) : "inherit"}` }, String(s.thread - (r.program ? 1 : 0))), el("span", { class: "what", style: `color:${s.told ? colour(s.thread) : "inherit"}` }, ...broken(s.text)), el("span", { class: "at" }, s.at))));
      this.threads = el("div", { class: "threads" });
      this.heap = el("div", { class: "heap", tabindex: 0, role: "img", "aria-label": "memory" });
      const right = el("div", {}, this.threads);
      if (r.scenes && r.scenes.length) right.append(this.heap);
      this.section.append(controls, this.lanes, this.said, el("div", { class: "panels" }, this.list, right));
      if (r.waiting.length) this.section.append(el("ul", { class: "mono" }, ...r.waiting.map((w) => el("li", {}, w))));
      this.section.addEventListener("focusin", () => { active = this; });
      this.section.addEventListener("pointerdown", () => { active = this; });
      this.drawLanes();
    }

    // drawLanes draws calls as bars and steps as marks on them.
    drawLanes() {
      const r = this.run, n = r.steps.length, left = 76, lane = 46;
      const unit = Math.max(5, Math.min(26, 1100 / (n + 1)));
      const width = left + unit * (n + 1) + 20, height = r.threads * lane + 26;
      const x = (step) => left + unit * (step - 0.5);
      this.x = x;
      const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
      if (r.loop) svg.append(draw("rect", { x: x(r.loop) - unit / 2, y: 0, width: unit * (n - r.loop + 1), height, fill: "var(--mark)", opacity: 0.5 }));
      for (let t = 1; t <= r.threads; t++) svg.append(draw("text", { x: 6, y: 22 + (t - 1) * lane + 12, style: `fill:${colour(t)}` }, clip(r.names[t - 1], 9)));
      this.bars = r.calls.map((c) => {
        const y = 8 + (c.thread - 1) * lane, end = c.to ? x(c.to) + unit / 2 : x(n) + unit / 2 + 8;
        const g = draw("g", { class: "call" });
        g.append(draw("rect", { x: x(c.from) - unit / 2, y, width: Math.max(unit, end - x(c.from) + unit / 2), height: 34, rx: 4, fill: "none", stroke: colour(c.thread), "stroke-dasharray": c.to ? "none" : "5 3" }));
        const room = Math.max(3, Math.floor((end - x(c.from)) / 7.3));
        g.append(draw("text", { x: x(c.from) - unit / 2 + 4, y: y + 13 }, clip(c.text, room)));
        g.append(draw("title", {}, c.text));
        svg.append(g);
        return g;
      });
      r.steps.forEach((s, i) => {
        const mark = draw("circle", { cx: x(i + 1), cy: 8 + (s.thread - 1) * lane + 24, r: s.told ? 4 : 2, fill: s.told ? colour(s.thread) : "var(--dim)" });
        mark.append(draw("title", {}, `${i + 1}: ${s.text} ${s.at}`));
        mark.addEventListener("click", () => this.go(i + 1));
        svg.append(mark);
      });
      if (r.damage) {
        svg.append(draw("line", { x1: x(r.damage) + unit / 2, x2: x(r.damage) + unit / 2, y1: 0, y2: height, stroke: "var(--bad)", "stroke-width": 2 }));
        const late = x(r.damage) + 190 > width;
        svg.append(draw("text", { x: x(r.damage) + unit / 2 + (late ? -4 : 4), y: height - 4, "text-anchor": late ? "end" : "start", style: "fill:var(--bad)" }, "nothing is right any more"));
      }
      this.cursor = draw("line", { y1: 0, y2: height, stroke: "var(--now)", "stroke-width": 2 });
      svg.append(this.cursor);
      this.marks = draw("g", {});
      svg.append(this.marks);
      this.lanes.replaceChildren(svg);
    }

    // show lays an order that was tried over the calls.
    show(i) {
      this.order = i;
      this.section.querySelectorAll("[data-order]").forEach((b) => b.setAttribute("aria-pressed", String(+b.dataset.order === i)));
      this.marks.replaceChildren();
      const o = this.run.orders[i];
      const badge = (call, text, bad) => {
        const c = this.run.calls[call - 1];
        if (!c) return;
        const bx = this.x(c.from) + 2, by = 8 + (c.thread - 1) * 46 + 34;
        this.marks.append(draw("circle", { cx: bx, cy: by, r: 8, fill: bad ? "var(--bad)" : "var(--now)" }));
        this.marks.append(draw("text", { x: bx, y: by + 4, "text-anchor": "middle", style: "fill:var(--bg);font-weight:700" }, text));
      };
      if (o) {
        o.calls.forEach((call, k) => badge(call, String(k + 1), false));
        o.rejected.forEach((j) => badge(j.call, "✗", true));
      }
      this.say();
    }

    go(step) {
      const n = this.run.steps.length;
      if (!n) return;
      this.at = Math.max(1, Math.min(n, step));
      this.range.value = this.at;
      this.now.textContent = `step ${this.at} of ${n}`;
      const px = this.x(this.at);
      this.cursor.setAttribute("x1", px);
      this.cursor.setAttribute("x2", px);
      if (px < this.lanes.scrollLeft + 80 || px > this.lanes.scrollLeft + this.lanes.clientWidth - 40) this.lanes.scrollLeft = px - this.lanes.clientWidth / 2;
      const before = this.list.querySelector("[aria-current]");
      if (before) before.removeAttribute("aria-current");
      const li = this.list.children[this.at - 1];
      li.setAttribute("aria-current", "step");
      const top = li.offsetTop - this.list.offsetTop;
      if (top < this.list.scrollTop || top > this.list.scrollTop + this.list.clientHeight - 40) this.list.scrollTop = top - this.list.clientHeight / 2;
      this.say();
      this.drawThreads();
      this.drawHeap();
    }

    // next goes to the next step, or the one before, that matters.
    next(by) {
      let i = this.at + by;
      while (i >= 1 && i <= this.run.steps.length && !this.run.steps[i - 1].told) i += by;
      this.go(i);
    }

    say() {
      const s = this.run.steps[this.at - 1];
      if (!s) return;
      this.said.replaceChildren(el("b", { style: `color:${colour(s.thread)}` }, this.run.names[s.thread - 1]), ` ${s.text}  `, el("code", {}, `${s.at} ${s.source}`));
      if (this.run.damage && this.at === this.run.damage) this.said.append(el("span", { class: "bad" }, "Behind this step every way to go on is wrong."));
      const o = this.run.orders[this.order];
      if (o) {
        const names = o.calls.map((c) => this.run.calls[c - 1] ? this.run.calls[c - 1].text : `call ${c}`);
        const why = o.rejected.map((j) => `then ${this.run.calls[j.call - 1].text} does not fit; ${j.text}`);
        this.said.append(el("span", { class: "bad" }, `Order ${this.order + 1}: ${names.join(", ") || "(none)"}; ${why.join("; ") || "and a history may not end there"}`));
      }
    }

    drawThreads() {
      const r = this.run, s = r.steps[this.at - 1], cards = [];
      for (let t = 1; t <= r.threads; t++) {
        const call = r.calls.find((c) => c.thread === t && c.from <= this.at && (!c.to || this.at < c.to));
        const card = el("div", { class: "thread" + (s.thread === t ? " moves" : "") }, el("h3", { style: `color:${colour(t)}` }, r.names[t - 1]));
        const stand = r.stands && r.stands[this.at - 1] ? r.standings[r.stands[this.at - 1][t - 1]] : null;
        const done = r.calls.findLast((c) => c.thread === t && c.to && c.to <= this.at);
        const parts = [call ? call.text.replace(/ (=|never|panics).*/, "") : r.program && stand && !stand.Idle ? "runs" : done ? `idle behind ${done.text}` : "idle"];
        if (stand && stand.Waits) parts.push("cannot go on");
        if (stand && stand.Holds && stand.Holds.length) parts.push("holds " + stand.Holds.join(", "));
        card.append(el("div", { class: "state" }, parts.join(" · ")));
        const frame = stand && stand.Calls ? stand.Calls.find((c) => r.source[c.file]) : null;
        const file = frame ? frame.file : s.thread === t ? s.file : "", line = frame ? frame.line : s.line;
        if (stand && stand.Calls && stand.Calls.length > 1) card.append(el("div", { class: "state" }, stand.Calls.slice().reverse().map((c) => c.function || "").join(" › ")));
        if (file && r.source[file] && !(stand && stand.Idle)) card.append(this.excerpt(file, line));
        if (frame && frame.Variables) {
          const last = this.at > 1 && r.stands[this.at - 2] ? r.standings[r.stands[this.at - 2][t - 1]] : null;
          const old = new Map(((last && last.Calls && last.Calls[0] && last.Calls[0].Variables) || []).map((v) => [v.Name, v.Value]));
          card.append(el("p", { class: "vars" }, ...frame.Variables.flatMap((v) => [el("span", { class: old.get(v.Name) !== v.Value ? "changed" : "" }, el("b", {}, v.Name), ` = ${v.Value}`), "  "])));
        }
        cards.push(card);
      }
      this.threads.replaceChildren(...cards);
    }

    excerpt(file, line) {
      const pre = el("pre", { class: "source" });
      for (const l of this.run.source[file] || []) {
        if (Math.abs(l.n - line) > 4) continue;
        const text = `${String(l.n).padStart(4)}  ${l.text}\n`;
        pre.append(l.n === line ? el("span", { class: "here" }, text.trimEnd()) : text);
      }
      return el("div", {}, el("div", { class: "state" }, `${file}:${line}`), pre);
    }

    objects(step) {
      const ids = (this.run.scenes && this.run.scenes[step - 1]) || [];
      return new Map(ids.map((i) => [this.run.objects[i].Name, this.run.objects[i]]));
    }

    // drawHeap draws the objects as boxes and references as arrows.
    drawHeap() {
      const now = this.objects(this.at), last = this.at > 1 ? this.objects(this.at - 1) : new Map();
      if (!now.size && !last.size) { this.heap.replaceChildren(); return; }
      const all = new Map([...last, ...now]), g = new dagre.graphlib.Graph({ multigraph: true });
      g.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 46, marginx: 10, marginy: 10 });
      g.setDefaultEdgeLabel(() => ({}));
      const boxes = new Map();
      let shown = 0;
      for (const [name, o] of all) {
        if (++shown > 60) break;
        const before = last.get(name), rows = (o.Fields || []).slice(0, 10).map((f) => ({ text: clip(`${f.Name.replace(/^\./, "") || "value"} = ${f.Value}`, 34), to: f.To,
          changed: this.at > 1 && !(before && (before.Fields || []).some((b) => b.Name === f.Name && b.Value === f.Value)) }));
        if ((o.Fields || []).length > 10) rows.push({ text: `… ${o.Fields.length - 10} more`, to: "" });
        const width = 16 + 7.3 * Math.max(name.length, ...rows.map((row) => row.text.length));
        boxes.set(name, { rows, gone: !now.has(name) });
        g.setNode(name, { width, height: 22 + 15 * rows.length });
      }
      for (const [name, box] of boxes) for (const row of box.rows) if (row.to && boxes.has(row.to) && row.to !== name) g.setEdge(name, row.to, {}, row.text);
      dagre.layout(g);
      const size = g.graph(), width = (size.width || 0) + 20, height = (size.height || 0) + 20;
      const scale = Math.max(0.62, Math.min(1, (this.heap.clientWidth - 4) / width));
      const svg = draw("svg", { width: width * scale, height: height * scale, viewBox: `0 0 ${width} ${height}` });
      let first = null;
      const defs = draw("defs"), marker = draw("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
      marker.append(draw("path", { d: "M0 0 L8 4 L0 8 z", class: "tip" }));
      defs.append(marker);
      svg.append(defs);
      for (const e of g.edges()) svg.append(draw("polyline", { class: "edge", "marker-end": "url(#tip)", points: g.edge(e).points.map((p) => `${p.x},${p.y}`).join(" ") }));
      for (const [name, box] of boxes) {
        const node = g.node(name), group = draw("g", { class: (box.gone ? "gone " : "") + (box.rows.some((row) => row.changed) && !box.gone ? "changed" : "") });
        const x = node.x - node.width / 2, y = node.y - node.height / 2;
        if (!first && group.getAttribute("class").includes("changed")) first = { x: x * scale, y: y * scale };
        group.append(draw("rect", { x, y, width: node.width, height: node.height, rx: 4 }));
        group.append(draw("text", { x: x + 8, y: y + 15, style: "font-weight:700" }, name + (box.gone ? " (unreachable)" : "")));
        box.rows.forEach((row, k) => group.append(draw("text", { x: x + 8, y: y + 31 + 15 * k, style: row.changed && !box.gone ? "fill:var(--maybe)" : "" }, row.text)));
        svg.append(group);
      }
      if (shown > 60) svg.append(draw("text", { x: 10, y: 14 }, `${all.size - 60} more objects are not shown`));
      this.heap.replaceChildren(svg);
      if (first && (first.x < this.heap.scrollLeft || first.x > this.heap.scrollLeft + this.heap.clientWidth - 120)) this.heap.scrollLeft = first.x - 60;
      if (first && (first.y < this.heap.scrollTop || first.y > this.heap.scrollTop + this.heap.clientHeight - 80)) this.heap.scrollTop = first.y - 40;
    }
  }

  const views = [...document.querySelectorAll(".run")].map((s) => new View(s, runs[+s.dataset.run]));
  let active = views[0];
  document.addEventListener("keydown", (e) => {
    if (!active || e.ctrlKey || e.altKey || e.metaKey || e.target.matches("input, summary")) return;
    const act = { ArrowRight: () => active.go(active.at + 1), ArrowLeft: () => active.go(active.at - 1), ArrowDown: () => active.next(1), ArrowUp: () => active.next(-1),
      Home: () => active.go(1), End: () => active.go(active.run.steps.length), PageDown: () => turn(1), PageUp: () => turn(-1) }[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });

  // A link of the overview leads into details, which are opened for it, or to a violation, which gets the keys.
  function follow() {
    const to = location.hash && document.getElementById(location.hash.slice(1));
    if (!to) return;
    const details = to.closest("details");
    if (details) details.open = true;
    const view = views.find((v) => v.section === to);
    if (view) active = view;
    to.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  follow();

  // turn goes to another violation.
  function turn(by) {
    active = views[Math.max(0, Math.min(views.length - 1, views.indexOf(active) + by))];
    active.section.scrollIntoView();
    active.section.focus({ preventScroll: true });
  }
})();
