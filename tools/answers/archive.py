# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of answers: what each question was answered, as arrays, values and bytes; equal ones are kept once.

`index-PART.json` names, for each question, its fields and the entry of `data-PART.zip` that holds each.
"""
import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np


class Writer:
    """One part of a folder. Nothing of it is there until it is closed after its last answer."""

    def __init__(self, folder: Path, part: str):
        self.folder, self.part = folder, part
        self.index: dict[str, dict[str, str]] = {}
        self._known: set[str] = set()
        self._unfinished = folder / f"data-{part}.zip.part"
        self._data = zipfile.ZipFile(self._unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1)

    def add(self, question: str, fields: dict) -> None:
        """Keep an answer: arrays, bytes, and what JSON can hold."""
        if question in self.index:
            raise ValueError(f"{question} was answered before")
        self.index[question] = {name: self._kept(value) for name, value in fields.items()}

    def _kept(self, value) -> str:
        if isinstance(value, np.ndarray):
            file = io.BytesIO()
            np.save(file, value, allow_pickle=False)
            data, kind = file.getvalue(), "npy"
        elif isinstance(value, bytes):
            data, kind = value, "bytes"
        else:
            data, kind = json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace"), "json"
        entry = f"{hashlib.sha256(data).hexdigest()[:32]}.{kind}"
        if entry not in self._known:
            self._known.add(entry)
            self._data.writestr(zipfile.ZipInfo(entry), data, zipfile.ZIP_DEFLATED, 1)
        return entry

    def close(self) -> None:
        self._data.close()
        self._unfinished.replace(self.folder / f"data-{self.part}.zip")
        (self.folder / f"index-{self.part}.json").write_text(json.dumps(self.index, indent=0) + "\n")


class Reader:
    """All parts of a folder. Raises FileNotFoundError where there are none."""

    def __init__(self, folder: Path):
        self.index: dict[str, dict[str, str]] = {}
        self._place: dict[str, zipfile.ZipFile] = {}
        for path in sorted(Path(folder).glob("index-*.json")):
            self.index |= json.loads(path.read_text())
            data = zipfile.ZipFile(path.with_name(path.name.replace("index-", "data-")).with_suffix(".zip"))
            self._place |= dict.fromkeys(data.namelist(), data)
        if not self.index:
            raise FileNotFoundError(f"there are no answers in {folder}")

    def value(self, entry: str):
        """What was kept: an array, bytes, or a value."""
        data = self._place[entry].read(entry)
        if entry.endswith(".npy"):
            return np.load(io.BytesIO(data), allow_pickle=False)
        return data if entry.endswith(".bytes") else json.loads(data)


def clear(folder: Path) -> None:
    """Make the folder, without answers in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("index-*.json", "data-*.zip", "data-*.zip.part"):
        for path in folder.glob(pattern):
            path.unlink()
