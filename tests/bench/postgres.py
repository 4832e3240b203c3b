"""A desk on PostgreSQL: reads beside bench_floor, which asks it by raw libpq behind the same HTTP server and writes
the same JSON; reads and creates beside pgbench, which only sends the same statements, prepared, from as many
connections; then two servers on one database beside one.

PostgreSQL's flushes are on, as in production."""
import contextlib
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request

import asks
import cases
import desk
import lines
import load
import pgbench
import reads
import share

BODY = {"ShortDescription": "Printer prints blank pages", "Priority": 2, "User": 17}
PATH = cases.API + "incident"
READS = [case for case in cases.READS if case.name in ("get by id", "top-30 search")]
ON_NODES = [*READS, *(case for case in cases.READS if case.name == "metadata")]
ON, NODES, BESIDE_PGBENCH = ", PostgreSQL", ", two nodes", ", beside pgbench"
CREATE = "create" + ON
NODE_PART = 0.2   # of a core
NAMES = [*(case.name + ON for case in READS), CREATE, *(case.name + NODES for case in ON_NODES)]


def find_programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


class Postgres:
    """A server of this bench's own on a socket, as an unprivileged user."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.process = self.start("postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses=", "-c",
                                  "max_connections=300", "-c", "shared_buffers=1GB", "-c", "max_wal_size=4GB", "-c",
                                  "log_line_prefix=", "-c", "logging_collector=off")
        while subprocess.run([programs / "pg_isready", "-q", "-h", folder]).returncode != 0:
            time.sleep(0.05)
        self.run("createdb", "-h", folder, "-U", "postgres", "desk")
        self.url = f"postgresql://postgres@/desk?host={folder}"

    def command(self, name, *arguments):
        switch = []
        if self.user:
            switch = ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        return [*switch, *(str(each) for each in (self.programs / name, *arguments))]

    def start(self, name, *arguments):
        self.log = open(self.folder / "log", "w")
        return subprocess.Popen(self.command(name, *arguments), stdout=self.log, stderr=self.log, cwd="/")

    def run(self, name, *arguments):
        command = self.command(name, *arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout

    def sql(self, text):
        return self.run("psql", "-h", self.folder, "-U", "postgres", "-qAtX", "-c", text, "desk").strip()

    def log_size(self):
        return (self.folder / "log").stat().st_size

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)


def serve(stack, program, folder, url):
    return load.start(stack, program, folder, "--set", f"database={url}")


def sign_in(server):
    return server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)


def rounds_of(options):
    return max(3, options.rounds // 3)


def measure_ways(ways, options):
    return reads.measure_ways(ways, rounds_of(options), options.seconds, options.connections)


def lines_of_read(case, runs, calls):
    """The case's own line, and one beside pgbench."""
    name = case.name + ON
    yield lines.of_rates(name, runs["product"], runs["floor"], "raw libpq + RapidJSON", calls)
    yield lines.of_rates(name + BESIDE_PGBENCH, runs["product"], runs["pgbench"], "pgbench", calls)


def measure_reads(chosen, postgres, server, token, calls, options):
    """The analyst may not write yet: the floor's records have no actions."""
    with contextlib.ExitStack() as stack:
        answers = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        floor = stack.enter_context(load.Server(
            reads.floor_command(options, answers, postgres.url, token, server, chosen, calls)))
        for case in chosen:
            path = cases.API + case.url + (str(pgbench.sample_key(calls)) if case.url.endswith("/") else "")
            ways = {**reads.ways_of(case, server, floor, token, calls),
                    "pgbench": pgbench.way(postgres, calls, lambda: server.get(path, token))}
            yield from lines_of_read(case, measure_ways(ways, options), calls)


