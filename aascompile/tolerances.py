"""Every tolerance of the compiler, with its unit and its reason. Lengths are in map units (about 2.5 cm).

A *tolerance* says how far input may be off and still mean the same; an *epsilon* says how far arithmetic may be
off. Kernels take both as arguments from here; no literal stands anywhere else.
"""

from __future__ import annotations

from typing import Final

# --- planes ---------------------------------------------------------------------------------------------------------
PLANE_NORMAL: Final = 2e-5
"""Two normals that differ by less in each component are one direction: .bsp planes carry 24-bit mantissas, and over
a 4,096-unit map a turn of 2e-5 moves a point by 0.08 units."""

PLANE_DIST: Final = 0.01
"""Two parallel planes nearer than this are one plane: map editors write a hundredth at best."""

PLANE_SNAP: Final = 1e-4
"""A distance this near to a whole number is that number: brushes are drawn on a grid and come back from float32."""

NORMAL_LENGTH: Final = 1e-12
"""A normal shorter than this has no direction; one whose squared length is this near to 1 is a unit normal already."""

PLANE_FAR: Final = 1e9
"""A plane farther from the origin than this belongs to no map: float32 has steps of 64 units there."""

# --- polygons -------------------------------------------------------------------------------------------------------
ON_PLANE: Final = 0.05
"""A vertex this near to a plane lies on it. Slivers thinner than this cannot hold a player's origin."""

CLIP: Final = 1e-6
"""Arithmetic slack when a hull is cut out of its own planes in float64, at coordinates up to 2^17."""

MIN_AREA: Final = 0.05
"""Square units: a smaller polygon is a sliver and no surface to stand, bump or split on."""

MIN_EDGE: Final = 1e-3
"""Two corners of a hull nearer than this are one corner: shorter edges give no usable direction."""

MIN_VOLUME: Final = 1e-3
"""Cubic units: a hull of less has no volume."""

MERGE: Final = 0.01
"""When polygons of one plane are merged, corners nearer than this are one, and a corner this near to the line through
its neighbours lies on it: as much as two planes may differ and still be one."""

BEVEL_BEHIND: Final = 0.01
"""A bevel may leave its edge this far behind itself: it is put through the brush's outermost corner, so it never cuts,
and planes nearer than this are one plane anyway."""

BEVEL_PARALLEL: Final = 1e-4
"""An edge whose direction is this near to an axis (sine of the angle) is parallel to it: no plane holds both. Over the
width of an agent's box that is 0.003 units."""

WORLD_EXTENT: Final = 131072.0
"""Half-width of the cube every hull is cut from: four times the engine's own limit of coordinates."""

# --- patches --------------------------------------------------------------------------------------------------------
PATCH_SUBDIVIDE: Final = 16.0
"""A curve may leave its chord by this much before the engine's collision subdivides it further."""

PATCH_COPLANAR: Final = 0.1
"""Facets of a patch whose corners stay this near to one plane become one facet."""

PARALLEL: Final = 0.9
"""Cosine of the angle below which two sides may lie together within ON_PLANE over more than a crack: steeper ones part
after half a unit."""

# --- the tree ---------------------------------------------------------------------------------------------------------
NEAR_MISS: Final = 1.0
"""A cut that leaves less than this of a polygon makes a sliver: the tree avoids it where it can."""

CRACK: Final = 0.25
"""Nobody gets through an opening narrower than this: the engine keeps a player an eighth of a unit off every surface.
Brushes that are meant to touch leave such cracks in real maps, and the flood must not get out through them."""

# --- areas ------------------------------------------------------------------------------------------------------------
CONVEX: Final = 0.1
"""Two areas make one when no corner of either sticks out of the other's planes by more."""

SEAM: Final = 1e-3
"""What is cut twice, from two polygons, agrees to this, even where planes a hundredth of a degree apart meet."""

FLAT_SEAM: Final = 0.01
"""The same where planes meet at very flat angles, as on terrain: two of them may be this far apart and still be one."""

WELD: Final = 0.05
"""Corners nearer than this are one vertex, and an edge passes through a vertex this near: as much as a polygon may lie
off a plane and still be on it, so that what is thinner than ON_PLANE becomes an edge."""

TOUCH: Final = 0.01
"""A point this near to a volume is in it. A leaf's own point can lie just where two volumes meet; an open leaf thinner
than twice this holds nobody."""

# --- movement ---------------------------------------------------------------------------------------------------------
STOP_BEFORE: Final = 0.125
"""A moving player stops this far before what is in the way, as in the game: so sliding along it never ends inside."""

GROUND_NEAR: Final = 0.25
"""Ground is what lies at most this far below the feet, as in the game: twice what a fall onto it leaves."""

# --- checks of compiled files -----------------------------------------------------------------------------------------
FACE_FLAT: Final = 0.15
"""A face's corners lie this near to its plane: welded by up to WELD, each corner, the edge it lies on, and that edge
again where it was broken twice."""

FACE_CONVEX: Final = 0.1
"""A face's corner is dented by no more: it and its neighbours may have moved as above."""

AREA_CONVEX: Final = 0.15
"""An area's corners stick out of its planes by no more: CONVEX when areas were merged, then moved by up to WELD."""

VOLUME_SHARE: Final = 1e-5
"""Of an area's volume: as much may be lost where it is summed up in another order, or from float32 corners."""

FACE_DEPTH: Final = 0.25
"""As far behind a face the tree must agree with it on what is inside: five times what it may differ on the face."""

LINK_END: Final = 1.0
"""A link may begin and end this far outside its areas: on the ground's edge, where neighbours share a corner."""

# --- differences between compiled files -------------------------------------------------------------------------------
OVERLAP_SHARE: Final = 0.1
"""Of the smaller of two areas of different files: when they share less, they only meet at a boundary that moved."""

SAME_SHAPE: Final = 0.25
"""Two areas are one when no corner of either sticks out of the other by more: corners may have been welded, and areas
merged, in another order (AREA_CONVEX), and nobody stands nearer to a wall than this."""

# --- the viewer -------------------------------------------------------------------------------------------------------
CLICK: Final = 0.0005
"""Of the picture's diagonal: a click hits what passes this near to it, which is about a pixel."""
