"""Other words for what somebody does -> whether they say the same: yes for yes, no for no, and nothing taken back.

English and German are heard in full. Of other languages only words for yes and no are known: where everything hangs on
these, and they are not found, nobody knows what was said.
"""

import re
from collections.abc import Mapping

from interplay.generators.participants.listening import Ear
from interplay.schemas.dialogue import Message

HEARD = frozenset("english en german deutsch de".split())
"""What languages are called that the ear follows."""

_REFUSALS = ("negate", "refuse", "response_fail", "report_error")

_CORRECTS = re.compile(
    r"\b(?:no,? (?:wait|sorry)|wait,? no|or rather|scratch that|actually,? no|correction"
    r"|nein,? (?:warten?|doch|moment)|ach nein|oder vielmehr|besser gesagt|korrektur)\b",
    re.IGNORECASE,
)
"""Words that take back what was said before them."""

_NAMES: Mapping[str, str] = {
    "spanish": "es", "español": "es", "castellano": "es", "french": "fr", "français": "fr", "portuguese": "pt",
    "português": "pt", "italian": "it", "italiano": "it", "russian": "ru", "русский": "ru", "chinese": "zh", "mandarin": "zh",
    "中文": "zh", "japanese": "ja", "日本語": "ja", "hindi": "hi", "हिन्दी": "hi", "arabic": "ar", "العربية": "ar", "indonesian": "id",
    "bahasa indonesia": "id",
}  # fmt: skip

_YES_AND_NO: Mapping[str, tuple[str, str]] = {
    "es": (
        r"sí|si|claro|vale|de acuerdo|por supuesto|adelante|correcto|exacto|perfecto|confirmo",
        r"no|nunca|tampoco|ningun\w*|ningún|imposible",
    ),
    "fr": (
        r"oui|d['’]accord|bien sûr|volontiers|allez-y|vas-y|parfait|exactement|c['’]est ça|je confirme",
        r"non|pas|jamais|aucune?|impossible",
    ),
    "pt": (
        r"sim|claro|pode|com certeza|certo|perfeito|confirmo|isso mesmo|exatamente",
        r"não|nunca|nenhuma?|impossível",
    ),
    "it": (
        r"sì|si|certo|va bene|d['’]accordo|esatto|perfetto|confermo|proceda|procedi",
        r"no|non|mai|nessun\w*|impossibile",
    ),
    "ru": (
        r"да|конечно|хорошо|верно|именно|согласен|согласна|подтверждаю|давайте",
        r"нет|не|нельзя|никогда|невозможно|ни",
    ),
    "zh": (r"是的?|好的?|对|對|可以|行|确认|確認|没问题|沒問題", r"不|没|沒|别|別|无法|無法"),
    "ja": (r"はい|ええ|お願いします|そうです|大丈夫|いいですよ", r"いいえ|いや|ません|ない|違い|だめ|かねます"),
    "hi": (r"हाँ|हां|जी|ठीक|ज़रूर|जरूर|बिल्कुल|सही", r"नहीं|ना|मत"),
    "ar": (r"نعم|أجل|بالتأكيد|حسنا|حسنًا|موافق|تمام|صحيح", r"لا|لن|لم|ليس|ليست|غير|كلا"),
    "id": (r"ya|iya|benar|betul|baik|setuju|tentu|silakan", r"tidak|bukan|jangan|belum|tak"),
}
"""Words for yes and for no, in the ten largest languages that are not heard."""

_JOINED = ("zh", "ja")
"""Languages that are written without spaces."""


def changed(said: Message, text: str, language: str, ear: Ear) -> str:
    """Return how other words for a message change what it does, or nothing; no `language` is the one of the rules."""
    if _CORRECTS.search(text) and not _CORRECTS.search(said.content):
        return "meaning_changed"
    name = language.strip().lower()
    if not name or name in HEARD:
        return "meaning_changed" if _turned(said, text, ear) else ""
    if said.act != "affirm" and said.act not in _REFUSALS:
        return ""
    known = _NAMES.get(name, name)
    if known not in _YES_AND_NO:
        return "not_heard"
    return "" if _plainly(said, text.lower(), known) else "meaning_changed"


def _turned(said: Message, text: str, ear: Ear) -> bool:
    """Tell whether words that are heard say the opposite of an act."""
    if said.act == "affirm":
        return ear.denies(text) or not ear.affirms(text)
    if said.act == "negate":
        return ear.affirms(text)
    if said.act in ("refuse", "response_fail"):
        return not ear.declines(text)
    speaks = said.act in ("response", "confirm_request", "request")
    return speaks and ear.declines(text) and not ear.declines(said.content)


def _plainly(said: Message, text: str, language: str) -> bool:
    """Tell whether words of a language hold a plain yes and no no, or a no where one is meant."""
    yes, no = (_any_of(words, language) for words in _YES_AND_NO[language])
    if said.act == "affirm":
        return yes.search(text) is not None and no.search(yes.sub(" ", text)) is None
    return no.search(yes.sub(" ", text) if language in _JOINED else text) is not None


def _any_of(words: str, language: str) -> re.Pattern[str]:
    return re.compile(f"(?:{words})" if language in _JOINED else rf"(?<!\w)(?:{words})(?!\w)")
