"""What a reader finds in a page of HTML, and what a formula in MathML says."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

__all__ = ["Page", "formula", "seen"]

#: Elements that have no end tag.
_VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
#: Elements that stand within a line, so that no blank is read around them.
_INLINE = {"a", "b", "i", "span", "sub", "sup", "wbr"}
_SIGNS = {"−": "-", "⋅": "*", "\u2062": "*", "\u2061": "", "\u2063": ",", "∞": "oo"}


class Page(HTMLParser):
    """The elements of a page in their order, and its text as it is read from top to bottom."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.parts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    @property
    def text(self) -> str:
        """The words that are on the page, with single blanks between them."""
        return " ".join("".join(self.parts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        self.parts.append("" if tag in _INLINE else " ")
        if tag not in _VOID:
            self._open.append("tex" if found.get("class") == "tex" else tag)

    def handle_endtag(self, tag: str) -> None:
        last = self._open.pop()
        assert last in (tag, "tex"), f"</{tag}> ends <{last}>"
        self.parts.append("" if tag in _INLINE else " ")

    def handle_data(self, data: str) -> None:
        if not {"head", "nav", "annotation", "tex"} & set(self._open):
            self.parts.append(data)


def seen(page: str) -> str:
    """The text of a page, without its head, its contents and its LaTeX."""
    return Page(page).text


def formula(markup: str) -> str:
    """MathML in one line that our own parser reads, with brackets around every part."""
    return _line(ElementTree.fromstring(f"<mrow>{markup}</mrow>"))


def _line(element: ElementTree.Element) -> str:
    parts = list(map(_line, element))
    match element.tag:
        case "mrow" | "mtd":
            return "".join(parts)
        case "mi" | "mn" | "mo":
            text = element.text or ""
            return _SIGNS.get(text, text.replace("−", "-"))
        case "mfrac":
            return f"(({parts[0]})/({parts[1]}))"
        case "msup":
            return f"({parts[0]})^({parts[1]})"
        case "msub":
            return f"{parts[0]}_{parts[1].replace(',', '_')}"
        case "msubsup":
            return f"({parts[0]}_{parts[1].replace(',', '_')})^({parts[2]})"
        case "msqrt":
            return f"sqrt({''.join(parts)})"
        case "mroot":
            return f"root({parts[0]}, {parts[1]})"
        case "mtr":
            return ", ".join(parts)
        case "mtable":
            return ", ".join(f"[{row}]" for row in parts)
    raise AssertionError(f"<{element.tag}> is not expected here")
