"""A headless Chromium, driven over the pipe of its DevTools protocol; standard library only.

Without network: every request but the first, for the page itself, is an event that the tests look for.
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    session = None

    def __init__(self, width=1200, height=900):
        self.profile = tempfile.mkdtemp(prefix="heddle-browser-")
        commands_read, self.commands = os.pipe()
        self.answers, answers_write = os.pipe()

        # The browser reads from descriptor 3 and writes to 4; ours lie above them.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands_read, answers_write)]
        os.close(commands_read)
        os.close(answers_write)

        def connect():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
             f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "--remote-debugging-pipe"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=connect)
        for end in ends:
            os.close(end)
        self.buffer = b""
        self.count = 0
        self.events = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _next(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise OSError("the browser has ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, timeout=60, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        deadline = time.monotonic() + timeout
        while True:
            answer = self._next(deadline)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """Loads a file and returns when its scripts have run."""
        self.events.clear()
        self.send("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        deadline = time.monotonic() + 60
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._next(deadline))

    def run(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "an exception"))
        return answer["result"].get("value")

    def complaints(self):
        """What the page logged, threw, or was refused."""
        out = []
        for event in self.events:
            method, values = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                out.append(values["exceptionDetails"])
            elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
                out.append(values["args"])
            elif method == "Log.entryAdded":
                out.append(values["entry"])
        return out

    def requests(self):
        """Addresses that were asked for."""
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def prefer(self, scheme):
        """"light" or "dark", as the reader's system would."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, width=1200):
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": width, "height": size["height"], "scale": 1}
        data = self.send("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path):
        data = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))
