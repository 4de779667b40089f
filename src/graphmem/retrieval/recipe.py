"""A recipe says which channels take part and how much each counts: fusion as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

from graphmem.settings import number, override, unknown, whole

Weight: TypeAlias = Annotated[float, number(0, 100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Weights of the channels. The measurements that chose them are in docs/benchmarks.md.

    Attributes:
        lexical: weight of the lexical channel, whose best turn has at most 1.
        dense: weight of the dense channel, whose best turn has at most 1.
        chinese_dense: how many times as much the dense channel counts in the head for queries in
            Chinese, whose characters are shared by words that have nothing to do with each other.
            At 1.7, recall@10/@32 go on locomo-zh-dev from .784/.884 to .796/.888; from 1.6 to
            2.1 they stay .796 and .881 to .891. In English it would gain .004 @10 on locomo-dev and
            lose .007 @32 there and .013 on beam-dev.
        k1: how soon repetitions of a term stop counting (BM25).
        b: how much long passages are held back (BM25).
        asked: the share of what the query asks that a turn must hold to have 1 in the lexical channel.
            At .3, against 0 (the best turn has 1 whatever it holds), recall@10/@32 go on locomo-zh-dev
            from .781/.882 to .784/.884, on beam-dev from .605 to .606 @10, and stay within .001
            elsewhere; at .5 beam-dev loses .007 of @100. It is there for questions that share only a
            frequent word with the memory, of which the sets have none.
        near: share of a turn's own score that the turns at distance 1, 2, ... in its
            session get; empty for none.
        session: share of the best own score in a session that all its turns get.
        short: turns of more terms than this take less, in proportion, from those around them. At
            80, against all turns alike, recall@10/@32 rise on beam-dev (long messages) from
            .536/.703 to .605/.743, and stay on locomo-dev.
        speaker: how much more, in proportion, the turns of a speaker count whom the query names.
        temporal: how much more, in proportion, turns count that were said at, or speak of, a time
            that the query speaks of. At 1, recall@10/@32 rise on locomo-dev from .785/.879 to
            .802/.893 and @10 on locomo-zh-dev from .766 to .786; at .5 by about half of it, at
            1.5 to 3 by little more. The other sets' questions name no times.
        head: how many turns are ranked for precision; those behind them for coverage.
        tail_speaker: the speaker's share behind the head. At 1.5, recall@100 rises on locomo-dev from
            .935 to .942 and on locomo-zh-dev from .952 to .956, and stays on beam-dev, whose
            questions name nobody; at 3 by .001 and .003 more.
        strip_names: leave the names of such speakers out of the lexical query.
        options: weight of the terms of the answer options, together, against the query's.
        rerank: the most that the reranking model of the settings, if they name one, adds to a turn;
            the first by its judgement gets all of it, the last nothing; 0 asks it nothing.
        rerank_top: how many of the first turns it reads and reorders.
    """

    lexical: Weight = 1.0
    dense: Weight = 0.7
    chinese_dense: Weight = 1.7
    k1: Weight = 1.0
    b: Annotated[float, number(0, 1)] = 0.75
    asked: Annotated[float, number(0, 1)] = 0.3
    near: tuple[float, ...] = (0.4, 0.2, 0.1)
    session: Weight = 0.25
    short: Annotated[int, whole(1)] = 80
    speaker: Weight = 0.5
    temporal: Weight = 1.0
    head: Annotated[int, whole(1)] = 32
    tail_speaker: Weight = 1.5
    strip_names: bool = True
    options: Weight = 0.5
    rerank: Weight = 1.5
    rerank_top: Annotated[int, whole(1, 100)] = 32

    def for_head(self, *, is_chinese: bool) -> Recipe:
        """The weights of the first turns."""
        return replace(self, dense=self.dense * self.chinese_dense) if is_chinese else self

    def for_tail(self, *, names_speaker: bool) -> Recipe:
        """The weights of the turns behind the head."""
        return replace(self, speaker=self.tail_speaker) if self.speaker and names_speaker else self


DEFAULT: Final = Recipe()
SECTION: Final = "retrieval"
SECTIONS: Final = (SECTION, "query_budget")
"""The sections of `runtime_overrides`."""


def overridden(overrides: Mapping[str, Mapping[str, object]]) -> Recipe:
    """The default recipe with what the settings' `runtime_overrides` state, key by key.

    Raises:
        ConfigError: a section or a key is unknown, or a value is wrong.
    """
    for section in overrides:
        if section not in SECTIONS:
            raise unknown(f"runtime_overrides.{section}", section, SECTIONS)
    return override(DEFAULT, overrides.get(SECTION, {}), f"runtime_overrides.{SECTION}.")


ABLATIONS: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        "without lexical": replace(DEFAULT, lexical=0.0),
        "without dense": replace(DEFAULT, dense=0.0),
        "dense alike in Chinese": replace(DEFAULT, chinese_dense=1.0),
        "best words count whole": replace(DEFAULT, asked=0.0),
        "without context": replace(DEFAULT, near=()),
        "without session": replace(DEFAULT, session=0.0),
        "context for long turns too": replace(DEFAULT, short=1_000_000),
        "without speaker": replace(DEFAULT, speaker=0.0),
        "without temporal": replace(DEFAULT, temporal=0.0),
        "one lane": replace(DEFAULT, tail_speaker=DEFAULT.speaker),
        "without name stripping": replace(DEFAULT, strip_names=False),
        "lexical alone": replace(
            DEFAULT, dense=0.0, near=(), session=0.0, speaker=0.0, strip_names=False
        ),
    }
)
