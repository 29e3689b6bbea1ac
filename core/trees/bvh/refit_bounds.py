# SPDX-License-Identifier: GPL-3.0-or-later
"""The four boxes of a node, fitted to what is below them in vector instructions: the least and largest numbers of four
triangles' corners, or of four nodes, transposed into the rows of the node. That takes half the time of plain loops."""
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...machine_code.jit import COMPILED

FOUR, EIGHT = (ir.VectorType(ir.FloatType(), n) for n in (4, 8))
# Of rows (v0, v1), (v2, v3) interleaved by halves, the lanes that make one row of the node: (half, lanes).
TRANSPOSED = ((0, (0, 1, 8, 9)), (0, (2, 3, 10, 11)), (1, (0, 1, 8, 9)),
              (0, (4, 5, 12, 13)), (0, (6, 7, 14, 15)), (1, (4, 5, 12, 13)))
HALVES = ((0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15))


def _least(builder, *values):
    least = values[0]
    for value in values[1:]:
        least = builder.select(builder.fcmp_ordered("<", value, least), value, least)
    return least


def _largest(builder, *values):
    largest = values[0]
    for value in values[1:]:
        largest = builder.select(builder.fcmp_ordered(">", value, largest), value, largest)
    return largest


def _shuffle(builder, first, second, lanes: tuple[int, ...]):
    return builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes)))


def _at(builder, data, index, vector):
    """Pointer to a vector that begins at data[index]."""
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


def _row_of(builder, data, node, row):
    """Pointer to a row of boxes[node]."""
    first = builder.mul(node, ir.Constant(ir.IntType(64), 24))
    return _at(builder, data, builder.add(first, ir.Constant(ir.IntType(64), 4 * row)), FOUR)


@intrinsic
def _bound_triangles(typing, boxes, node, rounded, rows):
    signature = types.void(boxes, types.int64, rounded, rows)

    def emit(context, builder, signature, arguments):
        boxes, rounded, rows = (context.make_array(signature.args[k])(context, builder, arguments[k]).data
                                for k in (0, 2, 3))
        least = []
        for triangle in range(4):
            corners = []
            for corner in range(3):
                vertex = builder.load(builder.gep(rows, [ir.Constant(ir.IntType(64), 3 * triangle + corner)]))
                offset = builder.mul(vertex, ir.Constant(ir.IntType(64), 8))
                corners.append(builder.load(_at(builder, rounded, offset, EIGHT), align=4))
            least.append(_least(builder, *corners))
        halves = [[_shuffle(builder, least[k], least[k + 1], lanes) for lanes in HALVES] for k in (0, 2)]
        for row, (half, lanes) in enumerate(TRANSPOSED):
            value = _shuffle(builder, halves[0][half], halves[1][half], lanes)
            value = value if row < 3 else builder.fneg(value)
            builder.store(value, _row_of(builder, boxes, arguments[1], row), align=4)
        return context.get_dummy_value()

    return signature, emit


@intrinsic
def _bound_nodes(typing, boxes, node, first, second, third, fourth):
    signature = types.void(boxes, *[types.int64] * 5)

    def emit(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        for row in range(6):
            pick = _least if row < 3 else _largest
            below = [builder.load(_row_of(builder, data, child, row), align=4) for child in arguments[2:]]
            pairs = [pick(builder, _shuffle(builder, one, two, (0, 4, 1, 5)), _shuffle(builder, one, two, (2, 6, 3, 7)))
                     for one, two in (below[:2], below[2:])]
            value = pick(builder, _shuffle(builder, pairs[0], pairs[1], (0, 1, 4, 5)),
                         _shuffle(builder, pairs[0], pairs[1], (2, 3, 6, 7)))
            builder.store(value, _row_of(builder, data, arguments[1], row), align=4)
        return context.get_dummy_value()

    return signature, emit


def _bound_triangles_plain(boxes, node, rounded, rows):
    """The same in numpy, for runs without compilation."""
    least = rounded[rows].reshape(4, 3, 8).min(axis=1).T
    boxes[node, :3], boxes[node, 3:] = least[:3], -least[4:7]


def _bound_nodes_plain(boxes, node, first, second, third, fourth):
    below = boxes[[first, second, third, fourth]]
    boxes[node, :3], boxes[node, 3:] = below[:, :3].min(axis=2).T, below[:, 3:].max(axis=2).T


# bound_triangles(boxes, node, rounded, rows): boxes[node] = the boxes of four triangles. rounded: (n,8) float32, rows
# lo x y z · -hi x y z ·, one per vertex; rows: (12,) int64, three of these for each triangle.
# bound_nodes(boxes, node, first, second, third, fourth): boxes[node] = the boxes of four nodes.
# boxes: (m,6,4) float32; nodes: int64.
bound_triangles = _bound_triangles if COMPILED else _bound_triangles_plain
bound_nodes = _bound_nodes if COMPILED else _bound_nodes_plain
