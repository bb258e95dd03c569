"""A model's chat template -> what it leaves out of an export's rows.

chat_template.py     a template -> which rows it renders, and what it loses of them
template_process.py  a template -> the text of a dialogue, rendered in a bounded process of its own

Order: chat_template marks every part of a row, and looks for the marks in the text that template_process renders.
"""
