"""Records, reports and progress -> text in the terminal; nothing here makes decisions.

visible_text.py      untrusted text -> text with control characters escaped; everything printed goes through it
safe_console.py      a rich console on standard output that escapes control characters
hanging_text.py      a label and a text -> wrapped lines with a hanging indent
figures_page.py      the figures of a run as sentences and bars
dialogue_lines.py    a dialogue as coloured paragraphs
record_page.py       a record: its outcome, its dialogue, the verdicts of its checks
run_summary.py       the results of a run, and commands to go on with
export_summary.py    an export: rows, the reload check, what was left out
progress_display.py  the progress of a run: a bar in a terminal, else a line now and then
imported_tools.py    the outcome of each imported tool, with warnings where answers are made up
explanation_page.py  what was inferred, and how imports differ
graph_summary.py     the counts, best and doubtful edges of a tool graph
phrased_tools.py     what people call each tool
judged_dialogues.py  recorded dialogues as they are judged
model_tables.py      what models can do, what they would cost, and their batches

Order: visible_text, safe_console and hanging_text, dialogue_lines, record_page; the others are independent.
To change what a command prints, change the function that its command calls here.
"""
