"""Compiles Quake III maps into the Area Awareness System: convex areas, reachabilities and clusters."""

__version__ = "0.1.0"
