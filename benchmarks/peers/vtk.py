# SPDX-License-Identifier: GPL-3.0-or-later
"""VTK's `vtkCollisionDetectionFilter`: OBB trees, one filter per pair of meshes."""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkFiltersModeling import vtkCollisionDetectionFilter

from ..questions import Answer

NAME = "VTK"
PACKAGE = "vtk"


def data_of(vertices, triangles):
    points = vtkPoints()
    points.SetData(numpy_to_vtk(vertices, deep=True))
    cells = vtkCellArray()
    cells.SetData(3, numpy_to_vtkIdTypeArray(triangles.astype(np.int64).ravel(), deep=True))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def filter_of(first, second, first_contact=False):
    found = vtkCollisionDetectionFilter()
    found.SetInputData(0, first)
    found.SetInputData(1, second)
    found.SetMatrix(0, vtkMatrix4x4())
    found.SetMatrix(1, vtkMatrix4x4())
    found.SetBoxTolerance(0.0)
    found.SetCellTolerance(0.0)
    if first_contact:
        found.SetCollisionModeToFirstContact()
    else:
        found.SetCollisionModeToAllContacts()
    return found


class Pairs:
    """The filter keeps its trees while the meshes stay the same."""

    first_contact = False

    def __init__(self, question):
        self.question = question
        self.filter = filter_of(data_of(*question.first), data_of(*question.second), self.first_contact)

    def run(self, step):
        self.filter.Modified()
        self.filter.Update()
        return [vtk_to_numpy(self.filter.GetContactCells(side)).copy() if self.filter.GetNumberOfContacts() else []
                for side in (0, 1)]

    def answer(self, cells):
        return Answer(pairs=self.question.codes(np.column_stack(cells)))


class First(Pairs):
    first_contact = True

    def answer(self, cells):
        return Answer(flags=np.array([len(cells[0]) > 0]))


class FrameSteps(Pairs):
    def run(self, step):
        self.filter.SetInputData(0, data_of(self.question.vertices_at(step), self.question.first[1]))
        return super().run(step)


SIDES = {"pairs": Pairs, "first": First, "frames": FrameSteps}
