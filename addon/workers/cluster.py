# SPDX-License-Identifier: GPL-3.0-or-later
"""`Cluster`: a Dask cluster, and workers on its computers."""
import itertools
import logging
import pickle
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from ...core.errors import TouchpointError
from .host import Host, computer_of
from .job import Job
from .messages import DIED, DONE, Gone
from .pool import Range

CONNECT_SECONDS = 5.0       # until the scheduler answers, and until it has a worker
LONELY_SECONDS = 30.0       # that all Dask workers may be gone, as they are while they are begun anew
ANSWER_SECONDS = 60.0       # until a Dask worker answers what takes it a moment
LOOK_SECONDS = 0.1          # between two looks at what a worker has said


class Cluster:
    """A connection to a scheduler. As a context it ends, and with it whatever it has begun there."""

    def __init__(self, address: str):
        """address: `host:8786`, as the scheduler prints it. Raises TouchpointError where no worker can be reached."""
        try:
            from distributed import Client
        except ImportError as error:
            raise TouchpointError(f"--dask needs the package distributed, which is missing here ({error}). Install it "
                                  "with: pip install 'touchpoint[distributed]'") from None
        self._logging = logging.root.manager.disable
        logging.disable(logging.CRITICAL)       # Dask's own words about what is said in a sentence
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS)
            self._threads = self._first_workers()
        except Exception as error:      # whatever answers there, or nobody
            logging.disable(self._logging)
            raise TouchpointError(f"The Dask scheduler {address} cannot be reached: {error or 'no answer'}") from None
        self._lonely_since: float | None = None
        if not self._threads:
            self.close()
            raise TouchpointError(f"The Dask scheduler {address} has no workers.")
        # One worker on each before any gets a second one.
        places = sorted((number, each) for each, count in self._threads.items() for number in range(count))
        self._places = itertools.chain((each for _, each in places), itertools.repeat(None))

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_error) -> None:
        self.close()

    def close(self) -> None:
        with suppress(Exception):       # the scheduler may be gone
            self._client.close(timeout=CONNECT_SECONDS)
        logging.disable(self._logging)

    def _first_workers(self) -> dict[str, int]:
        """{address: threads} of the Dask workers, once there is one; {} where there is none for long."""
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        return dict(self._client.nthreads())

    @property
    def workers(self) -> int:
        """How many it can have at once: as many as its Dask workers have threads."""
        return sum(self._threads.values())

    def new_worker(self, job: Job) -> "RemoteWorker":
        """It begins on a computer of the cluster; returns at once. Raises TouchpointError."""
        self.check()
        share: Counter[str] = Counter()
        for each, count in self._threads.items():
            share[computer_of(each)] += count
        place = next(self._places)
        how = {} if place is None else {"workers": [place], "allow_other_workers": True}
        # As bytes: the scheduler, which looks into what it passes on, need not know Touchpoint.
        return RemoteWorker(self, self._client.submit(pickle.loads, pickle.dumps(_Call(Host, job, dict(share))),
                                                      actor=True, pure=False, **how))

    def check(self) -> None:
        """Raises TouchpointError where the scheduler is gone, or all Dask workers have been for a while."""
        try:
            threads = self._client.nthreads()
        except Exception:
            raise TouchpointError("the Dask scheduler is gone.") from None
        if threads:
            self._lonely_since = None
            return
        self._lonely_since = self._lonely_since or time.monotonic()
        if time.monotonic() - self._lonely_since > LONELY_SECONDS:
            raise TouchpointError("all workers of the Dask cluster are gone.")


class RemoteWorker:
    """A Host on the cluster; a `pool.Worker`."""

    def __init__(self, cluster: Cluster, begun):
        """begun: the Future of a Host."""
        self._cluster, self._begun = cluster, begun
        self._host = None
        self._ended, self._why = False, "with its Dask worker"

    def do(self, wanted: Range) -> Iterator[tuple[str, object]]:
        self._host = self._host or self._reached()
        self._answer("do", wanted)
        kind = DONE
        while kind == DONE:
            for said in self._answer("said"):
                kind, what = pickle.loads(said)
                if kind == DIED:
                    self._why = what
                    raise Gone
                yield kind, what
            if kind == DONE:
                time.sleep(LOOK_SECONDS)

    def end(self) -> None:
        self._ended = True
        self._begun.release()
        self._host = None

    def why(self) -> str:
        return self._why

    def _reached(self):
        """The Host, once it is there. Raises Gone, and TouchpointError where there will be none."""
        while not self._ended:
            try:
                return self._begun.result(timeout=1.0)
            except TimeoutError:
                self._cluster.check()
            except (ImportError, AttributeError) as error:
                raise TouchpointError(f"a Dask worker has no Touchpoint, or another version of it ({error}).") from None
            except Exception:       # Dask has many, and which one it is depends on who noticed first
                break
        raise Gone

    def _answer(self, method: str, *arguments):
        """What a method of the Host returns. Raises Gone where that is lost."""
        try:
            return getattr(self._host, method)(*arguments).result(timeout=ANSWER_SECONDS)
        except Exception:
            raise Gone from None


class _Call:
    """Unpickled it is what a function returns."""

    def __init__(self, *call):
        self._call = call

    def __reduce__(self):
        function, *arguments = self._call
        return function, tuple(arguments)
