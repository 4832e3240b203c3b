"""Desks for ./dev bench: an empty one as the product makes it, then calls in bulk. A desk is kept for the next run as
long as the tables that the product makes and this file stay the same."""
import contextlib
import functools
import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGIN, CLIENT, PASSWORD = "bench", "bench", "a long bench password"
PARTITION = 1              # the analyst's; one call in ten lies in the other
KEY_STEP = 10              # keys 1, 11, 21, ... are in the analyst's
RARE_WORD = "flugelhorn"   # in twenty calls, whatever their number
NO_WORD = "zeppelin"       # in none
TWO_LETTERS = "zq"         # in none, and too short for an index of three letters

COMMON = ('"Ref", "Id", "CreatedDate", "CreatedBy", "UpdatedDate", "UpdatedBy", '
          '"Partition", "IsDeleted", "RecordVersion"')
COMMON_VALUES = "n, lower(hex(randomblob(16))), 1735689600000 + n, 1, 1735689600000 + n, 1, 1, 0, 1"
NUMBERS = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) "

# Table, number of rows, columns and their expressions of the row's number n.
LOOKUPS = [
    ("partition", 2, {"Name": "'Partition ' || n"}),
    ("organization", 50, {"Name": "'Organization ' || n", "City": "'Vienna'"}),
    ("group", 20, {"Name": "'Group ' || n", "Email": "'group' || n || '@example.org'"}),
    ("call_state", 5, {"Name": "CASE n WHEN 1 THEN 'New' WHEN 2 THEN 'Open' ELSE 'Closed ' || n END"}),
    ("call_status", 6, {"Name": "'Status ' || n"}),
    ("call_priority", 4, {"Name": "'Priority ' || n", "Rank": "n"}),
]
PERSON = {"FirstName": "'First ' || n", "LastName": "'Last ' || n", "Name": "'First ' || n || ' Last ' || n",
          "LoginId": "'PERSON' || n", "Email": "'person' || n || '@example.org'", "Organization": "n % 50 + 1",
          "IsAnalyst": "n <= 40", "IsUser": "1", "IsVip": "0", "IsActive": "1", "IsLoggedIn": "0"}
CALL = {
    "RecordType": "CASE n % 5 WHEN 0 THEN 'problem' WHEN 1 THEN 'service-request' ELSE 'incident' END",
    "CallRef": "printf('CAL-%08d', n)",
    "ShortDescription": "CASE n % ({count} / 20) WHEN 7 THEN 'The " + RARE_WORD + " on floor ' || (n % 90) || ' is out "
                        "of tune' ELSE 'Printer ' || (n % 5000) || ' in room ' || (n % 700) || ' prints blank pages' "
                        "END",
    "Description": "'Since ' || (n % 12 + 1) || ' o''clock nothing works as it should. The \"ready\" light of device ' "
                   "|| n || ' is off, the display shows error ' || (n % 977) || '.'",
    "State": "n * 7 % 5 + 1", "Status": "n * 11 % 6 + 1", "Priority": "n * 13 % 4 + 1",
    "User": "n * 31 % {persons} + 1", "Organization": "n * 31 % {persons} % 50 + 1", "Analyst": "n * 17 % 40 + 1",
    "Group": "n * 19 % 20 + 1", "LoggedBy": "n * 17 % 40 + 1", "LoggedDate": "1735689600000 + n * 5000",
    "DueDate": "1735689600000 + n * 5000 + 86400000", "ClockStopped": "0", "Breached": "n % 9 = 0",
    "LastHistoryOrder": "1", "AttachmentCount": "0", "Checkbox1": "CASE n % 2 WHEN 0 THEN 'Y' ELSE 'N' END",
    "Number1": "n / 8.0",
}


@functools.cache
def digest(program):
    """Of all that a kept desk depends on."""
    state = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        run(program, folder, "migrate")
        with contextlib.closing(sqlite3.connect(pathlib.Path(folder) / "desk.db")) as database:
            for row in database.execute("SELECT sql FROM sqlite_schema ORDER BY name"):
                state.update(str(row).encode())
    return state.hexdigest()


def run(program, folder, *command):
    subprocess.run([program, "--data", folder, *command], input=PASSWORD, text=True, check=True,
                   stdout=subprocess.DEVNULL)


