"""A run in the store -> its figures, and the dataset card.

statistics.py    counts, yields, sizes and variety, counted by DuckDB
intervals.py     counted shares -> their confidence intervals
coverage.py      what accepted tasks cover, what they leave out by name, and how diverse they are
drawings.py      numbers -> SVG: bars, shades, a line
word_variety.py  what users say -> how varied it is, compared with recorded dialogues (recorded_variety.yaml)
pictures.py      a run in the store -> the data of its pictures, and the pictures by name
report_page.py   figures and records -> one self-contained HTML file (page.html.j2, page.css)
card.py          a toolset and figures -> README.md with the front matter that the Hub reads (card.md.j2)

Order: statistics and coverage; drawings, word_variety, pictures; then card and report_page. To add a figure, add it
to `statistics`; to show it, add it to card.md.j2. To add a picture, add it to `pictures`.
"""
