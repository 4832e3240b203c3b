"""One end user against all others: what a get by id of somebody else takes while eight connections of that user send the
worst queries they can, and how much memory the server takes while 64 of them ask for the largest answers and read
nothing."""
import contextlib
import itertools
import pathlib
import tempfile
import threading
import time
import urllib.parse

import cases
import lines
import load

ATTACKERS, READERS = 8, 64
SECONDS = 5              # of a measurement: long enough for requests that end by their deadline
LOGIN, VICTIM = ("user2", "callisto", "sample-app", "User"), ("analyst", "callisto", "sample-app")
P99, MEMORY = "get by id beside hostile queries, p99", "memory beside 64 slow readers of large answers"
NAMES = [P99, MEMORY]


def joins(count, clause, entity="Service", kind="$innerJoin"):
    return "&".join(f"{kind}=J{i}:{entity}({clause})" for i in range(count))


def alternatives(text, count, between=" || "):
    return "$filter=" + urllib.parse.quote(between.join(text.replace("#", str(i)) for i in range(count)))


# Each is another way to be slow: pairs of all rows, chains of them, comparisons with every row, an order of all pairs.
QUERIES = [
    "service?$count=true&" + joins(8, "IsFrozen==IsFrozen"),
    "service?$top=5&" + joins(7, "IsFrozen==IsFrozen") + "&$orderby=J6.Name",
    "service?$count=true&" + joins(8, "IsFrozen==IsFrozen", kind="$leftJoin") + "&" + alternatives("J7.Name.Contains('zz#')", 40),
    "service?$inlinecount=true&$top=1&" + joins(6, "IsFrozen==IsFrozen") + "&" + alternatives("J5.Ref == #", 60),
    "call?$count=true&" + alternatives("User.Manager.Manager.Name.Contains('z#')", 60),
    "service?$count=true&" + joins(9, "Category==Category"),
]
LARGE = "service?$top=50000&" + joins(4, "IsFrozen==IsFrozen") + "&$select=" + ",".join(
    ["Ref", "Name", *(f"J{i}.{name}" for i in range(4) for name in ("Name", "Category", "SupportGroup"))])


class Attack:
    """Connections that ask and ask again while the with statement lasts."""

    def __init__(self, server, token, count):
        self.done, self.sent = threading.Event(), 0
        self.threads = [threading.Thread(target=self.run, args=(server, token, i)) for i in range(count)]

    def run(self, server, token, first):
        """The first query of each thread is another one."""
        for number in itertools.count(first):
            if self.done.is_set():
                return
            query = QUERIES[number % len(QUERIES)]
            with contextlib.suppress(OSError):
                load.raw_answer(server, cases.API + query, token)
                self.sent += 1

    def __enter__(self):
        for each in self.threads:
            each.start()
        time.sleep(1)   # until each has a request that runs or waits
        return self

    def __exit__(self, *_):
        self.done.set()
        for each in self.threads:
            each.join()


def measure_queries(server, hostile, token, options):
    seconds = max(SECONDS, options.seconds)

    def gets():
        return load.wrk(server, seconds, 2, path=cases.API + "call/2", headers=[f"Authorization: Bearer {token}"], settle=False)
    alone, beside = [], []
    for _ in range(min(3, options.rounds)):
        server.settle()
        alone.append(gets())
        with Attack(server, hostile, ATTACKERS):
            beside.append(gets())
    figures = lines.median_of(beside)
    yield lines.line(P99, figures.pop("p99_ms"), "ms", beside=lines.median_of(alone)["p99_ms"], of="nobody else", better="less",
                     ratios=[one["p99_ms"] / other["p99_ms"] for one, other in zip(beside, alone)], **figures)


def measure_memory(server, hostile, options):
    quiet, most, answers = [], [], []
    for _ in range(min(3, options.rounds)):
        server.settle()
        quiet.append(server.resident_mib())
        with load.Watch(server.resident_mib) as watch, contextlib.ExitStack() as readers:
            waiting = [readers.enter_context(server.connect()) for _ in range(READERS)]
            for each in waiting:
                each.sendall(load.request_text(cases.API + LARGE, hostile))
            for each in waiting:   # the first bytes of each answer, and no more
                answers.append(each.recv(12))
            server.settle()
        most.append(watch.most)
    large = sum(each.endswith(b" 200") for each in answers)
    yield lines.line(MEMORY, max(most), "MiB", beside=max(quiet), of=f"before them ({large} of {len(answers)} answers of 30 MB)", better="less",
                     ratios=[one / other for one, other in zip(most, quiet)])


def measure(options):
    with contextlib.ExitStack() as stack:
        (options.build / "bench").mkdir(exist_ok=True)
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        server = load.start(stack, options.build / "callisto", folder, samples=True)
        hostile, token = server.sign_in(*LOGIN), server.sign_in(*VICTIM)
        if options.wants("hostile", P99):
            yield from measure_queries(server, hostile, token, options)
        if options.wants("hostile", MEMORY):
            yield from measure_memory(server, hostile, options)
