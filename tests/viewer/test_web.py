"""``aas view --web``: the viewer, served to a browser on this machine."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.store.hdf import write_compiled
from aascompile.viewer import palette
from aascompile.viewer.camera import from_above
from aascompile.viewer.colouring import AREA_KINDS
from aascompile.viewer.scene import Scene
from tests.conftest import ROOT
from tests.viewer.browser import Browser, browser, wait_until
from tests.viewer.samples import like, need_gl, sample, scene

WINDOW = (1000, 640)
LEFT = 254
"""Width of the controls, pixels."""

COMMAND = "import sys; from aascompile.cli.main import main; main()"


@pytest.fixture(scope="module")
def pillars(tmp_path_factory):
    path = tmp_path_factory.mktemp("web") / "pillars.aas.hdf"
    write_compiled(str(path), sample("pillars"))
    return path


@pytest.fixture(scope="module")
def address(pillars):
    """URL of a page that is served during the tests. At the end the server is interrupted, which is not an error."""
    need_gl()
    pytest.importorskip("trame", reason="trame is not installed: pip install 'aascompile[viewer]'")
    options = [
        "--web",
        "--camera",
        "top",
        "--layers",
        "ground,links,entities",
        "--size",
        f"{WINDOW[0] - LEFT}x{WINDOW[1]}",
    ]
    command = [sys.executable, "-c", COMMAND, "view", str(pillars), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            assert line.startswith("http://127.0.0.1:"), line + server.stderr.read()
            yield line.strip()
        finally:
            server.send_signal(signal.SIGINT)
            rest, err = server.communicate(timeout=60)
    assert (server.returncode, rest, err) == (130, "", "\n")


@pytest.fixture
def page(address):
    """The page, open in a browser."""
    with browser(WINDOW) as chromium:
        chromium.open(address)
        chromium.wait("!!document.querySelector('#picture img')")
        wait_until(lambda: share(chromium, AREA_KINDS["ground"]) > 0.05, "the picture never came")
        yield chromium
        own = (address, f"blob:http://{urlsplit(address).netloc}/", "data:")
        outside = [url for url in chromium.requests if not url.startswith(own)]
        assert outside == []
        # trame looks for a launcher, which does not exist.
        assert [error for error in chromium.errors if "/paraview/" not in error] == []


def share(chromium: Browser, colour, near=0.985) -> float:
    """Share of a colour in the picture beside the controls."""
    return float(like(chromium.screenshot()[:, LEFT:], colour, near).mean())


def becomes(chromium: Browser, colour, least: float, most: float = 1.0) -> None:
    """Wait until the share of a colour lies between two values."""
    wait_until(lambda: least <= share(chromium, colour) <= most, f"never from {least} to {most} in {colour}")


def pixel_of(shown: Scene, point) -> tuple[float, float]:
    """Pixel of a point on the page, in the initial view from above."""
    wide, high = WINDOW[0] - LEFT, WINDOW[1]
    camera = from_above(shown, wide / high)
    x, y = (np.asarray(point)[:2] - camera.target[:2]) / camera.parallel * high / 2
    return LEFT + wide / 2 + float(x), high / 2 - float(y)


def test_page_is_served_to_this_machine_only(address):
    with urllib.request.urlopen(address) as answer:
        assert answer.status == 200
    port = urlsplit(address).port
    bound = {}
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(name) as table:
            for row in list(table)[1:]:
                place, state = row.split()[1], row.split()[3]
                if state == "0A" and int(place.rpartition(":")[2], 16) == port:
                    bound[name] = place.rpartition(":")[0]
    assert bound == {"/proc/net/tcp": "0100007F"}


def status(address: str, **headers: str) -> int:
    """Status of the answer to a request."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_only_the_own_page_is_answered(address):
    port = urlsplit(address).port
    root = f"http://127.0.0.1:{port}/"
    assert status(address) == 200
    assert status(f"{address}index.html", Origin=root.rstrip("/")) == 200
    for wrong in (root, f"{root}index.html", f"{root}ws", f"{root}{'A' * 32}/", f"{root}../etc/passwd"):
        assert status(wrong) == 403, wrong
    assert status(f"{address}..%2f..%2f..%2fetc%2fpasswd") in (403, 404)
    assert status(address, Host="evil.example") == 403
    assert status(address, Host=f"evil.example:{port}") == 403
    assert status(address, Origin="http://evil.example") == 403
    assert status(address, Origin="null") == 403
    with urllib.request.urlopen(address) as answer:
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"


def test_wire_takes_only_calls_of_the_own_page(address):
    import asyncio

    import aiohttp
    import msgpack
    from wslink.chunking import UnChunker, generate_chunks

    port = urlsplit(address).port

    async def call(socket, method: str, *args: object, id: str = "x:1:1") -> dict:
        for chunk in generate_chunks(msgpack.packb({"wslink": "1.0", "id": id, "method": method, "args": args}), 0):
            await socket.send_bytes(chunk)
        whole = UnChunker()
        whole.set_max_message_size(1 << 24)
        while (answer := whole.process_chunk(await socket.receive_bytes())) is None or answer.get("id") != id:
            pass
        return answer

    async def talk() -> None:
        async with aiohttp.ClientSession() as session:
            for url, origin in ((f"{address}ws", "http://evil.example"), (f"http://127.0.0.1:{port}/ws", None)):
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await session.ws_connect(url, headers={"Origin": origin} if origin else {})
            async with session.ws_connect(f"{address}ws", headers={"Origin": f"http://127.0.0.1:{port}"}) as socket:
                hello = await call(socket, "wslink.hello", {"secret": "wslink-secret"}, id="system:c0:0")
                assert "result" in hello
                assert "result" in await call(socket, "trame.state.get")
                for method in ("application.exit", "trame.state.update", "viewport.geometry.view.get.export",
                               "file.server.directory.list"):  # fmt: skip
                    assert (await call(socket, method))["error"]["message"] == "Unregistered method called"
                await call(socket, "viewport.image.push.observer.add", "1")
                huge = await call(socket, "viewport.image.push", {"view": "1", "size": [100_000, 100_000]})
                assert "no page has such a size" in huge["error"]["data"]["exception"]
            async with session.ws_connect(f"{address}ws", headers={"Origin": f"http://127.0.0.1:{port}"}) as socket:
                await call(socket, "wslink.hello", {"secret": "wslink-secret"}, id="system:c0:0")
                await socket.send_bytes(bytes(8) + b"\xff\xff\xff\x7f" + b"x")  # the beginning of two gigabytes
                assert (await socket.receive()).type == aiohttp.WSMsgType.CLOSED

    asyncio.run(talk())


