# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of edges against triangles and boxes, in float32: what a GPU does many at a time, or the processor instead.

port.py says what is asked; processor.py answers on the processor. docs/methods/stream.md proves that nothing is lost.
"""
