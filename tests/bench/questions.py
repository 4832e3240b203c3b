"""Ordinary questions of a desk whose calls are as real ones are, each beside the best SQL that a hand writes for it, with
whatever indexes that likes, asked of a copy. One connection's floor is raw sqlite3 or libpq; that of many is the same SQL
behind a bare CivetWeb, which answers its rows as JSON: what there is to wait for then are the two cores, and a request
takes most of them. A time is what one who asks waits for.

The desk is of --calls calls, the largest of them. BENCH_SESSIONS, BENCH_CONNECTIONS and BENCH_DATABASES choose among
administrator, analyst and user, 1 and 32, sqlite and postgresql."""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

import cases
import desk
import lines
import load
import postgres
import question_desk
import question_list

NAME = "questions"
NEAR, QUICK_US = 2, 1000   # times the floor, or so short a time
FAR, SLOW_US = 10, 50_000
SHARE = "questions near their floor"
ALONE, MANY = 1, 32
FLOORS = {"sqlite": "raw sqlite3", "postgresql": "raw libpq"}
SECONDS = 0.2   # of one connection, for each question


def asked_by(connections, of):
    return f"{connections} connection{'s' if connections > 1 else ''}, {of}"


NAMES = [NAME, *(question.name for question in question_list.QUESTIONS),
         *(f"{SHARE}, {asked_by(connections, of)}" for of in FLOORS.values() for connections in (ALONE, MANY))]


def chosen(variable, every):
    wanted = os.environ.get(variable)
    return [each for each in every if not wanted or str(each) in wanted.split(",")]


def keys_of(answer):
    body = json.loads(answer)
    if isinstance(body, int):
        return [str(body)]
    return [str(row.get("__count", row.get("Ref", row.get("TicketId")))) for row in body["results"]]


class Keys(Exception):
    pass


def check_same(name, ours, theirs):
    """The floor must answer the same; of equal dates any order will do."""
    if ours[:100] != theirs and sorted(ours) != sorted(theirs):
        raise Keys(f"{name}: the floor answers otherwise: {ours[:8]}... not {theirs[:8]}...")


def ask_alone(server, path, token, seconds):
    """Microseconds of one answer: the median of one connection's."""
    request, times = load.request_text(path, token), []
    with server.connect() as connection:
        end = time.perf_counter() + seconds
        while len(times) < 3 or time.perf_counter() < end:
            begin = time.perf_counter()
            connection.sendall(request)
            answer = load.read_answer(connection)
            times.append(time.perf_counter() - begin)
            if b" 200 " not in answer[:20]:
                raise SystemExit(f"{path}: {answer[:500]!r}")
    return statistics.median(times) * 1e6


def statements_of(database, session, questions):
    sql = [question_list.floor_sql(question, session) for question in questions]
    return [question_list.in_postgres(each) for each in sql] if database.startswith("postgresql:") else sql


def floor_alone(options, database, session, questions, seconds):
    """{name: (microseconds, keys)} of one connection without a server."""
    text = "".join(f"{question.name}\t{sql}\n" for question, sql in zip(questions, statements_of(database, session, questions)))
    told = subprocess.run([options.build / "tests/bench_question_floor", database, str(int(seconds * 1000)), "1"],
                          input=text, text=True, capture_output=True)
    if told.returncode:
        raise SystemExit(told.stderr)
    return {each["name"]: (each["us"], each["keys"]) for each in map(json.loads, told.stdout.splitlines())}


def floor_server(stack, options, database, session, questions):
    file = stack.enter_context(tempfile.NamedTemporaryFile("w", suffix=".sql"))
    file.writelines(sql + "\n" for sql in statements_of(database, session, questions))
    file.flush()
    return stack.enter_context(load.Server([options.build / "tests/bench_question_server", database, file.name]))


def floor_of_many(server, number):
    path = f"/{number}"
    keys = [str(next(iter(row.values()))) for row in json.loads(server.get(path, ""))]
    return ask_many(server, path, ""), keys[:100]


def ask_many(server, path, token):
    """Microseconds that each of many waits for an answer."""
    return 1e6 * MANY / load.get_often(server, path, token, 0, 1, MANY)["rate"]


