# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of the stage that searches and makes contacts: by work, so that it follows the clock, and never back."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.core.search import contact_budget, contact_search

pytestmark = pytest.mark.scenes

SIDE = 80       # vertices of a grid, each way


def grid(height):
    """(vertices, triangles) of a grid; height: a function of x and y."""
    x, y = (each.ravel() for each in np.meshgrid(*[np.linspace(-1, 1, SIDE)] * 2))
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).ravel()
    quads = np.stack([corner, corner + 1, corner + SIDE + 1, corner + SIDE], axis=1)
    return np.stack([x, y, height(x, y)], axis=1), np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])


def layers(count, apart):
    """Grids that wave, one above the other, so far apart."""
    scene = Scene()
    mesh = scene.add_mesh(*grid(lambda x, y: 0.1 * np.sin(30 * x + 1) * np.cos(30 * y)))
    other = scene.add_mesh(*grid(lambda x, y: 0.1 * np.sin(30 * x) * np.cos(30 * y + 1)))
    for number in range(count):
        pose = np.eye(4)
        pose[2, 3] = apart * number
        scene.add_object(other if number % 2 else mesh, pose, name=str(number))
    return scene


def reported(scene, monkeypatch, threads=1):
    """(fractions of the stage, that when contacts began to be made for the first time, the report)."""
    fractions, made = [0.0], []
    contacts_at = contact_search.contacts_at

    def making(*arguments):
        made.append(fractions[-1])
        return contacts_at(*arguments)

    def progress(stage, fraction):
        if stage == "contacts":
            fractions.append(fraction)
        return True

    monkeypatch.setattr(contact_search, "contacts_at", making)
    report = detect(scene, progress=progress, threads=threads)
    assert fractions == sorted(fractions) and fractions[-1] <= 1.0
    return fractions, made[0] if made else None, report


@pytest.mark.parametrize("threads", [1, 2])
def test_making_contacts_is_a_part_of_the_work(monkeypatch, threads):
    """Of layers that meet everywhere, more than half of it; it used to begin at 94 %, and stay there."""
    monkeypatch.setattr("touchpoint.core.narrow_phase.triangle_pairs.CONTACTS_AT_ONCE", 256)
    fractions, made, report = reported(layers(2, 0.0), monkeypatch, threads)
    assert len(report.contacts) > 5_000
    assert 0.1 < made < 0.7
    if threads == 1:        # several report only now and then
        assert fractions[-1] > 0.9 and len({each for each in fractions if each > made}) > 5


def test_where_nothing_is_found_searching_is_all_of_it(monkeypatch):
    fractions, _, report = reported(layers(4, 0.1), monkeypatch)
    assert len(report.contacts) == 0 and report.counts["triangle_pairs"] > 100_000
    assert fractions[-1] > 0.85


def test_what_is_searched_anew_goes_on_from_there(monkeypatch):
    """Where the contacts are too many to be kept, pairs are searched a second time. The bar used to stand still until
    that was as far as the first time."""
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 60_000)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", 4)
    monkeypatch.setattr(contact_search, "HITS_PER_LOOK", 1 << 12)
    begun, at_once = [], contact_budget._at_once

    def noted(stage, table, run):
        found = at_once(stage, table, run)
        begun.append((found, run._fraction))
        return found

    monkeypatch.setattr(contact_budget, "_at_once", noted)
    fractions, _, report = reported(layers(12, 0.05), monkeypatch)
    (found, before), = begun
    assert found is None and report.found.sum() > len(report.contacts) and before > 0.1
    assert fractions.count(before) < 0.1 * len(fractions) and fractions[-1] > 0.9
