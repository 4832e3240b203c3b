"""Webhooks: deliveries a second beside a bare libcurl loop that posts the same bodies, how soon a
receiver hears of an event, alone, beside 50 dead ones and beside 20 that hang at its own host, and what a write costs where no webhook cares."""
import concurrent.futures
import contextlib
import http.server
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import asks
import cases
import lines
import load

QUEUED = 8000
CLIENTS = 16          # that create at once
EVENTS = 400          # of one latency measurement
PAUSE = 0.02          # between them, in seconds
DEAD = 50
HANGING = 20
RATE = {1: "deliveries, 1 webhook", 4: "deliveries, 4 webhooks"}
DELAY = {("p50_ms", 0): "event to receiver, p50", ("p99_ms", 0): "event to receiver, p99",
         ("p99_ms", DEAD): f"event to receiver beside {DEAD} dead ones, p99"}
BESIDE = f"beside {HANGING} that hang at its host"
HANGING_FIRST, HANGING_P99 = f"first event to receiver {BESIDE}", f"event to receiver {BESIDE}, p99"
WRITE = "create beside 10 webhooks that do not care"
QUEUE = "memory of 1,000,000 deliveries that wait"
NAMES = [*RATE.values(), *DELAY.values(), HANGING_FIRST, HANGING_P99, WRITE, QUEUE]


class Desk:
    """A server with the sample data, and calls of its API as an administrator."""

    def __init__(self, stack, options, *settings):
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        self.server = load.start(stack, options.build / "callisto", folder, "--set", "webhooks.time_scale=0.001",
                                 *settings, samples=True)
        self.token = self.server.sign_in("admin", "callisto", "sample-app")

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.server.address + "/service.api/api/v1/" + path, method=method,
                                         data=json.dumps(body or {}).encode() if method != "GET" else None,
                                         headers={"Authorization": "Bearer " + self.token,
                                                  "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def webhook(self, url, **more):
        return self.call("POST", "webhook", {"PayloadUrl": url, "Secret": "a secret of the bench",
                                             "CoreEntityType": "Call", **more})["Ref"]

    def create(self):
        return self.call("POST", "incident", {"ShortDescription": "bench"})

    def create_many(self, count):
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda _: self.create(), range(count)))

    def waiting(self, status):
        return int(self.server.get(f"/service.api/api/v1/webhook-delivery?$count=true&$filter=Status=={status}",
                                   self.token))

    def wait_until_none(self, *statuses):
        while any(self.waiting(f'"{status}"'.replace('"', "%22")) for status in statuses):
            time.sleep(0.1)


@contextlib.contextmanager
def python_receiver(answer):
    """`answer(body)`: the status. Below /hang it takes requests and never answers."""
    ended = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.startswith("/hang"):
                return ended.wait()
            self.send_response(answer(body))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        ended.set()
        server.shutdown()
        server.server_close()


