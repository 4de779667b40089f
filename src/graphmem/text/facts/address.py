"""Addresses: of the web, of mailboxes, of files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.text.facts.mask import Span

# What an address can't hold: white space, quotes, brackets of prose, Chinese punctuation.
_STOP: Final = r"\s<>\"'`“”‘’，。；！？、（）【】《》「」|"
_BODY: Final = rf"[^{_STOP}]"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?+"
_DOMAINS: Final = (
    "com org net edu gov io dev app ai co info biz tv xyz site online shop blog cloud tech uk de fr"
    " cn jp kr tw hk ca au nz eu es nl se ch pl ru br za ie pt fi dk cz example test"
    " local"
)
_FILE_TYPES: Final = (
    "txt md pdf docx? xlsx? pptx? csv tsv json jsonl xml ya?ml toml ini conf cfg log py js ts jsx tsx"
    " java c cpp h hpp rs go rb php sh bat ps1 sql html? css lua ipynb jpe?g png gif svg webp heic bmp"
    " mp[34] wav flac mov avi mkv zip tar gz tgz rar 7z exe dmg apk iso bak db sqlite key pem env"
)
_ROOTS: Final = "bin dev etc home lib media mnt opt proc root run srv sys tmp usr var users data"


def _either(words: str) -> str:
    return "|".join(words.split())


_WEB: Final = re.compile(
    rf"(?i)(?<![A-Za-z0-9])(?:(?:https?|ftps?|sftp|file|ssh|s3|wss?|git)://|www\.|localhost:\d){_BODY}++"
)
_MAIL: Final = re.compile(
    rf"(?<![\w.+-])[A-Za-z0-9_][\w.+-]{{0,63}}+@{_LABEL}(?:\.{_LABEL}){{1,8}}", re.ASCII
)
_DOMAIN: Final = re.compile(
    rf"(?i)(?<![A-Za-z0-9@._-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}})\.){{1,6}}(?:{_either(_DOMAINS)})"
    rf"(?![A-Za-z0-9_-]|\.[A-Za-z0-9])(?:[/?#:]{_BODY}*+)?"
)
_PATH: Final = re.compile(
    rf"(?<![A-Za-z0-9_./\\~:-])(?:"
    rf"(?:~|\.{{1,2}}|\$[A-Za-z_]{{1,40}}|%[A-Za-z]{{1,40}}%)[/\\][^{_STOP}]++"
    rf"|/(?:{_either(_ROOTS)})(?![\w-])(?:/[^{_STOP}]*+)?"
    rf"|(?:/[A-Za-z0-9_.@+-]{{1,80}}+){{2,40}}+/?"
    rf"|[A-Za-z]:\\[^{_STOP}]*+"
    rf"|\\\\[^{_STOP}]++)"
)
_FILE: Final = re.compile(
    rf"(?i)(?<![A-Za-z0-9_./\\@-])(?!(?:node|vue|next|nuxt|react|express|three|d3)\.js\b)"
    rf"(?:[\w.-]{{1,60}}/){{0,12}}[\w-][\w.-]{{0,80}}?\.(?:{_either(_FILE_TYPES)})(?![\w.]*[\w])",
    re.ASCII,
)
_TRAILING: Final = ".,;:!?)]}*_~'"
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


def find(text: str) -> Iterator[Span]:
    """The addresses of a text, in no order; they may overlap."""
    if ":" in text or "www" in text or "WWW" in text:
        yield from (_trimmed(text, *match.span()) for match in _WEB.finditer(text))
    if "@" in text:
        yield from (match.span() for match in _MAIL.finditer(text))
    if "/" in text or "\\" in text:
        yield from (_trimmed(text, *match.span()) for match in _PATH.finditer(text))
    if "." in text.rstrip(".\n "):
        yield from (_trimmed(text, *match.span()) for match in _DOMAIN.finditer(text))
        yield from (match.span() for match in _FILE.finditer(text))


def _trimmed(text: str, start: int, end: int) -> Span:
    """The address without the punctuation of the sentence behind it; a bracket of its own stays."""
    while end - 1 > start and text[end - 1] in _TRAILING:
        opening = _PAIRS.get(text[end - 1])
        if opening and text.find(opening, start, end) >= 0:
            break
        end -= 1
    return start, end
