"""The description at /openapi.json holds for what is really sent and taken."""

from __future__ import annotations

import re

import pytest

from graphmem import __version__
from tests.server.live import JsonObject, Live, Reply, a_search, an_add

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "array": (list,),
    "object": (dict,), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip

BAD: list[object] = [None, " ", True, [], {}]


def part(node: object, *path: str) -> JsonObject:
    for step in path:
        assert isinstance(node, dict)
        node = node[step]
    assert isinstance(node, dict)
    return node


def fits(value: object, schema: object, root: JsonObject) -> bool:
    """The few words of JSON Schema that our description uses."""
    assert isinstance(schema, dict)
    if "$ref" in schema:
        return fits(value, part(root, *str(schema["$ref"]).removeprefix("#/").split("/")), root)
    if "anyOf" in schema and not any(fits(value, option, root) for option in schema["anyOf"]):
        return False
    if "anyOf" in schema and "type" not in schema:
        return True
    if not has_type(value, schema) or value != schema.get("const", value):
        return False
    return inside_fits(value, schema, root)


def inside_fits(value: object, schema: JsonObject, root: JsonObject) -> bool:
    match value:
        case str():
            short = len(value) <= int(str(schema.get("maxLength", len(value))))
            return short and bool(re.search(str(schema.get("pattern", "")), value))
        case list():
            enough = len(value) >= int(str(schema.get("minItems", 0)))
            return enough and all(fits(item, schema["items"], root) for item in value)
        case dict():
            return object_fits(value, schema, root)
        case int() | float():
            return "minimum" not in schema or value >= float(str(schema["minimum"]))
    return True


def has_type(value: object, schema: JsonObject) -> bool:
    wanted = str(schema.get("type"))
    if isinstance(value, bool):
        return wanted == "boolean"
    return isinstance(value, TYPES[wanted])


def object_fits(value: JsonObject, schema: JsonObject, root: JsonObject) -> bool:
    required, properties = schema.get("required", []), schema.get("properties", {})
    assert isinstance(required, list)
    assert isinstance(properties, dict)
    if not set(required) <= set(value):
        return False
    return all(fits(value[name], properties[name], root) for name in value if name in properties)


@pytest.fixture(scope="module")
def described(server: Live) -> JsonObject:
    return server.call("GET", "/openapi.json").json()


def operation(described: JsonObject, path: str) -> JsonObject:
    return part(described, "paths", path, "post")


def test_it_names_us(described: JsonObject) -> None:
    assert part(described, "info")["title"] == "graphmem"
    assert part(described, "info")["version"] == __version__


@pytest.mark.parametrize(
    ("path", "body"),
    [("/add", an_add()), ("/search", a_search()), ("/search", a_search(options=None, top_k=0))],
)
def test_good_requests_fit_and_bad_ones_do_not(
    described: JsonObject, path: str, body: JsonObject
) -> None:
    content = part(operation(described, path), "requestBody", "content")
    schema = part(content, "application/json", "schema")
    assert fits(body, schema, described)
    for name in ("user_id", *(("messages",) if path == "/add" else ("query", "top_k"))):
        for bad in BAD:
            assert not fits(body | {name: bad}, schema, described)


def test_answers_fit(described: JsonObject, server: Live, user: str) -> None:
    server.add(user, "hello there")
    replies: list[tuple[str, Reply]] = [
        ("/add", server.add(user, "hello there")),
        ("/add", server.post("/add", {})),
        ("/add", server.call("POST", "/add", b"{")),
        ("/search", server.search(user, "hello")),
        ("/search", server.post("/search", [])),
    ]
    for path, reply in replies:
        schema = part(
            operation(described, path),
            "responses", str(reply.status), "content", "application/json", "schema",
        )  # fmt: skip
        assert fits(reply.json(), schema, described)


def test_every_status_of_the_contract_is_described(described: JsonObject) -> None:
    for path in ("/add", "/search"):
        statuses = set(part(operation(described, path), "responses"))
        assert statuses == {"200", "400", "401", "403", "408", "413", "422", "500", "503"}


def test_all_but_the_probes_want_a_key(described: JsonObject) -> None:
    assert described["security"] == [{"key": []}]
    paths = part(described, "paths")
    assert [
        path for path in paths if "security" in part(described, "paths", path, *_first(paths, path))
    ] == [
        "/health",
        "/ready",
    ]


def _first(paths: JsonObject, path: str) -> tuple[str]:
    operations = paths[path]
    assert isinstance(operations, dict)
    return (next(iter(operations)),)