class FastReceiver:
    """bench_receiver; stop() answers how many came and the seconds that they took."""

    def __init__(self, build):
        self.process = subprocess.Popen([build / "tests/bench_receiver"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split("listening on ")[1].strip()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        count, seconds = self.process.communicate(timeout=60)[0].split(" deliveries in ")
        return int(count), float(seconds.split()[0])


def floor_rate(options, connections, size):
    receiver = FastReceiver(options.build)
    text = subprocess.check_output([options.build / "tests/bench_webhook_floor", "--url", receiver.url, "--count",
                                    str(QUEUED), "--connections", str(connections), "--size", str(size)], text=True)
    receiver.stop()
    return float(re.search(r"([\d.,]+) (?:deliveries )?a second", text)[1].replace(",", ""))


def measure_rate(options, webhooks):
    """Everything fails first (410); then it is all sent again to a receiver that only counts. The time is the receiver's,
    from the first to the last: what so many redeliveries cost the database before is no delivery."""
    with contextlib.ExitStack() as stack:
        desk = Desk(stack, options)
        refusing = stack.enter_context(python_receiver(lambda _: 410))
        refs = [desk.webhook(refusing, PayloadSelect="Ref,ShortDescription,State,Priority,User.Name,LoggedDate")
                for _ in range(webhooks)]
        desk.create_many(QUEUED // webhooks)
        desk.wait_until_none("P", "R")
        receiver = FastReceiver(options.build)
        for ref in refs:
            desk.call("PUT", f"webhook/{ref}", {"PayloadUrl": receiver.url})
        for ref in refs:
            desk.call("PUT", f"webhook/{ref}/redeliver-failed")
        desk.wait_until_none("P", "R")
        count, seconds = receiver.stop()
        size = len(desk.call("GET", f"webhook-delivery/{QUEUED}")["RequestBody"])
    return count / seconds, floor_rate(options, 4 * webhooks, size)


def measure_rates(options, webhooks):
    pairs = [measure_rate(options, webhooks) for _ in range(max(1, options.rounds // 3))]
    return lines.of_rates(RATE[webhooks], *([{"rate": rate} for rate in rates] for rates in zip(*pairs)),
                          "a bare libcurl loop")


class Delays(list):
    """In ms, from the commit, whose time the record carries, to the receiver."""

    def arrived(self, body):
        now = time.time()
        created = json.loads(body)["Call"]["CreatedDate"]
        self.append(1000 * (now - time.mktime(time.strptime(created[:19], "%Y-%m-%dT%H:%M:%S")) + time.timezone)
                    - int(created[20:23]))
        return 200

    def of_events(self, desk):
        for _ in range(EVENTS):
            desk.create()
            time.sleep(PAUSE)
        while len(self) < EVENTS:
            time.sleep(0.05)
        return self

    def figures(self):
        ordered = sorted(self)
        return {"p50_ms": ordered[len(self) // 2], "p99_ms": ordered[len(self) * 99 // 100], "first_ms": self[0]}


def measure_delay(options, dead):
    delays = Delays()
    with contextlib.ExitStack() as stack:
        desk = Desk(stack, options)
        deaf = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1024))   # never accepts
        for _ in range(dead):
            desk.webhook(f"http://127.0.0.1:{deaf.getsockname()[1]}/")
        desk.webhook(stack.enter_context(python_receiver(delays.arrived)), PayloadSelect="CreatedDate")
        return delays.of_events(desk).figures()


def measure_hanging(options):
    """Webhooks of one host and port: one is well, the others take requests and never answer. Nobody knows yet which."""
    delays = Delays()
    with contextlib.ExitStack() as stack:
        desk = Desk(stack, options)
        url = stack.enter_context(python_receiver(delays.arrived))
        for number in range(HANGING):
            desk.webhook(f"{url}hang/{number}")
        desk.webhook(url, PayloadSelect="CreatedDate")
        return delays.of_events(desk).figures()


def measure_delays(options):
    """Alone and beside receivers that never answer. One round: no ratio to compare."""
    for dead in (0, DEAD):
        wanted = {key: name for (key, some), name in DELAY.items() if some == dead}
        if any(options.wants("webhooks", name) for name in wanted.values()):
            figures = measure_delay(options, dead)
            for key, name in wanted.items():
                yield lines.line(name, figures[key], "ms", better="less")


def measure_beside_hanging(options):
    wanted = {key: name for key, name in {"first_ms": HANGING_FIRST, "p99_ms": HANGING_P99}.items()
              if options.wants("webhooks", name)}
    figures = measure_hanging(options) if wanted else {}
    for key, name in wanted.items():
        yield lines.line(name, figures[key], "ms", better="less")


def measure_write(options):
    """Creates a second without a webhook, and with ten that do not care, in turn on one server."""
    rates = ([], [])
    with contextlib.ExitStack() as stack:
        desk = Desk(stack, options)
        refs = [desk.webhook("http://127.0.0.1:9/", CoreEntityType="Person", Active=False) for _ in range(10)]
        desk.create_many(500)
        ask = asks.Ask(cases.API + "incident", "POST", body={"ShortDescription": "bench"})
        for turn in range(2 * options.rounds):
            for active in (False, True) if turn % 2 == 0 else (True, False):
                for ref in refs:
                    desk.call("PUT", f"webhook/{ref}", {"Active": active})
                script = asks.script([ask], desk.token, random.randrange(1 << 30))
                rates[active].append(load.wrk(desk.server, options.seconds, CLIENTS, script=script))
    return lines.of_rates(WRITE, rates[1], rates[0], "none of them")


def measure_queue(options):
    text = subprocess.check_output([options.build / "tests/bench_webhook_queue"], text=True)
    return lines.line(QUEUE, float(re.search(r"memory\s+([\d.]+) MiB", text)[1]), "MiB", better="less")


def measure(options):
    for count, name in RATE.items():
        if options.wants("webhooks", name):
            yield measure_rates(options, count)
    yield from measure_delays(options)
    yield from measure_beside_hanging(options)
    if options.wants("webhooks", WRITE):
        yield measure_write(options)
    if options.wants("webhooks", QUEUE):
        yield measure_queue(options)
