# SPDX-License-Identifier: GPL-3.0-or-later
"""The float filter for pairs of triangles: fifteen orientation signs from ten triple products, without a branch.

Whether two triangles meet depends on the signs of 6 vertices against planes and of 9 edges against edges. Let a1, a2 be
the edge vectors of A from its first vertex, b1, b2 those of B from its own, and w the vector from B's first vertex to
A's. All 15 determinants are sums of ten triple products of these five vectors. docs/triangle-filter.md derives them and
their error bounds. A pair whose signs all exceed their bounds is decided here. The rest is UNDECIDED and goes to exact
arithmetic. The loop over a block has no branch and no call, so that LLVM turns it into vector code.
"""
from ..geometry.float_bounds import EDGE_BOUND, LARGEST_SIZE, PLANE_BOUND, SMALLEST_SIZE
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import COMPILED, kernel, unsigned

BLOCK = 128                         # pairs
BLOCK_STRIDE = unsigned(BLOCK)
FILTER_LANES = 8 if COMPILED else 1     # pairs at once: those left over would take half as long each as eight together
COLUMN_SIZE = 15                    # numbers of a pair: a1 a2 b1 b2 w, three coordinates each
DISJOINT, PROPER = 0, 1             # answers beside UNDECIDED; PROPER: each triangle passes through the other
KIND = 0b11                         # the bits of an answer that hold one of these
EDGES = 2                           # where the bits of edges begin
WELL_PLACED = 2.0 ** -40            # largest error of an end point, as a share of the edge that it lies on


