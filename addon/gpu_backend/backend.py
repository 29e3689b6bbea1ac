# SPDX-License-Identifier: GPL-3.0-or-later
"""`Backend`: the GPU as methods of the core see it, `run.gpu`."""
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from ...core import Cancelled, TouchpointError
from ...core.errors import Unsupported
from . import layer
from .streams import GpuStreams


class Backend:
    """A GPU that gives right numbers. Each port of the core is an attribute."""

    raster: Any     # `raster.GpuRaster`

    def __init__(self, renderer: str, library: str, software: bool):
        """renderer: as the driver calls it. library: OPENGL, VULKAN or METAL. software: the processor does its work."""
        self.renderer, self.library, self.software = renderer, library, software
        self.failed = ""        # why it is not used any more

    @cached_property
    def streams(self) -> GpuStreams:
        """The port of core/streaming."""
        return GpuStreams(self)

    def free(self) -> None:
        """Drop what the ports keep on the GPU."""
        self.raster.free()
        self.streams.free()

    @contextmanager
    def drawing(self, without: str = "The option device=cpu does without it") -> Iterator[None]:
        """Around all that draws: on the main thread, with the state given back, and a fault told in one sentence.

        without: what that sentence says of going on without a GPU. After a fault the GPU is not used any more in this
        process. Raises Unsupported for one.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the GPU belongs to the main thread")
        try:
            with layer.saved_state():
                yield
        except (TouchpointError, Cancelled):
            raise
        except Exception as error:      # the gpu module raises plain Exception where a shader does not compile
            self.failed = f"The GPU ({self.renderer}) failed: {error}"
            raise Unsupported(f"{self.failed}. {without}.") from error
