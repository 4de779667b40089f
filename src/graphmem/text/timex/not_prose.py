"""What is no prose within a text: code, addresses, paths, names of files, handles, tags, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_NAME: Final = r"[A-Za-z0-9_.+@%~-]"
_FILES: Final = (
    "md|txt|pdf|log|csv|tsv|json|jsonl|yaml|yml|toml|ini|cfg|conf|xml|html?|css|py|ipynb|js|ts|tsx|jsx|rs|rb|"
    "java|kt|c|h|cc|cpp|hpp|cs|sh|sql|db|sqlite|bak|zip|tar|gz|tgz|7z|rar|png|jpe?g|gif|svg|webp|heic|mp3|mp4|m4a|"
    "wav|mov|avi|docx?|xlsx?|pptx?|odt|rtf|epub|apk|exe|iso|dmg|parquet|pkl|npy|ics|eml|JPE?G|PNG|PDF|TXT|CSV|MOV|MP[34]|DOCX?|XLSX?"
)
# Those that are no words, so that a full stop without a space behind it makes no address of a sentence.
_DOMAINS: Final = "com|org|net|io|dev|app|ai|edu|gov|info|biz|cn|jp|kr|uk|de|fr|eu|ru|ca|au|co|xyz|tech|cloud|blog"
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]{1,500}`", re.DOTALL)
# A value in single quotes: assigned, in brackets, or of digits alone.
_LITERAL: Final = re.compile(
    r"(?<==)\s?'[^'\n]{1,120}'|(?<=[\[({])'[^'\n]{1,120}'(?=\s?[\])},;:])|(?<!\w)'\d[\d :T/.+-]{3,30}Z?'"
)
_ADDRESS: Final = re.compile(
    r"(?:https?|ftp|file)://[^\s<>\"'，。；！？、）】》」]+|www\.[^\s<>\"'，。；！？、）】》」]+|"
    r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
)
_DOMAIN: Final = re.compile(
    rf"(?<![A-Za-z0-9_@.-])(?:[A-Za-z0-9][A-Za-z0-9-]{{0,62}}\.){{1,4}}(?:{_DOMAINS})(?![A-Za-z0-9_-])"
    r"(?:/[^\s，。；！？、）】》」]{0,500})?"
)
# From a root or a drive; to a file, which may stand alone; with a date for a directory.
_PATH: Final = re.compile(
    rf"(?<![A-Za-z0-9_.~/\\-])(?:[A-Za-z]:|~|\.{{1,2}})?[/\\](?=[A-Za-z_.]){_NAME}{{1,128}}"
    rf"(?:[/\\]{_NAME}{{0,128}}){{1,32}}"
)
_FILE: Final = re.compile(
    rf"(?<![A-Za-z0-9_.+@%~-]){_NAME}{{1,128}}(?:[/\\]{_NAME}{{1,128}}){{0,32}}(?<=\.)(?:{_FILES})"
    r"(?![A-Za-z0-9_])"
)
_DATED_PATH: Final = re.compile(
    r"(?<![A-Za-z0-9_.+@%~-])(?:[A-Za-z_][A-Za-z0-9_.-]{0,127}[/\\]){1,32}\d{4}-\d\d-\d\d(?!\d)"
    rf"(?:[/\\]{_NAME}{{0,128}}){{0,32}}"
)
_HANDLE: Final = re.compile(
    r"(?<![\w@])@(?!noon\b|midday\b|midnight\b)[A-Za-z_][A-Za-z0-9_.]{0,63}"
)
_TAG: Final = re.compile(r"(?<![\w#&/])#(?=\d{0,32}[^\W\d])\w{1,64}#?")
_VERSION: Final = re.compile(
    r"(?:\b(?:versions?|ver\.?|v\.?|rev\.?)|版本[号为是：:]{0,2})\s?\d{1,8}(?:\.\d{1,8}){1,4}",
    re.IGNORECASE,
)
_INDENTED: Final = re.compile(r"(?:(?:\A|(?<=\n)[ \t\r]{0,16}\n)(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+)")
_OF_CODE: Final = re.compile(r"[=;{}<>\[\]$|]|\w\(")

_KINDS: Final = (
    _CODE,
    _LITERAL,
    _ADDRESS,
    _DOMAIN,
    _PATH,
    _FILE,
    _DATED_PATH,
    _HANDLE,
    _TAG,
    _VERSION,
)


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that are no prose, by kind; they may overlap."""
    for pattern in _KINDS:
        for match in pattern.finditer(text):
            yield match.span()
    for match in _INDENTED.finditer(text):
        if _OF_CODE.search(match[0]):
            yield match.span()
