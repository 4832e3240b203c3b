"""What is wanted of each case of ./dev bench. Its value is the line's ratio within one run, or its figure where only
time or memory counts. `calls`: wanted on desks of so many calls and more. Whether more or less is better the line knows."""
import collections

# `scaled`: a time that the processors set, see time_of_processors().
Target = collections.namedtuple("Target", "judges bound calls scaled", defaults=(0, False))


def ratio(bound, calls=0):
    return Target("ratio", bound, calls)


def figure(bound, calls=0):
    return Target("figure", bound, calls)


# What the floor's get by id took of a processor, in us and with so many connections, where the wanted times come
# from.
FLOOR_US, FLOOR_CONNECTIONS = 14, 32


def time_of_processors(bound):
    """A time on the machine of the first targets. Where the floor's get by id takes longer in the same run, the line says
    how many times (`slower`), and so much longer it may be (decision 0025)."""
    return Target("figure", bound, scaled=True)


MILLION = 1_000_000

TARGETS = {
    # Reading, beside the same SQL by raw sqlite3 + RapidJSON, or a bare CivetWeb callback with the same bytes.
    "get by id": ratio(0.6),
    "get by id, CPU above the floor's": time_of_processors(10),
    "top-30 search": ratio(0.7),
    "metadata": ratio(0.8),
    "304 by ETag": ratio(0.8),
    "Contains, a rare word": figure(5),
    "Contains, a rare word, beside a scan": ratio(50, MILLION),
    "Contains, a word nowhere": figure(5),
    "Contains, a word nowhere, beside a scan": ratio(50, MILLION),
    # What scripts add to a page: a quarter of its time at most.
    "@extension over 100 rows": ratio(0.8),
    "@extension over 100 rows with names": ratio(0.8),
    # Understanding a query.
    "plan of a new query": figure(40),
    "plan of a known query": figure(2),
    # A call of a script.
    "working time, 4 hours added": figure(2),
    "working time, 10 years added": figure(2),
    "working time between, 4 hours": figure(4),  # two calls
    "working time between, 10 years": figure(2),
    # Signing in.
    "token check": figure(5),
    "refresh, 32 clients": figure(500),
    "login": ratio(1 / 1.2),
    # Writing, each commit on disk.
    "create, 32 clients": ratio(0.5),
    # Where a flush takes 0.4 ms, raw sqlite3 itself gains 3.5 times by sharing it, so that this is asked of a slower disk.
    "create, 32 clients, beside one to a commit, 2 ms a flush": ratio(5),
    # Under load.
    "mixed, 256 connections, p99": time_of_processors(25),
    "reads beside 2,000 writes/s": ratio(0.7),
    "writes kept beside those reads": ratio(0.95),
    "log file beside 2,000 writes/s": figure(64),
    "new request beside 4,000 connections, p99": figure(10),
    # One account against all others.
    "get by id beside hostile queries, p99": ratio(5),
    "memory beside 64 slow readers of large answers": figure(400),
    # Size of the desk.
    "get by id, growth": ratio(1.3, MILLION),
    "top-30 search, growth": ratio(1.3, MILLION),
    "start to the first answer": figure(1),
    "memory after start with samples": figure(60),
    "memory at 256 busy connections": figure(300),
    # Webhooks.
    "deliveries, 1 webhook": ratio(0.5),
    "deliveries, 4 webhooks": ratio(0.5),
    "event to receiver, p50": figure(20),
    "event to receiver, p99": figure(200),
    "event to receiver beside 50 dead ones, p99": figure(250),
    "first event to receiver beside 20 that hang at its host": figure(250),
    "event to receiver beside 20 that hang at its host, p99": figure(250),
    "create beside 10 webhooks that do not care": ratio(0.98),
    # Over PostgreSQL, beside the same SQL by raw libpq + RapidJSON; a create beside the same statements by pgbench.
    "get by id, PostgreSQL": ratio(0.7),
    "top-30 search, PostgreSQL": ratio(0.7),
    "create, PostgreSQL": ratio(0.7),
    "get by id, two nodes": ratio(1.6),
    "top-30 search, two nodes": ratio(1.6),
    "metadata, two nodes": ratio(1.6),
    # Ordinary questions of a skewed desk: of 100 so many within twice the time of the best SQL, or under 1 ms.
    "questions near their floor, 1 connection, raw sqlite3": figure(95),
    "questions near their floor, 32 connections, raw sqlite3": figure(95),
    "questions near their floor, 1 connection, raw libpq": figure(95),
    "questions near their floor, 32 connections, raw libpq": figure(95),
    # The workbench, in Chromium.
    "search page, nothing kept": figure(250),
    "search page, a slow phone": figure(2000),
}
