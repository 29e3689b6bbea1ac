# SPDX-License-Identifier: GPL-3.0-or-later
"""The casts at the door, behind which every array has one dtype and C order, so that each kernel is compiled once."""
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from numbers import Integral
from typing import Literal

import numpy as np

WHOLE = 2.0 ** 53       # below, float64 holds every whole number
ROWS_AT_ONCE = 1 << 20  # of long arrays, that are worked on without a pause
LONG_LIST = 32          # of arrays that are joined as they are
PLAIN, ROWS = {float, int}, {list, tuple}       # types of most numbers, and of what holds them
KERNELS_TAKE: tuple[Literal["C"], Literal["W"], Literal["A"]] = ("C", "W", "A")      # C order, writable, aligned
LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0])       # of an affine matrix


def as_numbers(given, name: str) -> np.ndarray:
    """The same numbers as float64, C order, writable. Copies only when it must.

    given: an array, a buffer or nested sequences of real numbers. Raises ValueError, with the name of the argument, for
    anything else (complex numbers, truth values, dates, records, text, masked entries, rows of different lengths), and
    for numbers that float64 does not hold exactly.
    """
    if type(given) is np.ndarray and given.dtype == np.float64:
        return given if given.flags.carray else np.require(given, None, KERNELS_TAKE)
    array = _as_array(given, name)
    if array.size == 0:
        return np.zeros(array.shape)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be real numbers, not {_kind(array)}")
    _refuse_what_numpy_hides(given, name)
    with np.errstate(over="ignore"):
        numbers = np.require(array, np.float64, KERNELS_TAKE)
    if array.dtype.itemsize >= 8 and not _holds(numbers, array, given):
        raise ValueError(f"{name} has numbers that float64 cannot hold exactly")
    return numbers


def _as_array(given, name: str) -> np.ndarray:
    try:
        array = np.asanyarray(given)
    except MemoryError:
        raise
    except Exception as error:      # of whatever type: objects that make arrays of themselves raise what they like
        raise ValueError(f"{name} must be an array of numbers: {error or type(error).__name__}") from error
    if np.ma.is_masked(array):
        raise ValueError(f"{name} must not have masked entries")
    return np.asarray(array)


def _refuse_what_numpy_hides(given, name: str) -> None:
    """Raise ValueError where a sequence holds truth values or masked entries beside numbers: numpy makes numbers of
    all of them without a word."""
    if isinstance(given, Sequence) and _is_hidden(given):       # all else was an array when it was asked for one
        raise ValueError(f"{name} must not have truth values or masked entries among its numbers")


def _is_hidden(given) -> bool:
    if isinstance(given, memoryview) or not isinstance(given, Sequence):
        array = np.asanyarray(given)
        return array.dtype.kind == "b" or np.ma.is_masked(array)
    items = given
    while (kinds := set(map(type, items))) and kinds <= ROWS:       # in a tenth of the time that a call for each takes
        items = list(chain.from_iterable(items))
    return not kinds <= PLAIN and any(map(_is_hidden, items))


def _kind(array: np.ndarray) -> str:
    """What an array holds, in a sentence."""
    return f"a mixture of things such as {type(array.flat[0]).__name__}" if array.dtype == object else str(array.dtype)


def _holds(numbers: np.ndarray, array: np.ndarray, given) -> bool:
    """True where float64 changed no number. Sequences are looked at as they were given: numpy makes one array of whole
    and other numbers by rounding the whole ones."""
    if array.dtype.itemsize > 8:
        return bool(((numbers == array) | (array != array)).all())
    large = np.abs(numbers) >= WHOLE
    if not large.any():
        return True
    if array.dtype.kind == "f" and not isinstance(given, Sequence):
        return True
    source = array if array.dtype.kind in "iu" else np.array(given, object)
    return all(int(number) == whole for number, whole in zip(numbers[large].tolist(), source[large].tolist())
               if isinstance(whole, Integral))


def as_vertices(vertices, name: str = "vertices") -> np.ndarray:
    """(n,3) float64, C order, writable. Copies only when it must. Raises ValueError for another shape, and like
    `as_numbers`."""
    array = as_numbers(vertices, name)
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3), not {array.shape}")
    return array


