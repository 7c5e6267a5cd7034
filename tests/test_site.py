"""The website of the docs: headings have the names that links use, and broken links are found."""

from __future__ import annotations

import re

from tests.build_site import anchor, broken_links, read_pages, write_site


def test_every_link_leads_somewhere():
    assert broken_links(read_pages()) == []


def test_names_of_headings():
    seen: dict[str, int] = {}
    headings = ["In CI", "`aas view`, the viewer", "[Sight](x.md)", "In CI", "Plats & pads"]
    assert [anchor(heading, seen) for heading in headings] == [
        "in-ci", "aas-view-the-viewer", "sight", "in-ci-1", "plats--pads",
    ]  # fmt: skip


def make(root, **pages: str):
    (root / "docs").mkdir()
    (root / "README.md").write_text(pages.pop("readme"))
    for name, text in pages.items():
        (root / "docs" / f"{name}.md").write_text(text)
    return read_pages(root)


def test_broken_links_are_named(tmp_path):
    pages = make(
        tmp_path,
        readme="# A\n[x](docs/x.md#there) [y](docs/none.md) ![z](z.png) [w](https://example.org/none) [a](#a)",
        x="# X\n[back](../README.md#nowhere)\n",
    )
    assert broken_links(pages, tmp_path) == [
        "README.md: 'docs/x.md#there' leads to no heading",
        "README.md: 'docs/none.md' leads to no file",
        "README.md: 'z.png' leads to no file",
        "docs/x.md: '../README.md#nowhere' leads to no heading",
    ]


def test_links_lead_from_page_to_page(tmp_path):
    (tmp_path / "z.png").write_bytes(b"png")
    pages = make(tmp_path, readme="[x](docs/x.md#x-b)", x="# X <b>\n![z](../z.png)\n[back](../README.md)\n")
    assert broken_links(pages, tmp_path) == []
    write_site(pages, tmp_path / "site", tmp_path)
    index, page = (tmp_path / "site" / name for name in ("index.html", "docs/x.html"))
    assert 'href="docs/x.html#x-b"' in index.read_text()
    assert re.findall(r'(?:href|src)="([^"]+)"', page.read_text()) == [
        "../index.html",
        "x.html",
        "../z.png",
        "../index.html",
    ]
    assert (tmp_path / "site" / "z.png").read_bytes() == b"png"
