"""A tool's result -> what kind of thing it is.

result_kinds.py     one row, a list, a page or a bare acknowledgement; where the payload is
spoken_error.py     a result that reports an error -> the error
acknowledgement.py  texts that only acknowledge a call, and tools whose results are nothing else
calculation.py      a tool that evaluates an expression -> its value, in bounded arithmetic

Order: the modules beside result_kinds do not know each other. To recognise another envelope, change `result_kinds`.
"""
