#!/usr/bin/env python3
"""Starts samples/nodes/run on free ports and does to it what happens to servers: a node that dies, a reload, a rolling
restart, an end. Usage: nodes.py PROGRAM"""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

root = pathlib.Path(__file__).resolve().parents[2]
WAIT = 60


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def until(what, text, seconds=WAIT):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("never: " + text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def heed_signals():
    """Who runs the tests may ignore them (nohup, `&` of a script); a shell cannot trap what was ignored when it began."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


class Run:
    """The script, its lines, and its children's process ids."""

    def __init__(self, program, folder, port, extra):
        self.lines = []
        environment = {**os.environ, "TMPDIR": str(folder)}
        self.process = subprocess.Popen(
            [root / "samples/nodes/run", "--port", str(port), "--program", program, "--", *extra],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True,
            preexec_fn=heed_signals)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def nodes(self):
        """number -> (process, port), the newest of each."""
        found = {}
        for line in list(self.lines):
            if match := re.fullmatch(r"node (\d): process (\d+), http://127\.0\.0\.1:(\d+)", line):
                found[int(match[1])] = (int(match[2]), int(match[3]))
        return found

    def said(self, text):
        return any(text in line for line in list(self.lines))

    def children(self):
        """Of the script and of all that it started, as long as they live."""
        found, waiting = [], [self.process.pid]
        while waiting:
            parent = waiting.pop()
            for task in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
                these = [int(word) for word in task.read_text().split()]
                found += these
                waiting += these
        return found


class Door:
    """One way in: through nginx, or to a node itself."""

    def __init__(self, port, context=None):
        self.port, self.context = port, context

    def send(self, method, path, body=None, token=None, headers=()):
        if self.context:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=self.context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        given = dict(headers)
        if token:
            given["Authorization"] = "Bearer " + token
        if isinstance(body, dict):
            body = json.dumps(body)
            given["Content-Type"] = "application/json"
        try:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        finally:
            connection.close()

    def token(self, forwarded=None):
        form = urllib.parse.urlencode({"client_id": "sample-app", "grant_type": "password", "username": "admin",
                                       "password": "callisto", "scope": "session-type:Analyst"})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if forwarded:
            headers["X-Forwarded-For"] = forwarded
        status, text, _ = self.send("POST", "/service.web/oauth/login", form, headers=headers)
        check(status == 200, f"signing in: {status} {text}")
        return json.loads(text)["access_token"]


API = "/service.api/api/v1/"


def create(door, token, name):
    status, text, _ = door.send("POST", API + "partition", {"Name": name}, token)
    check(status == 200, f"creating: {status} {text}")
    return json.loads(text)["Ref"]


def name_of(door, token, ref):
    status, text, _ = door.send("GET", API + f"partition/{ref}", token=token)
    return json.loads(text)["Name"] if status == 200 else status


def test_front(front, folder):
    token = front.token("203.0.113.66")
    for path in ("/metrics", "/readyz", "/", "/service.apis/"):
        check(front.send("GET", path)[0] == 404, f"{path} is no business of the world's")
    _, text, _ = front.send("GET", "/.well-known/oauth-authorization-server")
    check(json.loads(text)["issuer"] == f"https://127.0.0.1:{front.port}", f"the issuer: {text}")
    logs = "".join(path.read_text() for path in folder.glob("callisto-nodes-*/node*/audit.jsonl"))
    check("203.0.113.66" not in logs, "a client's claim stands in the audit log")
    check('"event":"sign-in"' in logs, "no sign-in stands in the audit logs")
    return token


def test_both_see(run, front, token):
    one, two = (Door(run.nodes()[number][1]) for number in (1, 2))
    for number, (writer, reader) in enumerate([(one, two), (two, one), (front, one), (one, front)] * 5):
        ref = create(writer, token, f"P{number}")
        check(name_of(reader, token, ref) == f"P{number}", "the other node does not see what was written")
        status, text, _ = reader.send("PUT", API + f"partition/{ref}", {"Name": f"Q{number}"}, token)
        check(status == 200, f"changing: {status} {text}")
        check(name_of(writer, token, ref) == f"Q{number}", "the first node does not see the change")


def test_death(run, front, token):
    before, port = run.nodes()[2]
    os.kill(before, signal.SIGKILL)
    ref = None
    answers = []
    for number in range(30):
        answers.append(front.send("GET", API + "partition", token=token)[0])
        answers.append(front.send("POST", API + "partition", {"Name": f"D{number}"}, token)[0])
    # nginx asks the other node for whatever may be asked twice. A change that went to the dead one first is told as failed.
    check(set(answers[::2]) == {200}, f"reads while one node is dead: {answers}")
    changes = answers[1::2]
    check(set(changes) <= {200, 502} and changes.count(502) <= 3, f"changes while one node is dead: {answers}")
    ref = create(front, token, "after death")
    process, again = until(lambda: run.nodes()[2] if run.nodes()[2][0] != before else None, "node 2 starts again")
    check(again == port, "the node has another port now")
    check(name_of(Door(port), token, ref) == "after death", "the new node does not see what happened meanwhile")


def test_reload(run, entities, token):
    doors = [Door(run.nodes()[number][1]) for number in (1, 2)]
    for door in doors:
        check(door.send("GET", API + "gadget", token=token)[0] == 404, "the new entity is there before the reload")
    (entities / "gadget.lua").write_text(
        'return entity "gadget" { description = "New.", properties = { text "Title" { length = 40 } } }\n')
    os.kill(run.nodes()[1][0], signal.SIGHUP)
    for number, door in enumerate(doors, 1):
        until(lambda: door.send("GET", API + "gadget", token=token)[0] == 200, f"node {number} reloads")


def test_rolling_restart(run, front, token):
    before = run.nodes()
    answers, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            answers.append(front.send("GET", API + "partition", token=token)[0])
            answers.append(front.send("POST", API + "partition", {"Name": "rolling"}, token)[0])

    asking = threading.Thread(target=ask)
    asking.start()
    os.kill(run.process.pid, signal.SIGHUP)
    try:
        until(lambda: run.said("both nodes were restarted"), "the rolling restart")
    finally:
        stop.set()
        asking.join()
    after = run.nodes()
    check(all(before[number][0] != after[number][0] for number in (1, 2)), "a node was not restarted")
    check(len(answers) >= 10 and set(answers) == {200}, f"during a rolling restart: {sorted(set(answers))}")


def test_end(run, folder):
    children = run.children()
    check(len(children) >= 4, f"too few processes: {children}")
    os.kill(run.process.pid, signal.SIGINT)
    check(run.process.wait(WAIT) == 0, "the end is no success")
    left = [child for child in children if pathlib.Path(f"/proc/{child}").exists()]
    check(not left, f"processes are left: {left}")
    check(not list(folder.glob("callisto-nodes-*")), "the temporary folder is left")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o711)
        entities = folder / "entities"
        entities.mkdir()
        port = free_port()
        run = Run(program, folder, port, ["--set", f"entities=entities,{entities}"])
        try:
            until(lambda: run.said("ready: ") or run.process.poll() is not None, "the start", 180)
            certificate = next(folder.glob("callisto-nodes-*/nginx/certificate.pem"))
            front = Door(port, ssl.create_default_context(cafile=str(certificate)))
            token = test_front(front, folder)
            test_both_see(run, front, token)
            test_death(run, front, token)
            test_reload(run, entities, token)
            test_rolling_restart(run, front, token)
            test_end(run, folder)
        except BaseException:
            print("\n".join(run.lines), file=sys.stderr)
            for log in folder.glob("callisto-nodes-*/log"):
                print(log.read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            if run.process.poll() is None:
                run.process.terminate()
                run.process.wait(WAIT)
    print("nodes: a death, a reload, a rolling restart and an end went as they should")


main()
