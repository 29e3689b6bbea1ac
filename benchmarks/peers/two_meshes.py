# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sides have in common that make something of two meshes and ask about that."""
from ..questions import Answer


class Build:
    """A step makes it anew. make(question): the library's way from two meshes to what it asks."""

    make: staticmethod

    def __init__(self, question):
        self.question = question

    def run(self, step):
        return self.make(self.question)

    def answer(self, made):
        return Answer()


class Kept:
    """`made` once for all cases that ask about these two meshes. name: the library's."""

    name: str
    make: staticmethod

    def __init__(self, question):
        self.question = question
        if self.name not in question.kept:
            question.kept[self.name] = self.make(question)
        self.made = question.kept[self.name]