def create(server, token):
    request = urllib.request.Request(server.address + PATH, json.dumps(BODY).encode(), method="POST", headers={
        "Authorization": "Bearer " + token, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()


def measure_create(postgres, server, token, calls, options):
    script = asks.script([asks.Ask(PATH, "POST", body=BODY)], token)
    runs = measure_ways({"product": lambda seconds, connections: load.wrk(server, seconds, connections, script=script),
                         "pgbench": pgbench.way(postgres, calls, lambda: create(server, token))}, options)
    return lines.of_rates(CREATE, runs["product"], runs["pgbench"], "pgbench", calls)


def measure_nodes(case, servers, token, calls, options):
    """One with half the connections, then both."""
    half = max(1, options.connections // 2)
    ways = [reads.product_way(case, server, token, calls) for server in servers]

    def measure_all(some):
        found = [None] * len(some)

        def run(index):
            found[index] = some[index](options.seconds, half)
        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(some))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {**lines.median_of(found), "rate": sum(each["rate"] for each in found)}
    ones, twos = [], []
    for _ in range(rounds_of(options)):
        ones.append(measure_all(ways[:1]))
        twos.append(measure_all(ways))
    return lines.of_rates(case.name + NODES, twos, ones, "one node", calls)


def prepare(postgres, program, kept):
    """The desk, in PostgreSQL, for an analyst who reads."""
    subprocess.run([program, "copy", "--from", f"sqlite:{kept / 'desk.db'}", "--to", postgres.url], check=True,
                   stdout=subprocess.DEVNULL)
    postgres.sql("INSERT INTO id_block (entity, next) SELECT 'call', max(\"Ref\") + 1 FROM call "
                 "ON CONFLICT (entity) DO UPDATE SET next = excluded.next")
    postgres.sql("VACUUM ANALYZE")


def let_write(postgres):
    """Servers that start later know of it."""
    postgres.sql("""UPDATE "role" SET "Rights" = '*:Read *:Create *:Update *:Action' WHERE "Ref" = 1000""")


def folders_of(place, kept):
    """Of three servers with one secret key."""
    folders = [place / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
        shutil.copy(kept / "secret.key", folder)
    return folders


def measure_alone(postgres, program, folder, calls, options):
    """One server on the database: for reads, then another for creates."""
    chosen = [case for case in READS if options.wants("postgres", case.name + ON)]
    if chosen:
        with contextlib.ExitStack() as stack:
            server = serve(stack, program, folder, postgres.url)
            yield from measure_reads(chosen, postgres, server, sign_in(server), calls, options)
    let_write(postgres)
    if options.wants("postgres", CREATE):
        with contextlib.ExitStack() as stack:
            server = serve(stack, program, folder, postgres.url)
            yield measure_create(postgres, server, sign_in(server), calls, options)


def measure_together(postgres, program, folders, calls, options):
    """Servers on one database, each with a part of a core, as if on a small machine of its own: wrk and PostgreSQL, which
    share this one with them, have enough of the rest not to be the limit."""
    chosen = [case for case in ON_NODES if options.wants("postgres", case.name + NODES)]
    if not chosen:
        return
    with contextlib.ExitStack() as stack:
        parts = share.shares(stack, len(folders), NODE_PART)
        if not parts:
            print("nodes have no part of a core each (that takes control groups and root): they compete with wrk")
        servers = [serve(stack, program, folder, postgres.url) for folder in folders]
        for part, server in zip(parts, servers):
            part.take(server.process.pid)
        token = sign_in(servers[0])
        for case in chosen:
            yield measure_nodes(case, servers, token, calls, options)


def measure(options):
    programs = find_programs()
    if not programs:
        print("PostgreSQL is not installed (apt install postgresql): its part is left out")
        return
    program, calls = options.build / "callisto", desk.sample(options.calls)
    kept = desk.kept(options, calls)
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callisto-bench-")))
        os.chmod(place, 0o755)
        (place / "pg").mkdir()
        postgres = Postgres(programs, place / "pg")
        stack.callback(postgres.stop)
        prepare(postgres, program, kept)
        first, *others = folders_of(place, kept)
        yield from measure_alone(postgres, program, first, calls, options)
        yield from measure_together(postgres, program, others, calls, options)
