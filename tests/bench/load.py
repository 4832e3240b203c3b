"""Servers to measure, and wrk against them. A server is stopped by the handle it was started with."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import asks

TICKS = os.sysconf("SC_CLK_TCK")


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

    def resident_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024

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

    def connect(self, timeout=60):
        parts = urllib.parse.urlsplit(self.address)
        return socket.create_connection((parts.hostname, parts.port), timeout)

    def sign_in(self, login, password, client, kind="Analyst"):
        form = {"client_id": client, "grant_type": "password", "username": login, "password": password,
                "scope": "session-type:" + kind}
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(self.address + "/service.web/oauth/login", body, timeout=60) as answer:
            return re.search(rb'"access_token":"([^"]+)"', answer.read())[1].decode()


def start(stack, program, folder, *settings, samples=False, before=()):
    """The product on a data folder, as bench measures it: without a line of log for each request. `before`: a command
    that runs it."""
    return stack.enter_context(Server([*before, program, "--data", folder, "--set", "oauth.access_seconds=7200", "--set",
                                       "log.level=error", *settings, "serve", *(["--samples"] if samples else []),
                                       "--listen", "127.0.0.1:0"]))


def request_text(path, token, **headers):
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}",
             *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_answer(connection):
    """The whole answer as it came, head and all; what came until then if the other side closes."""
    answer = b""
    while part := connection.recv(1 << 16):
        answer += part
        head, end, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        if end and (not length or b" 304 " in head[:20] or len(body) >= int(length[1])):
            break
    return answer


def raw_answer(server, path, token, **headers):
    with server.connect() as connection:
        connection.sendall(request_text(path, token, **headers))
        return read_answer(connection)


class Watch(threading.Thread):
    """The largest value of `look()` while the with statement lasts."""

    def __init__(self, look):
        super().__init__(daemon=True)
        self.look, self.most, self.done = look, look(), threading.Event()

    def run(self):
        while not self.done.wait(0.02):
            self.most = max(self.most, self.look())

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()


def latency(text, percent):
    """Of wrk's distribution, in milliseconds."""
    number, unit = re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60000}[unit]


def wrk(server, seconds, connections, *, path="/", headers=(), script="", settle=True):
    """One run. `script`: Lua that makes the requests (asks.py); without one they are all the same. `settle`: begin, and
    end, when the server has nothing else to do: a scan goes on for seconds after whoever asked for it has left, and would
    be measured with what comes next."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "--timeout", "30s"]
    for header in headers:
        command += ["-H", header]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        if script:
            file.write(script)
            file.flush()
            command += ["-s", file.name]
        if settle:
            server.settle()
        before = server.cpu_seconds()
        text = subprocess.run([*command, server.address + path], check=True, capture_output=True, text=True).stdout
        if "Non-2xx" in text or "Socket errors" in text:
            raise SystemExit(f"{path}: wrk met errors:\n{text}")
        requests = int(re.search(r"(\d+) requests in", text)[1])
        cpu_seconds = server.cpu_seconds() - before
        if settle:
            server.settle()
    if "nan" in text or not requests:   # too slow for so short a time
        if seconds > 60:
            raise SystemExit(f"{server.address}{path}: {requests} answers in {seconds} s")
        return wrk(server, 4 * seconds, connections, path=path, headers=headers, script=script, settle=settle)
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
        "requests": requests,
        "cpu_us": cpu_seconds / requests * 1e6,
        "p50_ms": latency(text, 50),
        "p99_ms": latency(text, 99),
    }


def get_often(server, path, token, keys, seconds, connections):
    """One run of GET; `keys`: of how many records, 0: the path as it is."""
    script = asks.script([asks.Ask(path, keys=keys)], token) if keys else ""
    return wrk(server, seconds, connections, path="/" if keys else path, script=script,
               headers=[f"Authorization: Bearer {token}"])
