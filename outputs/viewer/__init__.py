"""Records -> a searchable index of them, and the pages that show them to people.

record_rows.py     a record -> its row in the index
record_index.py    rows and their positions in shard files -> an SQLite database of their columns, names and words
index_search.py    search parameters -> the matching records, page by page
run_comparison.py  two indexes -> how their runs differ, with intervals
dialogue_turns.py  a record -> its dialogue for display as a chat: calls with results, sources of arguments, objections
viewer_pages.py    figures, rows and dialogues -> HTML in which untrusted text stays text
gym.html.j2        the page of a server of tasks, made by `flows/gym/live_page.py`
*.html.j2, viewer.css, viewer.js   the pages, as they are served; nothing is loaded from elsewhere

Order: record_rows, record_index, index_search, run_comparison; dialogue_turns; viewer_pages.
To let people filter records by something new, give it a name in `record_rows.names_of`.
"""
