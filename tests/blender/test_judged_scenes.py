# SPDX-License-Identifier: GPL-3.0-or-later
"""Sample scenes that chance or bending has made: what meets in them is what rational arithmetic says."""
import json
from pathlib import Path

import pytest
from touchpoint.addon import api
from touchpoint.sample_scenes import building, judged
from touchpoint.sample_scenes.make import JUDGED

FOLDER = Path(__file__).resolve().parents[2] / "sample_scenes"


@pytest.mark.parametrize("name", JUDGED)
def test_random_scenes_are_as_rational_arithmetic_has_it(name, tmp_path):
    """The files of expectations hold what the reference finds, and the detector the same contacts."""
    building.open_file(FOLDER / f"{name}.blend")
    found = judged.by_reference()
    found.write(tmp_path / "again.json")
    committed = FOLDER / f"{name}.expected.json"
    assert (tmp_path / "again.json").read_bytes() == committed.read_bytes()
    wanted = {frozenset(pair): verdict
              for verdict, pairs in json.loads(committed.read_text(encoding="utf-8")).items() for pair in pairs}
    report = api.detect()
    assert wanted == {frozenset((report.name(pair["a"]), report.name(pair["b"]))): report.verdict(row)
                      for row, pair in enumerate(report.pairs)}
    assert wanted
