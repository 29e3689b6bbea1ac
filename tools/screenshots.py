# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the README's pictures in docs/images/ from the built extension in a Blender 5.2 window. Needs root.

    python3.11 tools/screenshots.py [SCENE.blend]       default: sample_scenes/workshop.blend
"""
import shutil
import sys
import tempfile
from pathlib import Path

import blender_chroot
import blender_window
import build_extension
import environments
from system_packages import SetupError

SUITE = "sid"
SESSIONS = environments.ROOT / "tests" / "window" / "sessions"
IMAGES = environments.ROOT / "docs" / "images"
PICTURES = {"readme_pictures": ("result.png", "pair.png"), "verdict_pictures": ("verdicts.png",),
            "first_minute": ("first-minute.gif",)}       # what each session makes
SESSION_SECONDS = 1000      # the first one may have to compile all kernels


def main(scene=environments.ROOT / "sample_scenes" / "workshop.blend"):
    chroot = blender_chroot.ensure(SUITE)
    zips = build_extension.build(["linux-x64"], [blender_chroot.python_version(chroot)],
                                 environments.ROOT / "dist" / SUITE)
    with tempfile.TemporaryDirectory() as output, blender_window.Profile(chroot, output) as profile:
        installed = profile.blender("--command", "extension", "install-file", "-r", "user_default", "-e",
                                    profile.put(zips[0]))
        folder = profile.put(SESSIONS)
        IMAGES.mkdir(parents=True, exist_ok=True)
        for session, names in PICTURES.items():
            files = [profile.put(scene)] if session == "readme_pictures" else []
            status, text = profile.session(f"{folder}/{session}.py", *files, timeout=SESSION_SECONDS)
            if status:
                sys.exit(f"{installed.stdout}{text}error: the session {session} ended with {status}")
            for name in names:
                shutil.move(Path(output, name), IMAGES / name)
                print(IMAGES / name, f"{(IMAGES / name).stat().st_size // 1024} kB")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except (SetupError, build_extension.BuildError) as error:
        sys.exit(f"error: {error}")
