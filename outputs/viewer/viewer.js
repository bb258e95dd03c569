"use strict";
// What pages do beside being read: figures that follow a run, keys, values that show where they come from, long texts.

function refresh(section) {
  const every = Number(section.dataset.every || 2000);
  let waits = every;
  async function again() {
    const read = section.contains(document.activeElement) || section.querySelector("details[open]"); // by somebody who is in it
    if (!document.hidden && !read) {
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

function steps() { return [...document.querySelectorAll("article.turn, article.turn .made")]; } // as it happened: what is said, then call by call

function stepping() {
  const button = document.getElementById("steps");
  return button !== null && button.getAttribute("aria-pressed") === "true";
}

function go(step) {
  const all = stepping() ? steps() : turns();
  const now = all.findIndex((one) => one.classList.contains("current"));
  const next = Math.max(0, Math.min(all.length - 1, now + step));
  if (!all.length) return;
  if (now >= 0) all[now].classList.remove("current");
  if (stepping()) {
    all.forEach((one, place) => { one.hidden = place > next; });
    const call = all[next].querySelector(":scope > details.call");
    if (call) call.open = true;
  }
  all[next].classList.add("current");
  all[next].tabIndex = -1;
  all[next].focus({ preventScroll: true });
  all[next].scrollIntoView({ block: "nearest" });
}

function toggleSteps(button) {
  const on = !stepping();
  button.setAttribute("aria-pressed", String(on));
  steps().forEach((one, place) => { one.classList.remove("current"); one.hidden = on && place > 0; });
  if (on) go(1);
}

function light(value, on) {
  const from = document.getElementById(value.dataset.from);
  const focused = document.activeElement && document.activeElement.dataset.from;
  if (!from || (!on && focused === value.dataset.from && value !== document.activeElement)) return; // the keyboard is there
  from.classList.toggle("lit", on);
  const turn = from.closest("article.turn"); // a result lies folded in its call
  if (turn && turn !== from) turn.classList.toggle("holds", on);
}

async function replay(note) {
  const answer = await fetch(note.dataset.replay);
  if (!answer.ok) return;
  const told = document.createElement("template");
  told.innerHTML = await answer.text(); // rendered and escaped by the server, like the page
  const problem = told.content.querySelector(".problem");
  if (problem) { note.replaceChildren(problem.textContent); return; }
  document.querySelectorAll(".changed[data-call]").forEach((place) => place.replaceChildren());
  told.content.querySelectorAll("[data-changes]").forEach((one) => {
    const place = document.querySelector(`.changed[data-call="${one.dataset.changes}"]`);
    if (place) place.replaceChildren(...one.childNodes);
  });
  document.body.dataset.replayed = "yes";
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

function reveal() {
  const place = location.hash && document.getElementById(location.hash.slice(1));
  if (!place) return;
  for (let above = place; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
  place.scrollIntoView({ block: "nearest" });
}

document.querySelectorAll("[data-refresh]").forEach(refresh);
document.querySelectorAll("[data-replay]").forEach(replay);
document.addEventListener("click", (event) => {
  if (event.target.id === "steps") toggleSteps(event.target);
  if (event.target.matches("[data-more]")) more(event.target);
});
for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
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
