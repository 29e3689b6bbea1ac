# SPDX-License-Identifier: GPL-3.0-or-later
"""One command for every check. What a check needs is set up first and kept in .venvs/ and /var/tmp.

    python3.11 tools/check.py format            ruff, mypy, and the limits of house_figures.py
    python3.11 tools/check.py fast              tests of the core
    python3.11 tools/check.py modes             the core again without compilation, and on one core
                                                what threads share
    python3.11 tools/check.py bounds            the core again with each index of each kernel checked, in ten minutes
    python3.11 tools/check.py blender           tests of the add-on in the bpy module 4.2, 4.5, 5.0 (and 5.2)
    python3.11 tools/check.py window            the built extension in Blender 4.3 and 5.2 windows
    python3.11 tools/check.py window --smoke    one session in 5.2
    python3.11 tools/check.py window --vulkan   all in 5.2, drawn with Vulkan
    python3.11 tools/check.py bench             how long Detect takes on the sample scenes
    python3.11 tools/check.py peers             the tables of docs/performance.md, in a quarter of an hour; goes on
                                                where it stopped, until out/peers.json is removed
    python3.11 tools/check.py methods-tables    the tables of docs/methods-measured.md, in a quarter of an hour; goes on
                                                where it stopped, until out/methods-*.json are removed
    python3.11 tools/check.py compile           what each kernel costs to compile
    python3.11 tools/check.py figures           how the sources stand: arguments of kernels, circles of imports, …
    python3.11 tools/check.py answers -- FOLDER whether every answer is, to the last bit, the one in a folder that
                                                tools/same_answers.py made of an older checkout
    python3.11 tools/check.py versus -- OLD     how fast this checkout is beside an old revision, in turns
    python3.11 tools/check.py drills            faults of all kinds, tried at random, in less than a minute;
                                                --times 50 tries fifty times as many, --seed 2 others
    python3.11 tools/check.py proof             millions of exact answers, for hours (--scale 0.01: for minutes)
    python3.11 tools/check.py all               format, fast, modes, blender, drills, and window as a smoke test; modes
                                                and blender ask some cases only of tests that have many
    python3.11 tools/check.py fast -- -k tree   what follows -- goes to pytest (of proof and drills: to these, as in
                                                proof -- --only R7, drills -- --only F5)

Exit status 0 when every check passed. A check that this machine cannot run is named with the reason; on a build
server (CI=true) that is a failure.
"""
import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import blender_chroot
import environments
from environments import ROOT
from system_packages import SetupError

# What threads share: asked on one core, too.
SHARED_BY_THREADS = ("broad_phase", "methods/test_parallel_method.py", "mid_phase", "parallel", "search",
                     "test_pipeline.py")
# The same, but not in `all`.
SHARED_BY_SOME = ("depth", "methods/test_methods_agree.py", "self_collision", "test_stages.py", "trees")
# What is not about kernels: the same with and without compilation.
WITHOUT_KERNELS = ("cli/test_exit_codes.py", "rules/test_rule_files.py", "test_declarations.py", "test_files.py",
                   "test_floors.py", "test_packaging.py", "tools/test_tools_drills.py",
                   "tools/test_tools_house_figures.py", "tools/test_tools_versus.py")
# What hardly depends on the version of Blender: left out of `all` but for the newest one. What draws with matplotlib
# (test_cli_compare.py, test_drawn_plots.py) stays, as one of the others is the only environment that has it.
ALIKE_IN_ALL_VERSIONS = ("test_animation_cuts.py", "test_animation_resumed.py", "test_asking_again.py",
                         "test_benchmarks.py", "test_clearances_of_objects.py", "test_cli_animation.py",
                         "test_cli_groups.py", "test_cli_identifiers.py", "test_cli_options.py", "test_cli_process.py",
                         "test_cli_rules.py", "test_colours_for_everybody.py", "test_compare.py",
                         "test_export_operators.py", "test_gap_curve.py", "test_gpu_methods.py", "test_gpu_streams.py",
                         "test_judged_scenes.py", "test_kernels.py", "test_method_settings.py",
                         "test_methods_on_samples.py", "test_named_tests.py", "test_named_tests_files.py",
                         "test_pictures.py", "test_reports.py", "test_rows.py", "test_sample_animations.py",
                         "test_self_reference.py", "test_size_of_the_file.py", "test_staleness.py", "test_strips.py",
                         "test_tolerance.py", "test_views.py", "test_welding.py", "test_why.py", "test_worker.py",
                         "test_workers.py")
# Of other files, what takes half a minute each.
LONG_AND_ALIKE = ("test_animation.py::test_frames_that_are_done_are_let_go",
                  "test_register.py::test_no_memory_is_left_behind")
