# SPDX-License-Identifier: GPL-3.0-or-later
"""The port of core/streaming on the GPU: one compute shader, a thread for each item, hits in a list with a counter.

The shader does the operations of core/streaming/edge_tests.py, so that its bounds hold here, too.
"""
from typing import Any

import numpy as np

from ...core.records import StreamRows
from . import layer

WIDTH = 1024                # of all tables
GROUP_THREADS = 64                  # threads
FIRST_HITS = 1 << 12        # there is room for, at first
WALK_STEPS = 1 << 8         # of an item in one call: nodes and triangles
MEET, BOXES, WALK = 0, 1, 2
TABLES = ("edges", "triangles", "nodes", "tasks", "items")
SOURCE = """
#define ROW(table, texel) texelFetch(table, ivec2((texel) % WIDTH, (texel) / WIDTH), 0)
const float UNIT = 1.1920929e-07, TINY = 2.4074124e-35;

bool apart(float p, float q, float u, float v, float w, float slack) {
  return max(p, q) < min(u, min(v, w)) - slack || min(p, q) > max(u, max(v, w)) + slack;
}

float largest(vec3 a) { return max(abs(a.x), max(abs(a.y), abs(a.z))); }

int edge_triangle(vec3 p, vec3 d, float len, float radius, int k) {
  vec3 v = ROW(triangles, 3 * k).xyz, a = ROW(triangles, 3 * k + 1).xyz, b = ROW(triangles, 3 * k + 2).xyz;
  float slack = 16.0 * UNIT * radius + TINY;
  precise vec3 q = p + len * d, f = v + a, g = v + b;
  if (apart(p.x, q.x, v.x, f.x, g.x, slack) || apart(p.y, q.y, v.y, f.y, g.y, slack)
      || apart(p.z, q.z, v.z, f.z, g.z, slack)) return 0;
  precise vec3 s = p - v;
  precise vec3 n = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
  float S = largest(s), A = largest(a), B = largest(b);
  precise float begin = n.x * s.x + n.y * s.y + n.z * s.z;
  precise float det = -(n.x * d.x + n.y * d.y + n.z * d.z);
  precise float end = begin - len * det;
  float band_begin = UNIT * (A * B) * (16.0 * radius + 64.0 * S) + TINY;
  float band_end = UNIT * (A * B) * (16.0 * radius + 72.0 * (S + len)) + TINY;
  if ((begin > band_begin && end > band_end) || (begin < -band_begin && end < -band_end)) return 0;
  precise vec3 c = vec3(s.y * d.z - s.z * d.y, s.z * d.x - s.x * d.z, s.x * d.y - s.y * d.x);
  precise float u = b.x * c.x + b.y * c.y + b.z * c.z;
  precise float w = -(a.x * c.x + a.y * c.y + a.z * c.z);
  float band_u = UNIT * B * (16.0 * radius + 64.0 * S) + TINY;
  float band_v = UNIT * A * (16.0 * radius + 64.0 * S) + TINY;
  float band_w = UNIT * ((A + B) * (16.0 * radius + 80.0 * S) + 80.0 * (A * B)) + TINY;
  float band_det = UNIT * (64.0 * (A * B)) + TINY;
  float size = abs(det);
  precise float up = u + w - size, down = -u - w - size;
  bool beyond_up = u < -band_u || w < -band_v || up > band_w;
  bool beyond_down = u > band_u || w > band_v || down > band_w;
  if ((beyond_up || det < -band_det) && (beyond_down || det > band_det)) return 0;
  bool across = (begin > band_begin && end < -band_end) || (begin < -band_begin && end > band_end);
  if (across && size > band_det) {
    bool turned = det < 0.0;
    float u1 = turned ? -u : u, w1 = turned ? -w : w, rest = turned ? down : up;
    if (u1 > band_u && w1 > band_v && -rest > band_w) return 1;
  }
  return 2;
}

bool crosswise(float c, float g, float r, float d, float h, float s, float slack) {
  precise float way = c * h - d * g;
  return abs(way) > (r * (abs(h) + slack) + s * (abs(g) + slack)) + slack * (abs(c) + abs(d));
}

bool edge_box(vec3 p, vec3 d, float len, float radius, int node) {
  vec4 x = ROW(nodes, 5 * node + 1), y = ROW(nodes, 5 * node + 2), z = ROW(nodes, 5 * node + 3);
  precise vec3 h = 0.5 * len * d;
  precise vec3 m = p + h - ROW(nodes, 5 * node).xyz;
  float slack = 64.0 * UNIT * radius + TINY;
  precise vec3 c = vec3(dot(x.xyz, m), dot(y.xyz, m), dot(z.xyz, m));
  precise vec3 g = vec3(dot(x.xyz, h), dot(y.xyz, h), dot(z.xyz, h));
  vec3 r = vec3(x.w, y.w, z.w) + slack;
  if (abs(c.x) > r.x + abs(g.x) || abs(c.y) > r.y + abs(g.y) || abs(c.z) > r.z + abs(g.z)) return false;
  return !(crosswise(c.y, g.y, r.y, c.z, g.z, r.z, slack) || crosswise(c.z, g.z, r.z, c.x, g.x, r.x, slack)
           || crosswise(c.x, g.x, r.x, c.y, g.y, r.y, slack));
}

void put(int at, uint value) { imageStore(hits, ivec2(at % WIDTH, at / WIDTH), uvec4(value)); }

void try_triangles(int e, int t, vec3 p, vec4 way, float radius, int first, int last) {
  for (int k = first; k < last; k++) {
    int code = edge_triangle(p, way.xyz, way.w, radius, k);
    if (code != 0) {
      int at = int(imageAtomicAdd(count, ivec2(0, 0), 1u));
      if (at < room) {
        put(4 * at, uint(e)); put(4 * at + 1, uint(t)); put(4 * at + 2, uint(k)); put(4 * at + 3, uint(code));
      }
    }
  }
}

void main() {
  int i = int(gl_GlobalInvocationID.x);
  if (i >= number) return;
  vec4 item = ROW(items, i);
  int e = int(item.x), t = int(item.y), at = int(item.z);
  vec4 frame = ROW(tasks, 2 * t), range = ROW(tasks, 2 * t + 1), way = ROW(edges, 2 * e + 1);
  precise vec3 p = ROW(edges, 2 * e).xyz + frame.xyz;
  if (mode == 0) {
    try_triangles(e, t, p, way, frame.w, int(range.x), int(range.x) + int(range.y));
  } else if (mode == 1) {
    at = edge_box(p, way.xyz, way.w, frame.w, int(range.x)) ? 1 : 0;
  } else {
    int steps = 0;
    while (at >= 0 && steps < WALK_STEPS) {
      int skip = int(ROW(nodes, 5 * at).w);
      vec4 leaf = ROW(nodes, 5 * at + 4);
      steps += 1;
      if (!edge_box(p, way.xyz, way.w, frame.w, at)) {
        at = skip;
      } else if (leaf.y > 0.0) {
        try_triangles(e, t, p, way, frame.w, int(leaf.x), int(leaf.x) + int(leaf.y));
        steps += int(leaf.y);
        at = skip;
      } else {
        at += 1;
      }
    }
  }
  imageStore(after, ivec2(i % WIDTH, i / WIDTH), uvec4(uint(at + 1)));
}
"""


