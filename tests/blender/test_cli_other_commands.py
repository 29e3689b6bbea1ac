# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that need no scene: version, methods, self-test."""
import bpy
from command_line import ERROR, run
from touchpoint.core import methods
from touchpoint.core.version import version


def test_version(capsys):
    assert run("version") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"touchpoint {version()}"
    assert bpy.app.version_string in lines[1] and "numba" in lines[1]


def test_methods(capsys):
    assert run("methods") == 0
    printed = capsys.readouterr().out
    listed = [line.partition(":")[0] for line in printed.splitlines() if not line.startswith(" ")]
    assert listed == list(methods.ids()) and listed[0] == "touchpoint"
    for method in methods.ids():
        recipe = methods.load(method)
        assert f"{method}: {recipe.title} ({recipe.answer})\n    {recipe.summary}.\n" in printed
        assert recipe.document in printed
        for option in recipe.options:
            assert f"--option {option.name}=" in printed and option.text.rstrip(".") in printed
            assert all(f"{value}: {sentence}" in printed for value, sentence in option.choices)


def test_self_test(capsys):
    assert run("self-test") == 0
    printed = capsys.readouterr().out
    assert "FAILED" not in printed and printed.count("ok ") >= 10
    assert printed.endswith("All answers are right.\n")


def test_self_test_finds_wrong_answers(capsys, monkeypatch):
    from touchpoint.addon.cli import self_test

    def wrong():
        """a wrong answer"""
        return False

    def crash():
        """a crash"""
        raise RuntimeError("no compiler")

    monkeypatch.setattr(self_test, "CHECKS", (self_test.near_miss, wrong, crash))
    assert run("self-test") == ERROR
    printed = capsys.readouterr().out
    assert "FAILED  a wrong answer" in printed and "RuntimeError: no compiler" in printed
    assert printed.endswith("2 of 3 answers are wrong.\n")
