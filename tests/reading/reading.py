#!/usr/bin/env python3
"""The database of a desk, read, checked and written by the sqlite3 tool. Usage: reading.py PROGRAM EXTENSION"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program, extension = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:3])
root = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 120


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def sqlite(database, sql, *options, extended=True):
    load = ["-cmd", f".load {extension}"] if extended else []
    return subprocess.run(["sqlite3", "-bail", *options, str(database), *load, sql], capture_output=True, text=True, timeout=PATIENCE)


def asked(database, sql, *options, extended=True):
    done = sqlite(database, sql, *options, extended=extended)
    check(done.returncode == 0 and not done.stderr, f"{sql}: {done.stderr}")
    return done.stdout


def rows(database, sql):
    return json.loads(asked(database, sql, "-json", "-readonly", extended=False) or "[]")


class Server:
    def __init__(self, data, *arguments):
        self.process = subprocess.Popen([program, "serve", "--samples", "--listen", "127.0.0.1:0", "--data", str(data), *arguments],
                                        stdout=subprocess.PIPE, stderr=open(f"{data}.log", "ab"), text=True, cwd=root)
        check(self.process.stdout.readline().startswith("listening on "), pathlib.Path(f"{data}.log").read_text()[-2000:])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.stdout.close()
        check(self.process.wait(PATIENCE) == 0, "the server did not end well")


def views(database):
    return {each["name"] for each in rows(database, "SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE 'report%'")}


def reports(data):
    database = data / "desk.db"
    with Server(data) as server:
        # Beside the server, without the extension.
        calls = rows(database, "SELECT * FROM report_call ORDER BY Ref")
        check(len(calls) > 10, "report_call is empty")
        for call in calls:
            check(re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", call["CreatedDate"]), str(call))
            check(call["State"] is None or call["StateName"], str(call))
        stored = rows(database, "SELECT Ref, CreatedDate, Priority FROM call ORDER BY Ref")
        seconds = rows(database, "SELECT Ref, CAST(strftime('%s', CreatedDate) AS INTEGER) AS s FROM report_call")
        of_call = {each["Ref"]: each["s"] for each in seconds}
        check(all(each["CreatedDate"] // 1000 == of_call[each["Ref"]] for each in stored if each["Ref"] in of_call), "dates differ")
        names = {each["Ref"]: each["Name"] for each in rows(database, 'SELECT Ref, Name FROM "call_priority"')}
        check(all(call["PriorityName"] == names.get(call["Priority"]) for call in calls), "a name is another one's")
        kinds = rows(database, "SELECT count(*) AS n FROM report_incident")[0]["n"]
        check(0 < kinds < len(calls), "report_incident has all calls, or none")
        columns = {each["name"] for view in views(database) for each in rows(database, f"SELECT name FROM pragma_table_info('{view}')")}
        secret = {"Secret", "PasswordHash", "RecordVersion", "IsDeleted", "BinaryData", "Image"} & columns
        check(not secret, f"views show {secret}")
        check({"report_person", "report_call_history", "report_task"} <= views(database), str(views(database)))
        flags = rows(database, "SELECT DISTINCT IsActive FROM report_person")
        check({each["IsActive"] for each in flags} <= {0, 1}, str(flags))
        return server


def deleted_rows_are_left_out(data):
    database = data / "desk.db"
    before = rows(database, "SELECT count(*) AS n FROM report_call")[0]["n"]
    asked(database, "UPDATE call SET IsDeleted = 1 WHERE Ref = (SELECT min(Ref) FROM report_call)")
    check(rows(database, "SELECT count(*) AS n FROM report_call")[0]["n"] == before - 1, "a deleted call is shown")


def checks_and_writes(data):
    database = data / "desk.db"
    for sql in ("PRAGMA integrity_check", "PRAGMA quick_check"):
        plain = sqlite(database, sql, extended=False)
        check("folded" in plain.stderr + plain.stdout, "without the extension it works as well: the test proves nothing")
        check(asked(database, sql).strip() == "ok", sql)
    copy = data / "copy.db"
    asked(database, f"VACUUM INTO '{copy}'")
    check(asked(copy, "PRAGMA integrity_check").strip() == "ok", "the copy is not well")
    # A trigger notes what is written for the index of substrings; the index is ordered as the server orders.
    asked(database, "UPDATE call SET ShortDescription = 'ÄRGER mit dem Drucker 4711' WHERE Ref = (SELECT max(Ref) FROM call)")
    asked(database, "UPDATE person SET Email = 'Ünal@Example.com' WHERE Ref = 1")
    check(asked(database, "SELECT Ref FROM person WHERE Email = 'ünal@example.COM' COLLATE folded").strip() == "1", "folded")
    check(asked(database, "SELECT contains_folded('Der ÄRGER', 'ärger')").strip() == "1", "contains_folded")
    asked(database, "VACUUM")
    check(asked(database, "PRAGMA integrity_check").strip() == "ok", "after writing")
    found = subprocess.run([program, "console", "--data", str(data), "--as", "admin"], capture_output=True, text=True, cwd=root,
                           input='desk.count("call", "ShortDescription.Contains(?)", "ärger mit dem drucker 4711")\n')
    check(found.stdout.strip() == "1", f"the server does not find what was written: {found}")
    # Python has a SQLite of its own, perhaps, which loads the same file.
    import sqlite3
    connection = sqlite3.connect(database)
    if hasattr(connection, "enable_load_extension"):
        connection.enable_load_extension(True)
        connection.load_extension(extension)
        check(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "by Python")
    connection.close()


def rules_change(data, folder):
    database = data / "desk.db"
    asked(database, "CREATE VIEW report_mine AS SELECT 1 AS One")          # of somebody else
    asked(database, "DROP VIEW report_location; CREATE TABLE report_location (x)")
    entities = folder / "entities"
    shutil.copytree(root / "entities", entities)
    location = (entities / "location.lua").read_text()
    with Server(data, "--set", f"entities={entities}") as server:
        before = views(database)
        (entities / "location+floor.lua").write_text('return add_to "location" {\n  properties = {\n'
                                                     '    datetime "BuiltDate" { description = "When it was built." },\n  },\n}\n')
        (entities / "organization+floor.lua").write_text('return add_to "organization" {\n  properties = {\n'
                                                         '    decimal "Turnover" { scale = 3, description = "Of a year." },\n'
                                                         '    lookup "Contact" { entity = "person", description = "Who is asked." },\n  },\n}\n')
        reloaded = subprocess.run([program, "reload", "--data", str(data), "--set", f"entities={entities}"], capture_output=True,
                                  text=True, cwd=root, timeout=PATIENCE)
        check(reloaded.returncode == 0, reloaded.stdout + reloaded.stderr)
        columns = {each["name"] for each in rows(database, "SELECT name FROM pragma_table_info('report_organization')")}
        check({"Turnover", "Contact", "ContactName"} <= columns, f"after a reload: {columns}")
        check(views(database) == before and "report_mine" in before, "views came or went")
        server.process.poll()
    asked(database, "UPDATE organization SET Turnover = 1234567, Contact = 1 WHERE Ref = 1")
    shown = rows(database, "SELECT Turnover, ContactName FROM report_organization WHERE Ref = 1")
    name = rows(database, "SELECT Name FROM person WHERE Ref = 1")[0]["Name"]
    check(shown == [{"Turnover": 1234.567, "ContactName": name}], str(shown))
    with Server(data):  # without the additions; the columns stay in the tables
        columns = {each["name"] for each in rows(database, "SELECT name FROM pragma_table_info('report_organization')")}
        check("Turnover" not in columns, "a property that is gone is shown")
    check(rows(database, "SELECT name FROM sqlite_schema WHERE name = 'report_location' AND type = 'table'"), "somebody's table is gone")
    check(location, "location")


def main():
    if not shutil.which("sqlite3"):
        print("skipped: reading, because there is no sqlite3")
        return
    with tempfile.TemporaryDirectory(prefix="callisto-reading-") as name:
        folder = pathlib.Path(name)
        data = folder / "desk"
        reports(data)
        checks_and_writes(data)
        deleted_rows_are_left_out(data)
        rules_change(data, folder)


main()
