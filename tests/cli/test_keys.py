"""`graphmem keys`, on a directory of its own and beside a running server."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.service.memory import MemoryService
from tests.cli.conftest import Run
from tests.server.live import a_search, configure, encode, running

MASTER = "the-master-key"


def recognised(data_dir: Path, key: str) -> bool:
    config = ServiceConfig(data_dir=data_dir, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        return service.keyring.recognise(key.encode()) is not None


def test_a_key_is_printed_once_alone_on_stdout(run: Run, data_dir: Path) -> None:
    made = run("keys", "add", "--tenant", "acme", "--name", "agent", "--data-dir", data_dir)
    key = made.out.removesuffix("\n")
    assert recognised(data_dir, key)
    assert "read, write in tenant acme" in made.err
    assert key not in made.err
    listed = run("keys", "list", "--data-dir", data_dir)
    assert key.split("_")[1] in listed.out
    assert "agent" in listed.out
    assert key.split("_")[2] not in listed.out


def test_the_first_key_says_what_it_closes(run: Run, data_dir: Path) -> None:
    with running(configure(data_dir)) as live:
        assert live.post("/search", a_search()).status == 200
        first = run("keys", "add", "--all-tenants", "--data-dir", data_dir)
        assert "answers only requests that carry a key" in first.err
        assert live.post("/search", a_search()).status == 401
    second = run("keys", "add", "--all-tenants", "--data-dir", data_dir)
    assert "answers only" not in second.err


def test_bounds_are_as_given(run: Run, data_dir: Path) -> None:
    options = ("--tenant", "a", "--tenant", "b", "--memory", "m", "--right", "admin")
    made = run("keys", "add", *options, "--data-dir", data_dir, "--json").json()
    assert (made["tenants"], made["memories"], made["rights"]) == (["a", "b"], ["m"], ["admin"])
    everything = run("keys", "add", "--all-tenants", "--data-dir", data_dir, "--json").json()
    assert everything["tenants"] is None


@pytest.mark.parametrize("options", [(), ("--tenant", "a", "--all-tenants")])
def test_the_tenants_have_to_be_said(run: Run, data_dir: Path, options: tuple[str, ...]) -> None:
    assert run("keys", "add", *options, "--data-dir", data_dir).code == 2
    assert not data_dir.exists()


def test_a_wrong_right_is_named(run: Run, data_dir: Path) -> None:
    done = run("keys", "add", "--all-tenants", "--right", "root", "--data-dir", data_dir)
    assert done.code == 1
    assert "rights.0: must be read, write or admin" in done.err


def test_a_revoked_key_is_none_any_more(run: Run, data_dir: Path) -> None:
    made = run("keys", "add", "--tenant", "acme", "--data-dir", data_dir, "--json").json()
    gone = run("keys", "revoke", made["key_id"], "--data-dir", data_dir)
    assert made["key_id"] in gone.out
    assert not recognised(data_dir, made["key"])
    (listed,) = run("keys", "list", "--data-dir", data_dir, "--json").json()["keys"]
    assert listed["revoked_at"] is not None


def test_an_unknown_key_is_said_to_be_so(run: Run, filled: Path) -> None:
    done = run("keys", "revoke", "0123", "--data-dir", filled, "--json")
    assert (done.code, done.json()["error"]["code"]) == (1, "KeyNotFound")


def test_without_keys_the_list_says_so(run: Run, filled: Path) -> None:
    assert "no keys" in run("keys", "list", "--data-dir", filled).out


def test_beside_a_server_keys_go_through_it(
    run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(configure(data_dir, api_key=MASTER)) as live:
        refused = run("keys", "add", "--tenant", "acme", "--data-dir", data_dir)
        assert refused.code == 1
        assert "GRAPHMEM_API_KEY" in refused.err
        monkeypatch.setenv("GRAPHMEM_API_KEY", MASTER)
        made = run("keys", "add", "--tenant", "acme", "--data-dir", data_dir, "--json").json()

        def status() -> int:
            headers = {"Authorization": f"Bearer {made['key']}"}
            return live.call("POST", "/search", encode(a_search()), headers).status

        assert status() == 200
        (listed,) = run("keys", "list", "--data-dir", data_dir, "--json").json()["keys"]
        assert listed["key_id"] == made["key_id"]
        assert run("keys", "revoke", made["key_id"], "--data-dir", data_dir).code == 0
        assert status() == 401
        unknown = run("keys", "revoke", "0123", "--data-dir", data_dir, "--json")
        assert unknown.json()["error"]["code"] == "KeyNotFound"


def test_keys_need_no_model(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"llm_model": "m", "llm_base_url": "http://127.0.0.1:9/v1"}', encoding="utf-8")
    made = run("keys", "add", "--all-tenants", "--data-dir", data_dir, "--config", file)
    assert made.code == 0


def test_a_key_manages_those_that_can_do_no_more(
    run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("--data-dir", data_dir)
    agent = run("keys", "add", "--tenant", "acme", *where, "--json").json()
    rights = {"admin alone": ("admin",), "all": ("read", "write", "admin")}
    keys = {
        name: run(
            "keys",
            "add",
            "--all-tenants",
            *(f"--right={right}" for right in held),
            *where,
            "--json",
        ).json()
        for name, held in rights.items()
    }
    with running(configure(data_dir)):
        monkeypatch.setenv("GRAPHMEM_API_KEY", keys["admin alone"]["key"])
        listed = run("keys", "list", *where, "--json").json()["keys"]
        assert [key["key_id"] for key in listed] == [keys["admin alone"]["key_id"]]
        refused = run("keys", "revoke", agent["key_id"], *where)
        assert (refused.code, "a key with more rights" in refused.err) == (1, True)
        monkeypatch.setenv("GRAPHMEM_API_KEY", keys["all"]["key"])
        assert run("keys", "revoke", agent["key_id"], *where).code == 0
