# SPDX-License-Identifier: GPL-3.0-or-later
"""The records of arrays that stages hand on and kernels take.

Records are NamedTuples: a kernel takes one as it is, for about a microsecond per call from Python, and reads its fields
by name (machine_code/references.py). All of them are defined here: machine code on disk may name no other classes of
ours, and depends on these files (packed_kernel.py).
"""
from .depths import (
    ContainedScratch as ContainedScratch,
)
from .depths import (
    CoverScratch as CoverScratch,
)
from .depths import (
    DepthItems as DepthItems,
)
from .depths import (
    DepthScratch as DepthScratch,
)
from .depths import (
    LocalPair as LocalPair,
)
from .depths import (
    PairDepths as PairDepths,
)
from .depths import (
    PointDistances as PointDistances,
)
from .depths import (
    SupportPlanes as SupportPlanes,
)
from .hulls import (
    BoxScratch as BoxScratch,
)
from .hulls import (
    HullAnswers as HullAnswers,
)
from .hulls import (
    Hulls as Hulls,
)
from .hulls import (
    HullScratch as HullScratch,
)
from .hulls import (
    Impacts as Impacts,
)
from .hulls import (
    Motions as Motions,
)
from .hulls import (
    Parallelepipeds as Parallelepipeds,
)
from .hulls import (
    PointRows as PointRows,
)
from .hulls import (
    PointTree as PointTree,
)
from .hulls import (
    PolytopeScratch as PolytopeScratch,
)
from .hulls import (
    Population as Population,
)
from .motions import (
    Meetings as Meetings,
)
from .motions import (
    MeetingScratch as MeetingScratch,
)
from .motions import (
    ObjectMotions as ObjectMotions,
)
from .motions import (
    PartedScratch as PartedScratch,
)
from .motions import (
    SoonestQueue as SoonestQueue,
)
from .motions import (
    SoonestScratch as SoonestScratch,
)
from .motions import (
    SweptTrees as SweptTrees,
)
from .motions import (
    TurnScratch as TurnScratch,
)
from .moving_hulls import (
    MovingHulls as MovingHulls,
)
from .moving_hulls import (
    MovingHullScratch as MovingHullScratch,
)
from .pictures import (
    CutScratch as CutScratch,
)
from .pictures import (
    Drawn as Drawn,
)
from .pictures import (
    GrowScratch as GrowScratch,
)
from .pictures import (
    HullRoom as HullRoom,
)
from .pictures import (
    PieceTrees as PieceTrees,
)
from .pictures import (
    PlacedPieces as PlacedPieces,
)
from .pictures import (
    TriangleBlocks as TriangleBlocks,
)
from .pictures import (
    ViewScratch as ViewScratch,
)
from .regions import (
    CellScratch as CellScratch,
)
from .regions import (
    RegionPairs as RegionPairs,
)
from .regions import (
    RegionPatches as RegionPatches,
)
from .regions import (
    RegionScratch as RegionScratch,
)
from .searches import (
    BoxSearch as BoxSearch,
)
from .searches import (
    CellRegister as CellRegister,
)
from .searches import (
    ContactColumns as ContactColumns,
)
from .searches import (
    ContactScratch as ContactScratch,
)
from .searches import (
    DistanceScratch as DistanceScratch,
)
from .searches import (
    DistanceTasks as DistanceTasks,
)
from .searches import (
    EdgeScratch as EdgeScratch,
)
from .searches import (
    ExactScratch as ExactScratch,
)
from .searches import (
    Extents as Extents,
)
from .searches import (
    FilterScratch as FilterScratch,
)
from .searches import (
    GridBoxes as GridBoxes,
)
from .searches import (
    GridItems as GridItems,
)
from .searches import (
    Lids as Lids,
)
from .searches import (
    NeighbourScratch as NeighbourScratch,
)
from .searches import (
    ObbScratch as ObbScratch,
)
from .searches import (
    ObjectPairs as ObjectPairs,
)
from .searches import (
    PairGaps as PairGaps,
)
from .searches import (
    RayScratch as RayScratch,
)
from .searches import (
    Rims as Rims,
)
from .searches import (
    ThinObjects as ThinObjects,
)
from .searches import (
    TriangleColumns as TriangleColumns,
)
from .searches import (
    TriangleMarks as TriangleMarks,
)
from .searches import (
    TrianglePairScratch as TrianglePairScratch,
)
from .searches import (
    TriangleShapes as TriangleShapes,
)
from .streams import (
    StreamRows as StreamRows,
)
from .trees import (
    BalancedBuild as BalancedBuild,
)
from .trees import (
    BvhScratch as BvhScratch,
)
from .trees import (
    Corners as Corners,
)
from .trees import (
    EdgeArrays as EdgeArrays,
)
from .trees import (
    MeshEdges as MeshEdges,
)
from .trees import (
    MeshTreeArrays as MeshTreeArrays,
)
from .trees import (
    ObbBuildScratch as ObbBuildScratch,
)
from .trees import (
    ObbNodes as ObbNodes,
)
from .trees import (
    PlacedBalancedTrees as PlacedBalancedTrees,
)
from .trees import (
    PlacedEdges as PlacedEdges,
)
from .trees import (
    PlacedObbTrees as PlacedObbTrees,
)
from .trees import (
    PlacedTrees as PlacedTrees,
)
from .trees import (
    Placement as Placement,
)
from .trees import (
    RefitScratch as RefitScratch,
)
from .volumes import (
    Layers as Layers,
)
from .volumes import (
    Steps as Steps,
)

# By module below this one, and name.
RECORDS = {(each.__module__.rpartition(".")[2], name): each for name, each in list(globals().items())
           if hasattr(each, "_fields")}
