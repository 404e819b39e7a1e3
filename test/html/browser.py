# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian's Chromium without a window, spoken to over its debugging pipe: no driver, no socket, no port.

A Page keeps what must not happen: every address that was asked for, every message of the console, every dialog.
"""
import base64
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program="chromium"):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def install():
            # The pipe is descriptors 3 and 4. Moved out of the way first: they may be these already.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            reading, writing = os.dup2(reading, 63), os.dup2(writing, 64)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
             f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=install, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", patience=10)
        except (OSError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        self.folder.cleanup()

    def receive(self, until):
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.into], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            read = os.read(self.into, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self.pending += read
        message, _, self.pending = self.pending.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, patience=120, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + patience
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def page(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        return Page(self, target, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])


class Page:
    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(1200, 900)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def events(self, *methods):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event.get("method") in methods]

    def open(self, path):
        self.visit("file://" + os.path.abspath(path))

    def visit(self, address):
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]
        self.call("Page.navigate", url=address)
        until = time.monotonic() + 120
        while not self.events("Page.loadEventFired"):
            self.browser.events.append(self.browser.receive(until))

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, name, media="screen"):
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": name}])

    def ask(self, expression):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, text=name if len(name) == 1 and kind == "keyDown" else "")

    def screenshot(self, path, whole=True):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def requests(self):
        """The addresses that were asked for."""
        return [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]

    def complaints(self):
        """What the console, the page's policy or a script had to say."""
        said = [event["entry"]["text"] for event in self.events("Log.entryAdded")]
        said += [str(event.get("args")) for event in self.events("Runtime.consoleAPICalled")]
        said += [event["exceptionDetails"]["text"] for event in self.events("Runtime.exceptionThrown")]
        return said + ["a dialog: " + event["message"] for event in self.events("Page.javascriptDialogOpening")]
