# SPDX-License-Identifier: GPL-3.0-or-later
"""One module per library. Each has NAME, PACKAGE (as on PyPI) and SIDES: question → class with

    __init__(question)      builds what the library keeps between steps; not timed
    run(step)               the work of one step; timed
    answer(result)          questions.Answer of what run returned; not timed

and, where something is compiled at first use, prepare().

Questions: "scene", "build", "pairs", "first" and "cold" of two meshes, "frames", "boxes", "convex distance",
"convex yes/no", "convex depth", "points" in a mesh, "vertex-face", "edge-edge", "clearance", "near", "alone": one mesh
with itself, and of scenes over time "animation": each frame, and "rigid motion", "deforming motion", "figure's
motion" and "motion with itself": what comes together from frame to frame.
"""
import importlib
import importlib.metadata

OURS = "touchpoint"
MODULES = ("ours", "frames_alone", "bvhtree", "fcl", "coal", "trimesh", "vtk", "igl", "cgal", "ipctk", "additive",
           "warp")


def load(names=MODULES) -> tuple[dict, dict[str, str]]:
    """(name → module of the sides that are installed, name → why not of the others)."""
    found, missing = {}, {}
    for name in names:
        try:
            module = importlib.import_module(f".{name}", __package__)
            found[module.NAME] = module
        except ImportError as error:
            missing[name] = f"not installed ({error})"
    return found, missing


def prepare(modules: dict) -> None:
    """Let the sides compile what they compile when first used, so that no clock sees it."""
    for module in modules.values():
        if hasattr(module, "prepare"):
            module.prepare()


def versions(modules: dict) -> dict[str, str]:
    """name → version of the package that it comes from."""
    return {name: _version(module.PACKAGE) for name, module in modules.items()}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "checkout"
