# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of methods as they are typed, and the notes of a run."""
import pytest
from command_line import detect, refused
from touchpoint.core import methods


@pytest.mark.parametrize("option", [option for method in methods.ids() for option in
                                    [(method, each) for each in methods.load(method).options
                                     if not methods.load(method).follows]],
                         ids=lambda option: f"{option[0]}.{option[1].name}")
def test_options_on_the_command_line(option, crossing, tmp_path, capsys):
    method, declared = option
    value = declared.choices[-1][0] if declared.choices else declared.default
    word = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
    data = detect(crossing, tmp_path, "--method", method, "--option", f"{declared.name}={word}",
                  code=1 if methods.load(method).answer == "exact" else None)
    assert data["settings"]["options"][declared.name] == value
    assert methods.load(method).chosen({}).keys() == data["settings"]["options"].keys()
    said = refused(capsys, "detect", crossing, "--method", method, "--option", f"{declared.name}=nonsense")
    assert declared.title in said


@pytest.mark.parametrize("words, said", [("depth", "name=value"), ("=3", "name=value"), ("size=3", "no option 'size'")])
def test_options_that_make_no_sense(words, said, crossing, capsys):
    assert said in refused(capsys, "detect", crossing, "--option", words)


def test_notes_are_printed_and_written(crossing, tmp_path, capsys):
    data = detect(crossing, tmp_path, "--method", "hull_points", code=1)
    printed = capsys.readouterr().out
    assert data["notes"] and all(f"Note: {note}" in printed for note in data["notes"])
    assert detect(crossing, tmp_path, code=1)["notes"] == []