@kernel
def classify_block(S, n, answer):
    """Write what the pairs in columns 0 … n-1 of S have in common, a byte each. Columns behind them are scratch.

    S: (COLUMN_SIZE · BLOCK,) float64, row by row. Its first six rows become the heights of the vertices of A over the
    plane of B, and of B over A. answer: (BLOCK,) uint8. answer & KIND is DISJOINT, PROPER (the triangles share a
    segment, and everything is in general position) or UNDECIDED. answer >> EDGES has two bits set where it is certain,
    and well conditioned, that the triangles share a segment that ends on these two edges: bits 0 1 2 for the edges 0→1,
    0→2, 1→2 of A, 3 4 5 for those of B.
    """
    # Signed indices could be negative, and in a second dimension rows could overlap, for all that LLVM knows: either
    # keeps it from vectorising.
    for k in range(unsigned((n + FILTER_LANES - 1) // FILTER_LANES * FILTER_LANES)):
        px = S[k]
        k1 = k + BLOCK_STRIDE
        py = S[k1]
        k2 = k1 + BLOCK_STRIDE
        pz = S[k2]
        k3 = k2 + BLOCK_STRIDE
        qx = S[k3]
        k4 = k3 + BLOCK_STRIDE
        qy = S[k4]
        k5 = k4 + BLOCK_STRIDE
        qz = S[k5]
        k6 = k5 + BLOCK_STRIDE
        rx = S[k6]
        k7 = k6 + BLOCK_STRIDE
        ry = S[k7]
        k8 = k7 + BLOCK_STRIDE
        rz = S[k8]
        k9 = k8 + BLOCK_STRIDE
        sx = S[k9]
        k10 = k9 + BLOCK_STRIDE
        sy = S[k10]
        k11 = k10 + BLOCK_STRIDE
        sz = S[k11]
        k12 = k11 + BLOCK_STRIDE
        wx = S[k12]
        k13 = k12 + BLOCK_STRIDE
        wy = S[k13]
        k14 = k13 + BLOCK_STRIDE
        wz = S[k14]
        size_a = max(max(max(abs(px), abs(py)), max(abs(pz), abs(qx))), max(abs(qy), abs(qz)))
        size_b = max(max(max(abs(rx), abs(ry)), max(abs(rz), abs(sx))), max(abs(sy), abs(sz)))
        apart = max(max(abs(wx), abs(wy)), abs(wz))
        # Vertices of A against the plane of B, and of B against the plane of A.
        nx = ry * sz - rz * sy
        ny = rz * sx - rx * sz
        nz = rx * sy - ry * sx
        alpha1 = nx * px + ny * py + nz * pz
        alpha2 = nx * qx + ny * qy + nz * qz
        d0 = nx * wx + ny * wy + nz * wz
        d1 = d0 + alpha1
        d2 = d0 + alpha2
        bound_d = PLANE_BOUND * size_b * size_b * (apart + size_a)
        nx = py * qz - pz * qy
        ny = pz * qx - px * qz
        nz = px * qy - py * qx
        beta1 = nx * rx + ny * ry + nz * rz
        beta2 = nx * sx + ny * sy + nz * sz
        e0 = -(nx * wx + ny * wy + nz * wz)
        e1 = e0 + beta1
        e2 = e0 + beta2
        bound_e = PLANE_BOUND * size_a * size_a * (apart + size_b)
        # Edges against edges: f<edge of A><edge of B>; edge 1 from vertex 0 to 1, 2 from 0 to 2, 3 from 1 to 2.
        k11 = (py * rz - pz * ry) * wx + (pz * rx - px * rz) * wy + (px * ry - py * rx) * wz
        k12 = (py * sz - pz * sy) * wx + (pz * sx - px * sz) * wy + (px * sy - py * sx) * wz
        k21 = (qy * rz - qz * ry) * wx + (qz * rx - qx * rz) * wy + (qx * ry - qy * rx) * wz
        k22 = (qy * sz - qz * sy) * wx + (qz * sx - qx * sz) * wy + (qx * sy - qy * sx) * wz
        f11 = -k11
        f12 = -k12
        f21 = -k21
        f22 = -k22
        f13 = k11 - k12 - alpha1
        f23 = k21 - k22 - alpha2
        f31 = k11 - k21 - beta1
        f32 = k12 - k22 - beta2
        f33 = ((k12 + k21) - (k11 + k22)) - ((beta2 - beta1) + (alpha2 - alpha1))
        bound_f = EDGE_BOUND * size_a * size_b * (2.0 * apart + size_a + size_b)
        apart_b = (min(d0, min(d1, d2)) > bound_d) | (max(d0, max(d1, d2)) < -bound_d)
        apart_a = (min(e0, min(e1, e2)) > bound_e) | (max(e0, max(e1, e2)) < -bound_e)
        # Each edge of one against the face of the other: a miss, a piercing, or neither for certain. The three
        # signs around the face turn one way where the edge's line passes inside; the second edge runs backwards.
        low = min(f11, min(f13, -f12))
        high = max(f11, max(f13, -f12))
        miss_a1 = (min(d0, d1) > bound_d) | (max(d0, d1) < -bound_d) | ((low < -bound_f) & (high > bound_f))
        hit_a1 = (min(d0, d1) < -bound_d) & (max(d0, d1) > bound_d) & ((low > bound_f) | (high < -bound_f))
        low = min(f21, min(f23, -f22))
        high = max(f21, max(f23, -f22))
        miss_a2 = (min(d0, d2) > bound_d) | (max(d0, d2) < -bound_d) | ((low < -bound_f) & (high > bound_f))
        hit_a2 = (min(d0, d2) < -bound_d) & (max(d0, d2) > bound_d) & ((low > bound_f) | (high < -bound_f))
        low = min(f31, min(f33, -f32))
        high = max(f31, max(f33, -f32))
        miss_a3 = (min(d1, d2) > bound_d) | (max(d1, d2) < -bound_d) | ((low < -bound_f) & (high > bound_f))
        hit_a3 = (min(d1, d2) < -bound_d) & (max(d1, d2) > bound_d) & ((low > bound_f) | (high < -bound_f))
        low = min(f11, min(f31, -f21))
        high = max(f11, max(f31, -f21))
        miss_b1 = (min(e0, e1) > bound_e) | (max(e0, e1) < -bound_e) | ((low < -bound_f) & (high > bound_f))
        hit_b1 = (min(e0, e1) < -bound_e) & (max(e0, e1) > bound_e) & ((low > bound_f) | (high < -bound_f))
        low = min(f12, min(f32, -f22))
        high = max(f12, max(f32, -f22))
        miss_b2 = (min(e0, e2) > bound_e) | (max(e0, e2) < -bound_e) | ((low < -bound_f) & (high > bound_f))
        hit_b2 = (min(e0, e2) < -bound_e) & (max(e0, e2) > bound_e) & ((low > bound_f) | (high < -bound_f))
        low = min(f13, min(f33, -f23))
        high = max(f13, max(f33, -f23))
        miss_b3 = (min(e1, e2) > bound_e) | (max(e1, e2) < -bound_e) | ((low < -bound_f) & (high > bound_f))
        hit_b3 = (min(e1, e2) < -bound_e) & (max(e1, e2) > bound_e) & ((low > bound_f) | (high < -bound_f))
        hit = hit_a1 | hit_a2 | hit_a3 | hit_b1 | hit_b2 | hit_b3
        decided = ((miss_a1 | hit_a1) & (miss_a2 | hit_a2) & (miss_a3 | hit_a3)
                   & (miss_b1 | hit_b1) & (miss_b2 | hit_b2) & (miss_b3 | hit_b3))
        # Two edges of a triangle without area pierce at one point: a crossing needs planes that are surely there.
        solid = (max(abs(d0), max(abs(d1), abs(d2))) > bound_d) & (max(abs(e0), max(abs(e1), abs(e2))) > bound_e)
        decided = decided & (solid | (hit == 0))
        usual = (min(size_a, size_b) > SMALLEST_SIZE) & (max(max(size_a, size_b), apart) < LARGEST_SIZE)
        none = (apart_a | apart_b) & usual
        # A height in doubt by `bound` moves the end point by bound / |difference of the heights| of its edge.
        placed = (((hit_a1 == 0) | (abs(d0 - d1) * WELL_PLACED > bound_d))
                  & ((hit_a2 == 0) | (abs(d0 - d2) * WELL_PLACED > bound_d))
                  & ((hit_a3 == 0) | (abs(d1 - d2) * WELL_PLACED > bound_d))
                  & ((hit_b1 == 0) | (abs(e0 - e1) * WELL_PLACED > bound_e))
                  & ((hit_b2 == 0) | (abs(e0 - e2) * WELL_PLACED > bound_e))
                  & ((hit_b3 == 0) | (abs(e1 - e2) * WELL_PLACED > bound_e)))
        # Multiplied, because the sum of two of numpy's truth values, which these are as plain Python, is their union.
        hits = 1 * hit_a1 + 1 * hit_a2 + 1 * hit_a3 + 1 * hit_b1 + 1 * hit_b2 + 1 * hit_b3
        certain = placed & solid & usual & (hits == 2)
        edges = hit_a1 + 2 * hit_a2 + 4 * hit_a3 + 8 * hit_b1 + 16 * hit_b2 + 32 * hit_b3
        answer[k] = (1 - none) * (UNDECIDED - (decided & usual) * (UNDECIDED - hit)) + certain * edges * (1 << EDGES)
        S[k] = d0
        S[k1] = d1
        S[k2] = d2
        S[k3] = e0
        S[k4] = e1
        S[k5] = e2
