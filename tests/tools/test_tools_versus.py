# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/versus.py: what its marks mean, what it compares, and that nothing of it is left behind."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import versus  # noqa: E402
from system_packages import SetupError  # noqa: E402
from versus import Figures, Side, checkout, lines_of_cases, measure_cases, measure_zip  # noqa: E402


def figures(*ratios):
    return Figures(wall={"old": [2.0] * len(ratios), "new": [2.0 * ratio for ratio in ratios]},
                   cpu={"old": [1.0] * len(ratios), "new": [1.0] * len(ratios)})


@pytest.mark.parametrize("ratios, mark", [
    ((1.0, 1.01, 1.02, 0.99), ""), ((1.05, 1.06, 1.04, 1.05), "slower"), ((0.9, 0.92, 0.5, 0.8), ""),
    ((0.8, 0.9, 1.3, 1.4, 1.06), "slower?"), ((1.029, 1.029), ""), ((1.031, 1.031), "slower")])
def test_marks(ratios, mark):
    assert figures(*ratios).mark() == mark


def test_a_turn_is_compared_with_its_own_partner():
    """The machine becomes half as fast: both sides do, so nothing is slower."""
    slowed = Figures(wall={"old": [1.0, 1.0, 2.0, 2.0], "new": [1.0, 1.0, 2.0, 2.0]})
    assert slowed.ratios(slowed.wall) == [1.0] * 4 and slowed.mark() == ""


def test_the_table_names_what_is_slower():
    lines = list(lines_of_cases({("W1-a", 1): figures(1.1, 1.1), ("W2-b", 2): figures(1.0, 1.0)}))
    assert lines[1].startswith("W1-a") and lines[1].endswith("slower") and not lines[2].endswith("slower")
    assert lines[-1].endswith("More than 3 % slower: W1-a on 1.")


def git(folder, *arguments):
    return subprocess.run(["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x", *arguments], check=True,
                          capture_output=True, text=True).stdout


def test_a_revision_gets_a_folder_that_is_removed_again(tmp_path, monkeypatch):
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "-q")
    for text in ("old", "new"):
        (repository / "file").write_text(text)
        git(repository, "add", "file")
        git(repository, "commit", "-q", "-m", text)
    monkeypatch.setattr(versus, "ROOT", repository)
    with checkout("HEAD~1") as folder:
        assert (folder / "file").read_text() == "old" and (repository / "file").read_text() == "new"
    assert not folder.exists() and len(git(repository, "worktree", "list").splitlines()) == 1
    with checkout(str(repository)) as folder:
        assert folder == repository
    assert repository.exists()
    with pytest.raises(SetupError, match="HEAD~7"), checkout("HEAD~7"):
        pass


def test_a_zip_that_cannot_be_built_has_a_reason(tmp_path):
    (tmp_path / "checkout").mkdir()
    side = Side("old", tmp_path / "checkout", Path(sys.executable), tmp_path / "old")
    assert "environments" in measure_zip(side, Path(sys.executable))


class KeptKernels(Side):
    """Compiles nothing anew."""

    @property
    def variables(self):
        return {name: value for name, value in super().variables.items() if name != "TOUCHPOINT_CACHE"}


@pytest.mark.slow
def test_both_sides_do_the_same_steps_in_turns(tmp_path, monkeypatch):
    monkeypatch.setattr(versus, "SECONDS", 0.001)
    sides = [KeptKernels(name, ROOT, Path(sys.executable), tmp_path / name) for name in ("old", "new")]
    found = measure_cases(sides, ["W8-boxes-1k", "W5-yes-no-8"], quick=True)
    assert set(found) == {(case, cores) for case in ("W5-yes-no-8", "W8-boxes-1k")
                          for cores in {1, len(os.sched_getaffinity(0))}}
    for each in found.values():
        assert len(each.wall["old"]) == len(each.wall["new"]) == versus.TURNS and min(each.wall["new"]) > 0.0
    assert all(side.ask("session")[0] > 0.0 for side in sides)
    with pytest.raises(SetupError, match="no case"):
        measure_cases(sides, ["no case"], quick=True)
