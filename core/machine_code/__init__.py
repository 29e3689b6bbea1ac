# SPDX-License-Identifier: GPL-3.0-or-later
"""How kernels are compiled, kept on disk and loaded."""
