"""The words of a field -> the part of an address or place that it holds; the parts of an address -> the address on one line."""

from collections.abc import Mapping, Sequence

from interplay.schemas.words.lists import beside, table

PARTS: Mapping[tuple[str, ...], str] = {
    tuple(ending.split()): part for part, endings in table(beside(__file__), "parts").items() for ending in endings
}
"""Last words of fields -> the part of a place that they hold: ("zip", "code") -> "postcode"."""

LONGEST = max(map(len, PARTS))
"""The most words of such an ending."""

STREET = "street"
_WRITTEN = (STREET, "city", "region", "postcode", "country", "code")
"""The parts of an address in the order in which they are written."""


def address_part(words: Sequence[str]) -> tuple[tuple[str, ...], str] | None:
    """Return whose address the words of a field tell a part of, and which part: (("billing",), "city"); None for other fields."""
    tokens = tuple(words)
    for length in range(min(LONGEST, len(tokens)), 0, -1):
        part = PARTS.get(tokens[-length:])
        if part in _WRITTEN:
            return tuple(word for word in tokens[:-length] if word != "address"), str(part)
    return None


def written_address(parts: Mapping[str, str]) -> str:
    """Return an address on one line: "85 Galán Square, Utrecht 78384"."""
    lines: list[str] = []
    for part in _WRITTEN:
        if part == "postcode" and part in parts and lines:
            lines[-1] += f" {parts[part]}"
        elif part in parts and parts[part] not in lines:
            lines.append(parts[part])
    return ", ".join(lines)
