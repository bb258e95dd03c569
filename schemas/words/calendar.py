"""Names of days, months, units and currencies, and number separators, by language.

Babel is imported on first use, since that takes some hundredths of a second. Source: Unicode CLDR, by Babel.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from babel import Locale

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""Days of the week as they are written in data."""

_WIDTHS: tuple[Literal["long", "short"], ...] = ("long", "short")


@cache
def month_names(language: str = "en", width: str = "wide") -> tuple[str, ...]:
    """Return the twelve month names, January first; `width` is "wide" or "abbreviated"."""
    names = _locale(language).months["format"][width]
    return tuple(str(names[number]) for number in range(1, 13))


@cache
def day_names(language: str = "en") -> tuple[str, ...]:
    """Return the names of the days of the week, Monday first."""
    names = _locale(language).days["format"]["wide"]
    return tuple(str(names[number]) for number in range(len(WEEKDAYS)))


@cache
def separators(language: str = "en") -> tuple[str, str]:
    """Return the thousands separator and the decimal separator."""
    symbols = _locale(language).number_symbols["latn"]
    return str(symbols["group"]), str(symbols["decimal"])


@cache
def currency_words() -> Mapping[str, tuple[str, str]]:
    """Return currency code in lower case -> (sign, what people call it): usd -> ("$", "dollar")."""
    symbols, names = _locale("en").currency_symbols, _locale("en").currencies
    return {code.lower(): (str(sign), str(names[code]).split()[-1].lower()) for code, sign in symbols.items()}


@cache
def unit_words(unit: str, language: str = "en") -> tuple[str, ...]:
    """Return the distinct names of a unit of time, in lower case: "day" -> ("day", "days")."""
    from babel.units import format_unit

    forms = (format_unit(count, f"duration-{unit}", width, locale=language) for width in _WIDTHS for count in (1, 2))
    named = (re.sub(r"[\d\s.]+", "", form).lower() for form in forms)
    return tuple(dict.fromkeys(name for name in named if len(name) > 1))


@cache
def _locale(language: str) -> "Locale":
    from babel import Locale

    return Locale(language)
