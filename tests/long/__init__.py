# SPDX-License-Identifier: GPL-3.0-or-later
"""Long-form proofs: millions of questions whose answers are exact, run by `python3.11 tools/check.py proof`.

`test_proofs.py` asks a few of each in the ordinary test run, so that the proofs themselves do not rot.
"""
