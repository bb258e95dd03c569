"""The commands, by what they are about: arguments in, one call, a report printed.

Each imports what it needs when it is called, so that `interplay --help` answers at once; `flows/cli.py` lists them all.
"""
