"""Records, reports and progress -> what a person reads in the terminal; nothing here decides anything.

visible_text.py      text of others -> text that a terminal only shows; all that is printed goes through it
safe_console.py      what a command prints -> standard output, in which nothing of others acts on the terminal
hanging_text.py      a beginning and a text -> lines that fit the terminal
figures_page.py      the figures of a run as sentences and bars
dialogue_lines.py    a dialogue as coloured paragraphs
record_page.py       a record: what became of it, its dialogue, what the checks said
run_summary.py       what a run left, and commands to go on with
export_summary.py    an export: rows, how they came back, what was left out
progress_display.py  the progress of a run: a bar in a terminal, else a line now and then
imported_tools.py    what became of the tools of sources, with warnings where answers are made up
explanation_page.py  what was inferred, and how imports differ
graph_summary.py     the counts, best and doubtful edges of a tool graph
phrased_tools.py     what people call each tool
judged_dialogues.py  recorded dialogues as they are judged
model_tables.py      what models can do, what they would cost, and their batches

Order: visible_text, safe_console and hanging_text, dialogue_lines, record_page; the others stand beside that.
To change what a command prints, change the function that its command calls here.
"""
