"use strict";
// What pages do beside being read: figures that follow a run, keys, values that show where they come from, long texts.

function refresh(section) {
  const every = Number(section.dataset.every || 2000);
  let waits = every;
  async function again() {
    if (!document.hidden) {
      try {
        const answer = await fetch(section.dataset.refresh);
        if (answer.ok) {
          const text = await answer.text();
          if (text !== section.dataset.last) section.innerHTML = text; // rendered and escaped by the server, like the page
          section.dataset.last = text;
          waits = every;
        }
      } catch { waits = Math.min(30000, waits * 2); }
    }
    setTimeout(again, waits);
  }
  setTimeout(again, waits);
}

function turns() { return [...document.querySelectorAll("article.turn")]; }

function go(step) {
  const all = turns();
  const now = all.findIndex((turn) => turn.classList.contains("current"));
  const next = Math.max(0, Math.min(all.length - 1, now + step));
  if (!all.length) return;
  if (now >= 0) all[now].classList.remove("current");
  if (stepping()) all.forEach((turn, place) => { turn.hidden = place > next; });
  all[next].classList.add("current");
  all[next].focus({ preventScroll: true });
  all[next].scrollIntoView({ block: "nearest" });
}

function stepping() {
  const button = document.getElementById("steps");
  return button !== null && button.getAttribute("aria-pressed") === "true";
}

function toggleSteps(button) {
  const on = !stepping();
  button.setAttribute("aria-pressed", String(on));
  turns().forEach((turn, place) => { turn.classList.remove("current"); turn.hidden = on && place > 0; });
  if (on) go(1);
}

function light(value, on) {
  const from = document.getElementById(value.dataset.from);
  if (from) from.classList.toggle("lit", on);
}

async function more(button) {
  const answer = await fetch(`${button.dataset.more}?offset=${button.dataset.offset}`);
  if (!answer.ok) return;
  const text = await answer.text();
  const left = Number(answer.headers.get("X-Left"));
  const piece = document.createElement("pre");
  piece.tabIndex = 0;
  piece.textContent = text;
  button.before(piece);
  if (!left) { button.remove(); return; }
  button.dataset.offset = String(Number(button.dataset.offset) + 100000);
  button.textContent = `${left.toLocaleString("en")} characters more`;
}

async function load(details) {
  if (!details.open || details.dataset.loaded) return;
  details.dataset.loaded = "yes";
  const answer = await fetch(details.dataset.load);
  details.querySelector("div").innerHTML = await answer.text(); // rendered and escaped by the server, like the page
}

function reveal() {
  const place = location.hash && document.getElementById(location.hash.slice(1));
  if (!place) return;
  for (let above = place; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
  place.scrollIntoView({ block: "nearest" });
}

document.querySelectorAll("[data-refresh]").forEach(refresh);
document.querySelectorAll("[data-load]").forEach((details) => details.addEventListener("toggle", () => load(details)));
document.addEventListener("click", (event) => {
  if (event.target.id === "steps") toggleSteps(event.target);
  if (event.target.matches("[data-more]")) more(event.target);
});
for (const [name, on] of [["mouseover", true], ["mouseout", false]]) {
  document.addEventListener(name, (event) => { if (event.target.matches("[data-from]")) light(event.target, on); });
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  if (event.key === "j") go(1);
  if (event.key === "k") go(-1);
});
document.querySelectorAll("form.search").forEach((form) => form.addEventListener("submit", () => {
  form.querySelectorAll("input").forEach((input) => { if (!input.value) input.disabled = true; }); // a short address
}));
addEventListener("hashchange", reveal);
reveal();
document.querySelectorAll("[data-narrow]").forEach((input) => input.addEventListener("input", () => {
  const wanted = input.value.toLowerCase();
  document.querySelectorAll(`${input.dataset.narrow} tbody tr`).forEach((row) => {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}));
