"""All tolerances of the compiler, with unit and reason. Lengths are in map units (about 2.5 cm).

A *tolerance* is how far input may be off and still mean the same. An *epsilon* is how far arithmetic may be off.
Kernels receive both as arguments from here; no other file contains such literals.
"""

from __future__ import annotations

from typing import Final

# --- planes ---------------------------------------------------------------------------------------------------------
PLANE_NORMAL: Final = 2e-5
"""Two normals that differ by less in every component are the same direction: .bsp planes have 24-bit mantissas, and
across a 4,096-unit map a rotation by 2e-5 moves a point by 0.08 units."""

PLANE_DIST: Final = 0.01
"""Two parallel planes closer than this are the same plane: map editors write hundredths at best."""

PLANE_SNAP: Final = 1e-4
"""A plane distance this close to an integer is rounded to it: brushes are drawn on a grid and stored as float32."""

NORMAL_LENGTH: Final = 1e-12
"""A normal shorter than this has no direction. A normal whose squared length is this close to 1 is already a unit
normal."""

PLANE_FAR: Final = 1e9
"""A plane farther from the origin than this is invalid: float32 resolves only 64 units there."""

# --- polygons -------------------------------------------------------------------------------------------------------
ON_PLANE: Final = 0.05
"""A vertex this close to a plane lies on it. Slivers thinner than this cannot hold a player's origin."""

CLIP: Final = 1e-6
"""Rounding error when a hull is clipped from its own planes in float64, at coordinates up to 2^17."""

MIN_AREA: Final = 0.05
"""Square units: a smaller polygon is a sliver, too small to stand on, collide with or split on."""

MIN_EDGE: Final = 1e-3
"""Two corners of a hull closer than this are the same corner: shorter edges have no usable direction."""

SAME_POINT: Final = 1e-6
"""Points nearer than this, in units, differ by rounding: the line from one to the other has no direction."""

MIN_VOLUME: Final = 1e-3
"""Cubic units: a smaller hull has no volume."""

MERGE: Final = 0.01
"""When polygons of one plane are merged, corners closer than this are the same corner, and a corner this close to the
line through its neighbours lies on it: as much as two planes may differ and still be the same (PLANE_DIST)."""

BEVEL_BEHIND: Final = 0.01
"""A bevel may pass this far in front of its edge. It goes through the brush's outermost corner, so it never cuts the
brush, and planes closer than this are the same plane anyway."""

BEVEL_PARALLEL: Final = 1e-4
"""An edge whose angle to an axis has a sine below this is parallel to it: the two span no plane. Across the width of an
agent's box, that is 0.003 units."""

WORLD_EXTENT: Final = 131072.0
"""Half the width of the cube that every hull is clipped from: four times the engine's own limit on coordinates."""

# --- patches --------------------------------------------------------------------------------------------------------
PATCH_SUBDIVIDE: Final = 16.0
"""A curve may deviate this far from its chord before the engine's collision code subdivides it further."""

PATCH_COPLANAR: Final = 0.1
"""Facets of a patch whose corners all lie this close to one plane become one facet."""

PARALLEL: Final = 0.9
"""Least cosine of the angle between two sides that can stay within ON_PLANE of each other over more than a crack. Sides
at larger angles separate within half a unit."""

# --- the tree ---------------------------------------------------------------------------------------------------------
NEAR_MISS: Final = 1.0
"""A cut that leaves less than this of a polygon makes a sliver. The tree avoids such cuts where it can."""

MIN_SECTION: Final = ON_PLANE**2
"""Square units: a plane does not divide a cell if its section with the cell is smaller. The limit is as low as that,
because a cell that is not divided at a floor reaches through it, and the flood would escape where many such cells lie
side by side."""

CRACK: Final = 0.25
"""No player fits through a narrower opening: the engine keeps players an eighth of a unit off every surface. In real
maps, brushes that are meant to touch leave such cracks, and the flood must not escape through them."""

# --- areas ------------------------------------------------------------------------------------------------------------
CONVEX: Final = 0.1
"""Two areas can be merged if no corner of either lies farther than this in front of the other's planes."""

