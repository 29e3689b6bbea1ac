# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the real Blender of a chroot (tools/blender_chroot.py), in a window on a screen of its own or without one.

    with Profile(chroot, output_folder) as profile:             an empty home folder, gone at the end
        profile.blender("--command", "extension", "install-file", "-r", "user_default", "-e", profile.put(zip_path))
        status = profile.session(script, timeout=120)           Blender's --python, in a window under Xvfb

Needs root. Mounts and processes are private and vanish with the run.
"""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SCREEN = "1600x900"

# Runs inside the chroot. $1: output, $2: screen, $3: seconds, $4: backend, $5: script, then arguments for Blender,
# which draws with OpenGL without a word where it finds no driver for Vulkan.
# Xvfb picks a free display itself and writes its number when it is ready; a fixed number fails for a second run.
# last.png is the screen every few seconds: where a session hangs, it shows where.
_SESSION = r"""
out=$1 screen=$2 limit=$3 backend=$4 script=$5; shift 5
export SESSION_OUT=$out
pipe=$out/display
mkfifo "$pipe"
Xvfb -displayfd 3 -screen 0 "${screen}x24" -nolisten tcp 3>"$pipe" >"$out/xvfb.log" 2>&1 &
xvfb=$!
read -r -t 30 number <"$pipe" || { cat "$out/xvfb.log"; exit 125; }
rm "$pipe"
export DISPLAY=:$number
timeout -k 5 "$limit" blender --window-geometry 0 0 "${screen%x*}" "${screen#*x}" --gpu-backend "$backend" \
    --python-exit-code 1 \
    --python-expr "import gpu; assert gpu.platform.backend_type_get().lower() == '$backend', 'no driver for $backend'" \
    --python-expr "import sys; sys.path.insert(0, '$(dirname "$script")')" --python "$script" \
    "$@" &
blender=$!
( while sleep 3; do timeout 20 import -window root "$out/.last.png" && mv "$out/.last.png" \
    "$out/last.png"; done ) 2>/dev/null &
pictures=$!
wait "$blender"; status=$?
kill "$pictures" "$xvfb" 2>/dev/null
exit "$status"
"""


class Profile:
    """An empty home folder inside a chroot, for any number of Blender runs. What sessions save comes to `output`.
    backend: what windows are drawn with, "opengl" or "vulkan"."""

    def __init__(self, chroot, output, backend="opengl"):
        self.chroot = Path(chroot).resolve()
        self.output = Path(output)
        self.backend = backend

    def __enter__(self):
        self.work = Path(tempfile.mkdtemp(prefix="touchpoint-", dir=self.chroot / "tmp"))
        for name in ("home", "in", "run", "tmp"):
            (self.work / name).mkdir(mode=0o700)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.work)

    @property
    def home(self):
        return self.work / "home"

    def put(self, path):
        """Copy a file or folder to where Blender can read it. Returns its path as Blender sees it."""
        target = self.work / "in" / Path(path).name
        if not target.exists():             # else another session may be reading it
            if Path(path).is_dir():
                shutil.copytree(path, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, target)
        return self.inside(target)

    def blender(self, *arguments, timeout=300):
        """Run Blender without a window. Returns a CompletedProcess with everything it printed in stdout."""
        return subprocess.run(self._call("blender", *arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=timeout)

    def session(self, script, *arguments, timeout=180):
        """Run Blender in a window with this script, by the path that `put` gave.

        Arguments go to Blender (a .blend file; `--` and what the script reads). Returns the exit status (124 after
        the timeout) and what was printed.
        """
        out = Path(tempfile.mkdtemp(prefix="out-", dir=self.work))
        call = self._call("bash", "-c", _SESSION, "bash", self.inside(out), SCREEN, str(timeout), self.backend,
                          script, *arguments)
        done = subprocess.run(call, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        shutil.copytree(out, self.output, dirs_exist_ok=True)
        return done.returncode, done.stdout

    def inside(self, path):
        """A path as Blender sees it."""
        return "/" + str(path.relative_to(self.chroot))

    def _call(self, *command):
        """A private mount namespace and process tree; then a clean environment inside the chroot."""
        work = self.inside(self.work)
        environment = {"PATH": os.defpath + ":/usr/sbin", "HOME": f"{work}/home", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                       "XDG_RUNTIME_DIR": f"{work}/run", "TMPDIR": f"{work}/tmp", "PYTHONUNBUFFERED": "1",
                       "NO_AT_BRIDGE": "1"}
        mounts = ('mount --make-rprivate /; mountpoint -q "$0/dev" || mount --rbind /dev "$0/dev"; '
                  'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"')
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", mounts, str(self.chroot),
                "env", "-i", *(f"{name}={value}" for name, value in environment.items()), *command]
