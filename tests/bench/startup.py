"""From the start of the process to its first answer, on a desk of each size in turn, files in the system's cache; and
what the process holds in memory once it has started with the sample data and answered."""
import contextlib
import pathlib
import statistics
import tempfile
import time

import cases
import desk
import lines
import load

START, MEMORY = "start to the first answer", "memory after start with samples"
NAMES = [START, MEMORY]
PATH = cases.API + "call/1"


def time_start(options, folder, token):
    """Seconds."""
    with contextlib.ExitStack() as stack:
        begun = time.monotonic()
        load.start(stack, options.build / "callisto", folder).get(PATH, token)
        return time.monotonic() - begun


def token_of(options, folder):
    """One that outlives this server."""
    with contextlib.ExitStack() as stack:
        return load.start(stack, options.build / "callisto", folder).sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)


def measure_start(options):
    folders = {calls: desk.kept(options, calls) for calls in options.calls}
    tokens = {calls: token_of(options, folder) for calls, folder in folders.items()}
    times = {calls: [] for calls in options.calls}
    for _ in range(options.rounds):
        for calls, folder in folders.items():
            times[calls].append(time_start(options, folder, tokens[calls]))
    smallest = min(times)
    for calls, found in times.items():
        beside = {} if calls == smallest else {
            "beside": statistics.median(times[smallest]), "of": f"{smallest:,} calls",
            "ratios": [one / other for one, other in zip(found, times[smallest])]}
        yield lines.line(START, statistics.median(found), "s", calls=calls, better="less", **beside)


def measure_memory(options):
    """Beside the floor's program on the same desk, which has opened as many connections to it."""
    ours, others = [], []
    for _ in range(min(3, options.rounds)):
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
            server = load.start(stack, options.build / "callisto", folder, samples=True)
            token = server.sign_in("admin", "callisto", "sample-app")
            server.get(cases.API + "call", token)
            ours.append(server.resident_mib())
            floor = stack.enter_context(load.Server([options.build / "tests/bench_floor", "--database",
                                                     folder / "desk.db", "--token", token]))
            others.append(floor.resident_mib())
    yield lines.line(MEMORY, statistics.median(ours), "MiB", beside=statistics.median(others), better="less",
                     of="raw sqlite3 + RapidJSON", ratios=[one / other for one, other in zip(ours, others)])


def measure(options):
    if options.wants("start", START):
        yield from measure_start(options)
    if options.wants("start", MEMORY):
        yield from measure_memory(options)
