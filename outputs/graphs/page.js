
// The page: reads the data once, and shows what search.js finds. Texts are set as texts, never as HTML.
function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function start() {
  const at = (id) => document.getElementById(id);
  const graph = indexed(JSON.parse(at("data").textContent));
  const data = graph.data, text = (number) => data.texts[number];
  let found = [], first = 0, chosen = null, waiting = 0;

  const filterNow = () => ({ states: [0, 1, 2].map((state) => at(`state-${state}`).checked), least: Number(at("least").value) || 0 });
  const showsEdges = () => at("view-edges").checked;

  function toolButton(tool) {
    const button = element("button", "tool data", text(data.nodes[tool][NAME]));
    button.type = "button";
    button.addEventListener("click", () => choose(tool, true));
    if (tool === chosen) button.setAttribute("aria-current", "true");
    return button;
  }

  function toolRow(tool, filter) {
    const row = element("li"), node = data.nodes[tool];
    const into = side(graph, graph.into[tool], filter).length, out = side(graph, graph.out[tool], filter).length;
    row.append(toolButton(tool), element("div", "data", text(node[SUMMARY])),
      element("div", "dim", `${text(node[EFFECT])}s; fed by ${into}, feeds ${out}`));
    return row;
  }

  // `ends` is the end that is named: in the lists of one tool, the tool itself is not.
  function edgeRow(number, ends) {
    const row = element("li"), edge = data.edges[number], state = STATES[edge[STATE]];
    const line = element("div");
    if (ends !== "consumer") line.append(toolButton(edge[PRODUCER]), " ");
    line.append(element("code", "data", text(edge[OUTPUT])), " → ");
    if (ends !== "producer") line.append(toolButton(edge[CONSUMER]), " ");
    line.append(element("code", "data", text(edge[INPUT])));
    row.append(line, element("div", edge[STATE] === 1 ? "verified" : edge[STATE] === 0 ? "failed" : "dim",
      `${edge[SCORE].toFixed(2)} ${state}`), element("div", "dim data", evidenceOf(data, edge)));
    if (edge[NOTE]) row.append(element("div", "failed data", text(edge[NOTE])));
    return row;
  }

  function draw() {
    const filter = filterNow(), shownNow = found.slice(first, first + PAGE);
    at("results").replaceChildren(...shownNow.map((one) => showsEdges() ? edgeRow(one, "both") : toolRow(one, filter)));
    at("found").textContent = `${found.length} ${showsEdges() ? "edges" : "tools"} found`;
    at("where").textContent = found.length ? `${first + 1} to ${first + shownNow.length} of ${found.length}` : "";
    at("before").disabled = first === 0;
    at("after").disabled = first + PAGE >= found.length;
  }

  function search() {
    const find = showsEdges() ? findEdges : findTools;
    found = find(graph, at("query").value, filterNow(), at("sort").value);
    first = 0;
    draw();
    if (chosen !== null) choose(chosen, false);
  }

  function list(heading, edges, ends) {
    const rows = element("ol");
    const fill = (from) => {
      rows.append(...edges.slice(from, from + PAGE).map((edge) => edgeRow(edge, ends)));
      if (from + PAGE >= edges.length) return;
      const more = element("button", "", `Show more of ${edges.length}`);
      more.type = "button";
      more.addEventListener("click", () => { more.remove(); fill(from + PAGE); });
      rows.after(more);
    };
    const parts = [element("h3", "", `${heading} (${edges.length})`), rows];
    at("detail").append(...parts);
    fill(0);
  }

  function choose(tool, focus) {
    chosen = tool;
    const node = data.nodes[tool], filter = filterNow(), detail = at("detail");
    const does = [text(node[EFFECT]) + "s", text(node[OPERATION]), text(node[RESOURCE])].filter((part) => part);
    detail.replaceChildren(element("h2", "data", text(node[NAME])), element("p", "data", text(node[SUMMARY])),
      element("p", "dim data", does.join(" ")), element("p", "dim data", text(node[SOURCE])));
    list("Fed by", side(graph, graph.into[tool], filter), "producer");
    list("Feeds", side(graph, graph.out[tool], filter), "consumer");
    for (const button of document.querySelectorAll("#results button.tool[aria-current]")) button.removeAttribute("aria-current");
    if (focus) detail.focus();
  }

  function turn(step) {
    first += step * PAGE;
    draw();
    at("results").scrollIntoView();
  }

  const states = [0, 0, 0];
  for (const edge of data.edges) states[edge[STATE]] += 1;
  at("counts").textContent = `${data.nodes.length} tools, ${data.edges.length} edges: ${states[1]} verified, ` +
    `${states[0]} failed, ${states[2]} not run; tools without any edge: ${data.orphans.length}`;
  at("form").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  at("form").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  at("before").addEventListener("click", () => turn(-1));
  at("after").addEventListener("click", () => turn(1));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
      event.preventDefault();
      at("query").focus();
    }
  });
  search();
}

if (typeof document !== "undefined") start();