def test_layers_picking_routes_and_colours(page):
    shown = scene("pillars")
    shown.show_only(["ground", "links", "entities"])
    ground = AREA_KINDS["ground"]
    # Layers switch by click and by key.
    page.click_on("[data-row='layers ground']")
    becomes(page, ground, 0.0, 0.001)
    page.click_on("[data-row='links walk']")
    page.wait("document.querySelector(\"[data-row='links walk']\").classList.contains('off')")
    page.press("3")
    becomes(page, ground, 0.05)
    # A click picks the visible area, shows its card and highlights it.
    faces = shown.parts()["ground"].mesh
    cell = int(np.argmax(np.diff(faces.start)))
    area = int(faces.item[cell])
    middle = faces.xyz[faces.start[cell] : faces.start[cell + 1]].mean(axis=0)
    page.click(*pixel_of(shown, middle))
    shown.pick(area)
    page.wait(f"document.getElementById('card').innerText.startsWith('area {area}\\n')")
    assert page.evaluate("document.getElementById('card').innerText").split() == " ".join(shown.card()).split()
    becomes(page, palette.PICKED, 0.005)
    # A route from this area.
    page.click_on("#start")
    goal = int(shown.compiled.links.target[shown.compiled.links.kind != 2][0])
    page.evaluate(f"document.getElementById('number').value = '{goal}'")
    page.click_on("#go button")
    page.wait(f"document.getElementById('card').innerText.startsWith('area {goal}\\n')")
    page.click_on("#goal")
    page.wait(f"document.getElementById('route').innerText.startsWith('route {area} to {goal}')")
    shown.set_start(area)
    shown.set_goal(goal)
    assert page.evaluate("document.getElementById('route').innerText").split() == " ".join(shown.route_lines()).split()
    page.click_on("#above")
    becomes(page, palette.ROUTE, 0.001)
    page.click_on("#clear")
    becomes(page, palette.ROUTE, 0.0, 0.0)
    # Colouring, an unknown area, and a cut.
    page.evaluate("trame.trigger('colour', ['cluster'])")
    page.wait("document.getElementById('left').innerText.includes('areas by cluster')")
    becomes(page, palette.CLUSTERS[0], 0.02)
    page.evaluate("trame.trigger('go_to', ['99999'])")
    page.wait("document.getElementById('message').innerText.startsWith('there is no area 99999')")
    page.evaluate("trame.trigger('cut', [null, -100])")
    wait_until(
        lambda: np.mean(np.abs(page.screenshot()[:, LEFT:].astype(int) - palette.BACKGROUND).max(axis=-1) < 12) > 0.99,
        "",
    )


def test_missing_package_is_reported_in_a_sentence(pillars, capsys, monkeypatch):
    need_gl()
    monkeypatch.setitem(sys.modules, "trame.app", None)
    monkeypatch.setattr(sys, "argv", ["aas"])
    assert run(aas, "aas", ["view", str(pillars), "--web"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: --web needs trame (")
    assert err.endswith("): pip install 'aascompile[viewer]'\n")
    assert err.count("\n") == 1


def test_occupied_port_is_reported_in_a_sentence(pillars, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(aas, "aas", ["view", str(pillars), "--web", "--port", str(port)]) == 1
    assert capsys.readouterr() == ("", f"error: cannot use port {port} of 127.0.0.1 (address already in use)\n")


def test_a_watched_map_is_shown_again_when_it_is_saved(tmp_path):
    """The page shows the new map in place. In real time; the limit leaves room for a busy machine."""
    need_gl()
    pytest.importorskip("trame", reason="trame is not installed: pip install 'aascompile[viewer]'")
    path = tmp_path / "x.map"
    shutil.copy(ROOT / "samples" / "stairs.map", path)
    command = [sys.executable, "-c", COMMAND, "view", str(path), "--web", "--watch", "--size", "400x300"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            assert line.startswith("http://127.0.0.1:"), line + server.stderr.read()
            with browser((700, 400)) as page:
                page.open(line.strip())
                heading = "document.querySelector('h1')?.innerText"
                page.wait(f"{heading}?.startsWith('x.map: ')")
                before = page.evaluate(heading)
                shutil.copy(ROOT / "samples" / "pillars.map", path)
                page.wait(f"{heading} !== {before!r}")
                page.wait("document.getElementById('message').innerText.startsWith('areas: ')")
                path.write_text("nonsense")
                page.wait("document.getElementById('message').innerText.includes('x.map')")
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)
    assert not list(tmp_path.glob("*.hdf"))


def test_watching_takes_one_file_and_a_window(capsys):
    assert run(aas, "aas", ["view", "x.hdf", "y.hdf", "--watch"]) == 2
    assert run(aas, "aas", ["view", "x.hdf", "--watch", "--screenshot", "x.png"]) == 2
    assert "--watch takes one file" in capsys.readouterr().err