class GpuStreams:
    """The GPU as `core.streaming.port.Streams`. It keeps the rows of one run at most."""

    def __init__(self, backend):
        self.backend, self.tables = backend, {}

    def load(self, rows: StreamRows) -> "OnGpu":
        with self.backend.drawing():
            self.tables = {name: _table(getattr(rows, name)) for name in StreamRows._fields}
        return OnGpu(self)

    def free(self) -> None:
        """Let go of the rows."""
        self.tables = {}


class OnGpu:
    """`core.streaming.port.Loaded` on the GPU; on the main thread only."""

    def __init__(self, streams: GpuStreams):
        self._streams = streams

    def meet(self, items: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._all(MEET, items, tasks, np.zeros(len(items), np.int32))[:2]

    def boxes(self, items: np.ndarray, tasks: np.ndarray) -> np.ndarray:
        return self._all(BOXES, items, tasks, np.zeros(len(items), np.int32))[2] == 1

    def walk(self, items: np.ndarray, tasks: np.ndarray,
             begin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._all(WALK, items, tasks, begin)

    def free(self) -> None:
        """Let go of the rows."""
        self._streams.free()

    def _all(self, mode: int, items: np.ndarray, tasks: np.ndarray,
             begin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(hits, codes, after): again with more room, until there is enough for all hits."""
        rows = np.zeros((len(items), 4), np.float32)
        rows[:, :2], rows[:, 2] = items, begin
        room = FIRST_HITS
        with self._streams.backend.drawing():
            tables = {**self._streams.tables, "tasks": _table(tasks), "items": _table(rows)}
            while True:
                found, hits, after = _dispatch(mode, tables, len(items), room)
                if found <= room:
                    break
                room = 2 * found
            kept = layer.read_counters(hits).reshape(-1, 4)[:found].astype(np.int64) if found else np.zeros((0, 4))
            at = np.zeros(0) if mode == MEET else layer.read_counters(after).ravel()[:len(items)].astype(np.int64) - 1
        return np.ascontiguousarray(kept[:, :3], np.int32), kept[:, 3].astype(np.uint8), at.astype(np.int32)


def _table(rows: np.ndarray) -> Any:
    """The texture of rows of a multiple of four numbers, WIDTH texels a line."""
    texels = rows.reshape(-1, 4)
    lines = max(1, -(-len(texels) // WIDTH))
    table = np.zeros((lines * WIDTH, 4), np.float32)
    table[:len(texels)] = texels
    return layer.texture(table.reshape(lines, WIDTH, 4))


def _dispatch(mode: int, tables: dict, number: int, room: int) -> tuple[int, Any, Any]:
    """(hits found, their image, the image of where items are then)."""
    count, hits = layer.counters(1, 1), layer.counters(WIDTH, -(-4 * room // WIDTH))
    after = layer.counters(WIDTH, max(1, -(-number // WIDTH)))
    shader = layer.shader("streams", _shader)
    shader.bind()
    for name in TABLES:
        shader.uniform_sampler(name, tables[name])
    for name, value in (("mode", mode), ("number", number), ("room", room)):
        shader.uniform_int(name, value)
    for name, image in (("count", count), ("hits", hits), ("after", after)):
        shader.image(name, image)
    layer.gpu_module().compute.dispatch(shader, max(1, -(-number // GROUP_THREADS)), 1, 1)
    return (0 if mode == BOXES else int(layer.read_counters(count)[0, 0])), hits, after


def _shader() -> Any:
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    for slot, name in enumerate(TABLES):
        info.sampler(slot, "FLOAT_2D", name)
    for name in ("mode", "number", "room"):
        info.push_constant("INT", name)
    info.image(0, "R32UI", "UINT_2D_ATOMIC", "count", qualifiers={"READ", "WRITE"})
    info.image(1, "R32UI", "UINT_2D", "hits", qualifiers={"WRITE"})
    info.image(2, "R32UI", "UINT_2D", "after", qualifiers={"WRITE"})
    info.define("WIDTH", str(WIDTH))
    info.define("WALK_STEPS", str(WALK_STEPS))
    info.local_group_size(GROUP_THREADS, 1, 1)
    info.compute_source(SOURCE)
    return info
