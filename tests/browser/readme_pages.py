"""The README's pictures of a page: `python -m tests.browser.readme_pages` takes them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from symattn.api import derive
from tests.browser.conftest import SWITCHES

PICTURES = Path(__file__).parent.parent.parent / ".pictures"
#: Picture -> width, height, colours, and the step that it starts at.
VIEWS = {
    "page.png": (1280, 900, "light", "#step-5"),
    "phone.png": (390, 844, "dark", "#step-6"),
}


def main() -> None:
    """Take them of the first problem's page, on a desk and on a phone."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "ex1.html"
        page_file.write_text(derive("ex1").to_html(), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES)
        for name, (width, height, colours, place) in VIEWS.items():
            size = {"width": width, "height": height}
            page = browser.new_page(viewport=size, color_scheme=colours, device_scale_factor=1.5)
            page.goto(page_file.as_uri())
            page.evaluate("document.fonts.ready")
            page.evaluate("place => document.querySelector(place).scrollIntoView()", place)
            page.screenshot(path=PICTURES / name)
        browser.close()


if __name__ == "__main__":
    main()