def prepare_floor(copy):
    """Its own indexes and statistics, in place of the product's."""
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.create_collation("folded", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144")
        for sql in question_list.floor_index_sql():
            database.execute(sql)
        database.execute("PRAGMA analysis_limit = 1000")
        database.execute("ANALYZE")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def floor_copy(folder):
    """Kept beside the desk as long as the floor's indexes are the same."""
    copy, mark = folder / "floor.db", folder / "floor.json"
    wanted = [*question_list.floor_index_sql(), (folder / "made-of.json").stat().st_mtime]
    if not mark.exists() or json.loads(mark.read_text()) != wanted:
        print("  making the floor's copy ...", flush=True)
        shutil.copyfile(folder / "desk.db", copy)
        prepare_floor(copy)
        mark.write_text(json.dumps(wanted))
    return copy


def is_near(ours, floor):
    return ours <= NEAR * floor or ours <= QUICK_US


class Verdicts:
    """How many of the questions are near their floors."""

    def __init__(self):
        self.near, self.far, self.asked = 0, [], 0

    def add(self, name, ours, floor):
        self.asked += 1
        self.near += is_near(ours, floor)
        if ours > FAR * floor and ours > QUICK_US or ours > SLOW_US:
            self.far.append(name)


def measure_one(question, session, server, token, floor, calls, connections, of):
    """`floor`: its microseconds and keys."""
    path = cases.API + question.url
    name = f"{question.name}, {session}, {asked_by(connections, of)}"
    beside, keys = floor
    check_same(name, keys_of(server.get(path, token)), keys)
    ours = ask_alone(server, path, token, SECONDS) if connections == ALONE else ask_many(server, path, token)
    return lines.line(name, ours, "us", calls=calls, beside=beside, of=of, ratios=[ours / beside], better="less")


def measure_session(stack, options, session, server, floor, calls, connections, of, verdicts):
    login, kind = question_desk.SESSIONS[session]
    token = server.sign_in(login, desk.PASSWORD, desk.CLIENT, kind)
    asked = [each for each in question_list.QUESTIONS if session in each.sessions and
             (options.wants(NAME, each.name) if options.only else True)]
    if connections == ALONE:
        told = floor_alone(options, floor, session, asked, SECONDS)
    else:
        beside = floor_server(stack, options, floor, session, asked)
    for number, question in enumerate(asked):
        try:
            at_best = told[question.name] if connections == ALONE else floor_of_many(beside, number)
            each = measure_one(question, session, server, token, at_best, calls, connections, of)
        except Keys as problem:
            print(f"  {problem}", flush=True)
            continue
        verdicts.add(each["case"], each["ours"], each["beside"])
        yield each


def measure_server(options, server, floor, calls, of):
    for connections in chosen("BENCH_CONNECTIONS", (ALONE, MANY)):
        verdicts = Verdicts()
        for session in chosen("BENCH_SESSIONS", question_desk.SESSIONS):
            with contextlib.ExitStack() as stack:
                yield from measure_session(stack, options, session, server, floor, calls, connections, of, verdicts)
        yield lines.line(f"{SHARE}, {asked_by(connections, of)}", 100 * verdicts.near / max(1, verdicts.asked), "%", calls=calls)
        if verdicts.far:
            print(f"  far from their floor: {len(verdicts.far)} of {verdicts.asked}: {'; '.join(verdicts.far)}", flush=True)


def measure_sqlite(options, folder, calls):
    with contextlib.ExitStack() as stack:
        floor = str(floor_copy(folder))
        server = load.start(stack, options.build / "callisto", folder)
        yield from measure_server(options, server, floor, calls, FLOORS["sqlite"])


def measure_postgres(options, folder, calls):
    programs = postgres.find_programs()
    if not programs:
        print("PostgreSQL is not installed (apt install postgresql): its questions are left out")
        return
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callisto-bench-")))
        os.chmod(place, 0o755)
        (place / "pg").mkdir()
        server = postgres.Postgres(programs, place / "pg")
        stack.callback(server.stop)
        postgres.prepare(server, options.build / "callisto", folder)
        server.run("createdb", "-h", server.folder, "-U", "postgres", "-T", "desk", "floor")
        for sql in [*question_list.floor_index_sql(" NULLS FIRST"), "VACUUM ANALYZE"]:
            server.run("psql", "-h", server.folder, "-U", "postgres", "-qAtX", "-c", question_list.in_postgres(sql), "floor")
        (place / "desk").mkdir()
        shutil.copy(folder / "secret.key", place / "desk")
        product = postgres.serve(stack, options.build / "callisto", place / "desk", server.url)
        yield from measure_server(options, product, server.url.replace("/desk?", "/floor?"), calls, FLOORS["postgresql"])


def measure(options):
    calls = max(options.calls)
    folder = question_desk.kept(options, calls)
    if "sqlite" in chosen("BENCH_DATABASES", FLOORS):
        yield from measure_sqlite(options, folder, calls)
    if "postgresql" in chosen("BENCH_DATABASES", FLOORS):
        yield from measure_postgres(options, folder, calls)
