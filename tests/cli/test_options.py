from __future__ import annotations

import json
from pathlib import Path

from graphmem.cli.options import load_config


def test_options_win_over_the_file_and_silence_leaves_it(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"data_dir": "d", "port": 1, "insecure": True}), "utf-8")
    file_alone = load_config(settings, None)
    assert (file_alone.data_dir, file_alone.port) == (tmp_path / "d", 1)
    assert file_alone.insecure
    both = load_config(settings, Path("here"), host="127.0.0.2", port=2)
    assert (both.data_dir, both.host, both.port) == (Path("here"), "127.0.0.2", 2)
