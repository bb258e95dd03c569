"""A run in the store -> the figures that tell what is in it, and the dataset card.

statistics.py    counts, yields, sizes and variety, counted by DuckDB
intervals.py     shares that were counted -> the intervals in which they lie
coverage.py      what accepted tasks cover, what they leave out by name, and how much they differ
drawings.py      numbers -> SVG: bars, shades, a line
word_variety.py  what users say -> how varied it is, beside recorded dialogues (recorded_variety.yaml)
pictures.py      a run in the store -> what is drawn of it, and the pictures by name
report_page.py   figures and records -> one HTML file that can be mailed (page.html.j2, page.css)
card.py          a toolset and figures -> README.md with the front matter that the Hub reads (card.md.j2)

Order: statistics and coverage; drawings, word_variety, pictures; then card and report_page. To add a figure, add it
to `statistics`; to show it, add it to card.md.j2. To add a picture, add it to `pictures`.
"""
