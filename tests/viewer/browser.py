"""Headless Chromium, driven over a pipe by its DevTools protocol with the standard library alone."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
"""Timeout of every wait, seconds."""


STARTER = """
import os, sys
from fcntl import F_DUPFD, fcntl
ends = [fcntl(int(end), F_DUPFD, 10) for end in sys.argv[1].split(",")]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Gives the browser its pipe ends: it reads from descriptor 3 and writes to 4."""


class Browser:
    """A page in a browser."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int, size: tuple[int, int]) -> None:
        self._process = process
        self._write, self._read = write, read
        self._number = 0
        self._rest = b""
        self._session = ""
        self.requests: list[str] = []
        """URLs that the page requested."""
        self.errors: list[str] = []
        """Script and log errors of the page."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        self.resize(*size)

    def resize(self, width: int, height: int) -> None:
        """Change the size of the page, pixels."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the browser and return its result."""
        self._number += 1
        sent = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            sent["sessionId"] = self._session
        os.write(self._write, json.dumps(sent).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._number:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self._note(message)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], PATIENCE)
            assert ready, "the browser did not answer"
            more = os.read(self._read, 1 << 20)
            assert more, f"the browser exited with {self._process.poll()}"
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif message.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def open(self, address: str) -> None:
        """Open a URL."""
        self._call("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        """Value of an expression in the page."""
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, script: str) -> Any:
        """Wait until an expression is true in the page."""
        return wait_until(lambda: self.evaluate(script), f"the page never reached: {script}")

    def move(self, x: float, y: float) -> None:
        """Move the mouse to a pixel, counted from the upper left corner."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="none", buttons=0)

    def click(self, x: float, y: float) -> None:
        """Click at a pixel, counted from the upper left corner."""
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            button = "none" if kind == "mouseMoved" else "left"
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1)

    def click_on(self, selector: str) -> None:
        """Click the middle of the first element that matches a selector."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.evaluate(f"{find}.scrollIntoView({{block: 'nearest'}})")
        x, y = self.evaluate(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({find}.getBoundingClientRect())")
        self.click(x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the left button."""
        points = np.linspace(start, end, 5)
        kinds = ("mousePressed", "mouseMoved", "mouseMoved", "mouseMoved", "mouseReleased")
        for kind, (x, y) in zip(kinds, points.tolist(), strict=True):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def press(self, key: str) -> None:
        """Press a key that types a character."""
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self) -> NDArray[np.uint8]:
        """``(height, width, 3)`` picture of the page, after the next frame."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        data = self._call("Page.captureScreenshot", format="png")["data"]
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            return np.asarray(image.convert("RGB"))


def wait_until(ask: Callable[[], Any], failure: str) -> Any:
    """Call ``ask`` until it returns something true."""
    end = time.monotonic() + PATIENCE
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < end, failure
        time.sleep(0.02)


@contextlib.contextmanager
def browser(size: tuple[int, int] = (1000, 640)) -> Iterator[Browser]:
    """A browser with an empty page. Skips the test if no browser is installed."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no browser: install chromium (apt-get install chromium)")
    to_browser, from_test = os.pipe()
    to_test, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ends = f"{to_browser},{from_browser}"
        starter = [sys.executable, "-I", "-S", "-c", STARTER, ends]
        command = [*starter, program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(to_browser, from_browser),
        )
        os.close(to_browser)
        os.close(from_browser)
        try:
            yield Browser(process, from_test, to_test, size)
        finally:
            os.close(from_test)
            os.close(to_test)
            process.terminate()
            process.wait(PATIENCE)
