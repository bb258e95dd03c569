"""Records, reports and progress -> what a person reads in the terminal; nothing here decides anything.

visible_text.py      text of others -> text that a terminal only shows; all that is printed goes through it
hanging_text.py      a beginning and a text -> lines that fit the terminal
figures_page.py      the figures of a run as sentences and bars
terminal.py          records, imports and summaries, printed
progress_display.py  the progress of a run: a bar in a terminal, else a line now and then
explanation_page.py  what was inferred, and how imports differ
graph_summary.py     the counts, best and doubtful edges of a tool graph
phrased_tools.py     what people call each tool
judged_dialogues.py  recorded dialogues as they are judged
model_tables.py      what models can do, what they would cost, and their batches

To change what a command prints, change the function that its command calls here.
"""