def as_triangles(triangles, vertex_count: int, name: str = "triangles") -> np.ndarray:
    """(m,3) int32, C order, writable; ValueError for another shape, for what is no whole number, and for an index
    outside 0 … vertex_count-1."""
    given = _as_array(triangles, name)
    if given.size == 0:
        return np.zeros((0, 3), np.int32)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (m, 3), not {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, not {_kind(given)}")
    _refuse_what_numpy_hides(triangles, name)
    if given.min() < 0 or given.max() >= vertex_count:
        raise ValueError(f"{name} must name vertices 0 … {vertex_count - 1}")
    return np.require(given, np.int32, KERNELS_TAKE)


def as_faces(faces, triangle_count: int) -> np.ndarray:
    """(m,) int32: the face of each triangle. Raises ValueError for another shape, and for what is no whole number."""
    given = _as_array(faces, "faces")
    if given.shape != (triangle_count,):
        raise ValueError(f"faces must have the shape ({triangle_count},), not {given.shape}")
    if given.size and given.dtype.kind not in "iu":
        raise ValueError(f"faces must be whole numbers, not {_kind(given)}")
    _refuse_what_numpy_hides(faces, "faces")
    if given.size and (given.min() < 0 or given.max() > np.iinfo(np.int32).max):
        raise ValueError("faces must be numbers from 0 to 2147483647")
    return np.require(given, np.int32, KERNELS_TAKE)


def as_poses(poses, name: str = "poses") -> np.ndarray:
    """(n,4,4) float64 affine matrices, last rows 0 0 0 1 (other numbers that are not finite pass: the object is then
    skipped by name). Raises ValueError for anything else."""
    array = as_numbers(_in_one(poses), name)
    if array.shape == (0,):
        return np.zeros((0, 4, 4))
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        raise ValueError(f"{name} must be 4×4 matrices, not {array.shape[1:]}")
    if not (array[:, 3] == LAST_ROW).all():
        raise ValueError(f"{name} must have the last row 0 0 0 1: perspective is not a rigid or affine motion")
    return array


def _in_one(poses):
    """A long list of float64 arrays (4,4) as one array, for 300 in half the time that `np.asarray` takes; all else as
    it is."""
    if (type(poses) is not list or len(poses) < LONG_LIST or set(map(type, poses)) != {np.ndarray}
            or {each.shape for each in poses} != {(4, 4)} or {each.dtype for each in poses} != {np.dtype(float)}):
        return poses
    return np.concatenate(poses).reshape(-1, 4, 4)


def as_length(given) -> float:
    """The same length, zero or more; NaN for what is none, as a truth value or text."""
    try:
        length = math.nan if isinstance(given, (str, bytes, bool, np.bool_)) else float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return length if 0.0 <= length < math.inf else math.nan


def as_indices(given, count: int, what: str) -> np.ndarray:
    """(k,) int64. Raises ValueError for what is no list of whole numbers, IndexError for an index outside 0 … count-1.
    what: is counted, for errors."""
    array = _as_array(given, f"the indices of {what}")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"the indices of {what} must be a list of whole numbers, not {_kind(array)} {array.shape}")
    if array.min() < 0 or array.max() >= count:
        raise IndexError(f"there are {what} 0 … {count - 1} only")
    return array.astype(np.int64)


def as_pose(pose, name: str) -> np.ndarray:
    """(4,4): one of them."""
    return as_poses(pose[None] if isinstance(pose, np.ndarray) else [pose], name)[0]


def pieces(count: int, pause: Callable[[], object]) -> Iterator[slice]:
    """Slices of a range that numpy works off in some tens of milliseconds each. pause(): called before each of them,
    may raise: whoever cancels waits for one of them."""
    for begin in range(0, count, ROWS_AT_ONCE):
        pause()
        yield slice(begin, min(begin + ROWS_AT_ONCE, count))


def filled(shape: tuple[int, ...], value: float, pause: Callable[[], object]) -> np.ndarray:
    """A float64 array of one number. pause(): as of `pieces`."""
    array = np.empty(shape)
    for rows in pieces(shape[0], pause):
        array[rows] = value
    return array


def starts_of(counts) -> np.ndarray:
    """(n+1,) int64: where n pieces of these lengths begin when they follow one another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def first_of_each(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The rows first[i] … first[i] + count[i] - 1 of each i, one after the other."""
    return np.repeat(first - starts_of(count)[:-1], count) + np.arange(int(count.sum()))


def used_vertices(triangles: np.ndarray, count: int) -> np.ndarray:
    """(k,) int64, ascending: those of `count` vertices that triangles (m,3) name. Of many, in a tenth of the time that
    `np.unique` takes."""
    is_used = np.zeros(count, bool)
    is_used[triangles] = True
    return is_used.nonzero()[0]


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """The same (n,3) float64, each of length 1; those without a length that numbers can hold become 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=np.isfinite(lengths) & (lengths > 1e-150))


def same_poses(before: np.ndarray, now: np.ndarray) -> bool:
    """True where no pose differs in any bit. before, now: (n,rows,4) float64, C order."""
    return np.array_equal(before.view(np.int64), now.view(np.int64))


def moved_poses(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """(n,) bool: poses that differ in any bit, as 0 and -0 do. before, now: (n,rows,4) float64, C order."""
    return (before.view(np.int64) != now.view(np.int64)).any(axis=(1, 2))
