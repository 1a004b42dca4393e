"use strict";
// Keys, and what is going on now. The pages work without this.
(() => {
  const rows = () => [...document.querySelectorAll("a.row")];

  // move gives the focus to another row.
  function move(by) {
    const all = rows(), at = all.indexOf(document.activeElement && document.activeElement.closest("tr") ? document.activeElement.closest("tr").querySelector("a.row") : null);
    const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + by))];
    if (to) to.focus();
  }

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const q = document.getElementById("q");
    if (e.target.matches("input, textarea, select")) {
      if (e.key === "Escape") e.target.blur();
      if (e.target === q && e.key === "ArrowDown") { e.preventDefault(); move(1); }
      return;
    }
    const act = { "/": () => { q.focus(); q.select(); }, j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) }[e.key];
    if (!act || ((e.key === "ArrowDown" || e.key === "ArrowUp") && !rows().length)) return;
    e.preventDefault();
    act();
  });

  const section = document.getElementById("running"), news = document.getElementById("news");
  let newest = null;
  const source = new EventSource("/events");
  source.addEventListener("running", (e) => {
    const list = JSON.parse(e.data);
    section.hidden = !list.length;
    section.querySelector("ul").replaceChildren(...list.map((w) => {
      const li = document.createElement("li");
      li.textContent = `${[w.command, w.module].filter(Boolean).join(" ")}: ${w.done} done, ${[w.collection, w.property].filter(Boolean).join(" ")}, ${w.states.toLocaleString("en")} states` + (w.pid ? ` (process ${w.pid})` : "");
      return li;
    }));
  });
  source.addEventListener("log", (e) => {
    if (newest !== null && newest !== e.data) news.hidden = false;
    newest = e.data;
  });
  addEventListener("pagehide", () => source.close());
})();
