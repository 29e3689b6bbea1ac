# SPDX-License-Identifier: GPL-3.0-or-later
"""The casts at the door: the right answer, or one ValueError that names the argument; no number is changed."""
import array
import datetime
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Refused, Scene, detect, queries
from touchpoint.core.arrays import as_numbers, as_poses, as_triangles

VERTICES, TRIANGLES = box()
POINT = np.zeros((1, 3))
MOVING = np.arange(12.0).reshape(1, 4, 3)
# {query: {argument: sound value}}
QUERIES = {
    "triangles_intersect": {"A": VERTICES[None, :3], "B": VERTICES[None, 3:6]},
    "triangle_intersections": {"A": VERTICES[None, :3], "B": VERTICES[None, 3:6]},
    "segments_hit_triangles": {"S": VERTICES[None, :2], "T": VERTICES[None, :3]},
    "vertex_face_toi": {"X0": MOVING, "X1": MOVING[:, ::-1]},
    "edge_edge_toi": {"X0": MOVING, "X1": MOVING[:, ::-1]},
    "convex_intersect": {"P": VERTICES[None], "Q": VERTICES},
    "convex_distance": {"P": VERTICES[None], "Q": VERTICES + 3},
    "convex_penetration": {"P": VERTICES[None], "Q": VERTICES + 0.5},
    "boxes_overlap": {"c1": POINT, "R1": np.eye(3)[None], "h1": POINT + 1, "c2": POINT, "R2": np.eye(3)[None],
                      "h2": POINT + 1},
    "mesh_triangle_pairs": {"V1": VERTICES, "F1": TRIANGLES, "V2": VERTICES + 0.5, "F2": TRIANGLES},
    "self_intersections": {"V": VERTICES, "F": TRIANGLES},
    "mesh_distance": {"V1": VERTICES, "F1": TRIANGLES, "V2": VERTICES + 3, "F2": TRIANGLES},
    "points_in_mesh": {"V": VERTICES, "F": TRIANGLES, "P": POINT},
    "surface_distances": {"V": VERTICES, "F": TRIANGLES, "P": POINT},
}


class Making:
    """What makes an array of itself, or raises what it likes."""

    def __init__(self, make):
        self.make = make

    def __array__(self, dtype=None, copy=None):
        return self.make()


def _with_first(array, first):
    """Nested lists whose first number is another thing."""
    rows = array.reshape(-1, array.shape[-1]).tolist()
    rows[0][0] = first
    return rows


BAD = {
    "complex numbers": lambda a: a + 1j,
    "dates": lambda a: a.astype(np.int64).astype("datetime64[s]"),
    "spans of time": lambda a: a.astype(np.int64).astype("timedelta64[s]"),
    "dates of Python": lambda a: np.full(a.shape, datetime.date(2024, 1, 1)).tolist(),
    "records": lambda a: a.astype(np.dtype([("x", np.float64)])),
    "records of a list": lambda a: np.zeros(a.shape, [("x", float), ("y", float)]),
    "text": lambda a: a.astype(str),
    "text in a list": lambda a: a.astype(str).tolist(),
    "bytes": lambda a: b"abc",
    "truth values": lambda a: a > 0,
    "huge whole numbers": lambda a: np.full(a.shape, 2**60 + 1),
    "huger whole numbers": lambda a: np.full(a.shape, 2**200 + 1, object).tolist(),
    "huge among others": lambda a: [[2**63 + 1, *[-1] * (a.size - 1)]],
    "a truth value among numbers": lambda a: _with_first(a, True),
    "a truth value of numpy among numbers": lambda a: _with_first(a, np.True_),
    "truth values in an array among numbers": lambda a: [np.ones(3, bool), *np.zeros((5, 3), a.dtype)],
    "a masked entry among numbers": lambda a: _with_first(a, np.ma.masked),
    "a masked row among others": lambda a: [np.ma.masked_array(np.ones(3, a.dtype), True), *np.zeros((5, 3), a.dtype)],
    "what makes a masked array": lambda a: Making(lambda: np.ma.masked_array(a, np.ones(a.shape, bool))),
    "what raises an error of its own": lambda a: Making(lambda: 1 / 0),
    "masked": lambda a: np.ma.masked_array(a, np.ones(a.shape, bool)),
    "fractions": lambda a: np.full(a.shape, Fraction(1, 3)).tolist(),
    "decimals": lambda a: np.full(a.shape, Decimal("0.1")).tolist(),
    "nothing": lambda a: None,
    "nothing in a list": lambda a: np.full(a.shape, None).tolist(),
    "rows of different lengths": lambda a: [[0.0, 1.0, 2.0], [0.0]],
    "a set": lambda a: {1.0, 2.0},
    "a dictionary": lambda a: {"x": 1.0},
    "a number": lambda a: 7.0,
}


