"""A toolset and its environment -> the tool graph: which output can feed which input, with evidence, verified by running.

multigraph.py           edges -> a graph that answers which tools produce a value, and its report
edge_verification.py    one edge -> verified or not: run the producer, feed its output to the consumer
candidate_edges.py      a toolset -> edges with their evidence, through inverted indexes
embedded_edges.py       edges with similarity of embeddings as evidence
borderline_edges.py     edges of middling score, kept or dropped by a model
ports.py                tools -> the fields of results and arguments that could be the end of an edge
name_likeness.py        two names of fields -> how alike they are
description_vectors.py  descriptions of fields -> how similar they are
trials/                 tools of undocumented code: values and calls that let them succeed, found by calling them
sampling/               arguments that tools accept, about existing rows

Order: sampling, ports, candidate_edges (with name_likeness, description_vectors), embedded_edges,
borderline_edges, edge_verification, multigraph. To add a kind of evidence, add it where `candidate_edges` compares two ports.
"""
