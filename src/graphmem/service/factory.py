"""The composition root: the only place that names concrete stores and providers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from graphmem.config import ServiceConfig
from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.database import DatabaseReport
from graphmem.domain.holder import Holder
from graphmem.errors import ConfigError
from graphmem.index.codec import decode
from graphmem.index.version import INDEX_VERSION
from graphmem.ports.chat import ChatModel
from graphmem.ports.claims import Claims
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import EmbeddingQueue
from graphmem.ports.identity import IdentitySource
from graphmem.ports.reranker import Reranker
from graphmem.ports.store import Store
from graphmem.ports.tokens import TokenCounter
from graphmem.providers.chat.openai import OpenAIChat
from graphmem.providers.chat.profile import PROFILES, ProfileName, answer_sampling
from graphmem.providers.clock import SystemClock
from graphmem.providers.embedding.cached import forget_passages
from graphmem.providers.embedding.registry import EmbedderSpec, open_pool
from graphmem.providers.identity import RandomIdentity
from graphmem.providers.rerank.onnx import OnnxReranker, find_files
from graphmem.providers.tokens.exact import open_tokenizer
from graphmem.service.answering import Answerer
from graphmem.service.build import Build
from graphmem.service.places import Database, place_of
from graphmem.stores.sqlite import draft, restore as restoring
from graphmem.stores.sqlite.place import Place
from graphmem.text.tokens import BuiltInTokenCounter

_NO_TOKENIZER: Final = (
    "must name the tokenizer.json of llm_model, here or in GRAPHMEM_TOKENIZER_PATH; "
    "or set require_exact_tokenizer to false for an approximate count"
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything that a service reaches the world through.

    Attributes:
        embeddings: the embedding model, None for lexical retrieval only.
        chat: the chat model that finds atoms, None for rules alone.
        forget_texts: takes texts' vectors out of caches on disk, None where there is none.
        announce: tells other processes at which address this one serves.
        back_up: copies the whole store into a file, None where a store has no such way.
        claims: tell other processes which memories this one is building, None where it is alone on
            the store.
        counter: what a token is, to the budgets of prompts.
        answerer: the chat model that answers, None where the settings allow no answers.
        reranker: the model that reorders the first turns, None without one.
    """

    store: Store
    embeddings: EmbeddingQueue | None
    clock: Clock
    identity: IdentitySource
    announce: Callable[[str], None]
    back_up: Callable[[Path, TellCopy], BackupReport] | None = None
    forget_texts: Callable[[Sequence[str]], None] | None = None
    counter: TokenCounter = field(default_factory=BuiltInTokenCounter)
    chat: ChatModel | None = None
    answerer: Answerer | None = None
    reranker: Reranker | None = None
    claims: Claims | None = None

    def close(self) -> None:
        """Give back what no service came to hold."""
        with ExitStack() as held:
            held.callback(self.store.close)
            for model in (self.embeddings, self.chat, self.reranker):
                if model is not None:
                    held.callback(model.close)
            if self.answerer is not None:
                held.callback(self.answerer.model.close)


def build_parts(config: ServiceConfig, *, read_only: bool) -> Parts:
    """Open what the settings ask for.

    Raises:
        ConfigError: a model, or the tokenizer, can't be used as set.
        StoreError: the data directory is held by another process, or it or the database can't be
            used.
    """
    counter = open_counter(config)
    reranker = open_reranker(config)
    with ExitStack() as undo:
        answerer = open_answerer(config)
        if answerer is not None:
            undo.callback(answerer.model.close)
        chat = open_chat(config)
        if chat is not None:
            undo.callback(chat.close)
        # Late, so that settings which can't be used make no directory; but before the embedding
        # model, of which there is nothing to say where a server holds the store.
        opened = place_of(config).open(read_only=read_only)
        undo.callback(opened.store.close)
        embeddings = _open_embeddings(config)
        undo.pop_all()
    return Parts(
        store=opened.store,
        embeddings=embeddings,
        clock=SystemClock(),
        identity=RandomIdentity(),
        announce=opened.announce,
        back_up=opened.back_up,
        claims=opened.claims,
        forget_texts=_forgetter(config),
        counter=counter,
        chat=chat,
        answerer=answerer,
        reranker=reranker,
    )


def open_counter(config: ServiceConfig) -> TokenCounter:
    """What counts tokens: the tokenizer that the settings name, else the built-in counter.

    Raises:
        ConfigError: the named tokenizer can't be used, or a chat model has none, and must have.
    """
    if not config.tokenizer_path:
        if config.llm_model and config.require_exact_tokenizer:
            raise ConfigError("tokenizer_path", _NO_TOKENIZER)
        return BuiltInTokenCounter(is_approximate=bool(config.llm_model))
    try:
        return open_tokenizer(Path(config.tokenizer_path).expanduser())
    except ConfigError as error:
        if config.require_exact_tokenizer:
            raise
        _log.warning("%s; tokens are counted approximately", error)
        return BuiltInTokenCounter(is_approximate=True)