def forms(value):
    """The same numbers in other forms."""
    yield memoryview(np.ascontiguousarray(value))
    yield value.tolist()
    yield np.asfortranarray(value)
    yield value.astype(value.dtype.newbyteorder())
    yield np.ma.masked_array(value)
    read_only = value.copy()
    read_only.flags.writeable = False
    yield read_only
    yield np.repeat(value, 2, axis=-1)[..., ::2]
    unaligned = np.zeros(value.nbytes + 1, np.uint8)[1:].view(value.dtype).reshape(value.shape)
    unaligned[...] = value
    yield unaligned
    made = iter([value])        # and no second time
    yield Making(lambda: next(made))


def same(found, expected):
    found, expected = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
    return all(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f") for a, b in zip(found, expected))


@pytest.mark.parametrize("query, argument", [(query, name) for query in QUERIES for name in QUERIES[query]])
def test_each_argument_is_checked_by_name(query, argument):
    ask, sound = getattr(queries, query), QUERIES[query]
    expected = ask(**sound)
    for form in forms(sound[argument]):
        if not (isinstance(form, list) and query.startswith("convex") and sound[argument].ndim == 2):
            assert same(ask(**{**sound, argument: form}), expected)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for what, spoil in BAD.items():
            with pytest.raises(ValueError, match=rf"\b{argument}\b") as caught:
                ask(**{**sound, argument: spoil(sound[argument])})
            assert type(caught.value) is ValueError, what


@pytest.mark.parametrize("what", BAD)
def test_lists_of_meshes(what):
    for meshes, transforms, name in (([(BAD[what](VERTICES), TRIANGLES)], [np.eye(4)], "V"),
                                     ([(VERTICES, BAD[what](TRIANGLES))], [np.eye(4)], "F"),
                                     ([(VERTICES, TRIANGLES)], [BAD[what](np.eye(4))], "transforms")):
        with pytest.raises(ValueError, match=rf"\b{name}\b"):
            queries.colliding_pairs(2 * meshes, 2 * transforms)
    for meshes in ([VERTICES], [None], [(VERTICES,)]):
        with pytest.raises(ValueError, match="meshes"):
            queries.contained_pairs(meshes, [np.eye(4)])
    scene = Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    for spoiled, name in ((lambda: scene.add_mesh(BAD[what](VERTICES), TRIANGLES), "vertices"),
                          (lambda: scene.add_mesh(VERTICES, BAD[what](TRIANGLES)), "triangles"),
                          (lambda: scene.add_object(mesh, pose_end=BAD[what](np.eye(4))), "pose_end")):
        if (what, name) != ("nothing", "pose_end"):         # which says that there is none
            with pytest.raises(ValueError, match=name):
                spoiled()


@pytest.mark.parametrize("given", [
    [2**53, -2**53, 2**60], [2**70 * 1.0, 0.5], np.array([2**60, -2**63]), np.array([2**64 - 2**11], np.uint64),
    np.array([0.1, 1e300, np.nan, np.inf], np.float64), np.array([0.1, np.inf, np.nan], np.float32),
    np.array([0.5, np.nan, 1e300], np.longdouble), array.array("d", [0.1, 1e300]), bytearray(b"\x01\xff"),
    [2**60, 0.5], [np.int64(2**60), 0.5], (), np.zeros((0, 3), complex)], ids=str)
def test_what_float64_holds_is_the_same_number(given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = as_numbers(given, "x")
    assert found.dtype == np.float64 and found.flags.carray
    for number, whole in zip(found.tolist(), list(given)):
        assert number == whole or number != number and whole != whole


@pytest.mark.parametrize("given", [
    [2**53 + 1], [2**53 + 1, 0.5], [2**63 + 1, -1], [np.int64(2**53 + 1), 0.5], np.array([2**64 - 1], np.uint64),
    [2**70 + 1, 0.5], [2**2000], [[2**53 + 1, 0.0], np.zeros(2)]] + (
        [np.array([1, 3], np.longdouble) / 3] if np.finfo(np.longdouble).eps < np.finfo(float).eps else []), ids=str)
def test_what_float64_does_not_hold_is_refused(given):
    with pytest.raises(ValueError, match="^x "):
        as_numbers(given, "x")


def test_indices_that_no_int32_holds():
    for index in (2**32, 2**63, 2**64, -2**31 - 1, 2.0, None, "2"):
        given = [[0, 1, index]]
        with pytest.raises(ValueError, match="^F "):
            as_triangles(given, 3, "F")


@pytest.mark.parametrize("query", QUERIES)
def test_what_is_not_finite_is_named(query):
    for argument, sound in QUERIES[query].items():
        for bad in (np.nan, np.inf, -np.inf) if sound.dtype == float else ():
            spoiled = sound.copy()
            spoiled.flat[0] = bad
            with pytest.raises(ValueError, match=rf"\b{argument}\b"):
                getattr(queries, query)(**{**QUERIES[query], argument: spoiled})


def test_indices_of_what_is_moved():
    scene = Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    for _ in range(2):
        scene.add_object(mesh)
    before, moved = scene.poses.copy(), np.eye(4)
    moved[:3, 3] = 9.0
    for bad in ([-1], [2], [2**63]):
        with pytest.raises(IndexError):
            scene.set_poses(bad, [moved])
    for bad in ([True, False], [0.0, 1.0], [[0, 1], [1, 0]], ["0", "1"], 7, None):
        with pytest.raises(ValueError):
            scene.set_poses(bad, [moved, moved])
    for bad in (-1, 1):
        with pytest.raises(IndexError):
            scene.set_vertices(bad, VERTICES + 1)
    assert np.array_equal(scene.poses, before) and scene.versions[0] == 0
    for bad in (b"A", 1, np.nan):
        with pytest.raises(ValueError, match="name"):
            scene.add_object(mesh, name=bad)


@pytest.mark.parametrize("bad", ["0.1", b"1", True, np.True_, None, 1j, [0.1], -1.0, np.nan, np.inf, 10**400], ids=repr)
def test_what_is_no_length_is_refused(bad):
    scene = Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    for _ in range(2):
        scene.add_object(mesh)
    for argument, word in (("clearance", "clearance"), ("weld", "weld distance"), ("tolerance", "tolerance")):
        with pytest.raises(Refused, match=word):
            detect(scene, **{argument: bad})
    with pytest.raises(ValueError, match="clearance"):
        scene.add_object(mesh, clearance=bad)


def test_objects_rest_by_truth_values():
    scene = Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    for _ in range(2):
        scene.add_object(mesh)
    for bad in ([True], [1, 0], ["False", "False"], [None, None], True):
        with pytest.raises(ValueError, match="resting"):
            detect(scene, resting=bad)


def test_sound_arrays_are_not_copied():
    assert as_numbers(VERTICES, "x") is VERTICES


@pytest.mark.parametrize("count", [1, 5, 40])
def test_lists_of_poses(count):
    """Long lists of arrays are joined in a way of their own: the same numbers, and the same errors."""
    rng = np.random.default_rng(count)
    poses = [np.eye(4) for _ in range(count)]
    for each in poses:
        each[:3] = rng.normal(size=(3, 4))
    for given in (poses, tuple(poses), [each.tolist() for each in poses], [np.asfortranarray(each) for each in poses],
                  [*poses[:-1], poses[-1].tolist()]):
        found = as_poses(given)
        assert found.flags.carray and found.tobytes() == np.array(poses).tobytes()
    single = [each.astype(np.float32) for each in poses]
    assert as_poses(single).tobytes() == np.array(single).astype(float).tobytes()
    for bad in ([each[:3] for each in poses], [*poses, np.eye(3)], [each.T for each in poses],
                [each + 0j for each in poses], [(each * 2.0 ** 60).astype(np.int64) + 1 for each in poses]):
        with pytest.raises(ValueError, match="poses"):
            as_poses(bad)
