# SPDX-License-Identifier: GPL-3.0-or-later
"""The built extension in real Blender windows, in chroots that tools/blender_chroot.py makes. Needs root.

Run by `tools/check.py window`, which passes --window=full, --window=smoke or --window=vulkan. Pictures and logs come to
out/window/SUITE/TEST.
"""
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SESSIONS = Path(__file__).with_name("sessions")
sys.path.insert(0, str(ROOT / "tools"))

import blender_chroot  # noqa: E402
import blender_window  # noqa: E402
import build_extension  # noqa: E402

VULKAN = "sid-vulkan"       # the Blender of sid, drawn with Vulkan; that of trixie, 4.3, does not survive it
SUITES = {"smoke": ["sid"], "full": ["trixie", "sid"], "vulkan": [VULKAN]}


def pytest_generate_tests(metafunc):
    if "suite" in metafunc.fixturenames:
        metafunc.parametrize("suite", SUITES[metafunc.config.getoption("--window")], scope="session")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--window") == "smoke":
        items[:] = [item for item in items if item.get_closest_marker("smoke")]


class Blender:
    """A Blender of one Debian suite with a home folder of its own, in which the extension can be installed."""

    def __init__(self, profile, zip_path):
        self.profile = profile
        self.zip_path = zip_path

    def install(self):
        done = self.command("install-file", "-r", "user_default", "-e", self.profile.put(self.zip_path))
        assert done.returncode == 0, done.stdout

    def command(self, *arguments):
        """Blender's own extension command. Returns a CompletedProcess."""
        return self.profile.blender("--command", "extension", *arguments)

    def session(self, name, *arguments, scene=None, timeout=600, raises=None):
        """Run tests/window/sessions/NAME.py in a window; the test fails when it does. Returns the printed text.
        raises: the error that Blender itself tells of, where one is made on purpose.

        A session gives up by itself where something does not come; the timeout is for one that hangs.
        """
        script = f"{self.profile.put(SESSIONS)}/{name}.py"
        files = [self.profile.put(ROOT / "sample_scenes" / scene)] if scene else []
        figures = self.profile.output / "figures.json"
        figures.unlink(missing_ok=True)
        status, text = self.profile.session(script, *files, "--", *map(str, arguments), timeout=timeout)
        (self.profile.output / f"{name}.log").write_text(text)
        assert status == 0, f"{name} ended with {status}:\n{text[-6000:]}"
        assert ("Traceback" in text) == (raises is not None), text[-6000:]      # of a panel, say, which ends nothing
        assert raises is None or raises in text, text[-6000:]
        if figures.exists():
            for what, seconds in json.loads(figures.read_text()).items():
                print(f"{what}: {seconds} s")
        return text


@pytest.fixture(scope="session")
def chroot(suite):
    return blender_chroot.ensure(suite.removesuffix("-vulkan"))


@pytest.fixture(scope="session")
def backend(suite):
    return "vulkan" if suite == VULKAN else "opengl"


@pytest.fixture(scope="session")
def extension(chroot):
    """The zip for the Python of this suite's Blender."""
    version = blender_chroot.python_version(chroot)
    return build_extension.build(["linux-x64"], [version], ROOT / "dist" / f"python-{version}",
                                 for_tests=True)[0]


@pytest.fixture
def blender(chroot, extension, suite, backend, request):
    """A Blender with an empty profile."""
    output = ROOT / "out" / "window" / suite / request.node.originalname
    with blender_window.Profile(chroot, output, backend) as profile:
        yield Blender(profile, extension)


@pytest.fixture(scope="session")
def warm_blender(chroot, extension, suite, backend):
    """A Blender with the extension installed and its kernels compiled, shared by the tests of a suite."""
    with blender_window.Profile(chroot, ROOT / "out" / "window" / suite, backend) as profile:
        blender = Blender(profile, extension)
        blender.install()
        blender.session("compile_ahead", timeout=1000)
        yield blender
