"""A desk on PostgreSQL: reads and writes beside pgbench, which sends the same statements over raw libpq,
prepared, from as many connections; then two servers on one database beside one.

What the statements are, the server's own log tells: one request is made, its statements are read there, and pgbench
repeats them with other keys. PostgreSQL's flushes are on, as in production."""
import collections
import contextlib
import json
import os
import pathlib
import pwd
import re
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

BODY = '{"ShortDescription": "Printer prints blank pages", "Priority": 2, "User": 17}'
Case = collections.namedtuple("Case", "name method path")   # a path that ends with a slash gets a key
CASES = [Case("get by id", "GET", "call/"), Case("top-30 search", "GET", cases.SEARCH),
         Case("create", "POST", "incident")]
ON_NODES = [*CASES[:2], Case("metadata", "GET", "call/$metadata")]
BESIDE, NODES = ", PostgreSQL", ", two nodes"
NAMES = [*(case.name + BESIDE for case in CASES), *(case.name + NODES for case in ON_NODES)]


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


def send(address, method, path, token, body=None):
    request = urllib.request.Request(address + path, body.encode() if body else None, method=method, headers={
        "Authorization": "Bearer " + token, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def statements_of(text):
    """Of a part of the server's log: [(text, [literal])]."""
    statements = []
    for line in text.splitlines():
        if found := re.match(r"LOG:  (?:statement|execute \w+): (.*)", line):
            statements.append([found[1], []])
        elif found := re.match(r"DETAIL:  parameters: (.*)", line):
            statements[-1][1] = re.findall(r"\$\d+ = ('(?:[^']|'')*'|NULL)", found[1])
    return statements


def recorded(postgres, act):
    """The statements of one request, with their parameters as SQL literals. The server asks some by itself now and then:
    the fewest of several requests are those of the request."""
    postgres.sql("ALTER SYSTEM SET log_statement = 'all'")
    postgres.sql("SELECT pg_reload_conf()")
    time.sleep(0.3)
    found = []
    while len(found) < 4 or len(found[-1]) > min(map(len, found)):  # the last made the newest record
        begin = postgres.log_size()
        act()
        time.sleep(0.2)
        with open(postgres.folder / "log") as log:
            log.seek(begin)
            found.append(statements_of(log.read()))
    postgres.sql("ALTER SYSTEM SET log_statement = 'none'")
    postgres.sql("SELECT pg_reload_conf()")
    return found[-1]


GUID = re.compile(r"^'[0-9a-f]{8}-[0-9a-f]{4}-.*'$")
COUNTER = re.compile(r"INSERT INTO id_block")


def spelled(literal, keys):
    """`keys`: the recorded request's own keys and the variables in their place, in texts too."""
    if GUID.match(literal):
        return "gen_random_uuid()::text"
    for key, variable in keys.items():
        if literal == f"'{key}'":
            return f":{variable}"
        if literal != "NULL" and key in literal and not re.match(r"^'-?\d+'$", literal):
            before, after = literal[1:-1].split(key, 1)
            return f"'{before}' || :{variable} || '{after}'"
    return f"{literal}::bigint" if re.match(r"^'-?\d+'$", literal) else literal


def sample_key(calls):
    """Of the request whose statements are read; no other number in them is the same."""
    return calls * 2 // 5 + 1


def script_of(postgres, statements, calls):
    """For pgbench. A key that a counter gave is a sequence's here: as many trips to the server."""
    script = [f"\\set sample random(0, {calls // desk.KEY_STEP - 1}) * {desk.KEY_STEP} + 1"]
    keys = {str(sample_key(calls)): "sample"}
    for text, literals in statements:
        if COUNTER.match(text):
            table = literals[0].strip("'")
            last = postgres.sql(f'SELECT max("Ref") FROM "{table}"')
            keys[last] = "key_" + table
            postgres.sql(f"CREATE SEQUENCE IF NOT EXISTS bench_{table} START {int(last) + 10_000_000}")
            script.append(f"SELECT nextval('bench_{table}') AS key_{table} \\gset")
            continue
        for number in range(len(literals), 0, -1):
            text = re.sub(rf"\${number}\b", lambda _, n=number: spelled(literals[n - 1], keys), text)
        script.append(text.rstrip(";") + ";")
    return "\n".join(script) + "\n"


def measure_floor(postgres, script, connections, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        os.chmod(file.name, 0o644)
        text = postgres.run("pgbench", "-h", postgres.folder, "-U", "postgres", "-n", "-M", "prepared", "-c",
                            connections, "-j", "1", "-T", seconds, "--max-tries=12", "-f", file.name, "desk")
    return {"rate": float(re.search(r"tps = ([\d.]+) \(without", text)[1])}


def measure_product(server, case, token, calls, connections, options):
    if case.method == "GET":
        return load.get_often(server, cases.API + case.path, token, cases.keys_of(case.path, calls), options.seconds,
                              connections)
    script = asks.script([asks.Ask(cases.API + case.path, "POST", body=json.loads(BODY))], token)
    return load.wrk(server, options.seconds, connections, script=script)


def measure_case(case, postgres, server, token, calls, options):
    path = cases.API + case.path + (str(sample_key(calls)) if case.path.endswith("/") else "")
    script = script_of(postgres, recorded(postgres, lambda: send(server.address, case.method, path, token,
                                                                 BODY if case.method == "POST" else None)), calls)
    ours, floors = [], []
    for _ in range(max(3, options.rounds // 3)):
        ours.append(measure_product(server, case, token, calls, options.connections, options))
        floors.append(measure_floor(postgres, script, options.connections, options.seconds))
    return lines.of_rates(case.name + BESIDE, ours, floors, "pgbench", calls)


def serve(stack, program, folder, url, core=None):
    pinned = ["taskset", "-c", str(core)] if core is not None else []
    return load.start(stack, program, folder, "--set", f"database={url}", before=pinned)


def measure_nodes(case, servers, token, calls, options):
    """Each server on a core of its own, as if on a machine of its own: one with half the connections, then both."""
    half = max(1, options.connections // 2)

    def measure_all(nodes):
        found = [None] * len(nodes)

        def run(index):
            found[index] = measure_product(nodes[index], case, token, calls, half, options)
        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(nodes))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {**lines.median_of(found), "rate": sum(each["rate"] for each in found)}
    ones, twos = [], []
    for _ in range(max(3, options.rounds // 3)):
        ones.append(measure_all(servers[:1]))
        twos.append(measure_all(servers))
    return lines.of_rates(case.name + NODES, twos, ones, "one node", calls)


def prepare(postgres, program, kept):
    """The desk, in PostgreSQL, for an analyst who may write."""
    subprocess.run([program, "copy", "--from", f"sqlite:{kept / 'desk.db'}", "--to", postgres.url], check=True,
                   stdout=subprocess.DEVNULL)
    postgres.sql("""UPDATE "role" SET "Rights" = '*:Read *:Create *:Update *:Action' WHERE "Ref" = 1000""")
    postgres.sql("INSERT INTO id_block (entity, next) SELECT 'call', max(\"Ref\") + 1 FROM call "
                 "ON CONFLICT (entity) DO UPDATE SET next = excluded.next")
    postgres.sql("VACUUM ANALYZE")


def folders_of(place, kept):
    """Of three servers with one secret key."""
    folders = [place / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
        if (kept / "secret.key").exists():
            shutil.copy(kept / "secret.key", folder)
    return folders


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
        with contextlib.ExitStack() as alone:
            server = serve(alone, program, first, postgres.url)
            token = server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
            for folder in others:
                shutil.copy(first / "secret.key", folder)
            for case in CASES:
                if options.wants("postgres", case.name + BESIDE):
                    yield measure_case(case, postgres, server, token, calls, options)
        servers = [serve(stack, program, folder, postgres.url, core) for core, folder in enumerate(others)]
        for case in ON_NODES:
            if options.wants("postgres", case.name + NODES):
                yield measure_nodes(case, servers, token, calls, options)
