"""Colours of one legend differ by eye, for people with normal sight and for colour-blind people."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.viewer import colouring, palette, parts
from aascompile.viewer.scene import QUIET

EYES = {
    "normal": np.eye(3),
    "without red cones": np.array(
        [(0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)]
    ),
    "without green cones": np.array(
        [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)]
    ),
    "without blue cones": np.array(
        [(1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)]
    ),
}
"""Linear RGB as colour-blind people see it: the model of Machado, Oliveira and Fernandes (2009) at full severity."""

SEEN = {
    "kinds of areas": (0.09, list(colouring.AREA_KINDS.items())),
    "links in the first picture": (0.07, [(k.name, c) for k, c in palette.LINKS.items() if int(k) not in QUIET]),
    "all links": (0.055, [(k.name, c) for k, c in palette.LINKS.items()]),
    "entities": (0.09, list(palette.ENTITIES.items())),
    "reached": (0.15, [(n, getattr(palette, n)) for n in ("REACHED", "TRAPPED", "UNREACHED")]),
    "what the floors of that picture carry": (
        0.08,
        [(n, getattr(palette, n)) for n in ("REACHED", "TRAPPED", "UNREACHED")] + list(palette.ENTITIES.items())[:2],
    ),
    "changes": (0.13, [(n, getattr(palette, n)) for n in ("GAINED", "LOST", "SAME", "CHANGED")]),
    "routes": (0.12, [(n, getattr(palette, n)) for n in ("ROUTE", "START", "GOAL", "PICKED")]),
    "clusters": (0.12, [(str(n), c) for n, c in enumerate(palette.CLUSTERS)]),
    "liquids": (0.12, [("WATER", parts.SURFACE), *((str(k.name), c) for k, c in parts.LIQUIDS.items())]),
    "contents": (0.04, [(str(k.name), c) for k, c in colouring._CONTENTS.items() if k is not Kind.CLUSTERPORTAL]),
}
"""Colours of a legend, and how far they are apart at least: 0.02 is just noticeable side by side."""


def oklab(linear: np.ndarray) -> np.ndarray:
    """Colours in Oklab (Ottosson 2020), where distances are as eyes judge them."""
    cones = np.array([(0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
                      (0.0883024619, 0.2817188376, 0.6299787005)])  # fmt: skip
    signals = np.array([(0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
                        (0.0259040371, 0.7827717662, -0.8086757660)])  # fmt: skip
    return np.cbrt(np.clip(linear, 0.0, 1.0) @ cones.T) @ signals.T


def seen(colours: list[tuple[int, int, int]], eyes: str) -> np.ndarray:
    share = np.array(colours) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return oklab(linear @ EYES[eyes].T)


def nearest(named: list, eyes: str) -> tuple[float, str]:
    """The two colours that are nearest to each other."""
    at = seen([colour for _, colour in named], eyes)
    return min(
        (float(np.linalg.norm(at[i] - at[j])), f"{named[i][0]} and {named[j][0]}")
        for i, j in combinations(range(len(named)), 2)
    )


def test_the_simulator_knows_red_and_green():
    """Red and green of the same brightness are far apart, except for people without red or green cones."""
    pair = [("red", (190, 60, 40)), ("green", (70, 120, 30))]
    assert nearest(pair, "normal")[0] > 0.2
    assert nearest(pair, "without green cones")[0] < 0.1
    assert nearest([("white", (255,) * 3), ("black", (0,) * 3)], "normal")[0] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("legend", SEEN)
def test_colours_of_a_legend_differ(legend, eyes):
    least, named = SEEN[legend]
    apart, which = nearest(named, eyes)
    assert apart >= least, f"{which} are {apart:.3f} apart"


@pytest.mark.parametrize("legend", ["links in the first picture", "entities", "routes"])
def test_lines_and_marks_stand_out_from_the_background(legend):
    at = seen([palette.BACKGROUND, *(colour for _, colour in SEEN[legend][1])], "normal")
    assert np.all(np.linalg.norm(at[1:] - at[0], axis=1) > 0.3)


def test_a_colour_has_one_meaning():
    """No two things of the first picture share a colour, except those that mean the same."""
    own = [
        *((f"area {name}", colour) for name, colour in colouring.AREA_KINDS.items()),
        *((f"link {kind.name}", colour) for kind, colour in palette.LINKS.items()),
        *((f"entity {name}", colour) for name, colour in palette.ENTITIES.items()),
        *((name, getattr(palette, name)) for name in ("ROUTE", "START", "GOAL", "PICKED", "LEAK", "UNREACHED")),
    ]
    apart, which = nearest(own, "normal")
    assert apart > 0.025, which
    assert colouring.AREA_KINDS["ladder"] == parts.LADDER
