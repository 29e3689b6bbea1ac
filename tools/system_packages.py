# SPDX-License-Identifier: GPL-3.0-or-later
"""The system's share: shared libraries that the bpy module loads, and how to install Debian packages."""
import ctypes
import os
import shutil
import subprocess

# What bpy 4.2 to 5.2 link to and its wheel does not bring, and what draws without a graphics card: library -> Debian's
# packages.
BPY_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libEGL_mesa.so.0": "libegl-mesa0 libgl1-mesa-dri",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libICE.so.6": "libice6",
    "libOpenGL.so.0": "libopengl0",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXt.so.6": "libxt6",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libgomp.so.1": "libgomp1",
    "libstdc++.so.6": "libstdc++6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}


class SetupError(Exception):
    """Something cannot be set up on this machine; the message says what and how to mend it."""


def _loads(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def ensure_bpy_libraries():
    """Install the libraries that `import bpy` needs and that cannot be loaded. Asks for nothing when all are there."""
    missing = [library for library in BPY_LIBRARIES if not _loads(library)]
    if not missing:
        return
    try:
        apt_install([package for library in missing for package in BPY_LIBRARIES[library].split()])
    except SetupError as error:
        raise SetupError(f"Blender's Python module needs libraries that this system lacks: {', '.join(missing)}. "
                         f"{error}") from error


def apt_install(packages):
    """Install Debian packages as root or through sudo; SetupError with the command to type where that fails."""
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    by_hand = f"Install them and start again, on Debian or Ubuntu: sudo apt-get install {' '.join(packages)}"
    if not shutil.which("apt-get"):
        raise SetupError(f"apt-get is not there. {by_hand}")
    prefix = []
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise SetupError(f"Only root can install packages, and sudo is not there. {by_hand}")
        prefix = ["sudo"]
    print("installing system packages:", " ".join(packages), flush=True)
    prefix += ["env", "DEBIAN_FRONTEND=noninteractive"]
    for call in (["apt-get", "update", "-qq"], command):
        call[1:1] = ["-o", "DPkg::Lock::Timeout=300"]
        result = subprocess.run(prefix + call, stdout=subprocess.DEVNULL)
        if result.returncode:
            raise SetupError(f"`{' '.join(call)}` failed. {by_hand}")
