"""The PostgreSQL part of ./dev bench: reads and writes beside pgbench, which sends the same statements over raw libpq,
prepared, from as many connections; then two servers on one database beside one.

What the statements are, the server's own log tells: one request is made, its statements are read there, and pgbench
repeats them with other keys. PostgreSQL's flushes are on, as in production."""
import contextlib
import os
import pathlib
import pwd
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import desk
import load

API = "/service.api/api/v1/"
SEARCH = "call?$top=30&$orderby=LoggedDate%20desc&$select=" + urllib.parse.quote(
    "Ref,CallRef,ShortDescription,LoggedDate,DueDate,User.Name,Priority.Name,Breached") + "&$filter=" + urllib.parse.quote(
    'State.Name != "Closed 3" && Breached == false')
BODY = '{"ShortDescription": "Printer prints blank pages", "Priority": 2, "User": 17}'
# Name, method, path; a path that ends with a slash gets a key.
CASES = [("get by id", "GET", "call/"), ("top-30 search", "GET", SEARCH), ("create", "POST", "incident")]
TARGET, TWO_NODES_TARGET = 0.7, 1.6
SAMPLE_KEY = 40_001  # of the request whose statements are read; no other number in them is the same

POST_SCRIPT = """
local headers = {{ Authorization = "Bearer {token}", ["Content-Type"] = "application/json" }}
request = function() return wrk.format("POST", "{path}", headers, [==[{body}]==]) end
"""


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
        switch = ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"] if self.user else []
        return [*switch, *(str(each) for each in (self.programs / name, *arguments))]

    def start(self, name, *arguments):
        self.log = open(self.folder / "log", "w")
        return subprocess.Popen(self.command(name, *arguments), stdout=self.log, stderr=self.log, cwd="/")

    def run(self, name, *arguments):
        return subprocess.run(self.command(name, *arguments), check=True, capture_output=True, text=True, cwd="/").stdout

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


def recorded(postgres, act):
    """The statements of one request, with their parameters as SQL literals: [(text, [literal])]."""
    postgres.sql("ALTER SYSTEM SET log_statement = 'all'")
    postgres.sql("SELECT pg_reload_conf()")
    time.sleep(0.3)
    for _ in range(3):
        act()  # prepares, and tells this second's session
    begin = postgres.log_size()
    act()
    time.sleep(0.2)
    with open(postgres.folder / "log") as log:
        log.seek(begin)
        text = log.read()
    postgres.sql("ALTER SYSTEM SET log_statement = 'none'")
    postgres.sql("SELECT pg_reload_conf()")
    statements = []
    for line in text.splitlines():
        if found := re.match(r"LOG:  (?:statement|execute \w+): (.*)", line):
            statements.append([found[1], []])
        elif found := re.match(r"DETAIL:  parameters: (.*)", line):
            statements[-1][1] = re.findall(r"\$\d+ = ('(?:[^']|'')*'|NULL)", found[1])
    return statements


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


def script_of(postgres, statements):
    """For pgbench. A key that a counter gave is a sequence's here: as many trips to the server."""
    lines = [f"\\set sample random(0, {50_000 // desk.KEY_STEP - 1}) * {desk.KEY_STEP} + 1"]
    keys = {str(SAMPLE_KEY): "sample"}
    for text, literals in statements:
        if COUNTER.match(text):
            table = literals[0].strip("'")
            last = postgres.sql(f'SELECT max("Ref") FROM "{table}"')
            keys[last] = "key_" + table
            postgres.sql(f"CREATE SEQUENCE IF NOT EXISTS bench_{table} START {int(last) + 10_000_000}")
            lines.append(f"SELECT nextval('bench_{table}') AS key_{table} \\gset")
            continue
        for number in range(len(literals), 0, -1):
            text = re.sub(rf"\${number}\b", lambda _, n=number: spelled(literals[n - 1], keys), text)
        lines.append(text.rstrip(";") + ";")
    return "\n".join(lines) + "\n"


def measure_floor(postgres, script, connections, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        os.chmod(file.name, 0o644)
        text = postgres.run("pgbench", "-h", postgres.folder, "-U", "postgres", "-n", "-M", "prepared", "-c",
                            connections, "-j", "1", "-T", seconds, "--max-tries=12", "-f", file.name, "desk")
    return float(re.search(r"tps = ([\d.]+) \(without", text)[1])


def measure_product(server, method, path, token, connections, seconds):
    if method == "GET":
        keys = 50_000 // desk.KEY_STEP if path.endswith("/") else 0
        return load.measure(server, API + path, keys, token, seconds, connections)["rate"]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(POST_SCRIPT.format(token=token, path=API + path, body=BODY))
        script.flush()
        text = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--timeout", "30s", "-s", script.name,
                               server.address], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"{path}: wrk met errors:\n{text}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])


