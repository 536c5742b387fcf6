"""What must hold of every scene: labels are apart, within the sheet, and off arrow heads."""

from __future__ import annotations

from itertools import combinations

from symattn.figures.letters import Box, box
from symattn.figures.scene import Label, Path, Point, Scene, head
from symattn.render.text import plain_prose


def faults(scene: Scene) -> list[str]:
    """Each label that overlaps another, leaves the sheet or lies on an arrow head."""
    labels = [(item, box(item)) for item in scene.items if isinstance(item, Label)]
    found = [
        f"{words(a)!r} overlaps {words(b)!r}"
        for (a, first), (b, second) in combinations(labels, 2)
        if first.meets(second, -0.5)
    ]
    heads = [corners for item in scene.items if isinstance(item, Path) and (corners := head(item))]
    for label, place in labels:
        if place.left < 0 or place.top < 0:
            found.append(f"{words(label)!r} leaves the sheet at {place}")
        if place.right > scene.width or place.bottom > scene.height:
            found.append(f"{words(label)!r} leaves the sheet at {place}")
        found += [f"{words(label)!r} lies on a head" for corners in heads if on(corners, place)]
    for item in scene.items:
        if isinstance(item, Path):
            found += [
                f"a line leaves the sheet at {x, y}"
                for x, y in item.points
                if not (-0.01 <= x <= scene.width + 0.01 and -0.01 <= y <= scene.height + 0.01)
            ]
    return found


def words(label: Label) -> str:
    return plain_prose(label.text)


def on(corners: tuple[Point, Point, Point], place: Box) -> bool:
    """Whether a triangle and a rectangle overlap: no side of either parts them."""
    rectangle = [
        (place.left, place.top),
        (place.right, place.top),
        (place.right, place.bottom),
        (place.left, place.bottom),
    ]
    sides = [(0.0, 1.0), (1.0, 0.0)]
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        sides.append((by - ay, ax - bx))
    for dx, dy in sides:
        first = [x * dx + y * dy for x, y in corners]
        second = [x * dx + y * dy for x, y in rectangle]
        if max(first) <= min(second) + 1e-6 or max(second) <= min(first) + 1e-6:
            return False
    return True
