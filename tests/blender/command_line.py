# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the command line in the process of the test."""
import json
from pathlib import Path

import jsonschema
from touchpoint.addon import cli

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
ERROR = 3


def run(*arguments):
    return cli.main([str(each) for each in arguments])


def detect(scene, tmp_path, *arguments, code):
    """Run `detect`, expect this exit code (None: no error), return the JSON."""
    target = tmp_path / "report.json"
    ended = run("detect", scene, "--json", target, *arguments)
    assert ended in (0, 1, 2) if code is None else ended == code
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    return data


def refused(capsys, *arguments):
    """Run something that ends in an error; returns the sentence."""
    capsys.readouterr()
    assert run(*arguments) == ERROR
    printed = capsys.readouterr().err
    assert printed.startswith("touchpoint: error: ") and "Traceback" not in printed
    return printed.removeprefix("touchpoint: error: ").strip()
