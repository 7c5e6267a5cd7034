"""Makes a website of README and docs: ``python -m tests.build_site``, or ``make site``.

The result is a folder of plain files, build/site, that any web server or browser shows. Every link between pages, to a
heading or to a picture must lead somewhere; otherwise the broken links are listed and nothing is made.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent
PAGES = {
    "README.md": "Overview",
    "docs/tutorial.md": "Tutorial",
    "docs/commands.md": "Commands",
    "docs/settings.md": "Settings",
    "docs/viewer.md": "Viewer",
    "docs/links.md": "Links by hand",
    "docs/navigation.md": "Navigation in Python",
    "docs/api.md": "Python API",
    "docs/generators.md": "Generators and farms",
    "docs/ci.md": "Maps in CI",
    "docs/bots.md": "How bots move",
    "docs/data-model.md": "Compiled files",
    "samples/README.md": "Samples",
    "aascompile/DESIGN.md": "Design",
    "CONTRIBUTING.md": "Contributing",
    "CHANGELOG.md": "Changelog",
}
"""Pages and their names, in the order of the menu. Pages of docs/ that are not listed come last."""

STYLE = """
:root { color-scheme: light dark; --line: #8884; --text: #222; --paper: #fff; --link: #0b57d0; --code: #8881 }
@media (prefers-color-scheme: dark) { :root { --text: #ddd; --paper: #16181c; --link: #8ab4f8 } }
body { margin: 0; display: flex; font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--paper) }
nav { flex: 0 0 13rem; padding: 1.5rem 1rem; border-right: 1px solid var(--line) }
nav { min-height: 100vh; box-sizing: border-box }
nav a { display: block; padding: .2rem .5rem; border-radius: 4px; text-decoration: none; color: inherit }
nav a[aria-current] { background: var(--code); font-weight: 600 }
main { flex: 1; min-width: 0; max-width: 60rem; padding: 1rem 2.5rem 4rem; box-sizing: border-box }
a { color: var(--link) } img { max-width: 100% }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: 6px; font-size: 13.5px; line-height: 1.4 }
code { font-family: ui-monospace, monospace; font-size: .92em }
pre, :not(pre) > code { background: var(--code); border-radius: 4px }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0 }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
h1, h2, h3 { line-height: 1.25 } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem }
@media (max-width: 50rem) { body { display: block } nav { min-height: 0; border: 0 } main { padding: 1rem } }
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A page in Markdown."""

    path: str
    """From the root of the project."""
    name: str
    tokens: Sequence[Token]

    @property
    def target(self) -> str:
        """Its path in the site."""
        return "index.html" if self.path == "README.md" else self.path.removesuffix(".md").lower() + ".html"

    @property
    def anchors(self) -> set[str]:
        """Names of its headings."""
        return {str(token.attrs["id"]) for token in self.tokens if token.type == "heading_open"}

    def links(self) -> Iterator[tuple[Token, str]]:
        """Links and pictures, each with the name of the attribute that says where it leads."""
        for token in self.tokens:
            for child in token.children or ():
                if child.type == "link_open":
                    yield child, "href"
                elif child.type == "image":
                    yield child, "src"


def main() -> None:
    """Make the site, or list the broken links and exit with 1."""
    pages = read_pages()
    broken = broken_links(pages)
    if broken:
        sys.exit("\n".join(broken))
    target = ROOT / "build" / "site"
    write_site(pages, target)
    print(f"{len(pages)} pages: {(target / 'index.html').relative_to(ROOT)}")


def read_pages(root: Path = ROOT) -> list[Page]:
    """All pages, with names of headings as in repositories."""
    found = {path.relative_to(root).as_posix() for path in (root / "docs").glob("*.md")}
    names = {path: name for path, name in PAGES.items() if (root / path).exists()}
    names |= {path: Path(path).stem.replace("-", " ").capitalize() for path in sorted(found - set(names))}
    parser = MarkdownIt("commonmark").enable("table")
    pages = []
    for path, name in names.items():
        tokens = parser.parse((root / path).read_text(encoding="utf-8"))
        seen: dict[str, int] = {}
        for opening, text in pairwise(tokens):
            if opening.type == "heading_open":
                opening.attrs["id"] = anchor(text.content, seen)
        pages.append(Page(path, name, tokens))
    return pages


def anchor(heading: str, seen: dict[str, int]) -> str:
    """Name of a heading: in lower case, with hyphens for blanks. Equal names on a page are numbered."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading).lower()
    name = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
    number = seen.get(name, 0)
    seen[name] = number + 1
    return f"{name}-{number}" if number else name


def broken_links(pages: Sequence[Page], root: Path = ROOT) -> list[str]:
    """A sentence for each link that leads nowhere."""
    anchors = {page.path: page.anchors for page in pages}
    broken = []
    for page in pages:
        for token, attribute in page.links():
            link = str(token.attrs[attribute])
            if is_elsewhere(link):
                continue
            path, _, heading = resolve(page, link).partition("#")
            if not (root / path).exists():
                broken.append(f"{page.path}: '{link}' leads to no file")
            elif heading and path in anchors and heading not in anchors[path]:
                broken.append(f"{page.path}: '{link}' leads to no heading")
    return broken


def is_elsewhere(link: str) -> bool:
    """Whether a link leads out of the project."""
    return re.match(r"[a-z]+:", link) is not None


def resolve(page: Page, link: str) -> str:
    """Target of a link, from the root of the project, with the heading after #."""
    path, mark, heading = unquote(link).partition("#")
    whole = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
    return Path(whole).as_posix() + mark + heading


def write_site(pages: Sequence[Page], target: Path, root: Path = ROOT) -> None:
    """Write all pages, and the files that they link to, into a new folder."""
    shutil.rmtree(target, ignore_errors=True)
    targets = {page.path: page.target for page in pages}
    files: set[str] = set()
    for page in pages:
        place = os.path.dirname(page.target)
        for token, attribute in page.links():
            link = str(token.attrs[attribute])
            if is_elsewhere(link):
                continue
            path, mark, heading = resolve(page, link).partition("#")
            if path not in targets and (root / path).is_file():
                files.add(path)
            whole = targets.get(path, path)
            token.attrs[attribute] = Path(os.path.relpath(whole, place or ".")).as_posix() + mark + heading
        write(target / page.target, whole_page(page, pages))
    for path in sorted(files):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target / path)


def whole_page(page: Page, pages: Sequence[Page]) -> str:
    """A page with its menu."""
    place = os.path.dirname(page.target) or "."
    menu = "".join(
        f'<a href="{Path(os.path.relpath(other.target, place)).as_posix()}"'
        f"{' aria-current=page' if other is page else ''}>{html.escape(other.name)}</a>"
        for other in pages
    )
    parser = MarkdownIt("commonmark").enable("table")
    body = parser.renderer.render(page.tokens, parser.options, {})
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>aascompile: {html.escape(page.name)}</title><style>{STYLE}</style></head>"
        f"<body><nav>{menu}</nav><main>{body}</main></body></html>\n"
    )


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
