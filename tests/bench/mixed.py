"""Reading and writing at once, on a copy of the largest desk: many connections that mix both, and reads beside a steady
stream of writes. How large the process and the log file get meanwhile is looked at fifty times a second."""
import contextlib
import itertools
import pathlib
import statistics
import tempfile
import threading
import time

import asks
import cases
import desk
import lines
import load
import reads
import targets

CONNECTIONS = 256
WRITERS, WRITES = 64, 2000   # connections, and how many a second in all
LEAST_SECONDS = 3            # the log file has reached its size by then
PAIRS = 3                    # of reads alone and beside writes, in each round: a machine's pace changes from second to second

CREATE = {"ShortDescription": "Printer prints blank pages", "Priority": 2, "User": 17,
          "Description": "Since nine o'clock nothing works as it should."}
P99, MEMORY, BESIDE = ("mixed, 256 connections, p99", "memory at 256 busy connections", "reads beside 2,000 writes/s")
KEPT, LOG = "writes kept beside those reads", "log file beside 2,000 writes/s"
NAMES = [P99, MEMORY, BESIDE, KEPT, LOG]


def mix(root, record, search, keys):
    """Of 20 requests 12 get a record and 6 search, as `root` spells it."""
    return [asks.Ask(root + record, keys=keys, weight=12), asks.Ask(root + search, weight=6)]


def with_writes(keys):
    """And one creates, one updates."""
    return [*mix(cases.API, "call/", cases.SEARCH, keys),
            asks.Ask(cases.API + "incident", "POST", body=CREATE, weight=1),
            asks.Ask(cases.API + "call/", "PUT", keys, {"Name": "x"}, weight=1)]


def measure_mix(product, floor, token, calls, options):
    """Ours with writes among them beside the floor, which only reads."""
    keys = cases.keys_of("call/", calls)
    floor_mix = mix("/", "get-by-id/", "top-30-search", keys)
    ours, others, memory, floor_memory, gets = [], [], [], [], []
    for number in range(options.rounds):
        gets.append(load.get_often(floor, "/get-by-id/", token, keys, options.seconds, targets.FLOOR_CONNECTIONS))
        for server, found, sizes, some in ((product, ours, memory, with_writes(keys)),
                                           (floor, others, floor_memory, floor_mix)):
            with load.Watch(server.resident_mib) as watch:
                found.append(load.wrk(server, max(2, options.seconds), CONNECTIONS,
                                      script=asks.script(some, token, number)))
            sizes.append(watch.most)
    figures = lines.median_of(ours)
    figures["slower"] = lines.slower(gets)
    p99 = figures.pop("p99_ms")
    yield lines.line(P99, p99, "ms", calls=calls, better="less", of="raw sqlite3 + RapidJSON, reads alone",
                     beside=statistics.median(run["p99_ms"] for run in others),
                     ratios=[one["p99_ms"] / other["p99_ms"] for one, other in zip(ours, others)], **figures)
    yield lines.line(MEMORY, max(memory), "MiB", calls=calls, beside=max(floor_memory), of="raw sqlite3 + RapidJSON",
                     better="less", ratios=[one / other for one, other in zip(memory, floor_memory)])


class Writes:
    """A steady stream of creates in the background, for so many seconds."""

    def __init__(self, server, token, seconds, number):
        script = asks.script([asks.Ask(cases.API + "incident", "POST", body=CREATE)], token, number, pace=WRITES)
        self.figures = None

        def run():
            self.figures = load.wrk(server, seconds, WRITERS, script=script)
        self.thread = threading.Thread(target=run)
        self.thread.start()

    def rate(self):
        self.thread.join()
        return self.figures["rate"]


def measure_beside_writes(product, folder, token, calls, options):
    keys, seconds = cases.keys_of("call/", calls), max(LEAST_SECONDS, options.seconds)
    script = asks.script([asks.Ask(cases.API + "call/", keys=keys)], token)
    log = folder / "desk.db-wal"
    def reads_alone():
        return load.wrk(product, seconds, options.connections, script=script)
    idle, busy, kept, sizes = [reads_alone()], [], [], []
    for number in range(options.rounds * PAIRS):
        with load.Watch(lambda: log.stat().st_size if log.exists() else 0) as watch:
            writes = Writes(product, token, seconds + 1, number)
            time.sleep(0.5)   # until all of its connections write
            busy.append(load.wrk(product, seconds, options.connections, script=script, settle=False))
            kept.append(writes.rate())
        sizes.append(watch.most / (1 << 20))
        idle.append(reads_alone())
    around = [{"rate": (one["rate"] + other["rate"]) / 2} for one, other in itertools.pairwise(idle)]
    yield lines.of_rates(BESIDE, busy, around, "the same without writes, before and after", calls)
    yield lines.line(KEPT, statistics.median(kept), calls=calls, beside=WRITES, of="what is asked for",
                     ratios=[rate / WRITES for rate in kept])
    yield lines.line(LOG, max(sizes), "MiB", calls=calls, better="less")


def measure(options):
    calls = max(options.calls)
    kept = desk.kept(options, calls)
    chosen = [case for case in cases.READS if case.name in ("get by id", "top-30 search")]
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        folder = place / "desk"
        desk.copy_of(kept, folder)
        product = load.start(stack, options.build / "callisto", folder)
        token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        if any(options.wants("mixed", name) for name in (P99, MEMORY)):
            floor = stack.enter_context(load.Server(reads.floor_command(
                options, place, kept / "desk.db", token, product, chosen, calls)))
            yield from measure_mix(product, floor, token, calls, options)
        if any(options.wants("mixed", name) for name in (BESIDE, KEPT, LOG)):
            yield from measure_beside_writes(product, folder, token, calls, options)
