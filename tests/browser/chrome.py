"""Headless Chromium driven over its debugging pipe: opens a file, clicks, evaluates, and notes what went wrong.

No driver and no library: messages are JSON ended by NUL on two file descriptors.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)  # fmt: skip
#: A busy machine may take long; nothing waits this long unless it hangs.
PATIENCE = 600.0


def find_chromium() -> str | None:
    """Return the program, or None; MOSAIC_CHROMIUM names one that is elsewhere."""
    named = os.environ.get("MOSAIC_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Chrome:
    """One browser with one page.

    Attributes:
        events: What the page did that a report never does: (kind, text).
    """

    def __init__(self, program: str, folder: Path) -> None:
        self.events: list[tuple[str, str]] = []
        self._waiting: list[dict[str, Any]] = []
        self._buffer = b""
        self._number = 0
        self._opening: set[str] = set()
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        pair = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (theirs_in, theirs_out)]

        def place() -> None:
            os.dup2(pair[0], 3)
            os.dup2(pair[1], 4)

        self._process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={folder}"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        for fd in (theirs_in, theirs_out, *pair):
            os.close(fd)
        target = self._send("Target.createTarget", {"url": "about:blank"})["targetId"]
        attach = {"targetId": target, "flatten": True}
        self._session = self._send("Target.attachToTarget", attach)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser and its children."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    # --- the page -------------------------------------------------------------------------------------

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command to the page and return its result."""
        return self._send(method, params, self._session)

    def open(self, url: str) -> None:
        """Load an address and wait until it has loaded."""
        self._opening = {url, url.partition("#")[0]}
        self.call("Page.navigate", url="about:blank")
        self._until("Page.loadEventFired")
        self.call("Page.navigate", url=url)
        self._until("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """Evaluate an expression and return its value."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise AssertionError(json.dumps(done["exceptionDetails"])[:800])
        return done["result"].get("value")

    def click(self, selector: str) -> None:
        """Click an element with the mouse, at its middle."""
        where = self.run(
            f"(() => {{ const node = document.querySelector({json.dumps(selector)});"
            " node.scrollIntoView({block: 'center'}); const box = node.getBoundingClientRect();"
            " return [box.x + Math.min(box.width / 2, 30), box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="left", clickCount=1
            )
        self.settle()

    def press(self, key: str) -> None:
        """Press a key."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def settle(self) -> None:
        """Wait until what was caused has been drawn."""
        self.run("new Promise(done => setTimeout(() => requestAnimationFrame(() => done(1)), 30))")

    def size(self, width: int, height: int) -> None:
        """Set the size of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def dark(self, on: bool) -> None:
        """Ask for dark or light colours."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as a PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    # --- the pipe -------------------------------------------------------------------------------------

    def _send(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        for answer in self._messages():
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
        raise AssertionError("the browser ended")

    def _until(self, event: str) -> None:
        for number, message in enumerate(self._waiting):
            if message.get("method") == event:
                del self._waiting[: number + 1]
                return
        for message in self._messages():
            if message.get("method") == event:
                self._waiting.clear()
                return

    def _messages(self) -> Iterator[dict[str, Any]]:
        end = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self._buffer:
                if not select.select([self._in], [], [], max(end - time.monotonic(), 0))[0]:
                    raise AssertionError("the browser does not answer")
                piece = os.read(self._in, 2**20)
                if not piece:
                    return
                self._buffer += piece
            line, _, self._buffer = self._buffer.partition(b"\0")
            message = json.loads(line)
            self._note(message)
            if "method" in message:
                self._waiting.append(message)
            yield message

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method", ""), message.get("params", {})
        if method == "Page.javascriptDialogOpening":
            self.events.append(("dialog", params.get("message", "")))
            dismiss = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}}
            os.write(self._out, json.dumps({**dismiss, "sessionId": self._session}).encode() + b"\0")
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if (
                not url.startswith("data:")
                and url != "about:blank"
                and url.partition("#")[0] not in self._opening
            ):
                self.events.append(("request", url))
        elif method == "Page.frameNavigated":
            url = params["frame"]["url"]
            if url != "about:blank" and url.partition("#")[0] not in self._opening:
                self.events.append(("navigation", url))
        elif method == "Page.windowOpen":
            self.events.append(("window", params.get("url", "")))
        elif method == "Runtime.exceptionThrown":
            self.events.append(("exception", json.dumps(params)[:800]))
        elif method == "Runtime.consoleAPICalled":
            self.events.append(("console", json.dumps(params.get("args"))[:800]))
        elif method == "Log.entryAdded":
            self.events.append(("log", params["entry"].get("text", "")))


@contextlib.contextmanager
def chromium(program: str) -> Iterator[Chrome]:
    """Start a browser with an empty profile, and end it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Chrome(program, Path(folder))
        try:
            yield browser
        finally:
            browser.close()
