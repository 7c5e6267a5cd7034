"""Draws a scene with pyvista: an actor per part, labels, and text on top. Window, picture and web share it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from aascompile import tolerances
from aascompile.viewer import palette
from aascompile.viewer.camera import VIEW_ANGLE, Camera
from aascompile.viewer.meshes import FAR, Mesh, Shape
from aascompile.viewer.panel import Panel
from aascompile.viewer.parts import Part, Style
from aascompile.viewer.scene import Scene

FLOORS: Final = ("map", "ground")
"""Parts that hide entities behind them."""


class View:
    """Draws a scene. Change the scene, then call ``refresh`` to redraw the parts that changed."""

    def __init__(self, scene: Scene, plotter: Any, *, full: bool = False, panel: bool = True) -> None:
        """``full`` makes the legend clickable; without ``panel`` there is no text over the picture."""
        self.scene = scene
        self.plotter = plotter
        self.panel = Panel(plotter.renderer, full=full) if panel else None
        self.help_lines: list[str] = []
        self.prompt = ""
        self._drawn: dict[str, tuple[Part, Any]] = {}
        self._labels: list[str] = []
        plotter.set_background(_unit_rgb(palette.BACKGROUND))
        plotter.renderer.SetUseOIT(False)  # translucent parts are drawn in the order of the parts
        plotter.camera.view_angle = VIEW_ANGLE

    def refresh(self) -> None:
        """Update the actors to the state of the scene. The next render shows them."""
        wanted = self.scene.parts()
        for name in [name for name in self._drawn if name not in wanted]:
            self.plotter.remove_actor(self._drawn.pop(name)[1], render=False)
        added = [self._draw(name, part) for name, part in wanted.items()]
        if True in added[:-1]:
            self._reorder(wanted)
        self._draw_labels()
        if self.panel is not None:
            self.panel.draw(self.scene, tuple(self.plotter.window_size), self.help_lines, self.prompt)

    def _reorder(self, names: Iterable[str]) -> None:
        """Sort the actors by part, the order in which translucent parts must be drawn."""
        for name in names:
            actor = self._drawn[name][1]
            self.plotter.renderer.RemoveActor(actor)
            self.plotter.renderer.AddActor(actor)

    def _draw(self, name: str, part: Part) -> bool:
        """Draw a part unless it is unchanged. Return True if it has a new actor."""
        drawn = self._drawn.get(name)
        if drawn is not None and drawn[0] is part:
            return False
        if drawn is not None and drawn[0].style == part.style:
            actor = drawn[1]
            actor.GetMapper().SetInputData(poly_data(part.mesh))
            self._drawn[name] = (part, actor)
            return False
        actor = actor_of(part)
        if drawn is not None:
            self.plotter.remove_actor(drawn[1], render=False)
        self.plotter.add_actor(actor, name=name, reset_camera=False, render=False, pickable=bool(part.style.picks))
        self._drawn[name] = (part, actor)
        return True

    def _draw_labels(self) -> None:
        for name in self._labels:
            self.plotter.remove_actor(name, render=False)
        self._labels = []
        for number, labels in enumerate(self.scene.labels()):
            name = f"words {number}"
            self.plotter.add_point_labels(
                labels.point,
                list(labels.text),
                name=name,
                text_color=_unit_rgb(labels.colour),
                font_size=13,
                bold=False,
                shape="rounded_rect",
                shape_color=_unit_rgb(palette.BACKGROUND),
                shape_opacity=0.6,
                margin=2,
                show_points=False,
                always_visible=True,
                pickable=False,
                reset_camera=False,
                render=False,
            )
            self._labels.append(name)

    @property
    def aspect(self) -> float:
        """Aspect ratio of the part of the picture that the panel leaves free."""
        width, height = self.plotter.window_size
        left, right = self._margins()
        return float(width) * (1.0 - left - right) / float(height)

    def _margins(self) -> tuple[float, float]:
        """Shares of the width that the panel takes on the left and on the right."""
        return (0.0, 0.0) if self.panel is None else self.panel.margins(self.scene, tuple(self.plotter.window_size))

    def look(self, camera: Camera) -> None:
        """Move the camera. Its target is centred in the space that the panel leaves free."""
        left, right = self._margins()
        own = self.plotter.camera
        own.position, own.focal_point, own.up = camera.position, camera.target, camera.up
        own.SetWindowCenter(right - left, 0.0)
        own.SetParallelProjection(camera.parallel > 0.0)
        if camera.parallel:
            own.SetParallelScale(camera.parallel)
        self.plotter.renderer.ResetCameraClippingRange()

    def thing_at(self, x: float, y: float) -> tuple[str, int]:
        """What is visible at a pixel, counted from the lower left corner: "area" or "entity", and its row; ("", −1) for
        nothing. An entity comes before the shells of areas around it."""
        entity = self.entity_at(x, y)
        if entity >= 0:
            return "entity", entity
        return self._hit(x, y, [name for name, (part, _) in self._drawn.items() if part.style.picks == "area"])

    def entity_at(self, x: float, y: float) -> int:
        """Row of the entity that is visible at a pixel, unless a floor hides it; −1 for none."""
        drawn = self._drawn.items()
        marks = [name for name, (part, _) in drawn if part.style.picks == "entity"]
        kind, row = self._hit(x, y, [*marks, *(name for name in FLOORS if name in self._drawn)]) if marks else ("", -1)
        return row if kind == "entity" else -1

    def _hit(self, x: float, y: float, names: list[str]) -> tuple[str, int]:
        """What the nearest of some parts shows at a pixel."""
        from vtkmodules.vtkRenderingCore import vtkCellPicker

        picker = vtkCellPicker()
        picker.SetTolerance(tolerances.CLICK)
        picker.PickFromListOn()
        named = {name: self._drawn[name][1] for name in names}
        for actor in named.values():
            picker.AddPickList(actor)
        if not named or not picker.Pick(x, y, 0.0, self.plotter.renderer):
            return "", -1
        hit = picker.GetActor()
        name = next((name for name, actor in named.items() if actor is hit), "")
        return self.scene.thing_of(name, picker.GetCellId()) if name else ("", -1)


def poly_data(mesh: Mesh) -> Any:
    """A mesh as pyvista PolyData: cells carry ``item``, points the ``rgb`` of their cell."""
    import pyvista

    offsets: Any = mesh.start.astype(np.int64)
    corners: Any = np.arange(len(mesh.xyz), dtype=np.int64)
    made = pyvista.PolyData()
    made.points = np.clip(mesh.xyz, -FAR, FAR).astype(np.float32)
    cells = pyvista.CellArray.from_arrays(offsets, corners, deep=True)
    if mesh.shape is Shape.FACES:
        made.SetPolys(cells)
    else:
        made.SetLines(cells)
    made.cell_data["item"] = np.asarray(mesh.item, np.int32)
    made.point_data["rgb"] = np.repeat(mesh.colour, np.diff(mesh.start), axis=0)
    made.set_active_scalars("rgb", preference="point")
    return made


def actor_of(part: Part) -> Any:
    """Actor that draws a part."""
    import pyvista
    from vtkmodules.vtkRenderingCore import vtkPolyDataMapper

    mapper = vtkPolyDataMapper()
    mapper.SetInputData(poly_data(part.mesh))
    mapper.SetScalarModeToUsePointData()
    mapper.SetColorModeToDirectScalars()
    mapper.ScalarVisibilityOn()
    actor = pyvista.Actor()
    actor.SetMapper(mapper)
    _set_style(actor.GetProperty(), part.style)
    if part.mesh.shape is Shape.LINES:  # lines are drawn in front of faces in the same plane
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -4.0)
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
    return actor


def _set_style(own: Any, style: Style) -> None:
    own.SetOpacity(style.opacity)
    own.SetLineWidth(style.width)
    own.SetLighting(style.lit)
    own.SetBackfaceCulling(style.one_sided)
    own.SetInterpolationToFlat()
    own.SetAmbient(style.ambient)
    own.SetDiffuse(0.75)
    own.SetSpecular(0.0)


def _unit_rgb(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    red, green, blue = (part / 255.0 for part in colour)
    return red, green, blue
