"""A mixed load with a fault every so often, kill -9 at the end of each stretch, and an audit after it. What a server holds
on to - memory, files, threads - is told, and files and threads must come back to what they were."""
import signal
import threading
import time

import clients
from server import API, Server, check, until

WORKERS = 4
STRETCHES = 4   # in the long run; the server is killed at the end of each


class Load:
    """Clients that write, read and sign in until they are stopped or the server is gone."""

    def __init__(self, server, acknowledged):
        self.server, self.acknowledged = server, acknowledged
        self.requests, self.odd = 0, []
        self.lock, self.stopping = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(WORKERS)]
        for thread in self.threads:
            thread.start()

    def ask(self, connection, method, path, body, token, allowed=(200,)):
        answer = self.server.send(method, API + path, body, token, connection=connection)
        with self.lock:
            self.requests += 1
            if answer and answer.status not in allowed:
                self.odd.append((method, path, answer.status, answer.body[:200]))
        return answer

    def work(self, number):
        connection = self.server.connect()
        turn = 0
        token = None
        while not self.stopping.is_set():
            if turn % 40 == 0:
                answer = self.server.sign_in()
                if not answer or answer.status != 200:
                    break
                token = answer.json()["access_token"]
            if not self.one_turn(connection, token, turn):
                break
            turn += 1
        connection.close()

    def one_turn(self, connection, token, turn):
        """False: the server is gone."""
        made = self.ask(connection, "POST", "incident", {"ShortDescription": f"soak {turn}", "ReceivingGroup": 1}, token)
        if not made or made.status != 200:
            return made is not None
        ref = made.json()["Ref"]
        with self.lock:
            self.acknowledged[ref] = False
        if turn % 3 == 0:
            closed = self.ask(connection, "PUT", f"incident/{ref}/close", {"Description": "done"}, token)
            if closed and closed.status == 200:
                with self.lock:
                    self.acknowledged[ref] = True
        for path in (f"call/{ref}", "call?$top=20&$orderby=Ref%20desc", "call?$filter=State%20%3D%3D%201&$count=true",
                     "person?$top=5"):
            if self.ask(connection, "GET", path, None, token) is None:
                return False
        return self.ask(connection, "GET", "call?$filter=((", None, token, (400,)) is not None

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()


def pause(server):
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)   # the fault: nothing is waited for
    server.process.send_signal(signal.SIGCONT)


def faults(server, token, random):
    return [lambda: pause(server), lambda: server.process.send_signal(signal.SIGHUP),
            lambda: clients.resets(server, token, random, 50), lambda: clients.slow_readers(server, token, 20),
            lambda: clients.idle(server, 200)]


def slope(samples):
    """KiB an hour, by least squares over the second half."""
    samples = samples[len(samples) // 2:]
    if len(samples) < 3:
        return 0.0
    mean_time = sum(at for at, _ in samples) / len(samples)
    mean = sum(kib for _, kib in samples) / len(samples)
    spread = sum((at - mean_time) ** 2 for at, _ in samples)
    return sum((at - mean_time) * (kib - mean) for at, kib in samples) / spread * 3600


def audit(server, acknowledged):
    """All that was acknowledged, by pages."""
    token = server.token()
    connection = server.connect()
    found = {}
    last = 0
    while True:
        answer = server.get(f"incident?$select=Ref,State,CallRef&$filter=Ref%20%3E%20{last}&$orderby=Ref&$top=1000", token,
                            connection)
        check(answer and answer.status == 200, f"the audit cannot read: {answer and answer.body[:300]}")
        rows = answer.json()["results"]
        found.update({row["Ref"]: row for row in rows})
        if len(rows) < 1000:
            break
        last = rows[-1]["Ref"]
    connection.close()
    lost = [ref for ref in acknowledged if ref not in found]
    check(not lost, f"{len(lost)} acknowledged writes are gone: {lost[:5]}")
    reopened = [ref for ref, closed in acknowledged.items() if closed and found[ref]["State"] != 2]
    check(not reopened, f"{len(reopened)} acknowledged actions are gone: {reopened[:5]}")
    names = [row["CallRef"] for row in found.values()]
    check(len(set(names)) == len(names), "two records have one CallRef")


def stretch(context, server, acknowledged, seconds, told):
    token = server.token()
    load = Load(server, acknowledged)
    begin = time.monotonic()
    samples, number = [], 0
    every = max(1.0, min(15.0, seconds / 6))
    while time.monotonic() - begin < seconds:
        time.sleep(min(every, 1.0))   # the length of the load, and the pace of its faults
        if time.monotonic() - begin > (number + 1) * every:
            wrongs = faults(server, token, context.random)
            wrongs[number % len(wrongs)]()
            number += 1
        figures = server.figures()
        samples.append((time.monotonic() - begin, figures["kib"]))
        context.progress(round(time.monotonic() - begin), round(seconds),
                         f"s, {load.requests} requests, {figures['kib'] // 1024} MiB")
    check(all(thread.is_alive() for thread in load.threads), "a client found no server any more, or could not sign in")
    load.stop()
    check(not load.odd, f"answers that should not be: {load.odd[:3]}")
    told["requests"] += load.requests
    told["faults"] += number
    return samples


def quiet(server, before):
    """Files and threads are as before the load, but for what a pool keeps."""
    until(lambda: server.figures()["files"] <= before["files"] + 40, "files that were opened to be closed")
    return server.figures()


def run(context):
    acknowledged, told, lines = {}, {"requests": 0, "faults": 0, "kills": 0}, []
    stretches = STRETCHES if context.factor > 1 else 2
    folder = context.folder / "desk"
    for number in range(stretches):
        with Server(context.program, folder, "--set", "oauth.attempts_per_minute=100000").started() as server:
            audit(server, acknowledged)
            server.token()
            before = server.figures()
            samples = stretch(context, server, acknowledged, context.soak_seconds / stretches, told)
            after = quiet(server, before)
            check(after["threads"] <= before["threads"] + 5, f"threads: {before['threads']}, then {after['threads']}")
            lines.append(f"RSS {before['kib'] // 1024} to {after['kib'] // 1024} MiB ({slope(samples) / 1024:+.1f} MiB/h in "
                         f"the second half), files {before['files']} to {after['files']}, "
                         f"threads {before['threads']} to {after['threads']}")
            load = Load(server, acknowledged)
            time.sleep(context.random.uniform(0.01, 1))   # the moment of the kill
            server.kill()
            load.stop()
            told["kills"] += 1
            told["requests"] += load.requests
    with Server(context.program, folder).started() as server:
        audit(server, acknowledged)
    return (f"{told['requests']} requests, {told['faults']} faults, {told['kills']} kills, {len(acknowledged)} acknowledged "
            f"writes checked; " + "; ".join(lines))
