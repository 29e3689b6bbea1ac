# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that say why they cannot be clicked."""
from typing import TYPE_CHECKING, Literal

import bpy

if TYPE_CHECKING:
    Base = bpy.types.Operator
else:
    Base = object       # an operator by itself is none of Blender's

# What execute, invoke and modal tell Blender.
Outcome = set[Literal["RUNNING_MODAL", "CANCELLED", "FINISHED", "PASS_THROUGH", "INTERFACE"]]


class Reasoned(Base):
    """An operator that is greyed out for a reason, which its tooltip shows."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = cls.why_not(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason
