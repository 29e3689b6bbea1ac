# SPDX-License-Identifier: GPL-3.0-or-later
"""Which archives of machine code are made: those whose code the building machine can run, as it has to."""
import json
import sys
from types import SimpleNamespace

import pytest
from checkout_path import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import machine_code  # noqa: E402

LEVELS = [{"name": "best", "fits": False}, {"name": "good", "fits": True}, {"name": "plain", "fits": True}]


@pytest.mark.parametrize("for_tests, wanted", [(False, ["good", "plain"]), (True, ["good"])])
def test_levels_that_this_processor_cannot_run_are_left_out(for_tests, wanted, monkeypatch, tmp_path, capsys):
    made = []
    monkeypatch.setattr(machine_code.environments, "COMPILERS", {"3.11": "core"})
    monkeypatch.setattr(machine_code.environments, "ensure", lambda name: "python")
    monkeypatch.setattr(machine_code, "_build_level", lambda python, level, *_: made.append(level["name"]))
    monkeypatch.setattr(machine_code.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=json.dumps(LEVELS)))
    machine_code.build(["3.11", "3.10"], tmp_path, for_tests=for_tests)
    said = capsys.readouterr().out
    assert made == wanted and ("no machine code for best: this processor cannot run it" in said) is not for_tests
    assert "no machine code for Python 3.10" in said
