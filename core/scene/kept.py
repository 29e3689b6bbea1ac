# SPDX-License-Identifier: GPL-3.0-or-later
"""`KeptByScene`: what a scene keeps, and what asks for the scene."""
import weakref

from .scene import Scene


class KeptByScene:
    """If it held the scene that holds it, both would stay, with all trees, until Python looks for circles."""

    def __init__(self, scene: Scene):
        self._scene = weakref.ref(scene)

    @property
    def scene(self) -> Scene:
        """Whoever asks has it."""
        scene = self._scene()
        assert scene is not None
        return scene
