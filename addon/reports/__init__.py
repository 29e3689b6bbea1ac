# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as other programs read them: a page for browsers, JUnit XML for build servers, BCF for building models."""