# Tests that compile every kernel anew; before its tests, `all` does that anyway.
COMPILED_ONCE = "tests/test_stages.py::test_warm_up_compiles_every_kernel_once"
ALL_COMPILED = "tests/blender/test_kernels.py::test_compiling_ahead_then_loading[nothing]"
# Of tests with many cases, what `all` asks of the add-on, and of kernels that `fast` has asked before.
SOME_CASES, FEW_CASES = "--one-case-in=3", "--one-case-in=6"
# A process that crashes ends the run: where another takes its place, pytest-xdist may wait for ever (its issue 1378).
# So does a test that takes a quarter of an hour.
ENDS = ("--max-worker-restart=0", "-o", "faulthandler_timeout=900", "-o", "faulthandler_exit_on_timeout=true")
PLOTS = ("--plots", "docs/images")


class Skipped(Exception):
    """A check that cannot run here; the message says why."""


def run(python, *arguments, **variables):
    """Run a module of an environment in the checkout. Returns whether it succeeded."""
    call = [str(python), "-m", *arguments]
    print("$", *(f"{name}={value}" for name, value in variables.items()), " ".join(call), flush=True)
    return subprocess.run(call, cwd=ROOT, env={**os.environ, **variables}).returncode == 0


def run_tests(python, *arguments, share="worksteal", **variables):
    """Run pytest in one process per core, at most four. What they call is compiled before."""
    if "NUMBA_DISABLE_JIT" not in variables and not run(python, "tools.precompile", **variables):
        return False
    processes = str(min(4, len(os.sched_getaffinity(0))))
    return run(python, "pytest", "-q", "-n", processes, "--dist", share, *ENDS, *arguments, **variables)


def check_format(_):
    python = environments.ensure("core")
    # mypy wants the checkout under its package name.
    names = environments.FOLDER / "names"
    names.mkdir(exist_ok=True)
    link = names / "touchpoint"
    if not link.is_symlink():
        link.symlink_to(ROOT)
    return all([run(python, "ruff", "check", "."),
                run(python, "mypy", "-p", "touchpoint.core", "-p", "touchpoint.addon", MYPYPATH=str(names)),
                run(python, "house_figures", "--limits", PYTHONPATH=str(ROOT / "tools"))])


def check_fast(options):
    # Compiling before the tests has asked this where nothing was there before, as on a build server.
    asked = [f"--deselect={COMPILED_ONCE}"] if options.check == "all" else []
    return run_tests(environments.ensure("core"), *asked, *options.pytest)


def check_modes(options):
    python = environments.ensure("core")
    # As plain Python, numpy warns of overflows that are part of the arithmetic and that machine code is silent about.
    plain = ["-m", "not slow and not scenes and not rational", "-W", "ignore::RuntimeWarning"]
    plain += [f"--ignore=tests/{name}" for name in WITHOUT_KERNELS]
    some, names = [], SHARED_BY_THREADS + SHARED_BY_SOME
    if options.check == "all":
        some, names = [FEW_CASES], SHARED_BY_THREADS
    shared = [f"tests/{name}" for name in names]
    return all([run_tests(python, *plain, *some, *options.pytest, NUMBA_DISABLE_JIT="1"),
                run_tests(python, "-m", "not slow and not rational", *shared, *some, *options.pytest,
                          TOUCHPOINT_TEST_ONE_CORE="1")])


def check_bounds(options):
    """A kernel that reads or writes beyond an array raises IndexError. Which kernels are compiled, and how they are
    kept, is another thing with such checks."""
    apart = ["--ignore=tests/machine_code", f"--deselect={COMPILED_ONCE}"]
    return run_tests(environments.ensure("core"), *apart, *options.pytest, NUMBA_BOUNDSCHECK="1")


def check_blender(options):
    pythons = [python for python in map(environments.ensure, environments.BPY_TESTS) if python]
    # Scenes and handlers of a file's tests stay in one process, as they were written.
    return all([run_tests(python, "tests/blender", *left_out(python == pythons[-1], options), *options.pytest,
                          share="loadfile") for python in pythons])


def left_out(is_newest, options) -> list[str]:
    """Arguments for pytest: what a version of Blender need not run."""
    if options.check != "all":
        return []
    everywhere = [SOME_CASES, f"--deselect={ALL_COMPILED}"]
    if is_newest:
        return everywhere
    return [*everywhere, *(f"--ignore=tests/blender/{file}" for file in ALIKE_IN_ALL_VERSIONS),
            *(f"--deselect=tests/blender/{test}" for test in LONG_AND_ALIKE)]