def open_answerer(config: ServiceConfig) -> Answerer | None:
    """The chat model that answers; None unless the settings allow answers. Nothing is sent.

    Raises:
        ConfigError: its address or its key can't be used.
    """
    if not config.generate_answers:
        return None
    profile = _profile(config.answer_request_profile)
    return Answerer(
        model=OpenAIChat(
            config.answer_base_url or config.llm_base_url,
            model=config.answer_model or config.llm_model,
            profile=profile,
            purpose="answer",
            api_key=config.answer_api_key,
            timeout_seconds=config.model_timeout_seconds,
        ),
        sampling=answer_sampling(
            profile,
            frequency_penalty=config.answer_frequency_penalty,
            reasoning_effort=config.answer_reasoning_effort,
        ),
    )


def _profile(name: str) -> ProfileName:
    return next(profile for profile in PROFILES if profile == name)


def find_holder(config: ServiceConfig) -> Holder | None:
    """Who holds the data directory, None when nobody does; nothing is opened, made or changed."""
    return place_of(config).find_holder()


def check_pages(config: ServiceConfig) -> None:
    """Read every page of the database, which is opened read-only, and hold turns to their requests.

    Raises:
        StoreError: it is damaged, not graphmem's, can't be read, or has other means for that.
    """
    place_of(config).check_pages()


def look_at_database(config: ServiceConfig) -> DatabaseReport | None:
    """What there is to say about the database server; None where there is none.

    Raises:
        ConfigError: the extra `postgres` is not installed.
        StoreError: it can't be reached, or refuses us.
    """
    place = place_of(config)
    return place.look_at() if isinstance(place, Database) else None


def back_up(config: ServiceConfig, target: Path, tell: TellCopy) -> BackupReport:
    """Copy the whole store without opening it, so that an older schema is no bar."""
    return place_of(config).back_up(target, tell)


def restore(source: Path, data_dir: Path, tell: TellCopy) -> BackupReport:
    """Make a data directory from a backup; see `graphmem.stores.sqlite.restore.restore`."""
    place = Place(directory=data_dir.absolute())
    return restoring.restore(source, place, check_segment=_check_segment, tell=tell)


def new_file(target: Path) -> AbstractContextManager[BinaryIO]:
    """A file to write into that has its name only when it is whole."""
    return draft.new_file(target)


def _check_segment(data: bytes, build: str) -> None:
    """Read a segment, unless another release made it: such a one is made anew before it is used."""
    if Build.from_text(build).index == INDEX_VERSION:
        decode(data)


def has_data(config: ServiceConfig) -> bool:
    """Whether there is a database with tables already; nothing is made or changed.

    Raises:
        StoreUnavailableError: this user may not know, or the server can't be asked.
    """
    return place_of(config).has_data()


def require_data(config: ServiceConfig) -> None:
    """Refuse to go on where there is no database; nothing is made or changed.

    Raises:
        StoreUnavailableError: there is none.
    """
    place_of(config).require_data()


def _forgetter(config: ServiceConfig) -> Callable[[Sequence[str]], None] | None:
    path = config.dense.disk_cache
    return partial(forget_passages, Path(path)) if path else None


def _open_embeddings(config: ServiceConfig) -> EmbeddingQueue | None:
    if not config.dense_retrieval:
        return None
    return open_pool(
        EmbedderSpec(
            name=config.embedding_model,
            base_url=config.embedding_base_url or None,
            api_key=config.embedding_api_key,
            timeout_seconds=config.dense.timeout_seconds,
            disk_cache=Path(config.dense.disk_cache) if config.dense.disk_cache else None,
        )
    )


def open_reranker(config: ServiceConfig) -> Reranker | None:
    """The model that reorders the first turns, None when there is none; it is not loaded.

    Raises:
        ConfigError: it is not where the settings say, or its extra is not installed.
    """
    return OnnxReranker(find_files(config.rerank_model)) if config.rerank_model else None


def open_chat(config: ServiceConfig) -> ChatModel | None:
    """The chat model that finds atoms, None when rules alone do; nothing is sent.

    Raises:
        ConfigError: its address or key can't be used.
    """
    if not (config.semantic_build and config.llm_model):
        return None
    return OpenAIChat(
        config.llm_base_url,
        model=config.llm_model,
        profile=_profile(config.request_profile),
        api_key=config.llm_api_key,
        timeout_seconds=config.model_timeout_seconds,
    )
