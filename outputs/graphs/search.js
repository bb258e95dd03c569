
"use strict";
// What can be asked of a graph, as functions of data: nothing here knows of the page. Columns as in page.py.
const NAME = 0, SUMMARY = 1, EFFECT = 2, RESOURCE = 3, OPERATION = 4, SOURCE = 5;
const PRODUCER = 0, OUTPUT = 1, CONSUMER = 2, INPUT = 3, SCORE = 4, STATE = 5, NOTE = 6, EVIDENCE = 7;
const STATES = ["failed", "verified", "not run"];
const DOUBT = [0, 2, 1];  // of a state: failed first, then not run, then verified
const PAGE = 100;

// Data -> the edges into and out of each tool, and what a search looks at, in lower case.
function indexed(data) {
  const graph = { data, into: data.nodes.map(() => []), out: data.nodes.map(() => []), names: [], texts: [] };
  data.edges.forEach((edge, number) => {
    graph.out[edge[PRODUCER]].push(number);
    graph.into[edge[CONSUMER]].push(number);
  });
  data.nodes.forEach((node, number) => {
    const fields = new Set();
    for (const edge of graph.out[number]) fields.add(data.edges[edge][OUTPUT]);
    for (const edge of graph.into[number]) fields.add(data.edges[edge][INPUT]);
    const read = [node[SUMMARY], node[RESOURCE], node[OPERATION], node[SOURCE], ...fields];
    graph.names.push(data.texts[node[NAME]].toLowerCase());
    graph.texts.push(read.map((text) => data.texts[text]).join("\n").toLowerCase());
  });
  return graph;
}

function wordsOf(query) {
  return query.toLowerCase().split(/\s+/).filter((word) => word);
}

// How well a tool answers the words, each of which it must hold: 0 for not at all.
function matched(graph, tool, words) {
  let points = 1;
  for (const word of words) {
    const name = graph.names[tool];
    if (name === word) points += 8;
    else if (name.startsWith(word)) points += 4;
    else if (name.includes(word)) points += 2;
    else if (!graph.texts[tool].includes(word)) return 0;
  }
  return points;
}

function shown(edge, filter) {
  return filter.states[edge[STATE]] && edge[SCORE] >= filter.least;
}

function countShown(graph, tool, filter) {
  let count = 0;
  for (const edges of [graph.into[tool], graph.out[tool]])
    for (const number of edges) if (shown(graph.data.edges[number], filter)) count += 1;
  return count;
}

function order(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}

// The numbers of the tools that hold all words; when edges are filtered, only tools that keep one.
function findTools(graph, query, filter, sort) {
  const words = wordsOf(query), all = filter.least <= 0 && filter.states.every((on) => on);
  const found = [];
  for (let tool = 0; tool < graph.names.length; tool++) {
    const points = matched(graph, tool, words);
    if (!points) continue;
    const edges = countShown(graph, tool, filter);
    if (all || edges) found.push({ tool, points, edges });
  }
  const byName = (a, b) => order(graph.names[a.tool], graph.names[b.tool]) || a.tool - b.tool;
  const best = (a) => edgesOf(graph, a.tool, filter).reduce((most, edge) => Math.max(most, graph.data.edges[edge][SCORE]), 0);
  const doubts = (a) => edgesOf(graph, a.tool, filter).filter((edge) => graph.data.edges[edge][STATE] === 0).length;
  if (sort === "best" || sort === "doubtful")
    for (const row of found) row.rank = sort === "best" ? best(row) : doubts(row);
  const sorts = {
    match: (a, b) => b.points - a.points || byName(a, b),
    name: byName,
    edges: (a, b) => b.edges - a.edges || byName(a, b),
    fewest: (a, b) => a.edges - b.edges || byName(a, b),
    best: (a, b) => b.rank - a.rank || byName(a, b),
    doubtful: (a, b) => b.rank - a.rank || byName(a, b),
  };
  return found.sort(sorts[sort] || sorts.match).map((row) => row.tool);
}

function edgesOf(graph, tool, filter) {
  return [...graph.into[tool], ...graph.out[tool]].filter((edge) => shown(graph.data.edges[edge], filter));
}

// The numbers of the edges whose tools or fields hold all words; best first, or the most doubtful first.
function findEdges(graph, query, filter, sort) {
  const words = wordsOf(query), data = graph.data, found = [];
  data.edges.forEach((edge, number) => {
    if (!shown(edge, filter)) return;
    const ends = [graph.names[edge[PRODUCER]], graph.names[edge[CONSUMER]]];
    const fields = [data.texts[edge[OUTPUT]].toLowerCase(), data.texts[edge[INPUT]].toLowerCase()];
    if (words.every((word) => [...ends, ...fields].some((text) => text.includes(word)))) found.push(number);
  });
  const row = (number) => data.edges[number];
  const byScore = (a, b) => row(b)[SCORE] - row(a)[SCORE] || a - b;
  const byDoubt = (a, b) => DOUBT[row(a)[STATE]] - DOUBT[row(b)[STATE]] || row(a)[SCORE] - row(b)[SCORE] || a - b;
  const name = (number) => graph.names[row(number)[PRODUCER]];
  const byName = (a, b) => order(name(a), name(b)) || byScore(a, b);
  return found.sort(sort === "doubtful" ? byDoubt : sort === "name" ? byName : byScore);
}

// The edges of a tool on one side, best first.
function side(graph, edges, filter) {
  const rows = graph.data.edges;
  const kept = edges.filter((number) => shown(rows[number], filter));
  return kept.sort((a, b) => rows[b][SCORE] - rows[a][SCORE] || a - b);
}

function evidenceOf(data, edge) {
  return edge[EVIDENCE].map(([kind, score, detail]) =>
    `${data.kinds[kind]} ${score.toFixed(2)} ${data.texts[detail]}`.trim()).join("; ");
}
