# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as values that can be compared, and what they differ in."""
from dataclasses import fields

import numpy as np
from touchpoint.core import Refused, Scene, detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.contacts import Contacts


def ask(scene, method: str, **settings):
    """The report, or the words of the refusal."""
    try:
        return detect(scene, method=method, **settings)
    except Refused as refusal:
        return str(refusal)


def difference(expected, report) -> str:
    """"" where the two say the same to the last bit: pairs, verdicts, which is inside, gaps, every number of every
    contact, what was left out. Else the first thing that they differ in."""
    if isinstance(expected, str) or isinstance(report, str):
        return "" if expected == report else f"refused in one case only: {expected!r}, {report!r}"
    if [vars(each) for each in expected.skipped] != [vars(each) for each in report.skipped]:
        return f"left out {report.skipped}, not {expected.skipped}"
    left, right = verdict_table(expected), verdict_table(report)
    if left != right:
        lost = sorted(set(left) - set(right))
        invented = sorted(set(right) - set(left))
        other = [(pair, left[pair], right[pair]) for pair in left if pair in right and left[pair] != right[pair]]
        return f"pairs: lost {lost[:3]}, invented {invented[:3]}, told otherwise {other[:3]}"
    left_keys, right_keys = contact_keys(expected), contact_keys(report)
    if left_keys != right_keys:
        lost, invented = sorted(set(left_keys) - set(right_keys)), sorted(set(right_keys) - set(left_keys))
        return f"triangle pairs: lost {lost[:3]}, invented {invented[:3]}, or in another order"
    for each in fields(Contacts):
        if getattr(expected.contacts, each.name).tobytes() != getattr(report.contacts, each.name).tobytes():
            return f"other bits in contacts.{each.name}"
    for name in expected.pairs.dtype.names or ():
        if expected.pairs[name].tobytes() != report.pairs[name].tobytes():
            return f"other bits in pairs.{name}"
    return ""


def verdict_table(report) -> dict:
    """{(a, b): (verdict, status, inner)}"""
    return {(int(row["a"]), int(row["b"])): (VERDICTS[row["verdict"]], int(row["status"]), int(row["inner"]))
            for row in report.pairs}


def verdicts_of(*meshes, **settings) -> dict:
    """{(a, b): (verdict, the object that is inside the other one, or None)} of these meshes, (vertices, triangles)
    each, in one scene. settings: of `detect`."""
    scene = Scene()
    for mesh in meshes:
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, **settings)
    return {(int(pair["a"]), int(pair["b"])): (report.verdict(row), report.inner(row))
            for row, pair in enumerate(report.pairs)}


def contact_keys(report) -> list[tuple]:
    """(a, b, triangle of a, triangle of b) of each contact, in the report's order."""
    found = report.contacts
    a, b = report.pairs["a"][found.pair], report.pairs["b"][found.pair]
    return list(zip(a.tolist(), b.tolist(), found.triangle_a.tolist(), found.triangle_b.tolist()))


def kinds(report) -> dict:
    """{(a, b, triangle of a, triangle of b): (kind, proper)}"""
    return dict(zip(contact_keys(report), zip(report.contacts.kind.tolist(), report.contacts.proper.tolist())))


def in_order(report, order) -> tuple[dict, dict]:
    """Verdicts and kinds of contacts, under the numbers that the objects had before they were put in this order."""
    order = np.asarray(order)
    verdicts = {}
    for (a, b), (verdict, status, inner) in verdict_table(report).items():
        p, q = int(order[a]), int(order[b])
        verdicts[min(p, q), max(p, q)] = verdict, status, inner if p < q else (0, 2, 1)[inner]
    found = {}
    for (a, b, i, j), row in kinds(report).items():
        p, q = int(order[a]), int(order[b])
        found[(p, q, i, j) if p < q else (q, p, j, i)] = row
    return verdicts, found
