"""Records -> an index of them that answers at once, and the pages that show them to people.

record_rows.py     a record -> what the index holds of it
record_index.py    rows with where they lie -> an SQLite database of their columns, names and words
index_search.py    what a person asks of the index -> the records that fit, page by page
run_comparison.py  two indices -> how their runs differ, with intervals
dialogue_turns.py  a record -> its dialogue as people read chats: calls with results, sources of arguments, quotes
viewer_pages.py    figures, rows and dialogues -> HTML in which nothing of others acts
gym.html.j2        the page of a server of tasks, made by `flows/gym/live_page.py`
*.html.j2, viewer.css, viewer.js   the pages, as they are served; nothing is loaded from elsewhere

Order: record_rows, record_index, index_search, run_comparison; dialogue_turns; viewer_pages.
To let people choose records by something new, give it a name in `record_rows.names_of`.
"""
