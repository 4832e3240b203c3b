"""A server for the fault tests, and what they ask of it. A server is stopped by the handle it was started with."""
import ctypes
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.parse

API = "/service.api/api/v1/"
JSON = {"Content-Type": "application/json"}
ALIVE_WITHIN = 120   # seconds: no test waits longer for anything


PR_SET_PDEATHSIG = 1


def is_main_thread():
    return threading.current_thread() is threading.main_thread()


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Failed(Exception):
    """A fault test found something."""


def check(holds, what):
    if not holds:
        raise Failed(what)


def until(condition, what, seconds=ALIVE_WITHIN):
    """The first true answer of the condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.05)
    raise Failed(f"waited {seconds} s in vain: {what() if callable(what) else what}")


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            raise Failed(f"{self.status} without JSON: {self.body[:200]!r}") from None


class Server:
    """`serve` with the sample desk on `folder`. Standard error goes to `errors`, or a file beside it."""

    def __init__(self, program, folder, *arguments, environment=None, errors=None):
        self.folder = pathlib.Path(folder)
        self.errors = errors or self.folder.parent / (self.folder.name + ".log")
        command = [str(program), "serve", "--set", "listen=127.0.0.1:0", "--set", "log.access=false", "--data",
                   str(folder), "--samples", *arguments]
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True,
                                            env={**os.environ, **(environment or {})},
                                            # The signal comes with the end of the thread that started it.
                                            preexec_fn=end_with_parent if is_main_thread() else None)
        self.address = None
        for line in self.process.stdout:
            found = re.search(r"listening on http://([\d.]+):(\d+)", line)
            if found:
                self.address = (found[1], int(found[2]))
                return
        self.process.wait()   # it refused to start; its word is in the log
        self.process.stdout.close()

    def started(self):
        check(self.address, f"it did not start: {self.log()[-500:]}")
        return self

    def log(self):
        return self.errors.read_text(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=ALIVE_WITHIN)
            except subprocess.TimeoutExpired:
                self.kill()
                raise Failed("it does not stop") from None
        self.process.stdout.close()

    def stop(self):
        """Its exit status; negative: a signal ended it."""
        self.__exit__()
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.wait()

    def is_alive(self):
        return self.process.poll() is None

    def connect(self, timeout=60):
        return http.client.HTTPConnection(*self.address, timeout=timeout)

    def send(self, method, target, body=None, token=None, headers=None, connection=None):
        """None where the server does not answer."""
        headers = dict(headers or (JSON if body is not None else {}))
        if token:
            headers["Authorization"] = "Bearer " + token
        if isinstance(body, dict):
            body = json.dumps(body)
        own = connection or self.connect()
        try:
            own.request(method, target, body, headers)
            answer = own.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException):
            own.close()
            return None
        finally:
            if not connection:
                own.close()

    def form(self, **fields):
        form = {"client_id": "sample-app", **fields}
        return self.send("POST", "/service.web/oauth/login", urllib.parse.urlencode(form),
                         headers={"Content-Type": "application/x-www-form-urlencoded"})

    def sign_in(self, login="analyst", scope="session-type:Analyst"):
        return self.form(grant_type="password", username=login, password="callisto", scope=scope)

    def tokens(self, login="analyst"):
        answer = self.sign_in(login)
        check(answer and answer.status == 200, f"nobody can sign in: {answer and answer.body[:300]}")
        return answer.json()

    def token(self, login="analyst"):
        return self.tokens(login)["access_token"]

    def create(self, token, text="a fault", connection=None):
        return self.send("POST", API + "incident", {"ShortDescription": text}, token, connection=connection)

    def get(self, path, token, connection=None):
        return self.send("GET", API + path, token=token, connection=connection)

    def healthy(self):
        answer = self.send("GET", "/healthz")
        return answer is not None and answer.status == 200

    def missing(self, refs, token):
        """Those of the calls that cannot be read."""
        connection = self.connect()
        gone = []
        for ref in refs:
            answer = self.get(f"call/{ref}?$select=Ref", token, connection)
            if not answer or answer.status != 200:
                gone.append(ref)
        connection.close()
        return gone

    def figures(self):
        """Resident KiB, open files, threads, CPU seconds."""
        proc = pathlib.Path(f"/proc/{self.process.pid}")
        status = (proc / "status").read_text()
        fields = (proc / "stat").read_text().rsplit(")", 1)[1].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return {"kib": int(re.search(r"VmRSS:\s+(\d+)", status)[1]), "files": len(list((proc / "fd").iterdir())),
                "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]), "cpu": cpu}
