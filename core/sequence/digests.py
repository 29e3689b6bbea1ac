# SPDX-License-Identifier: GPL-3.0-or-later
"""`Digests`: what tells a frame from what it was in an earlier sweep, without keeping it."""
import hashlib
import io
import pickle

import numpy as np

from ..scene import Scene

NO_SOURCE_FACES = np.full(1, -1, np.int32)  # of a mesh that does not say what its triangles were cut from


class Digests:
    """Hashes of all that the answer of a frame depends on, but for the question. What is the same array as in the frame
    before is not hashed again."""

    def __init__(self):
        self._layout: tuple = (None, b"")
        self._rules: tuple = (None, b"")
        self._reference: tuple = (None, b"")
        self._arrays: dict[int, tuple[np.ndarray, bytes]] = {}      # of the frame before, with their digests, by id

    def of(self, scene: Scene, rules, self_reference=None) -> bytes:
        """The digest of a scene as it is now. rules, self_reference: as in `detect`."""
        layout = scene.layout
        if self._layout[0] is not layout:
            self._layout = layout, _digest_of_layout(scene)
        if self._rules[0] is not rules:
            self._rules = rules, _digest(_bytes(rules))
        if self._reference[0] is not self_reference:
            self._reference = self_reference, _digest(_bytes(self_reference))
        before, self._arrays = self._arrays, {}
        meshes = [scene.meshes[index] for index in dict.fromkeys(layout.mesh.tolist())]
        return _digest(self._layout[1], self._rules[1], self._reference[1], scene.poses,
                       *(self._of_array(array, before) for each in meshes
                         for array in (each.vertices, each.triangles,
                                       NO_SOURCE_FACES if each.faces is None else each.faces)))

    def _of_array(self, array: np.ndarray, before: dict) -> bytes:
        known = before.get(id(array)) or (array, _digest(array))
        self._arrays[id(array)] = known
        return known[1]


def _digest_of_layout(scene: Scene) -> bytes:
    """Which mesh an object has is told by the order in which meshes come up, as their indices tell what was before."""
    layout = scene.layout
    number = {mesh: place for place, mesh in enumerate(dict.fromkeys(layout.mesh.tolist()))}
    group = [layout.groups[each] for each in layout.group.tolist()]
    ends = [None if each.pose_end is None else each.pose_end.tobytes() for each in scene.objects]
    return _digest(_bytes((layout.names, layout.identities, group, [number[each] for each in layout.mesh.tolist()],
                           layout.static.tobytes(), layout.shell.tobytes(), layout.clearance.tobytes(),
                           layout.enabled.tobytes(), ends)))


def _digest(*parts) -> bytes:
    digest = hashlib.sha256()
    for each in parts:
        digest.update(np.ascontiguousarray(each).data if isinstance(each, np.ndarray) else each)
    return digest.digest()


def _bytes(what: object) -> bytes:
    """What differs where `what` does; equal bytes are equal things."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True         # else it also depends on which parts are one object
    pickler.dump(what)
    return file.getvalue()
