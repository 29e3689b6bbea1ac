# SPDX-License-Identifier: GPL-3.0-or-later
"""What each kernel costs to compile: seconds of CPU without those of the kernels it calls, the dearest first; how many
signatures it has (one, or there is a leak); and whether it was made to be called from Python or from other kernels.

    python3.11 tools/check.py compile           for all kernels, and summed up: for what Detect calls, then for the
                                                rest by the steps of core/warm_up.py

Everything is compiled anew. Other work on the machine makes the figures some ten per cent larger.
"""
import os
import sys
import tempfile
import time
from collections import Counter

from numba.core import event


class Clock(event.Listener):
    """Adds up the CPU time of each dispatcher's compilation, without what it compiles meanwhile."""

    def __init__(self):
        self.seconds = Counter()
        self._open = []         # (start, seconds of those inside)

    def on_start(self, _):
        self._open.append([time.process_time(), 0.0])

    def on_end(self, event):
        start, inside = self._open.pop()
        taken = time.process_time() - start
        if self._open:
            self._open[-1][1] += taken
        self.seconds[event.data["dispatcher"]] += taken - inside


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOUCHPOINT_CACHE"] = folder
        from touchpoint.core.machine_code import jit
        from touchpoint.core.warm_up import load_for_detect, steps

        clock, taken = Clock(), []
        with event.install_listener("numba:compile", clock):
            for name, step in {load_for_detect.__name__: load_for_detect, **steps()}.items():
                before = clock.seconds.total()
                step()
                taken.append((name.replace("_", " "), clock.seconds.total() - before))
    roles = {kernel: "for Python" for kernel in jit.KERNELS} | {kernel.part(): "for kernels" for kernel in jit.KERNELS}
    for compiled, seconds in clock.seconds.most_common():
        if compiled in roles:
            name = f"{compiled.py_func.__module__.partition('.core.')[2]}.{compiled.py_func.__name__}"
            print(f"{seconds:8.3f}  {len(compiled.signatures)}  {roles[compiled]:11}  {name}")
    parts = sum(seconds for compiled, seconds in clock.seconds.items() if compiled not in roles)
    print(f"{parts:8.3f}                  parts of numba itself\n")
    for name, seconds in taken:
        print(f"{seconds:8.3f}  {name}")
    count = sum(len(compiled.signatures) for compiled in roles)
    print(f"{clock.seconds.total():8.3f}  in all: {len(jit.KERNELS)} kernels, compiled {count} times")
    several = [kernel.py_func.__name__ for kernel in jit.KERNELS if len(set(jit.signatures(kernel))) > 1]
    if several:
        sys.exit(f"error: several signatures, each compiled by itself: {', '.join(several)}")


if __name__ == "__main__":
    main()
