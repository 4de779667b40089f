"""A short campaign of kills; the long ones are run by scripts/kills."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.kills.campaign import FULL, Campaign, plan
from tests.faults.kills.failpoints import FAILPOINTS


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_was_acknowledged_survives_kills(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, seed=2)
    campaign.run(len(FAILPOINTS) + 2)
    assert campaign.kills == dict.fromkeys(FAILPOINTS, 1) | {"random": 2}
    assert campaign.counts["requests acknowledged"] > 0
    assert campaign.counts["turns kept"] > 0


def test_a_full_campaign_is_100_moments_and_5_kills_at_each_failpoint() -> None:
    names = [kill.name for kill in plan(FULL, random.Random(0))]  # noqa: S311
    assert {name: names.count(name) for name in names} == dict.fromkeys(FAILPOINTS, 5) | {
        "random": 100
    }
    assert len({kill.failpoint for kill in plan(FULL, random.Random(0))}) == 36  # noqa: S311
