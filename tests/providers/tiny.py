"""A sentence encoder in ONNX small enough to be built by each test run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

WORDS = ["[UNK]", "[PAD]", "[CLS]", "i", "love", "tea", "coffee", "我", "喜", "欢", "茶"]
DIMENSION = 6


def build_model(
    directory: Path, *, pooling: str | None = None, scale: float = 1.0, fixed_padding: bool = True
) -> Path:
    """A directory with a table of word vectors as its model; the position weighs in by a sum."""
    onnx = pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("onnxruntime")
    helper, proto = onnx.helper, onnx.TensorProto
    table = np.random.default_rng(7).normal(size=(len(WORDS), DIMENSION)) * scale
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=proto.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["mask3"]),
            helper.make_node("Mul", ["rows", "mask3"], ["last_hidden_state"]),
        ],
        "tiny",
        [
            helper.make_tensor_value_info(name, proto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ],
        [
            helper.make_tensor_value_info(
                "last_hidden_state", proto.FLOAT, ["batch", "tokens", DIMENSION]
            )
        ],
        [
            onnx.numpy_helper.from_array(table.astype(np.float32), "table"),
            onnx.numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    directory.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(directory / "model.onnx"))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token=WORDS[0]))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 2)]
    )
    if fixed_padding:
        tokenizer.enable_padding(length=16, pad_id=1, pad_token=WORDS[1])
    tokenizer.save(str(directory / "tokenizer.json"))
    if pooling is not None:
        (directory / "1_Pooling").mkdir(exist_ok=True)
        modes = {"word_embedding_dimension": DIMENSION, f"pooling_mode_{pooling}": True}
        (directory / "1_Pooling" / "config.json").write_text(json.dumps(modes), encoding="utf-8")
    return directory
