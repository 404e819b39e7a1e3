# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian's Chromium without a window, driven by playwright-core (docs/decisions/0020), which driver.js is asked for.

A Page keeps what must not happen: every address that was asked for, every message of the console, every dialog.
"""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLAYWRIGHT = HERE.parent.parent / "build/test-tools/playwright-core"


class Browser:
    def __init__(self):
        chromium = shutil.which("chromium")
        if not (PLAYWRIGHT.exists() and shutil.which("node") and chromium):
            sys.exit("playwright-core, node or chromium is not there: `./setup test` fetches them")
        self.process = subprocess.Popen(["node", HERE / "driver.js", PLAYWRIGHT, chromium], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()

    def call(self, method, *arguments, page=None):
        self.process.stdin.write(json.dumps({"page": page, "call": method, "with": arguments}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the browser has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["value"]

    def page(self):
        return Page(self, self.call("new"))


class Page:
    def __init__(self, browser, number):
        self.browser, self.number = browser, number

    def call(self, method, *arguments):
        return self.browser.call(method, *arguments, page=self.number)

    def close(self):
        self.call("close")

    def open(self, path):
        self.visit("file://" + os.path.abspath(path))

    def visit(self, address):
        self.call("goto", address)

    def size(self, width, height):
        self.call("setViewportSize", {"width": width, "height": height})

    def theme(self, name):
        self.call("emulateMedia", {"colorScheme": name})

    def ask(self, expression):
        """The value of a JavaScript expression."""
        return self.call("evaluate", expression)

    def move(self, x, y):
        self.call("mouse.move", x, y)

    def drag(self, start, end, y):
        self.move(start, y)
        self.call("mouse.down")
        self.move(end, y)
        self.call("mouse.up")

    def wheel(self, down):
        self.call("mouse.wheel", 0, down)

    def key(self, name):
        self.call("keyboard.press", name)

    def screenshot(self, path, whole=True):
        self.call("screenshot", {"path": str(path), "fullPage": whole})

    def pdf(self):
        return base64.b64decode(self.call("pdf", {"printBackground": True}))

    def requests(self):
        """The addresses that were asked for."""
        return self.call("heard")["requests"]

    def complaints(self):
        """What the console, the page's policy or a script had to say."""
        return self.call("heard")["complaints"]
