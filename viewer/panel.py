"""Text over the picture: title, card, message, and a legend with clickable rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from aascompile.viewer import palette
from aascompile.viewer.meshes import Colour
from aascompile.viewer.scene import Scene
from aascompile.viewer.text import Action, Row, Section

FONT: Final = 14
"""Font size in a picture 800 pixels high, pixels."""

MIN_SCALE: Final = 0.85
"""Smallest scale of FONT, in small pictures."""

MIN_FONT: Final = 9
"""Smallest legible font size, pixels."""

LEADING: Final = 1.35
"""Line height relative to the font size."""

MARGIN: Final = 14
"""Distance between the text and the edge of the picture, pixels."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A clickable rectangle, in pixels from the lower left corner."""

    x0: float
    y0: float
    x1: float
    y1: float
    action: Action


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Font and colour of a text."""

    size: int
    """Pixels."""
    colour: Colour
    bold: bool = False
    mono: bool = False
    centred: bool = False


class Panel:
    """The text over a picture: title and legend on the left, card on the right, message at the bottom."""

    def __init__(self, renderer: Any, *, full: bool) -> None:
        """``full`` includes every switch, as a window needs. Otherwise the legend only explains the picture."""
        self.full = full
        self.spots: list[Spot] = []
        self._renderer = renderer
        self._actors: list[Any] = []

    def draw(self, scene: Scene, size: tuple[int, int], help_lines: list[str], prompt: str = "") -> None:
        """Redraw everything."""
        for actor in self._actors:
            self._renderer.RemoveViewProp(actor)
        self._actors, self.spots = [], []
        width, height = size
        font = _font(height)
        self._left(scene, height, font)
        right = _card_lines(scene)
        if right and not help_lines:
            self._block(right, width, height, font - 1)
        if help_lines:
            self._block(help_lines, width, height, font, middle=True)
        message = prompt or scene.message
        if message:
            self._text(message, width / 2.0, MARGIN, TextStyle(font + 1, palette.LIT, centred=True))

    def margins(self, scene: Scene, size: tuple[int, int]) -> tuple[float, float]:
        """Shares of the width that legend and card take. A window's card comes and goes, so it takes none."""
        width, height = size
        font = _font(height)
        rows = [
            row.text for section in scene.legend() for row in (section.rows if self.full else _colour_rows(section))
        ]
        left = (2 * MARGIN + font * (1.3 + 0.5 * max(map(len, rows), default=0))) / width
        facts = [] if self.full else _card_lines(scene)
        right = (_block_width(facts, font - 1) + MARGIN) / width if facts else 0.0
        return min(left, 0.3), min(right, 0.45)

    def _left(self, scene: Scene, height: int, font: int) -> None:
        """Draw title and legend. A long legend gets a smaller font; rows that still do not fit are dropped."""
        sections = [(section.title, section.rows if self.full else _colour_rows(section)) for section in scene.legend()]
        lines = 2.3 + sum(len(rows) + 1.4 for _, rows in sections if rows)
        font = max(min(font, int((height - 2 * MARGIN) / (lines * LEADING))), MIN_FONT)
        line = font * LEADING
        y = height - MARGIN - line
        shown: list[tuple[float, str | Row]] = []
        below = y - line * 1.3
        for title, rows in sections:
            if not rows or below < line + MARGIN:
                continue
            texts: tuple[str | Row, ...] = (title, *rows)
            for words in texts:
                if below >= MARGIN:
                    shown.append((below, words))
                    below -= line
            below -= line * 0.4
        if shown:
            longest = max(len(words if isinstance(words, str) else words.text) for _, words in shown)
            lowest = shown[-1][0] - font * 0.6
            wide = MARGIN + font * (1.6 + 0.52 * longest)
            self._rectangle(MARGIN / 2, lowest, wide, y - line * 0.4 - lowest, palette.BACKGROUND, 0.6)
        self._text(scene.title, MARGIN, y, TextStyle(font + 2, palette.TEXT, bold=True))
        for place, words in shown:
            if isinstance(words, str):
                self._text(words, MARGIN, place, TextStyle(font - 1, palette.FAINT))
            else:
                self._row(words, place, font)

    def _row(self, row: Row, y: float, font: int) -> None:
        colour = palette.TEXT if row.on else palette.FAINT
        patch = row.colour if row.on or row.colour is None else _dimmed(row.colour)
        square = font * 0.8
        if patch is not None:
            self._rectangle(MARGIN, y + font * 0.1, square, square, patch)
        elif row.action is not None:
            self._rectangle(MARGIN, y + font * 0.1, square, square, palette.TEXT if row.on else (58, 62, 70))
        self._text(row.text, MARGIN + font * 1.3, y, TextStyle(font, colour))
        if row.action is not None:
            width = font * (2.0 + 0.6 * len(row.text))
            self.spots.append(Spot(0.0, y - font * 0.2, MARGIN + width, y + font * 1.2, row.action))

    def action_at(self, x: float, y: float) -> Action | None:
        """Action of a click at a pixel, counted from the lower left corner; None if there is none."""
        return next((spot.action for spot in self.spots if spot.x0 <= x <= spot.x1 and spot.y0 <= y <= spot.y1), None)

    def _block(self, lines: list[str], width: int, height: int, font: int, *, middle: bool = False) -> None:
        """Draw lines in a fixed-width font on a dark background, in the upper right corner or in the middle."""
        line = font * LEADING
        wide = _block_width(lines, font)
        tall = len(lines) * line + 2 * MARGIN
        x = (width - wide) / 2.0 if middle else width - wide - MARGIN
        y = (height + tall) / 2.0 if middle else float(height - MARGIN)
        self._rectangle(x, y - tall, wide, tall, (12, 14, 18), 0.85 if middle else 0.72)
        for number, text in enumerate(lines):
            bold = number == 0 or not (middle or text.startswith(" "))
            style = TextStyle(font, palette.TEXT, bold=bold, mono=True)
            self._text(text, x + MARGIN, y - MARGIN - (number + 1) * line + 4, style)

    def _text(self, words: str, x: float, y: float, style: TextStyle) -> None:
        if not words:
            return
        from vtkmodules.vtkRenderingCore import vtkTextActor

        actor = vtkTextActor()
        actor.SetInput(words)
        actor.SetPosition(round(x), round(y))
        drawn = actor.GetTextProperty()
        drawn.SetFontSize(style.size)
        drawn.SetColor(*(part / 255.0 for part in style.colour))
        drawn.SetBold(style.bold)
        drawn.SetFontFamilyToCourier() if style.mono else drawn.SetFontFamilyToArial()
        drawn.SetShadow(not style.mono)
        drawn.SetShadowOffset(1, -1)
        if style.centred:
            drawn.SetJustificationToCentered()
        self._add(actor)

    def _rectangle(self, x: float, y: float, wide: float, tall: float, colour: Colour, opacity: float = 1.0) -> None:
        from vtkmodules.vtkCommonCore import vtkPoints
        from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
        from vtkmodules.vtkRenderingCore import vtkActor2D, vtkPolyDataMapper2D

        corners, faces, shape = vtkPoints(), vtkCellArray(), vtkPolyData()
        for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
            corners.InsertNextPoint(x + a * wide, y + b * tall, 0.0)
        faces.InsertNextCell(4, (0, 1, 2, 3))
        shape.SetPoints(corners)
        shape.SetPolys(faces)
        mapper, actor = vtkPolyDataMapper2D(), vtkActor2D()
        mapper.SetInputData(shape)
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*(part / 255.0 for part in colour))
        actor.GetProperty().SetOpacity(opacity)
        self._add(actor)

    def _add(self, actor: Any) -> None:
        actor.PickableOff()
        self._actors.append(actor)
        self._renderer.AddViewProp(actor)


def _font(height: int) -> int:
    """Font size for a picture of this height, pixels."""
    return round(FONT * min(max(height / 800.0, MIN_SCALE), 2.5))


def _block_width(lines: list[str], font: int) -> float:
    return max(len(text) for text in lines) * font * 0.62 + 2 * MARGIN


def _card_lines(scene: Scene) -> list[str]:
    """Lines of the card, then of the route."""
    card, route = scene.card(), scene.route_lines()
    return [*card, *([""] if card and route else []), *route]


def _colour_rows(section: Section) -> tuple[Row, ...]:
    """Rows that explain a colour in the picture; links that are hidden are still counted."""
    counted = section.title == "links"
    return tuple(row for row in section.rows if (row.on or counted) and row.colour is not None) if section.shown else ()


def _dimmed(colour: Colour) -> Colour:
    red, green, blue = (40 + part // 5 for part in colour)
    return red, green, blue