PLAN_CONVEX: Final = 1.0
"""A floor is plan-convex if its outline, seen from above, is nowhere deeper inside its convex hull than this. Players
slide along such a dent."""

GROUND_CONVEX: Final = 0.5
"""The same for the ground of a single convex area, which may stand on several planes with steep slopes between. Both
dents can add up."""

SEAM: Final = 1e-3
"""A corner that is cut twice, from two polygons, agrees within this, even between planes a hundredth of a degree
apart."""

FLAT_SEAM: Final = 0.01
"""SEAM for planes that meet at very flat angles, as on terrain: two planes may be this far apart and still be the
same."""

WELD: Final = 0.05
"""Corners closer than this become one vertex, and an edge passes through a vertex this close. It equals ON_PLANE, so
slivers thinner than that become edges."""

HOLE: Final = WELD**2
"""Square units: a smaller hole in the faces of an area is narrower than WELD somewhere along any way across it. The
weld closes it, unless the area is too thin to weld: then a hole wider than SEAM stays."""

TOUCH: Final = 0.01
"""A point this close to a volume is inside it. A leaf's sample point can lie exactly where two volumes meet, and no
player fits into an open leaf thinner than twice this."""

# --- movement ---------------------------------------------------------------------------------------------------------
STOP_BEFORE: Final = 0.125
"""A moving player stops this far before an obstacle, as in the game, so that sliding along it never ends inside."""

GROUND_NEAR: Final = 0.25
"""A floor at most this far below the feet is the ground, as in the game: twice the gap that a landing leaves."""

# --- sight ------------------------------------------------------------------------------------------------------------
SIGHT_PIECE: Final = 0.03
"""Flat pieces of curves block sight as if they were this much thicker and wider: no line slips between two of them."""

# --- checks of compiled files -----------------------------------------------------------------------------------------
FACE_FLAT: Final = 0.15
"""A face's corners lie within this of its plane. Three moves of up to WELD add up: the corner, the edge it lies on, and
that edge again if it was split twice."""

FACE_CONVEX: Final = 0.1
"""A face's corner is concave by at most this: it and its neighbours may have moved as for FACE_FLAT."""

FACE_WIDE: Final = ON_PLANE + WELD
"""The plane of a narrower face bounds nothing. Areas are merged as if faces up to ON_PLANE wide were not there, and the
weld can make such a face wider by WELD, or turn it over."""

AREA_CONVEX: Final = 0.15
"""An area's corners lie at most this far in front of its planes: CONVEX from merging, plus a move of up to WELD."""

VOLUME_SHARE: Final = 1e-5
"""Relative difference allowed in an area's volume, from another order of summation or from float32 corners."""

FACE_DEPTH: Final = 0.25
"""This far behind a face, the tree must agree with the face on which area it is: five times ON_PLANE, the tolerance on
the face itself."""

SWIM_PAST: Final = 16.0
"""A swim up or down may start this far past the face between its areas, in its target. The engine's bots swim towards
the start and turn only every 16 units, so they would circle in front of a face."""

LINK_END: Final = 1.0
"""A link may start and end this far outside its areas: at the edge of the ground, where neighbours share a corner."""

# --- differences between compiled files -------------------------------------------------------------------------------
OVERLAP_SHARE: Final = 0.1
"""Share of the smaller of two areas from different files. If they overlap by less, they only touch at a boundary that
moved."""

SAME_SHAPE: Final = 0.25
"""Two areas have the same shape if no corner of either sticks out of the other by more. Corners may have been welded,
and areas merged, in another order (AREA_CONVEX), and no player stands closer to a wall than this."""

# --- the viewer -------------------------------------------------------------------------------------------------------
CLICK: Final = 0.0005
"""Share of the picture's diagonal: a click selects objects within this distance, about a pixel."""

IN_PLANE = 1e-9
"""Cubic units: a ray and two edges of a triangle that span less lie in one plane, where no crossing can be computed."""

CAP: Final = 1e-6
"""Share of a cap by which it may differ from the opening that it closes: rounding in the points of a cut."""
