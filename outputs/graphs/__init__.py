"""A graph report -> a file for readers or for other programs.

graph_file.py   a report -> a file in the format that its ending names
picture.py      a report -> an SVG picture: tools as boxes grouped by resource, and arrows between them
sketch.py       a report -> boxes in groups, and one line for all edges between two boxes
layout.py       a sketch -> the position of each box, so that values flow to the right
line_paths.py   a layout -> the path of each line, through the gaps between panels
graph_page.py   a report -> one HTML file that can be searched (page.html, page.css, page.js, search.js)
edge_labels.py  an edge -> words that describe it; untrusted text -> text that is legal in XML

Order: graph_file writes GraphML, or asks picture (sketch, layout, line_paths) or graph_page. To add a kind of file, add its ending to
`graph_file`.
"""
