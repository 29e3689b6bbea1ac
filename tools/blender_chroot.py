# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder with a small Debian that holds a real Blender, Xvfb, xdotool and ImageMagick, for tests in a window.

    python3.11 tools/blender_chroot.py [trixie|sid ...]     trixie has Blender 4.3, sid the newest; default: both

Needs root on Debian or Ubuntu (debootstrap). About 1.5 GB and 2 to 4 minutes each; a finished folder is kept and used
again. They lie in /var/tmp/blender-chroot-SUITE; another place for them is set by TOUCHPOINT_CHROOTS.
"""
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from system_packages import SetupError, apt_install

SUITES = ("trixie", "sid")
# Beside Blender and the window tools: software OpenGL and Vulkan, and Python modules that Blender's own scripts import
# but that Debian's package only recommends.
PACKAGES = ["blender", "xvfb", "xauth", "xdotool", "imagemagick", "libegl1", "libgl1-mesa-dri", "mesa-vulkan-drivers",
            "python3-numpy", "python3-requests", "python3-zstandard", "python3-cattr"]


def folder(suite):
    """Where the chroot of a suite lies or will lie."""
    return Path(os.environ.get("TOUCHPOINT_CHROOTS", "/var/tmp")) / f"blender-chroot-{suite}"


def why_not():
    """Why no chroot can be made or used here, or None."""
    if not sys.platform.startswith("linux"):
        return "window tests run on Linux only"
    if os.geteuid() != 0:
        return "a chroot needs root"
    if not shutil.which("debootstrap") and not shutil.which("apt-get"):
        return "debootstrap is missing and there is no apt-get to install it"
    return None


def ensure(suite):
    """The finished chroot of a suite, made if need be. SetupError where that is impossible."""
    root = folder(suite)
    if (root / ".blender-chroot-ok").exists():
        return root
    reason = why_not()
    if reason:
        raise SetupError(f"No Blender of Debian {suite} can be set up: {reason}.")
    print(f"making {root} with Debian's Blender (2 to 4 minutes)", flush=True)
    log = root.with_suffix(".log")
    root.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output:
        try:
            _make_base(suite, root, output)
            _install_packages(root, output)
        except subprocess.CalledProcessError as error:
            raise SetupError(f"Making {root} failed: {error}. Its log is {log}.") from error
    (root / ".blender-chroot-ok").touch()
    return root


def python_version(root):
    """Of the Blender in a chroot: "3.14". Debian builds it with the system's Python."""
    call = ["chroot", root, "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def _make_base(suite, root, output):
    """A minimal system. A run that broke here is started over."""
    if (root / ".base-ok").exists():
        return
    if not shutil.which("debootstrap"):
        apt_install(["debootstrap", "debian-archive-keyring"])
    subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", suite, str(root)],
                   stdout=output, stderr=output, check=True)
    (root / ".base-ok").touch()


def _install_packages(root, output):
    """/proc and /dev are mounted in a private mount namespace, so that nothing stays mounted afterwards."""
    # A mirror kept at a past date has an expired Release file; its signature still counts.
    script = r"""
        mount --make-rprivate /
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        printf '#!/bin/sh\nexit 101\n' > "$1/usr/sbin/policy-rc.d"      # start no services
        chmod +x "$1/usr/sbin/policy-rc.d"
        cp -L /etc/resolv.conf "$1/etc/resolv.conf" || true
        ln -sf /proc/self/mounts "$1/etc/mtab"                          # Blender warns without it
        export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
        chroot "$1" apt-get -o Acquire::Check-Valid-Until=false update -qq
        chroot "$1" apt-get install -y -qq --no-install-recommends "${@:2}"
        chroot "$1" apt-get clean
        chroot "$1" blender --version
    """
    call = ["unshare", "--mount", "--fork", "bash", "-euc", script, "bash", str(root), *PACKAGES]
    subprocess.run(call, stdout=output, stderr=output, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"which Debian: {', '.join(SUITES)}; default: both")
    names = parser.parse_args().suites or SUITES
    if unknown := sorted({*names} - {*SUITES}):
        parser.error(f"no such suite: {', '.join(unknown)}")
    try:
        for name in names:
            print(ensure(name))
    except SetupError as problem:
        sys.exit(f"error: {problem}")
