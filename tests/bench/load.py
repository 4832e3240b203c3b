"""Servers to measure, and wrk against them. A server is stopped by the handle it was started with."""
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import desk

TICKS = os.sysconf("SC_CLK_TCK")

# wrk asks for <prefix><key>, a key of the desk at random each time.
KEYS_SCRIPT = """
local prefix, keys, headers = {prefix!r}, {keys}, {{ Authorization = "Bearer {token}" }}
request = function() return wrk.format("GET", prefix .. (math.random(0, keys - 1) * {step} + 1), headers) end
"""


class Server:
    """A program that says where it listens."""

    def __init__(self, command):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=self.log,
                                        text=True)
        for line in self.process.stdout:
            if "listening on " in line:
                self.address = line.split("listening on ")[1].split()[0]
                return
        self.log.seek(0)
        raise SystemExit(f"{command[0]} did not start: {self.log.read().strip()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()
        self.log.close()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def settle(self):
        """Waits for the answers that nobody reads any more."""
        before, now = None, self.cpu_seconds()
        while now != before:
            time.sleep(0.05)
            before, now = now, self.cpu_seconds()

    def get(self, path, token):
        request = urllib.request.Request(self.address + path, headers={"Authorization": "Bearer " + token})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as refused:
            raise SystemExit(f"GET {path}: {refused.code} {refused.read().decode()}") from None

    def sign_in(self, login, password, client):
        form = {"client_id": client, "grant_type": "password", "username": login, "password": password,
                "scope": "session-type:Analyst"}
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(self.address + "/service.web/oauth/login", body, timeout=60) as answer:
            return re.search(rb'"access_token":"([^"]+)"', answer.read())[1].decode()


def latency(text, percent):
    """Of wrk's distribution, in milliseconds."""
    number, unit = re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60000}[unit]


def measure(server, path, keys, token, seconds, connections):
    """One run of wrk. `keys`: how many keys follow the path; 0: the path as it is."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "--timeout", "30s"]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        if keys:
            script.write(KEYS_SCRIPT.format(prefix=path, keys=keys, step=desk.KEY_STEP, token=token))
            script.flush()
            command += ["-s", script.name]
        server.settle()
        before = server.cpu_seconds()
        text = subprocess.run([*command, "-H", f"Authorization: Bearer {token}", server.address + path], check=True,
                              capture_output=True, text=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"{path}: wrk met errors:\n{text}")
    requests = int(re.search(r"(\d+) requests in", text)[1])
    if "nan" in text:   # too slow for so short a time
        return measure(server, path, keys, token, 4 * seconds, connections)
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
        "cpu_us": (server.cpu_seconds() - before) / requests * 1e6,
        "p50_ms": latency(text, 50),
        "p99_ms": latency(text, 99),
    }