def measure_case(case, postgres, server, token, options):
    name, method, path = case
    example = API + path + (str(SAMPLE_KEY) if path.endswith("/") else "")
    script = script_of(postgres, recorded(postgres, lambda: send(server.address, method, example, token,
                                                                 BODY if method == "POST" else None)))
    ours, floors = [], []
    for _ in range(max(3, options.rounds // 3)):
        ours.append(measure_product(server, method, path, token, options.connections, options.seconds))
        floors.append(measure_floor(postgres, script, options.connections, options.seconds))
    ratio = statistics.median(one / other for one, other in zip(ours, floors))
    result = {"case": name, "rate": statistics.median(ours), "floor": statistics.median(floors), "ratio": ratio,
              "statements": script.count(";") + script.count("\\gset"), "target": TARGET, "met": ratio >= TARGET}
    print(f"{name} over PostgreSQL: {result['rate']:,.0f}/s, pgbench {result['floor']:,.0f}/s with "
          f"{result['statements']} statements: {ratio:.0%} ({'met' if result['met'] else 'MISSED'}: {TARGET:.0%})", flush=True)
    return result


def serve(stack, program, folder, url, core=None):
    command = [program, "--data", folder, "--set", f"database={url}", "--set", "oauth.access_seconds=7200", "--set",
               "log.level=error", "serve", "--listen", "127.0.0.1:0"]
    return stack.enter_context(load.Server((["taskset", "-c", str(core)] if core is not None else []) + command))


def measure_nodes(case, servers, token, options):
    """Each server on a core of its own, as if on a machine of its own: one with half the connections, then both."""
    name, method, path = case
    half = max(1, options.connections // 2)

    def rates(nodes):
        found = [0.0] * len(nodes)

        def run(index):
            found[index] = measure_product(nodes[index], method, path, token, half, options.seconds)
        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(nodes))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(found)
    pairs = [(rates(servers[:1]), rates(servers)) for _ in range(max(3, options.rounds // 3))]
    ratio = statistics.median(two / one for one, two in pairs)
    print(f"{name}, two nodes of one core each against one: {ratio:.2f} times", flush=True)
    return {"case": name, "one": statistics.median(one for one, _ in pairs),
            "two": statistics.median(two for _, two in pairs), "ratio": ratio, "target": TWO_NODES_TARGET}


NAMES=[]
def measure(options):
    programs = find_programs()
    if not programs:
        print("PostgreSQL is not installed (apt install postgresql): its part is left out")
        return {}
    program, calls = options.build / "callisto", min(options.calls)
    kept = desk.kept(program, options.build / "bench" / str(calls), calls)
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callisto-bench-")))
        os.chmod(place, 0o755)
        folder = place / "pg"
        folder.mkdir()
        postgres = Postgres(programs, folder)
        stack.callback(postgres.stop)
        subprocess.run([program, "copy", "--from", f"sqlite:{kept / 'desk.db'}", "--to", postgres.url], check=True,
                       stdout=subprocess.DEVNULL)
        postgres.sql("""UPDATE "role" SET "Rights" = '*:Read *:Create *:Update *:Action' WHERE "Ref" = 1000""")
        postgres.sql("INSERT INTO id_block (entity, next) SELECT 'call', max(\"Ref\") + 1 FROM call "
                     "ON CONFLICT (entity) DO UPDATE SET next = excluded.next")
        postgres.sql("VACUUM ANALYZE")
        for name in ("one", "two", "three"):
            (place / name).mkdir()
            if (kept / "secret.key").exists():
                shutil.copy(kept / "secret.key", place / name)
        with contextlib.ExitStack() as alone:
            server = serve(alone, program, place / "one", postgres.url)
            token = server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
            shutil.copy(place / "one/secret.key", place / "two")
            shutil.copy(place / "one/secret.key", place / "three")
            cases = [measure_case(case, postgres, server, token, options) for case in CASES]
        servers = [serve(stack, program, place / name, postgres.url, core) for core, name in enumerate(("two", "three"))]
        reads = [("metadata", "GET", "call/$metadata"), *CASES[:2]]
        return {"cases": cases, "nodes": [measure_nodes(case, servers, token, options) for case in reads]}
