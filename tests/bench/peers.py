"""The product beside PocketBase, on the same 100,000 calls and 32 connections, in turn: only where BENCH_POCKETBASE names its
program. It needs no signing in here, counts no rows (skipTotal), and has an index for the search; the product asks who one is,
and what he may see and do.

To have it: go install github.com/pocketbase/pocketbase/examples/base@v0.36.8"""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import asks
import cases
import desk
import lines
import load
import mixed
import question_desk

CALLS, CONNECTIONS = 100_000, 32
BESIDE = ", beside PocketBase"
GET, CONTAINS, NOWHERE, CREATE, SEARCH = (name + BESIDE for name in (
    "get by id", "contains a rare word", "contains a word nowhere", "create", "of a state and priority, newest first"))
NAMES = [GET, CONTAINS, NOWHERE, CREATE, SEARCH]
WORD = question_desk.WORDS[900]   # of syllables that all words have, so that its parts are in many texts
COLUMNS = {"CallRef": "text", "ShortDescription": "text", "Description": "text", "RecordType": "text", "State": "number",
           "Priority": "number", "User": "number", "Analyst": "number", "Group": "number", "LoggedDate": "date", "DueDate": "date"}
INDEX = "CREATE INDEX `by_state` ON `call` (`State`, `Priority`, `LoggedDate`)"
ADMIN = {"identity": "bench@example.org", "password": desk.PASSWORD}
FIRST = 100_000_000_000   # a key is a text of 15 signs: three letters and a number
RECORDS = "/api/collections/call/records"


class PocketBase(load.Server):
    """It chooses no free port by itself."""

    def __init__(self, program, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.log = tempfile.TemporaryFile("w+")
        # Below a temporary folder it takes itself for "go run", and would print each statement.
        self.process = subprocess.Popen([program, "serve", f"--http=127.0.0.1:{port}", f"--dir={folder}", "--dev=false"],
                                        stdout=self.log, stderr=self.log)
        while self.process.poll() is None:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            time.sleep(0.05)
        self.log.seek(0)
        raise SystemExit(f"{program} did not start: {self.log.read()[:2000]}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.log.close()


def post(server, path, body, token=""):
    request = urllib.request.Request(server.address + path, json.dumps(body).encode(), method="POST",
                                     headers={"Content-Type": "application/json", "Authorization": token})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        raise SystemExit(f"POST {path}: {refused.code} {refused.read().decode()}") from None


def make_collection(program, folder):
    subprocess.run([program, "superuser", "upsert", *ADMIN.values(), f"--dir={folder}"], check=True, capture_output=True)
    with PocketBase(program, folder) as server:
        token = post(server, "/api/collections/_superusers/auth-with-password", ADMIN)["token"]
        fields = [{"name": name, "type": kind} for name, kind in COLUMNS.items()]
        post(server, "/api/collections", {"name": "call", "type": "base", "fields": fields, "indexes": [INDEX],
                                          "listRule": "", "viewRule": "", "createRule": ""}, token)


def copy_calls(folder, source):
    value = {"date": """strftime('%Y-%m-%d %H:%M:%fZ', "{0}" / 1000.0, 'unixepoch')""", "number": 'coalesce("{0}", 0)', "text": """coalesce("{0}", '')"""}
    values = ", ".join(value[kind].format(name) for name, kind in COLUMNS.items())
    names = ", ".join(f"`{name}`" for name in COLUMNS)
    with contextlib.closing(sqlite3.connect(pathlib.Path(folder) / "data.db", isolation_level=None)) as database:
        database.execute("ATTACH ? AS desk", (str(source),))
        database.execute(f"INSERT INTO call (id, {names}) SELECT 'cal' || ({FIRST} + Ref), {values} FROM desk.call")
        database.execute("ANALYZE main")


def their_list(text, **more):
    return RECORDS + "?" + urllib.parse.urlencode({"filter": text, "perPage": 30, "skipTotal": 1, **more})


def our_list(text, **more):
    return cases.API + "call?" + cases.query(filter=text, top="30", **more)


def gets(root, first, keys, token):
    """Lua that gets one of the keys after the other, each whole."""
    return asks.tags_script([(f"{root}{first + key}", '"another"') for key in keys], token)


def contains(word):
    return asks.Ask(our_list(f'ShortDescription.Contains("{word}")')), asks.Ask(their_list(f"ShortDescription ~ '{word}'"))


def ways_of():
    """{case: (the product's Ask, theirs)}."""
    return {
        CONTAINS: contains(WORD), NOWHERE: contains("xylophone"),
        SEARCH: (asks.Ask(our_list("State == 1 && Priority == 2", orderby="LoggedDate desc")),
                 asks.Ask(their_list("State = 1 && Priority = 2", sort="-LoggedDate"))),
        CREATE: (asks.Ask(cases.API + "incident", "POST", body=mixed.CREATE), asks.Ask(RECORDS, "POST", body=mixed.CREATE)),
    }


def rows_in(answer):
    body = json.loads(answer)
    return len(body["results"] if "results" in body else body["items"])


def check_same(name, ask, other, ours, theirs, token):
    if ask.method == "POST":
        post(ours, ask.path, ask.body, "Bearer " + token)
        post(theirs, other.path, other.body)
    elif rows_in(ours.get(ask.path, token)) != rows_in(theirs.get(other.path, "")):
        raise SystemExit(f"{name}: the answers have not the same number of rows")


def measure_case(name, script, other, ours, theirs, options):
    runs, others = [], []
    for _ in range(max(3, options.rounds // 2)):
        runs.append(load.wrk(ours, options.seconds, CONNECTIONS, script=script))
        others.append(load.wrk(theirs, options.seconds, CONNECTIONS, script=other))
    return lines.of_rates(name, runs, others, "PocketBase", CALLS)


def measure(options):
    program = os.environ.get("BENCH_POCKETBASE")
    if not program:
        if options.only:
            print("BENCH_POCKETBASE names no program of PocketBase: it is left out")
        return
    kept = question_desk.kept(options, CALLS)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        shutil.copytree(kept, folder / "ours")
        with contextlib.closing(sqlite3.connect(folder / "ours/desk.db", isolation_level=None)) as database:
            database.execute("INSERT OR REPLACE INTO id_block (entity, next) SELECT 'call', max(Ref) + 1 FROM call")
        make_collection(program, folder / "theirs")
        copy_calls(folder / "theirs", folder / "ours/desk.db")
        os.sync()
        ours = load.start(stack, options.build / "callisto", folder / "ours")
        theirs = stack.enter_context(PocketBase(program, folder / "theirs"))
        login, kind = question_desk.SESSIONS["administrator"]
        token = ours.sign_in(login, desk.PASSWORD, desk.CLIENT, kind)
        keys = [row["Ref"] for row in json.loads(ours.get(cases.API + "call?" + cases.query(select="Ref", top="1000"), token))["results"]]
        yield measure_case(GET, gets(cases.API + "call/", 0, keys, token), gets(RECORDS + "/cal", FIRST, keys, ""), ours, theirs, options)
        for name, (ask, other) in ways_of().items():
            check_same(name, ask, other, ours, theirs, token)
            yield measure_case(name, asks.script([ask], token), asks.script([other], ""), ours, theirs, options)