def check_window(options):
    reason = blender_chroot.why_not()
    if reason:
        raise Skipped(reason)
    extent = "smoke" if options.smoke or options.check == "all" else "vulkan" if options.vulkan else "full"
    return run(environments.ensure("core"), "pytest", "-q", "-rA", "tests/window", f"--window={extent}",
               *options.pytest)


def check_compile(_):
    return run(environments.ensure("core"), "tools.compile_times")


def check_bench(_):
    return run(environments.ensure("bpy-4.5"), "touchpoint.benchmarks.detect_scenes")


def check_peers(options):
    (ROOT / "out").mkdir(exist_ok=True)
    return run(environments.ensure("bench"), "touchpoint", "bench", "--json", "out/peers.json",
               "--markdown", "docs/performance.md", *options.pytest)


def check_methods_tables(options):
    (ROOT / "out").mkdir(exist_ok=True)
    python = environments.ensure("bpy-4.5")         # which has matplotlib
    return all([run(python, "touchpoint", "bench", "--table", table, "--json", f"out/methods-{table}.json",
                    "--markdown", "docs/methods-measured.md", *plots, *options.pytest)
                for table, plots in (("tsgo", PLOTS), ("fan-parallel", ()), ("particle", ()), ("pcs", PLOTS),
                                     ("fccd", PLOTS), ("fan-ibcd", PLOTS), ("fan-stream", PLOTS))])


def check_figures(_):
    return run(environments.ensure("core"), "house_figures", PYTHONPATH=str(ROOT / "tools"))


def check_answers(options):
    if len(options.pytest) != 1:
        raise SetupError("Name the folder with the older answers: tools/check.py answers -- FOLDER")
    before, made = str(Path(options.pytest[0]).resolve()), str(ROOT / "out" / "answers")
    python, variables = environments.ensure("core"), {"PYTHONPATH": str(ROOT / "tools")}
    return all([run(python, "same_answers", "make", made, **variables),
                run(python, "same_answers", "compare", before, made, **variables)])


def check_versus(options):
    if not options.pytest:
        raise SetupError("Name the old revision: tools/check.py versus -- OLD")
    return run(environments.ensure("core"), "versus", options.pytest[0], str(ROOT), *options.pytest[1:],
               PYTHONPATH=str(ROOT / "tools"))


def check_drills(options):
    asked = ["--seed", str(options.seed), "--times", str(options.times), *options.pytest]
    return all([run(environments.ensure(name), "drills", part, *asked, PYTHONPATH=str(ROOT / "tools"))
                for name, part in (("core", "core"), ("bpy-4.5", "blender"))])


def check_proof(options):
    return run(environments.ensure("core"), "tests.long", "--scale", str(options.scale), *options.pytest)


CHECKS = {"format": check_format, "fast": check_fast, "modes": check_modes, "bounds": check_bounds,
          "blender": check_blender, "window": check_window, "bench": check_bench, "peers": check_peers,
          "methods-tables": check_methods_tables, "compile": check_compile, "figures": check_figures,
          "answers": check_answers, "versus": check_versus, "drills": check_drills, "proof": check_proof}
# Figures are to be read, or want a quiet machine or an older checkout; a proof takes hours.
ALL = ["format", "fast", "modes", "blender", "drills", "window"]


def run_check(name, options):
    """Returns the word for the summary: passed, FAILED or skipped."""
    print(f"\n=== {name} ===", flush=True)
    try:
        return "passed" if CHECKS[name](options) else "FAILED"
    except Skipped as reason:
        print(f"skipped: {name}, because {reason}", flush=True)
        return "FAILED" if os.environ.get("CI") else "skipped"
    except SetupError as error:
        print(f"error: {error}", flush=True)
        return "FAILED"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=[*CHECKS, "all"])
    parser.add_argument("--smoke", action="store_true", help="window: one session in Blender 5.2 only")
    parser.add_argument("--vulkan", action="store_true", help="window: Blender 5.2 only, drawn with Vulkan")
    parser.add_argument("--scale", type=float, default=1.0, help="proof: this share of the questions")
    parser.add_argument("--seed", type=int, default=1, help="drills: other faults")
    parser.add_argument("--times", type=float, default=1.0, help="drills: that many times as often")
    parser.add_argument("pytest", nargs="*", help="after --: arguments for pytest, the proofs, answers, versus")
    options = parser.parse_intermixed_args()    # what is after -- may follow other options
    summary = []
    for name in ALL if options.check == "all" else [options.check]:
        start = time.perf_counter()
        result = run_check(name, options)
        summary.append((name, result, time.perf_counter() - start))
    print("\n=== summary ===")
    for name, result, seconds in summary:
        print(f"{name:14} {result:8} {seconds:6.0f} s")
    return 1 if any(result == "FAILED" for _, result, _ in summary) else 0


if __name__ == "__main__":
    sys.exit(main())
