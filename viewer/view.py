"""A scene on a pyvista plotter: an actor for each part, labels, and words over it. Window, picture and web share it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from aascompile import tolerances
from aascompile.viewer import palette
from aascompile.viewer.camera import VIEW_ANGLE, Camera
from aascompile.viewer.meshes import FAR, Mesh, Shape
from aascompile.viewer.panel import Panel
from aascompile.viewer.parts import Part, Style
from aascompile.viewer.scene import Scene


class View:
    """Draws a scene. Change the scene, call ``refresh``, and what changed is drawn anew."""

    def __init__(self, scene: Scene, plotter: Any, *, full: bool = False, panel: bool = True) -> None:
        """``full``: with a legend that can be clicked; ``panel``: with words over the picture at all."""
        self.scene = scene
        self.plotter = plotter
        self.panel = Panel(plotter.renderer, full=full) if panel else None
        self.help_lines: list[str] = []
        self.prompt = ""
        self._drawn: dict[str, tuple[Part, Any]] = {}
        self._labels: list[str] = []
        plotter.set_background(_share(palette.GROUND))
        plotter.renderer.SetUseOIT(False)  # what is seen through is drawn in the order of the parts
        plotter.camera.view_angle = VIEW_ANGLE

    def refresh(self) -> None:
        """Draw what the scene now shows; it is on the screen after the next render."""
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
        """Put actors into the order of the parts: what is seen through is drawn in that order."""
        for name in names:
            actor = self._drawn[name][1]
            self.plotter.renderer.RemoveActor(actor)
            self.plotter.renderer.AddActor(actor)

    def _draw(self, name: str, part: Part) -> bool:
        """One part, unless it is the one that is there; True when it has a new actor."""
        known = self._drawn.get(name)
        if known is not None and known[0] is part:
            return False
        if known is not None and known[0].style == part.style:
            actor = known[1]
            actor.GetMapper().SetInputData(poly_data(part.mesh))
            self._drawn[name] = (part, actor)
            return False
        actor = actor_of(part)
        if known is not None:
            self.plotter.remove_actor(known[1], render=False)
        self.plotter.add_actor(actor, name=name, reset_camera=False, render=False, pickable=part.style.pickable)
        self._drawn[name] = (part, actor)
        return True

    def _draw_labels(self) -> None:
        for name in self._labels:
            self.plotter.remove_actor(name, render=False)
        self._labels = []
        for number, words in enumerate(self.scene.labels()):
            name = f"words {number}"
            self.plotter.add_point_labels(
                words.point,
                list(words.text),
                name=name,
                text_color=_share(words.colour),
                font_size=13,
                bold=False,
                shape="rounded_rect",
                shape_color=_share(palette.GROUND),
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
        """Width of the picture that words leave free, over its height."""
        width, height = self.plotter.window_size
        left, right = self._margins()
        return float(width) * (1.0 - left - right) / float(height)

    def _margins(self) -> tuple[float, float]:
        """Shares of the width that the words on the left and on the right take."""
        return (0.0, 0.0) if self.panel is None else self.panel.margins(self.scene, tuple(self.plotter.window_size))

    def look(self, camera: Camera) -> None:
        """Look from a place; its target is in the middle of what the words leave free."""
        left, right = self._margins()
        own = self.plotter.camera
        own.position, own.focal_point, own.up = camera.position, camera.target, camera.up
        own.SetWindowCenter(right - left, 0.0)
        own.SetParallelProjection(camera.parallel > 0.0)
        if camera.parallel:
            own.SetParallelScale(camera.parallel)
        self.plotter.renderer.ResetCameraClippingRange()

    def area_at(self, x: float, y: float) -> int:
        """The area that is seen at a pixel, counted from the lower left corner; −1: none."""
        from vtkmodules.vtkRenderingCore import vtkCellPicker

        picker = vtkCellPicker()
        picker.SetTolerance(tolerances.CLICK)
        picker.PickFromListOn()
        named = {name: actor for name, (part, actor) in self._drawn.items() if part.style.pickable}
        for actor in named.values():
            picker.AddPickList(actor)
        if not picker.Pick(x, y, 0.0, self.plotter.renderer):
            return -1
        hit = picker.GetActor()
        name = next((name for name, actor in named.items() if actor is hit), "")
        return self.scene.area_of(name, picker.GetCellId()) if name else -1


def poly_data(mesh: Mesh) -> Any:
    """A mesh as pyvista's PolyData; cells have ``item`` and ``rgb``, and points their cell's ``rgb``, too."""
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
    """An actor that draws a part."""
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
    if part.mesh.shape is Shape.LINES:  # lines win over the faces they lie on
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


def _share(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    red, green, blue = (part / 255.0 for part in colour)
    return red, green, blue
