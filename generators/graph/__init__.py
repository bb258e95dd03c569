"""A toolset and its environment -> the tool graph: which output can feed which input, with evidence, verified by running.

multigraph.py           edges -> the graph that can be asked who produces a value, and its report
edge_verification.py    one edge -> verified or not: run the producer, feed its output to the consumer
candidate_edges.py      a toolset -> edges with their evidence, through inverted indexes
embedded_edges.py       edges with nearness of meaning as evidence, by an embedding model
borderline_edges.py     edges of middling score, kept or refused by a model
ports.py                tools -> the fields of results and arguments that could be ends of an edge
name_likeness.py        two names of fields -> how alike they are
description_vectors.py  descriptions of fields -> which ones speak of the same
trials/                 code that nobody describes: values and calls that let its tools succeed, found by calling them
sampling/               arguments that tools accept, about rows that exist

Order: sampling, ports, candidate_edges (with name_likeness, description_vectors), embedded_edges,
borderline_edges, edge_verification, multigraph. To add a kind of evidence, add it where `candidate_edges` compares two ports.
"""
