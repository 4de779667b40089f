"""The results of `bench answer`, as JSON Lines that a run which was stopped goes on with.

The first line says what was asked of whom; then a line for each answer and each verdict, written to the disk
before the next question is asked. A last line that was torn is dropped (docs/answers.md).
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from graphmem.bench.evidence import EvidenceSet
from graphmem.errors import InvalidInputError

FORMAT: Final = "graphmem-answers"
VERSION: Final = 1
Key = tuple[str, str]
"""Memory and question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a file is about; a run goes on only with the same.

    Attributes:
        set: the set's name.
        digest: of its conversations and questions.
        answer_model: the name of the model that answers.
        answer_fingerprint: changes with it, its server and how it is asked.
        judge_model: the name of the model that judges.
        judge_fingerprint: likewise.
        readout: the read-out that the prompts are of.
        embedder: what was embedded with.
    """

    set: str
    digest: str
    answer_model: str
    answer_fingerprint: str
    judge_model: str
    judge_fingerprint: str
    readout: str
    embedder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One answer.

    Attributes:
        kind: the set's sort of question.
        text: the answer.
        abstained: whether it says only that it does not know.
        citations: ids of the messages that it cites.
        cited_evidence: how many of these are evidence of the set.
        invented: how many ids it cited that were not shown.
        has_evidence: whether all evidence was in the prompt; None where the set names none.
        finish: why the text ends.
        prompt_tokens: what the model's server counted.
        answer_tokens: likewise.
        seconds: how long it took.
    """

    memory_id: str
    question_id: str
    kind: str
    text: str
    abstained: bool
    citations: tuple[str, ...]
    cited_evidence: int
    invented: int
    has_evidence: bool | None
    finish: str
    prompt_tokens: int
    answer_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One verdict."""

    memory_id: str
    question_id: str
    correct: bool
    reason: str
    prompt_tokens: int
    answer_tokens: int


@dataclass(slots=True, kw_only=True)
class Results:
    """What a file holds."""

    answers: dict[Key, Answered] = field(default_factory=dict)
    verdicts: dict[Key, Judged] = field(default_factory=dict)


class AnswerFile:
    """A results file that is open for more. Thread-safe.

    Args:
        path: the file; made when absent.
        header: what the run is about.

    Raises:
        InvalidInputError: it is no such file, or is about something else.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self._lock = threading.Lock()
        self._file = _open(path)
        try:
            self.results = _read(self._file, path, header)
        except InvalidInputError:
            self._file.close()
            raise

    def add(self, line: Answered | Judged) -> None:
        """Write a line, durably."""
        kind = "answer" if isinstance(line, Answered) else "verdict"
        with self._lock:
            _keep(self.results, line)
            _write(self._file, {"type": kind, **asdict(line)})

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def digest_of(evidence: EvidenceSet) -> str:
    """Names the conversations and questions of a set."""
    text = json.dumps(asdict(evidence), ensure_ascii=True, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("r+b" if path.exists() else "x+b")
    except OSError as error:
        raise InvalidInputError("results", f"can't open {path}: {error.strerror}") from error


def _read(file: BinaryIO, path: Path, header: Header) -> Results:
    lines = file.read().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith(b"\n")]
    file.seek(sum(map(len, whole)))
    file.truncate()
    if not whole:
        _write(file, {"format": FORMAT, "version": VERSION, **asdict(header)})
        return Results()
    first, *rest = _values(whole, path)
    _check(first, path, header)
    results = Results()
    for value in rest:
        _keep(results, _line(value, path))
    return results


def _check(first: Mapping[str, Any], path: Path, header: Header) -> None:
    if (first.get("format"), first.get("version")) != (FORMAT, VERSION):
        raise InvalidInputError(
            "results", f"{path} is no results file of version {VERSION}; name another file"
        )
    for name, value in asdict(header).items():
        if first.get(name) != value:
            raise InvalidInputError(
                "results",
                f"{path} is of another run (its {name} differs); name another file, or run with the same",
            )


def _values(lines: list[bytes], path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise InvalidInputError("results", f"{path}: line {number} is no JSON object")
        yield value


def _line(value: dict[str, Any], path: Path) -> Answered | Judged:
    kind = value.pop("type", None)
    try:
        if kind == "answer":
            return Answered(**(value | {"citations": tuple(value["citations"])}))
        return Judged(**value)
    except (TypeError, LookupError) as error:
        raise InvalidInputError(
            "results", f"{path} holds a line that is neither an answer nor a verdict"
        ) from error


def _keep(results: Results, line: Answered | Judged) -> None:
    key = (line.memory_id, line.question_id)
    if isinstance(line, Answered):
        results.answers[key] = line
    else:
        results.verdicts[key] = line


def _write(file: BinaryIO, value: Mapping[str, object]) -> None:
    file.write(json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
    file.flush()
    os.fsync(file.fileno())
