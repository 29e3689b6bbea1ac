# SPDX-License-Identifier: GPL-3.0-or-later
"""What a sweep should say, by plain Python: every frame a scene of its own, tested from scratch."""
import math

import numpy as np
from touchpoint.core import Scene, detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.findings import PAIR_DTYPE

PLACE = {"crossing": 0, "overlap": 0, "contained": 1, "cannot tell": 2, "touching": 3, "near": 4}
RANK = {"overlap": 1}
COLUMNS = [name for name in PAIR_DTYPE.names if name not in ("a", "b")]


def fresh(scene):
    """A new scene of what is enabled, and the index of each of its objects in the other."""
    copy = Scene()
    indices = [index for index, each in enumerate(scene.objects) if each.enabled]
    for index in indices:
        each = scene.objects[index]
        mesh = scene.meshes[each.mesh]
        copy.add_object(copy.add_mesh(mesh.vertices.copy(), mesh.triangles.copy()), each.pose.copy(), name=each.name,
                        group=each.group, static=each.static, shell=each.shell, clearance=each.clearance)
    return copy, np.array(indices, int)


def assert_same_frame(report, scene, **how):
    """The report of a frame is that of a scene that was just built, to the last bit but for bounds of depths: these
    depend on how a tree came about, also where `detect` is asked of a kept scene."""
    copy, indices = fresh(scene)
    expected = detect(copy, **how)
    assert [(each.name, each.triangles) for each in report.objects] == [(each.name, each.triangles)
                                                                        for each in expected.objects]
    for side in "ab":
        assert report.pairs[side].tolist() == indices[expected.pairs[side]].tolist()
    for column in COLUMNS:
        if column in ("depth", "depth_upper"):
            assert np.allclose(report.pairs[column], expected.pairs[column], 1e-9, 1e-9, equal_nan=True), column
        elif column != "depth_points":
            assert report.pairs[column].tobytes() == expected.pairs[column].tobytes(), column
    for name, column in vars(expected.contacts).items():
        assert getattr(report.contacts, name).tobytes() == column.tobytes(), name
    assert report.summary() == expected.summary()
    if expected.rules is not None:
        for side in "ab":
            assert report.rules.taken[side].tolist() == indices[expected.rules.taken[side]].tolist()
        for column in ("rule", "tested", "verdict"):
            assert report.rules.taken[column].tolist() == expected.rules.taken[column].tolist()
        assert report.rules.kept.tolist() == expected.rules.kept.tolist()


class Expected:
    """Pairs over frames. `seen` holds for each pair of names what it was in each frame where it was not clear."""

    def __init__(self):
        self.frames, self.seen = [], {}

    def add(self, frame, report):
        self.frames.append(frame)
        for row, pair in enumerate(report.pairs):
            names = tuple(sorted((report.name(int(pair["a"])), report.name(int(pair["b"])))))
            self.seen.setdefault(names, []).append((frame, pair.copy(), report.contacts_of(row)))

    def intervals(self, names):
        """[start, end, [what it was in each frame]]"""
        found = []
        for each in self.seen[names]:
            place = self.frames.index(each[0])
            if found and self.frames[place - 1] == found[-1][1]:
                found[-1][1] = each[0]
                found[-1][2].append(each)
            else:
                found.append([each[0], each[0], [each]])
        return found

    @staticmethod
    def worst(run):
        """The first of the worst: by verdict, by depth as far as it is certain, by contacts, by gap."""
        best = run[0]
        for each in run[1:]:
            if worse(each[1], best[1]):
                best = each
        return best


def worse(new, old):
    verdict, before = VERDICTS[new["verdict"]], VERDICTS[old["verdict"]]
    if PLACE[verdict] != PLACE[before]:
        return PLACE[verdict] < PLACE[before]
    if PLACE[verdict] < 2 and not math.isnan(old["depth"]):
        return not math.isnan(new["depth"]) and new["depth"] > max(old["depth"], old["depth_upper"])
    if PLACE[verdict] < 2 and not math.isnan(new["depth"]):
        return True
    key = [(RANK.get(VERDICTS[each["verdict"]], 0), -int(each["contacts"] + each["unlisted"]),
            math.inf if math.isnan(each["gap"]) else each["gap"]) for each in (new, old)]
    return key[0] < key[1]


def spells_of(run):
    """[start, end, verdict] of each part of an interval in which a pair is one thing; crossing and overlap are one."""
    found = []
    for frame, pair, _ in run:
        verdict = VERDICTS[pair["verdict"]]
        if found and {found[-1][2], verdict} in ({verdict}, {"crossing", "overlap"}):
            found[-1][1] = frame
        else:
            found.append([frame, frame, verdict])
    return found


def assert_says(sweep, expected):
    """A SweepReport says what the frames say."""
    assert sweep.frames.tolist() == expected.frames
    names = [tuple(sorted((sweep.name(int(pair["a"])), sweep.name(int(pair["b"]))))) for pair in sweep.pairs]
    assert sorted(names) == sorted(expected.seen)
    order = list(zip(sweep.pairs["a"].tolist(), sweep.pairs["b"].tolist()))
    assert order == sorted(order) and all(a <= b for a, b in order)
    for row, each in enumerate(names):
        runs = expected.intervals(each)
        assert sweep.intervals[row].tolist() == [[start, end] for start, end, _ in runs]
        assert sweep.interval_verdicts[row].tolist() == [expected.worst(run)[1]["verdict"] for _, _, run in runs]
        spells = [[*span, VERDICTS[verdict]] for span, verdict
                  in zip(sweep.spells[row].tolist(), sweep.spell_verdicts[row].tolist())]
        assert spells == [spell for _, _, run in runs for spell in spells_of(run)]
        met = [frame for frame, pair, _ in expected.seen[each] if VERDICTS[pair["verdict"]] != "near"]
        assert sweep.first_contact[row] == (met or [runs[0][0]])[0]
        frame, pair, contacts = expected.worst(expected.seen[each])
        assert sweep.worst_frame[row] == frame
        for column in COLUMNS:
            if column not in ("inner", "contact_start", "gap_points", "depth_points"):
                assert sweep.pairs[column][row].tobytes() == pair[column].tobytes(), column
        mine = sweep.contacts_of(row)
        assert (mine.pair == row).all()
        assert np.array_equal(mine.point[np.lexsort(mine.point.reshape(-1, 6).T)],
                              contacts.point[np.lexsort(contacts.point.reshape(-1, 6).T)])