PRODUCT: dict[str, JsonObject] = {
    "/v1/add": {
        "request_id": "r", "memory_id": "m", "session_id": "s",
        "messages": [{"role": "user", "content": "hello there"}],
    },
    "/v1/retrieve": {"memory_id": "m", "query": "hello"},
    "/v1/answer": {"memory_id": "m", "query": "hello"},
    "/v1/rebuild": {"memory_id": "m"},
}  # fmt: skip


@pytest.mark.parametrize("path", list(PRODUCT))
def test_product_requests_fit_and_their_answers_do(
    described: JsonObject, server: Live, user: str, path: str
) -> None:
    server.post("/v1/add", PRODUCT["/v1/add"] | {"memory_id": user})
    body = PRODUCT[path] | {"memory_id": user}
    content = part(operation(described, path), "requestBody", "content")
    schema = part(content, "application/json", "schema")
    assert schema["additionalProperties"] is False
    assert fits(body, schema, described)
    assert not fits(body | {"memory_id": " "}, schema, described)
    for reply in (server.post(path, body), server.post(path, {}), server.post(path, {"x": 1})):
        answered = part(
            operation(described, path),
            "responses", str(reply.status), "content", "application/json", "schema",
        )  # fmt: skip
        assert fits(reply.json(), answered, described)


def test_every_status_of_the_product_contract_is_described(described: JsonObject) -> None:
    body = {"200", "400", "401", "403", "408", "413", "429", "500", "503"}
    more = {
        "/v1/add": {"409"},
        "/v1/retrieve": {"404", "409"},
        "/retrieve": {"404", "409"},
        "/v1/prepare": {"404", "409"},
        "/prepare": {"404", "409"},
        "/v1/answer": {"404", "409"},
        "/v1/rebuild": {"404"},
    }
    for path, statuses in more.items():
        assert set(part(operation(described, path), "responses")) == body | statuses


ATOMIC_CALLS: dict[str, JsonObject] = {
    "conversation/add": {"messages": [{"role": "user", "content": "I love tea."}]},
    "conversation/query": {},
    "conversation/search": {"query": "tea"},
    "conversation/count": {},
    "atomic/create": {"items": [{"content": "drinks tea", "type": "persona"}]},
    "atomic/search": {"query": "tea"},
    "atomic/query": {},
    "atomic/count": {},
    "atomic/history": {"id": "a_" + 24 * "0"},
    "atomic/update": {"id": "a_" + 24 * "0", "content": "x"},
    "atomic/delete": {"ids": ["a"]},
    "conversation/delete": {"session_id": "s"},
}


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_answers_of_contract_3_fit(
    described: JsonObject, server: Live, user: str, version: str
) -> None:
    paths = described["paths"]
    assert isinstance(paths, dict)
    found = {path for path in paths if path.startswith(f"/{version}/")}
    assert found == {f"/{version}/{call}" for call in ATOMIC_CALLS}
    for call, body in ATOMIC_CALLS.items():
        path = f"/{version}/{call}"
        content = part(operation(described, path), "requestBody", "content")
        assert fits(body, part(content, "application/json", "schema"), described)
        bodies: list[object] = [body | {"user_id": user}, [], body | {"user_id": ""}]
        for value in bodies:
            reply = server.post(path, value)
            schema = part(
                operation(described, path),
                "responses", str(reply.status), "content", "application/json", "schema",
            )  # fmt: skip
            assert fits(reply.json(), schema, described)


@pytest.mark.parametrize("call", list(ATOMIC_CALLS))
def test_null_is_an_absent_field_of_contract_3_and_described_so(
    described: JsonObject, server: Live, user: str, call: str
) -> None:
    body = ATOMIC_CALLS[call] | {"user_id": user}
    content = part(operation(described, f"/v2/{call}"), "requestBody", "content")
    schema = part(content, "application/json", "schema")
    for name in part(schema, "properties"):
        sent = {**body, name: None}
        is_needed = not fits({k: v for k, v in body.items() if k != name}, schema, described)
        assert fits(sent, schema, described) is not is_needed
        assert (server.post(f"/v2/{call}", sent).status == 400) is is_needed


@pytest.mark.parametrize("path", ["/metrics", "/v1/keys", "/v1/memories"])
def test_a_wrong_tenant_header_is_a_described_answer(server: Live, path: str) -> None:
    status = server.call("GET", path, headers={"X-Tenant-ID": "t" * 2000}).status
    assert status == 400
    described = part(server.call("GET", "/openapi.json").json(), "paths", path, "get", "responses")
    assert str(status) in described
