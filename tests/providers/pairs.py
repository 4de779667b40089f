"""A cross-encoder in ONNX small enough to be built by each test run: it counts shared words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", "who", "love", "tea", "coffee", "我", "爱", "茶"]
MARKS = 4  # the words before it say nothing


def build_cross_encoder(
    directory: Path,
    *,
    shape: str = "nx1",
    scale: float = 1.0,
    marks_pairs: bool = True,
    words: list[str] | None = None,
    limit: int | None = None,
    name: str = "model.onnx",
) -> Path:
    """A directory with a model whose logit for a pair is how often their words are the same.

    Args:
        directory: where to build it.
        shape: of its output: `nx1`, `n`, `nx2` (irrelevant, relevant), `nx3`, or `tokens`.
        scale: what the logit is multiplied with.
        marks_pairs: whether the tokenizer knows how pairs are marked.
        words: the tokenizer's words, if not those of the model.
        limit: the longest pair by the tokenizer's file.
        name: of the model's file.
    """
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    directory.mkdir(parents=True, exist_ok=True)
    onnx.save(_model(onnx, shape, scale), str(directory / name))
    _save_tokenizer(directory, words or WORDS, marks_pairs=marks_pairs, limit=limit)
    return directory


def _model(onnx: Any, shape: str, scale: float) -> Any:
    helper, proto = onnx.helper, onnx.TensorProto
    table = np.eye(len(WORDS), dtype=np.float32)
    table[:MARKS] = 0.0
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=proto.FLOAT),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=proto.FLOAT),
        helper.make_node("Mul", ["types", "mask"], ["second"]),
        helper.make_node("Sub", ["mask", "second"], ["first"]),
        *_sum_of(helper, "first", "asked"),
        *_sum_of(helper, "second", "told"),
        helper.make_node("Mul", ["asked", "told"], ["shared"]),
        helper.make_node("ReduceSum", ["shared", "one"], ["count"], keepdims=1),
        helper.make_node("Mul", ["count", "scale"], ["score"]),
        helper.make_node("Neg", ["score"], ["against"]),
        *_ending(helper, shape),
    ]
    constants = {
        "table": table,
        "scale": np.array([scale], dtype=np.float32),
        "one": np.array([1], dtype=np.int64),
        "two": np.array([2], dtype=np.int64),
    }
    inputs = [
        helper.make_tensor_value_info(each, proto.INT64, ["batch", "tokens"])
        for each in ("input_ids", "attention_mask", "token_type_ids")
    ]
    graph = helper.make_graph(
        nodes,
        "pairs",
        inputs,
        [helper.make_tensor_value_info("logits", proto.FLOAT, None)],
        [onnx.numpy_helper.from_array(value, key) for key, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _sum_of(helper: Any, mask: str, name: str) -> list[Any]:
    """The sum of the rows that a mask lets through."""
    return [
        helper.make_node("Unsqueeze", [mask, "two"], [f"{mask}3"]),
        helper.make_node("Mul", ["rows", f"{mask}3"], [f"{name}_rows"]),
        helper.make_node("ReduceSum", [f"{name}_rows", "one"], [name], keepdims=0),
    ]


def _ending(helper: Any, shape: str) -> list[Any]:
    if shape == "n":
        return [helper.make_node("Squeeze", ["score", "one"], ["logits"])]
    if shape == "tokens":
        return [helper.make_node("Identity", ["rows"], ["logits"])]
    columns = {"nx1": ["score"], "nx2": ["against", "score"], "nx3": ["against", "score", "score"]}
    return [helper.make_node("Concat", columns[shape], ["logits"], axis=1)]


def _save_tokenizer(
    directory: Path, words: list[str], *, marks_pairs: bool, limit: int | None
) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token=words[0]))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    if marks_pairs:
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    tokenizer.enable_padding(length=64, pad_id=1, pad_token=words[1])  # as some exports have it
    if limit is not None:
        tokenizer.enable_truncation(limit)
    tokenizer.save(str(directory / "tokenizer.json"))
