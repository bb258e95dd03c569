"""One file per export format, and what writes, loads again and compares an export."""
