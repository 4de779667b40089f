"""Content is what a message says: a text, or an array of text and image parts with a text in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, FailFast, PlainValidator, TypeAdapter, WithJsonSchema
from pydantic_core import PydanticCustomError

from graphmem.wire.values import (
    NonBlank,
    Text,
    read_non_blank,
    read_query,
    wrong_kind,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a message says.

    Attributes:
        text: the text to index.
        parts: the multimodal original as JSON text, None for a plain text.
    """

    text: str
    parts: str | None = None


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class ImageAddress(_Part):
    """Where an image is."""

    url: NonBlank


class TextPart(_Part):
    """A text inside a message."""

    type: Literal["text"]
    text: Text


class ImagePart(_Part):
    """A reference to an image inside a message."""

    type: Literal["image_url"]
    image_url: ImageAddress


def _read_part(value: object) -> TextPart | ImagePart:
    if not isinstance(value, dict):
        raise wrong_kind("a JSON object", value)
    kind = value.get("type")
    if kind == "text":
        return TextPart.model_validate(value)
    if kind == "image_url":
        return ImagePart.model_validate(value)
    raise PydanticCustomError("part", "must have the type text or image_url")


_AnyPart = Annotated[TextPart | ImagePart, PlainValidator(_read_part)]
_PARTS: Final[TypeAdapter[list[TextPart | ImagePart]]] = TypeAdapter(
    Annotated[list[_AnyPart], FailFast()], config=ConfigDict(strict=True)
)


def _read_content(value: object) -> Content:
    return Content(text=read_non_blank(value))


def _read_content_or_parts(value: object) -> Content:
    if not isinstance(value, list):
        return _read_content(value)
    parts = _PARTS.validate_python(value)
    kept = json.dumps([part.model_dump() for part in parts], ensure_ascii=False)
    return Content(text=_join_texts(parts), parts=kept)


def _read_query_or_parts(value: object) -> str:
    if not isinstance(value, list):
        return read_query(value)
    return read_query(_join_texts(_PARTS.validate_python(value)))


def _join_texts(parts: Sequence[TextPart | ImagePart]) -> str:
    texts = [part.text for part in parts if isinstance(part, TextPart) and part.text.strip()]
    if not texts:
        raise PydanticCustomError("no_text", "must hold at least one non-blank text part")
    return "\n".join(texts)


_TEXT_SCHEMA: Final = {"type": "string", "pattern": r"\S"}
_PARTS_SCHEMA: Final = {
    "anyOf": [
        _TEXT_SCHEMA,
        {
            "type": "array",
            "minItems": 1,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "required": ["type", "text"],
                        "properties": {"type": {"const": "text"}, "text": {"type": "string"}},
                    },
                    {
                        "type": "object",
                        "required": ["type", "image_url"],
                        "properties": {
                            "type": {"const": "image_url"},
                            "image_url": {
                                "type": "object",
                                "required": ["url"],
                                "properties": {"url": _TEXT_SCHEMA},
                            },
                        },
                    },
                ]
            },
        },
    ]
}

TextContent = Annotated[Content, PlainValidator(_read_content), WithJsonSchema(_TEXT_SCHEMA)]
PartsContent = Annotated[
    Content, PlainValidator(_read_content_or_parts), WithJsonSchema(_PARTS_SCHEMA)
]
PartsQuery = Annotated[str, PlainValidator(_read_query_or_parts), WithJsonSchema(_PARTS_SCHEMA)]
