# SPDX-License-Identifier: GPL-3.0-or-later
"""`Host`: a worker on a computer of a Dask cluster, seen from there. Needs neither bpy nor kernels."""
import pickle
import queue
import subprocess
import threading
import weakref

from . import launch
from .job import Job
from .messages import DIED, Gone, receive_bytes, send, skip_to_ready


class Host:
    """An actor of Dask: it is there as long as the command wants it, and so is its process. Its methods return at once,
    as all actors of a Dask worker share one thread.

    Blender is in a process of its own. So it may end without ending the Dask worker, it has one thread, and a cancelled
    command can stop it.
    """

    def __init__(self, job: Job, share: dict[str, int]):
        """share: with how many workers each computer is shared, by address; of others the Dask worker's threads."""
        self._process = launch.start()
        self._said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process, self._said), daemon=True).start()
        weakref.finalize(self, self._process.kill)
        self._tell((job, _threads(share)))

    def do(self, wanted: tuple[int, int]) -> None:
        """Let it test a part: first frame and last + 1, by number."""
        self._tell(wanted)

    def said(self) -> list[bytes]:
        """What it has said since the last call, see `child.answer`, pickled; (DIED, how) where it ended."""
        return [self._said.get() for _ in range(self._said.qsize())]

    def _tell(self, what: object) -> None:
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, what)
        except OSError:
            pass            # it has ended, as `said` tells


def _listen(process: subprocess.Popen, said: queue.SimpleQueue) -> None:
    assert process.stdout is not None
    try:
        skip_to_ready(process.stdout)
        while True:
            said.put(receive_bytes(process.stdout))
    except (Gone, OSError, ValueError):
        said.put(pickle.dumps((DIED, launch.how_it_ended(process))))


def _threads(share: dict[str, int]) -> int:
    """How many threads the process may use."""
    from dask.system import CPU_COUNT
    from distributed import get_worker

    worker = get_worker()
    return max(1, CPU_COUNT // share.get(computer_of(worker.address), worker.state.nthreads))


def computer_of(address: str) -> str:
    """Of a Dask worker, by its address: `tcp://10.0.0.3:40123` → `10.0.0.3`."""
    return address.rpartition("://")[2].rpartition(":")[0]
