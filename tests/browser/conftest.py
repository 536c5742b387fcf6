"""One browser for all pages: Debian's Chromium, driven by Playwright; and axe-core from npm."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PACKAGES = "chromium"
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip(f"Chromium is missing: apt-get install -y {PACKAGES}")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium, args=SWITCHES)
        yield found
        found.close()


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.is_file():
        pytest.skip(f"axe-core is missing: npm install --no-save --prefix {sys.prefix} axe-core")
    return AXE.read_text(encoding="utf-8")
