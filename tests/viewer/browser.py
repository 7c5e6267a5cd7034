"""Chromium without a screen, driven over a pipe by its own protocol; nothing but the standard library is needed."""

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
"""Seconds until something that should happen has not."""


STARTER = """
import os, sys
from fcntl import F_DUPFD, fcntl
ends = [fcntl(int(end), F_DUPFD, 10) for end in sys.argv[1].split(",")]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""The browser reads from descriptor 3 and writes to 4; this puts them there."""


class Browser:
    """One page of a browser."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int, size: tuple[int, int]) -> None:
        self._process = process
        self._write, self._read = write, read
        self._number = 0
        self._rest = b""
        self._session = ""
        self.requests: list[str] = []
        """Addresses that the page asked for."""
        self.errors: list[str] = []
        """Errors of scripts."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        width, height = size
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser to do something, and wait for its answer."""
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
            assert ready, "the browser does not answer"
            more = os.read(self._read, 1 << 20)
            assert more, f"the browser ended with {self._process.poll()}"
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _note(self, message: dict[str, Any]) -> None:
        given = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif message.get("method") == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.errors.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")

    def open(self, address: str) -> None:
        """Go to an address."""
        self._call("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page."""
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, script: str) -> Any:
        """Wait until an expression is true in the page."""
        return wait_until(lambda: self.evaluate(script), f"it never came to this: {script}")

    def click(self, x: float, y: float) -> None:
        """Click at a pixel, counted from the upper left corner."""
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            button = "none" if kind == "mouseMoved" else "left"
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1)

    def click_on(self, selector: str) -> None:
        """Click into the middle of the first element that a selector finds."""
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
        """Press a key that gives a letter."""
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self) -> NDArray[np.uint8]:
        """(height, width, 3) what is seen, after the next frame."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        data = self._call("Page.captureScreenshot", format="png")["data"]
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            return np.asarray(image.convert("RGB"))


def wait_until(ask: Callable[[], Any], failure: str) -> Any:
    """Ask until there is an answer."""
    end = time.monotonic() + PATIENCE
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < end, failure
        time.sleep(0.02)


@contextlib.contextmanager
def browser(size: tuple[int, int] = (1000, 640)) -> Iterator[Browser]:
    """A browser with an empty page; skips the test where there is none."""
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
