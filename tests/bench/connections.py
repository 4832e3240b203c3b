"""What a new client waits for its first answer, connecting included, while 2,000 connections are idle after an answer
and 2,000 more have said nothing since they were made; beside the same with nobody else there.

A server may close idle connections to make room; the line tells how many of each kind are left in the end."""
import contextlib
import resource
import select
import time

import desk
import lines
import load

IDLE, SILENT = 2000, 2000
REQUESTS = 300           # of a round
PATIENCE, LONGEST = 10, 30   # seconds: of one request, which then counts as so long; of a round
NAME = "new request beside 4,000 connections, p99"
NAMES = [NAME]


@contextlib.contextmanager
def more_files():
    """For this process alone; the servers that it starts have the limit that everybody has."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


def new_request(server, request):
    """Milliseconds until the answer, or None: none came in time."""
    start = time.monotonic()
    try:
        with server.connect(PATIENCE) as connection:
            connection.sendall(request)
            if not load.read_answer(connection).startswith(b"HTTP/1.1 200"):
                return None
    except OSError:
        return None
    return 1000 * (time.monotonic() - start)


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def new_requests(server, request):
    """Figures of a round; an answer that never came counts as patience itself."""
    times, start = [], time.monotonic()
    while len(times) < REQUESTS and time.monotonic() - start < LONGEST:
        times.append(new_request(server, request))
    found = [1000 * PATIENCE if each is None else each for each in times]
    return {"p50_ms": percentile(found, 50), "p99_ms": percentile(found, 99), "unanswered": times.count(None)}


class Crowd:
    """The idle and the silent connections."""

    def __init__(self, stack, server, request):
        self.idle = [self.idle_one(stack, server, request) for _ in range(IDLE)]
        self.silent = [stack.enter_context(server.connect(PATIENCE)) for _ in range(SILENT)]

    @staticmethod
    def idle_one(stack, server, request):
        connection = stack.enter_context(server.connect(PATIENCE))
        connection.sendall(request)
        load.read_answer(connection)
        return connection

    @staticmethod
    def still_open(connections):
        """Nothing to read: neither closed nor answered."""
        poll = select.poll()
        for each in connections:
            poll.register(each, select.POLLIN)
        return len(connections) - len(poll.poll(0))


def measure(options):
    calls = desk.sample(options.calls)
    alone, beside, still = [], [], []
    with contextlib.ExitStack() as stack:
        server = load.start(stack, options.build / "callisto", desk.kept(options, calls))
        token = server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        request = load.request_text("/service.api/api/v1/call/1", token)
        for _ in range(min(3, options.rounds)):
            alone.append(new_requests(server, request))
            with more_files(), contextlib.ExitStack() as everybody:
                crowd = Crowd(everybody, server, request)
                beside.append(new_requests(server, request))
                still.append({"idle_left": crowd.still_open(crowd.idle), "silent_left": crowd.still_open(crowd.silent)})
            server.settle()
    figures = {**lines.median_of(beside), **lines.median_of(still),
               "unanswered": sum(each["unanswered"] for each in beside)}
    left = f"{figures['idle_left']:,.0f} idle, {figures['silent_left']:,.0f} silent left"
    yield lines.line(NAME, figures.pop("p99_ms"), "ms", calls=calls, beside=lines.median_of(alone)["p99_ms"],
                     of=f"nobody else ({left})", better="less", **figures,
                     ratios=[one["p99_ms"] / other["p99_ms"] for one, other in zip(beside, alone)])
