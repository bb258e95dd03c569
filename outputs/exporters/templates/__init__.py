"""A chat template of a model -> what of an export's rows its text loses.

chat_template.py     a template -> which rows it renders, and what it loses of them
template_process.py  a template -> the text of a dialogue, rendered in a bounded process of its own

Order: chat_template marks what a row holds, and looks for the marks in what template_process renders.
"""
