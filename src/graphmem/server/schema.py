"""The OpenAPI description of bodies that we read ourselves."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from pydantic import BaseModel

from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.server.surfaces import JSON
from graphmem.server.tenant import HEADER
from graphmem.wire.values import MAX_ID_CHARACTERS, NON_BLANK_PATTERN

_JsonValue: TypeAlias = "str | int | float | bool | list[_JsonValue] | _JsonObject | None"
_JsonObject: TypeAlias = dict[str, _JsonValue]
_DEFINITIONS: Final = "$defs"
_SCHEME: Final = "key"
_BEARER: Final = {"type": "http", "scheme": "bearer"}
_TENANT: Final[_JsonObject] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {
        "type": "string",
        "pattern": NON_BLANK_PATTERN,
        "maxLength": MAX_ID_CHARACTERS,
        "default": DEFAULT_TENANT,
    },
}


def request_of(model: type[BaseModel], *headers: str) -> _JsonObject:
    """Describe an operation's headers with ids and its body, every reference written out in place.

    Args:
        model: of the body.
        headers: their names; none for the tenant's alone.
    """
    schema = model.model_json_schema(ref_template="{model}")
    definitions = schema.pop(_DEFINITIONS, {})
    content: _JsonValue = {JSON: {"schema": _inline(schema, definitions)}}
    named: list[_JsonValue] = [_optional_id(header) for header in headers] or [_TENANT]
    return {"parameters": named, "requestBody": {"required": True, "content": content}}


def _optional_id(header: str) -> _JsonObject:
    schema: _JsonObject = {
        "type": "string",
        "pattern": NON_BLANK_PATTERN,
        "maxLength": MAX_ID_CHARACTERS,
    }
    return {"name": header, "in": "header", "required": False, "schema": schema}


def parameters_of(query: _JsonObject, *, in_path: tuple[str, ...] = ()) -> _JsonObject:
    """Describe an operation's tenant header and the parameters that we read ourselves."""
    identifier: _JsonObject = {
        "type": "string",
        "pattern": NON_BLANK_PATTERN,
        "maxLength": MAX_ID_CHARACTERS,
    }
    path: list[_JsonValue] = [
        {"name": name, "in": "path", "required": True, "schema": identifier} for name in in_path
    ]
    asked: list[_JsonValue] = [
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in query.items()
    ]
    return {"parameters": [_TENANT, *path, *asked]}


def refusals(
    model: type[BaseModel], *statuses: int
) -> dict[int | str, dict[str, type[BaseModel] | str]]:
    """Describe the error answers of an operation."""
    return {s: {"model": model, "description": HTTPStatus(s).phrase} for s in statuses}


def with_keys(described: dict[str, Any], *, open_paths: Sequence[str]) -> dict[str, Any]:
    """Say in a description that all paths but these want a key, where keys are in force."""
    components = described["components"] | {"securitySchemes": {_SCHEME: _BEARER}}
    paths = {
        path: {
            method: operation | {"security": []} if path in open_paths else operation
            for method, operation in operations.items()
        }
        for path, operations in described["paths"].items()
    }
    return described | {"components": components, "paths": paths, "security": [{_SCHEME: []}]}


def _inline(node: _JsonValue, definitions: _JsonObject) -> _JsonValue:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    name = node.get("$ref")
    if isinstance(name, str):
        return _inline(definitions[name], definitions)
    return {key: _inline(value, definitions) for key, value in node.items()}
