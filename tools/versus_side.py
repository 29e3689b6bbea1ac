# SPDX-License-Identifier: GPL-3.0-or-later
"""One side of `versus.py`: a process that measures the checkout which is importable as `touchpoint`.

    python versus_side.py cases         reads requests, a line of JSON each, and answers each with one
    python versus_side.py compile       CPU seconds to compile all kernels, where the cache is empty
    python versus_side.py session       seconds from the first import to the first answer, wall clock and CPU

Cases, sides and cores are those of the checkout's own benchmarks/, so that its core may lie anywhere.
"""
import gc
import json
import os
import sys
import time


class Cases:
    """The one case that is being measured."""

    def __init__(self):
        from touchpoint.benchmarks import cases, measure, peers

        modules, _ = peers.load(("ours",))
        self.prepare = lambda: peers.prepare(modules)
        self.sides = modules[peers.OURS].SIDES
        self.known = {case.id: case for case in cases.CASES}
        self.on_cores = measure.on_cores
        self.side = None

    def list(self):
        """The ids of all cases. Kernels are not needed yet."""
        return list(self.known)

    def make(self, case: str, quick: bool):
        """Make the question; what the last one needed is dropped first."""
        self.side = None
        gc.collect()
        self.prepare()
        chosen = self.known[case]
        self.side = self.sides[chosen.asks](chosen.quick() if quick else chosen.make())
        self.side.run(0)

    def run(self, cores: int, first: int, count: int):
        """Seconds of steps first … first + count - 1, all together: wall clock, and CPU of all threads."""
        gc.collect()
        gc.disable()
        with self.on_cores(cores):
            busy, start = time.process_time(), time.perf_counter()
            for step in range(first, first + count):
                self.side.run(step)
            taken = time.perf_counter() - start, time.process_time() - busy
        gc.enable()
        return taken


def answer_requests():
    """Whatever libraries print goes to stderr: stdout is for answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    cases = Cases()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(getattr(cases, request.pop("do"))(**request)), file=answers, flush=True)


def compile_all():
    from touchpoint.benchmarks import peers

    modules, _ = peers.load(("ours",))
    peers.prepare(modules)
    print(json.dumps(time.process_time()))


def session():
    """Two boxes that cross."""
    busy, start = time.process_time(), time.perf_counter()
    import numpy as np
    from touchpoint.core import Scene, detect

    scene = Scene()
    corners = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
             (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    for place in (0.0, 0.5):
        scene.add_object(scene.add_mesh(corners + place, faces))
    assert len(detect(scene).pairs) == 1
    print(json.dumps((time.perf_counter() - start, time.process_time() - busy)))


if __name__ == "__main__":
    {"cases": answer_requests, "compile": compile_all, "session": session}[sys.argv[1]]()
