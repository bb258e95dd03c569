"""Names that a server makes anew at each start <-> their names in records, derived from the call that first showed them.

    {"id": "6f1c2d7e-...", "made": "2031-07-04T16:20:31.523Z"}  <->  {"id": "b20f8a31-...", "made": "2026-03-02T09:00:00.003Z"}

A random identity (UUID, long hexadecimal number, or whatever differed between two starts) is derived from the state, the call
and its place in the result, in the same shape. The clock stands still except for a millisecond per write: a time within the
session becomes the time of the write during which it fell. All other values are unchanged.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, timezone
from hashlib import blake2b
from typing import Any, Protocol

from interplay.generators.environments.live.varying_answers import (
    SMALL,
    STEADY,
    WORDS,
    Path,
    Varying,
    differing_leaves,
    is_random,
)
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.schemas.json.canonical import canonical_json

BEGINNING = datetime.combine(TODAY, time(9), UTC)
"""The time at which sessions begin in records."""

STEP = timedelta(milliseconds=1)
"""Time that passes in records with each write."""

SLACK = timedelta(milliseconds=1)
"""Tolerance for times just outside of the session, since clocks are not read at the same moment."""

APART = 0.002
"""Seconds between two writes at least, so that times in milliseconds differ."""

SHORTEST_HEX = 16
"""Characters of a name from which it may count as a hexadecimal number."""

WORD, NUMBER = "a1b2c3d4e5", "100000001"
"""Shapes of random words and numbers in records, whatever their shapes in a start."""

_UUID = r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9A-Za-z])"
_HEX = r"(?<![0-9A-Za-z])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16,64}(?![0-9A-Za-z])"
_TIME = (
    r"(?<![0-9])(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:(?P<t>[T ])(?P<minute>[0-9]{2}:[0-9]{2})"
    r"(?P<second>:[0-9]{2})?(?P<part>\.[0-9]{1,9})?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?(?![0-9])"
)
_SAID = (
    r"(?P<said>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[0-9]{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2} {1,2}[0-9]{1,2})"
    r"(?: [0-9]{4} [0-9:]{8}| [0-9:]{8} [0-9]{4}))"
)
_SAID_FORMATS = ("%a %b %d %Y %H:%M:%S", "%a, %d %b %Y %H:%M:%S", "%a %b %d %H:%M:%S %Y")
"""Formats of times in words, as JavaScript, mail and C write them."""
_EPOCH = r"(?<![0-9.])(?P<epoch>1[0-9]{9}(?:[0-9]{3}){0,3})(?![0-9])"
_TOKEN = re.compile(f"{_TIME}|{_SAID}|{_EPOCH}|(?P<id>{_UUID}|{_HEX})")
_UNITS = {
    10: timedelta(seconds=1),
    13: timedelta(milliseconds=1),
    16: timedelta(microseconds=1),
    19: timedelta(microseconds=1),
}
_EPOCH_BEGAN = datetime(1970, 1, 1, tzinfo=UTC)


class Namer(Protocol):
    """Returns the name in records for a name of this start, made of `beginning` and characters in the shape of `shape`."""

    def __call__(self, name: str, shape: str, beginning: str = "") -> str: ...


@dataclass
class StableNames:
    """The names of one start; `folder` is the path of the server's own folder, and its name in records."""

    opened: datetime
    folder: tuple[str, str] = ("", "")
    _recorded: dict[str, str] = field(default_factory=dict)
    _actual: dict[str, str] = field(default_factory=dict)
    _writes: list[tuple[datetime, datetime]] = field(default_factory=list)

    def wrote(self, begun: datetime, ended: datetime) -> None:
        """Note when a write was made; the next one must be at least `APART` seconds later."""
        self._writes.append((begun, ended))

    def began_again(self) -> None:
        """Note that the server was reset to its opening state."""
        self._writes.clear()

    @property
    def count(self) -> int:
        """The number of names that this start has shown."""
        return len(self._actual)

    def actual(self, value: Any) -> Any:
        """Return arguments with the names of this start; names that they contain are kept as they are in results."""
        made = _mapped(value, self._back)
        for name in _names_in(made):
            self._recorded.setdefault(name, name)
        return made

    def recorded(self, value: Any, place: str, varying: Varying = STEADY, now: datetime | None = None) -> Any:
        """Return a result with the names of records; `place` identifies the call and the state in which it was made."""
        seen = now or datetime.now(UTC)
        shown = 0

        def new(name: str, shape: str, beginning: str = "") -> str:
            nonlocal shown
            shown += 1
            made = beginning + _in_the_shape_of(shape, f"{place}#{shown}")
            self._name(name, made)
            return made

        def text(path: Path, held: str) -> str:
            if self.folder[0]:
                held = held.replace(*self.folder)
            held = _TOKEN.sub(lambda found: self._named(found, seen, new), held)
            here = [word for word in varying.words if word[0] == path]
            if not here and not self._recorded:
                return held
            count = len(WORDS.findall(held))
            begins = {place: beginning for _, place, words, beginning in here if words == count}
            places = iter(range(count))
            return WORDS.sub(lambda found: self._word(found[0], begins.get(next(places)), new), held)

        def number(path: Path, held: float) -> float:
            if path in varying.numbers:
                return type(held)(self._recorded.get(str(held)) or new(str(held), NUMBER))
            return self._clock_number(held, seen)

        return _renamed(value, (), text, number, varying.lists)

    def align(self, raw: Any, recorded: Any) -> None:
        """Match names by comparing a result of this start with the recorded one."""
        for _, here, there in differing_leaves(raw, recorded):
            one, two = _parts(here), _parts(there)
            for name, made in zip(one, two, strict=True) if len(one) == len(two) else ():
                known = name in self._recorded or name in self._actual or made in self._actual
                if name != made and not known and (isinstance(here, int) or is_random(name, made)):
                    self._name(name, made)

    def _name(self, name: str, made: str) -> None:
        self._recorded[name] = made
        self._actual[made] = name

    def _back(self, text: str) -> str:
        if self.folder[0]:
            text = text.replace(self.folder[1], self.folder[0])
        if not self._actual:
            return text
        text = _TOKEN.sub(lambda found: self._actual.get(found[0], found[0]), text)
        return WORDS.sub(lambda found: self._actual.get(found[0], found[0]), text)

    def _word(self, word: str, beginning: str | None, new: Namer) -> str:
        known = self._recorded.get(word)
        return known or (word if beginning is None or word in self._actual else new(word, WORD, beginning))

    def _named(self, found: re.Match[str], seen: datetime, new: Namer) -> str:
        text = found[0]
        known = self._recorded.get(text)
        if known is not None:
            return known
        if found["id"]:
            return text if text in self._actual else new(text, text)
        if found["said"]:
            made = self._said(text, seen)
        else:
            made = self._epoch(text, seen) if found["epoch"] else self._time(found, seen)
        if made != text:
            self._name(text, made)
        return made

    def _time(self, found: re.Match[str], seen: datetime) -> str:
        """Return a time of the session as its time in records, in the same format; any other time unchanged."""
        part, zone = found["part"] or "", found["zone"] or ""
        said = f"{found['day']}T{found['minute'] or '00:00'}{found['second'] or ':00'}{part[:7]}"
        try:
            moment = datetime.fromisoformat(said).replace(tzinfo=_offset(zone))
        except ValueError:
            return found[0]
        if not found["t"]:
            lasts = timedelta(days=1)
        elif not found["second"]:
            lasts = timedelta(minutes=1)
        else:
            lasts = timedelta(seconds=10.0 ** -(len(part[:7]) - 1 if part else 0))
        stands = self._moment(moment, lasts, seen)
        if stands is None:
            return found[0]
        stands = stands.astimezone(moment.tzinfo)
        shape = f"%Y-%m-%d{found['t'] or ''}{'%H:%M' if found['minute'] else ''}{':%S' if found['second'] else ''}"
        fraction = f".{stands.microsecond:06}".ljust(len(part), "0")[: len(part)]
        return stands.strftime(shape) + fraction + zone

    def _said(self, text: str, seen: datetime) -> str:
        for shape in _SAID_FORMATS:
            try:
                moment = datetime.strptime(text, shape).replace(tzinfo=UTC)
            except ValueError:
                continue
            stands = self._moment(moment, timedelta(seconds=1), seen)
            return text if stands is None else stands.strftime(shape)
        return text

    def _epoch(self, digits: str, seen: datetime) -> str:
        unit = _UNITS[len(digits)]
        count = int(digits) // (1000 if len(digits) == 19 else 1)
        moment = _EPOCH_BEGAN + count * unit
        stands = self._moment(moment, unit, seen)
        if stands is None:
            return digits
        return str((stands - _EPOCH_BEGAN) // unit).ljust(len(digits), "0")

    def _clock_number(self, held: float, seen: datetime) -> float:
        if isinstance(held, int):
            digits = str(held)
            return int(self._epoch(digits, seen)) if digits[0] == "1" and len(digits) in _UNITS else held
        if not 1e9 <= held < 2e9:
            return held
        stands = self._moment(_EPOCH_BEGAN + timedelta(seconds=held), timedelta(microseconds=1), seen)
        return held if stands is None else stands.timestamp()

    def _moment(self, moment: datetime, lasts: timedelta, seen: datetime) -> datetime | None:
        """Return the time in records of a time of the session; none if it is outside of the session."""
        if moment + lasts <= self.opened - SLACK or moment > seen + SLACK:
            return None
        for number, (begun, ended) in enumerate(self._writes, 1):
            if moment + lasts > begun and moment <= ended:
                return BEGINNING + number * STEP
        return BEGINNING + sum(ended < moment for _, ended in self._writes) * STEP


def _renamed(
    value: Any,
    path: Path,
    text: Callable[[Path, str], str],
    number: Callable[[Path, float], float],
    lists: Collection[Path],
) -> Any:
    if isinstance(value, str):
        return text(path, value)
    if isinstance(value, Mapping):
        return {
            text((*path, "{key}"), key): _renamed(held, (*path, key), text, number, lists)
            for key, held in value.items()
        }
    if isinstance(value, list):
        items = [_renamed(held, (*path, "*"), text, number, lists) for held in value]
        return sorted(items, key=canonical_json) if path in lists else items
    if isinstance(value, bool) or value is None:
        return value
    return number(path, value)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): _mapped(held, change) for key, held in value.items()}
    if isinstance(value, list):
        return [_mapped(held, change) for held in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SMALL:
        changed = change(str(value))
        return int(changed) if re.fullmatch(r"-?[0-9]{1,18}", changed) else value
    return value


def _names_in(value: Any) -> Iterator[str]:
    """Yield the possible names of a start in a value: random identities and times."""
    if isinstance(value, str):
        yield from (found[0] for found in _TOKEN.finditer(value))
    elif isinstance(value, Mapping):
        for key, held in value.items():
            yield from _names_in(key)
            yield from _names_in(held)
    elif isinstance(value, list):
        for held in value:
            yield from _names_in(held)


def _parts(value: Any) -> list[str]:
    """Return the tokens and then the words of a text; the digits of a large integer."""
    if isinstance(value, int) and abs(value) > SMALL:
        return [str(value)]
    if not isinstance(value, str):
        return []
    return [found[0] for found in _TOKEN.finditer(value)] + WORDS.findall(value)


def _offset(zone: str) -> timezone:
    if zone in ("", "Z"):
        return UTC
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return timezone(timedelta(minutes=-minutes if zone[0] == "-" else minutes))


def _in_the_shape_of(name: str, seed: str) -> str:
    """Return a name derived from `seed`, with digits and letters where `name` has them."""
    hexadecimal = len(name) >= SHORTEST_HEX and bool(re.fullmatch(r"[0-9a-fA-F-]*[a-fA-F][0-9a-fA-F-]*", name))
    stream = blake2b(seed.encode(), digest_size=64).digest()
    made = []
    for place, character in enumerate(name):
        byte = stream[place % 64]
        if name.count("-") == 4 and place == 14:
            made.append(character)  # the version of a UUID
        elif hexadecimal and character in "0123456789abcdefABCDEF":
            digit = "0123456789abcdef"[byte % 16]
            made.append(digit.upper() if character.isupper() else digit)
        elif character.isdigit():
            made.append("123456789"[byte % 9])
        elif character.isalpha() and character.isascii():
            letter = "abcdefghijklmnopqrstuvwxyz"[byte % 26]
            made.append(letter.upper() if character.isupper() else letter)
        else:
            made.append(character)
    return "".join(made)