def insert(database, table, count, columns, persons=0):
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(columns.values())
    sql = f'INSERT OR IGNORE INTO "{table}" ({COMMON}, {names}) {NUMBERS} SELECT {COMMON_VALUES}, {values} FROM numbers'
    database.execute(sql.replace("{count}", str(count)).replace("{persons}", str(persons)))


def fill(database, calls):
    """Indexes of calls are dropped and made again: an index is made from sorted keys in a fraction of the time."""
    persons = max(500, calls // 50)
    for table, count, columns in LOOKUPS:
        insert(database, table, count, columns)
    insert(database, "person", persons, PERSON)   # but the one who signs in
    indexes = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'call' "
                               "AND sql IS NOT NULL").fetchall()
    for name, _ in indexes:
        database.execute(f'DROP INDEX "{name}"')
    insert(database, "call", calls, CALL, persons)
    database.execute(f'UPDATE call SET "Partition" = 2 WHERE Ref % {KEY_STEP} = 0')
    for _, sql in indexes:
        database.execute(sql)


def give_access(database):
    """The analyst sees one of two partitions, so that every statement carries its condition."""
    (person,) = database.execute("SELECT person FROM person_password WHERE person > 0").fetchone()
    for table, columns, values in (("role", '"Name", "Rights"', ("bench", "Administration *:Read")),
                                   ("role_partition", '"Role", "Partition"', (1000, PARTITION)),
                                   ("person_role", '"Person", "Role"', (person, 1000))):
        database.execute(f'INSERT INTO {table} ("Ref", "Id", "IsDeleted", "RecordVersion", {columns}) '
                         f"VALUES (1000, '{table}', 0, 1, ?, ?)", values)


def waiting_rows(folder):
    """How many rows an index of substrings does not know yet; what waits the server keeps in tables of that name."""
    with contextlib.closing(sqlite3.connect(folder / "desk.db", timeout=60)) as database:
        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%~unindexed'")
        return sum(database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in tables.fetchall())


def let_index(program, folder):
    """The server indexes substrings beside its work: it runs until it has."""
    if not waiting_rows(folder):
        return
    server = subprocess.Popen([program, "--data", folder, "--set", "log.level=error", "serve", "--listen",
                               "127.0.0.1:0"], stdout=subprocess.DEVNULL)
    try:
        while waiting_rows(folder):
            if server.poll() is not None:
                raise SystemExit(f"{program} ended before it had indexed {folder}")
            time.sleep(0.5)
    finally:
        server.terminate()
        server.wait(timeout=60)


def make(program, folder, calls):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in (["migrate"], ["person", "add", LOGIN, "--analyst"], ["client", "add", CLIENT]):
        run(program, folder, *command)
    database = sqlite3.connect(folder / "desk.db", isolation_level=None)
    # All texts here are ASCII without control characters, for which this is the server's collation.
    database.create_collation("folded", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
    database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN")
    fill(database, calls)
    give_access(database)
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    let_index(program, folder)


def kept(options, calls):
    """The folder of a desk of so many calls; made where none is kept or the kept one is of another day. Its file is read
    once, so that the system has it in memory, as after a while of serving: else the first case would measure the disk."""
    program, folder = options.build / "callisto", options.build / "bench" / str(calls)
    mark, wanted = folder / "made-of.json", {"calls": calls, "digest": digest(program)}
    if not mark.exists() or json.loads(mark.read_text()) != wanted:
        print(f"making a desk of {calls:,} calls ...", flush=True)
        make(program, folder, calls)
        mark.write_text(json.dumps(wanted))
    with open(folder / "desk.db", "rb") as file:
        while file.read(1 << 24):
            pass
    return folder


def copy_of(kept_folder, folder):
    """Of a kept desk, ready for new records: the analyst may write. The Ref of the analyst."""
    shutil.copytree(kept_folder, folder)
    with contextlib.closing(sqlite3.connect(folder / "desk.db", isolation_level=None)) as database:
        database.execute("INSERT OR REPLACE INTO id_block (entity, next) SELECT 'call', max(Ref) + 1 FROM call")
        database.execute("UPDATE role SET \"Rights\" = '*:Read *:Create *:Update *:Action' WHERE \"Ref\" = 1000")
        (person,) = database.execute("SELECT person FROM person_password WHERE person > 0").fetchone()
    os.sync()   # or the system would write the copy while the desk is measured
    return person


def sample(calls):
    """A desk for what does not depend on size: the middle one of those that are measured."""
    return sorted(calls)[len(calls) // 2]
