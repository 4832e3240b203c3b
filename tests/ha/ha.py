#!/usr/bin/env python3
"""Starts samples/ha/run and does to its PostgreSQL servers what happens to machines, under three writers: the leader is killed
and comes back, the next leader is cut off and wakes up again. Nothing that was acknowledged may be lost, and writes must be back
within Patroni's ttl. Usage: ha.py PROGRAM"""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TTL = 30        # of samples/ha/patroni.yml
NOTICED = 10    # seconds in which HAProxy and the nodes find the new leader
WAIT = 120
API = "/service.api/api/v1/"


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def until(what, text, seconds=WAIT):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("never: " + text)


def send(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def token(port):
    form = urllib.parse.urlencode({"client_id": "sample-app", "grant_type": "password", "username": "admin",
                                   "password": "callisto", "scope": "session-type:Analyst"})

    def attempt():   # on a busy machine HAProxy may find both nodes late for a while
        status, text = send(port, "POST", "/service.web/oauth/login", form, {"Content-Type": "application/x-www-form-urlencoded"})
        check(status in (200, 503), f"signing in: {status} {text}")
        return text if status == 200 else None

    return json.loads(until(attempt, "signing in"))["access_token"]


class Run:
    """The script, its lines and its processes."""

    def __init__(self, program, folder):
        self.lines, self.folder = [], folder
        self.process = subprocess.Popen([ROOT / "samples/ha/run", "--program", program], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, env={**os.environ, "TMPDIR": str(folder)},
                                        start_new_session=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def found(self, pattern):
        return [match for line in list(self.lines) if (match := re.search(pattern, line))]

    def port(self):
        return int(self.found(r"^ready: http://127\.0\.0\.1:(\d+)")[0][1])

    def members(self):
        for match in self.found(r"curl (http://127\.0\.0\.1:\d+/cluster)"):
            try:
                return json.load(urllib.request.urlopen(match[1], timeout=5))["members"]
            except (OSError, ValueError):
                pass
        return []

    def named(self, role):
        """The member of that role which runs."""
        return next((each["name"] for each in self.members()
                     if each["role"] == role and each["state"] in ("running", "streaming")), None)

    def family(self, name):
        """Patroni of that name, its PostgreSQL server, which goes on without it, and all that they started."""
        server = next(self.folder.glob(f"callisto-ha-*/{name}/data/postmaster.pid")).read_text().split()[0]
        waiting, found = [int(self.found(rf"^{name}: process (\d+)")[-1][1]), int(server)], []
        while waiting:
            process = waiting.pop()
            if process in found:
                continue
            found.append(process)
            for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
                waiting += [int(word) for word in task.read_text().split()]
        return found


class Writer(threading.Thread):
    """Creates records one after the other, and changes each; what was answered 200 must be there in the end."""

    def __init__(self, port, bearer, number):
        super().__init__(daemon=True)
        self.port, self.number = port, number
        self.headers = {"Authorization": "Bearer " + bearer, "Content-Type": "application/json"}
        self.stopping = threading.Event()
        self.acknowledged, self.times, self.statuses = {}, [], {}   # key -> name; moments of a 200

    def ask(self, method, path, body, key=None):
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        try:
            status, text = send(self.port, method, API + path, json.dumps(body), headers)
        except (OSError, http.client.HTTPException):
            status, text = 0, ""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status == 200:
            self.times.append(time.monotonic())
        else:
            self.stopping.wait(0.2)
        return status, text

    def run(self):
        turn = 0
        while not self.stopping.is_set():
            turn += 1
            name = f"W{self.number}-{turn}"
            status = 0
            while status != 200 and not self.stopping.is_set():   # the same key: made once, however often it is sent
                status, text = self.ask("POST", "partition", {"Name": name}, f"ha-{name}")
            if status != 200:
                return
            key = json.loads(text)["Ref"]
            check(key not in self.acknowledged, f"the key {key} was given twice")
            self.acknowledged[key] = {name}
            status, _ = self.ask("PUT", f"partition/{key}", {"Name": name + "-changed"})
            # What was not acknowledged may have been done.
            self.acknowledged[key] = {name + "-changed"} if status == 200 else {name, name + "-changed"}


class Work:
    def __init__(self, port):
        self.port, self.bearer = port, token(port)
        self.writers = [Writer(port, self.bearer, number) for number in range(3)]
        for writer in self.writers:
            writer.start()

    def goes_on_after(self, moment):
        return all(writer.times and writer.times[-1] > moment for writer in self.writers)

    def longest_gap(self, moment):
        """Seconds without an acknowledged write, of the writer that waited longest, since then."""
        gaps = [0]
        for writer in self.writers:
            times = [moment] + [each for each in writer.times if each > moment]
            gaps += [later - earlier for earlier, later in zip(times, times[1:])]
        return max(gaps)

    def end(self):
        for writer in self.writers:
            writer.stopping.set()
        for writer in self.writers:
            writer.join(WAIT)

    def check_nothing_lost(self):
        expected = {key: names for writer in self.writers for key, names in writer.acknowledged.items()}
        headers = {"Authorization": "Bearer " + self.bearer}
        there, last = {}, 0
        while True:
            query = urllib.parse.urlencode({"$filter": f"Ref > {last}", "$orderby": "Ref", "$top": "1000", "$select": "Ref,Name"})
            status, text = send(self.port, "GET", API + "partition?" + query, headers=headers)
            check(status == 200, f"reading: {status} {text[:300]}")
            rows = json.loads(text)["results"]
            if not rows:
                break
            there.update({row["Ref"]: row["Name"] for row in rows})
            last = rows[-1]["Ref"]
        lost = {key: names for key, names in expected.items() if there.get(key) not in names}
        check(not lost, f"{len(lost)} of {len(expected)} acknowledged are lost: {list(lost.items())[:5]}")
        mine = [name for name in there.values() if name.startswith("W")]
        check(len(mine) == len({name.removesuffix("-changed") for name in mine}), "a record was made twice")
        return len(expected)


def fail_over(run, work, what, act):
    """The leader gets `act`; the standby leads afterwards."""
    leader, standby = run.named("leader"), until(lambda: run.named("sync_standby"), "a synchronous standby")
    moment = time.monotonic()
    act(leader)
    until(lambda: run.named("leader") == standby, f"{standby} leads")
    promoted = time.monotonic()
    until(lambda: work.goes_on_after(promoted), f"writes after {what}")
    gap = work.longest_gap(moment)
    print(f"{what}: {leader} -> {standby}, {gap:.1f} s without writes (ttl {TTL} s)", flush=True)
    check(gap <= TTL + NOTICED, f"writes were away for {gap:.1f} s")
    return leader


def rejoins(run, name):
    """As the synchronous standby of the other; or, if that one was too late for Patroni meanwhile, as its leader."""
    def both():
        leader, standby = run.named("leader"), run.named("sync_standby")
        return leader and standby and name in (leader, standby)

    until(both, f"{name} comes back, and both members are synchronous")


def kill(run, name):
    for process in run.family(name):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o711)
        run = Run(program, folder)
        try:
            until(lambda: run.found("^ready: ") or run.process.poll() is not None, "the start", 240)
            check(run.process.poll() is None, "the script has ended")
            work = Work(run.port())
            until(lambda: work.goes_on_after(0), "the first writes")
            until(lambda: len(run.found("curl http")) == 2, "both members' urls")

            killed = fail_over(run, work, "the leader is killed", lambda leader: kill(run, leader))
            os.kill(run.process.pid, signal.SIGHUP)
            rejoins(run, killed)

            stopped = []

            def cut_off(leader):
                stopped.extend(run.family(leader))
                for process in stopped:
                    os.kill(process, signal.SIGSTOP)

            sleeper = fail_over(run, work, "the leader is cut off", cut_off)
            for process in stopped:
                os.kill(process, signal.SIGCONT)
            rejoins(run, sleeper)

            moment = time.monotonic()
            until(lambda: work.goes_on_after(moment), "writes at the end")
            work.end()
            statuses = {}
            for writer in work.writers:
                for status, count in writer.statuses.items():
                    statuses[status] = statuses.get(status, 0) + count
            print(f"{work.check_nothing_lost()} records acknowledged, none lost; statuses {dict(sorted(statuses.items()))}")
            os.kill(run.process.pid, signal.SIGINT)
            check(run.process.wait(WAIT) == 0, "the end is no success")
            check(not list(folder.glob("callisto-ha-*")), "the temporary folder is left")
        except BaseException:
            print("\n".join(run.lines), file=sys.stderr)
            for log in sorted(folder.glob("callisto-ha-*/*.log")):
                lines = log.read_text(errors="replace").splitlines()
                if log.name.startswith("postgres"):   # what Patroni decided, without what PostgreSQL remarks
                    lines = [line for line in lines if re.match(r"\S+ \S+,\d+ (INFO|WARNING|ERROR)", line)]
                print(f"{log}:", *lines[-60:], sep="\n", file=sys.stderr)
            raise
        finally:
            if run.process.poll() is None:
                run.process.terminate()
                run.process.wait(WAIT)


main()
