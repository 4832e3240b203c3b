"""The desk that questions.py asks: calls as a real desk has them. Nearly all are closed and the open ones are new; a tenth of
the analysts, services and callers have most of the work. Made with the product's own tables, kept as desk.py keeps its."""
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import time

import desk
import load

DAY = 86_400_000
END = 1_795_650_000_000          # the newest moment of the desk: 2026-11-26
BEGIN = END - 3 * 365 * DAY
PARTITIONS, PARTITION = (70, 20, 10), 2   # shares of the calls; the analyst's
GROUPS, ANALYSTS, SERVICES, ORGANIZATIONS = 20, 200, 100, 200
ADMINISTRATOR, ANALYST, USER = "bench-admin", "bench-analyst", "bench-user"
KEYS = {ADMINISTRATOR: 1, ANALYST: 2, USER: 3}   # of the persons; analysts are 1 to ANALYSTS
SESSIONS = {"administrator": (ADMINISTRATOR, "Analyst"), "analyst": (ANALYST, "Analyst"), "user": (USER, "User")}

SYLLABLES = "ba be bo da de do fa fe fo ga ge ka ke ko la le lo ma me mo na ne no pa pe ra re ro sa se so ta te to".split()
WORDS = ["printer", "mail", "password", "screen", "network", "slow", "error", "login", "laptop", "update",
         *("".join(each) for each in itertools.product(SYLLABLES, SYLLABLES[::2], SYLLABLES[::3]))]


class Skew:
    """`count` numbers from 1 on, of which the first tenth come up in most draws."""

    def __init__(self, generator, count, share=0.8):
        first = max(1, count // 10)
        weights = [share / first] * first + [(1 - share) / max(1, count - first)] * (count - first)
        self.draws = generator.choices(range(1, count + 1), weights, k=1 << 16)
        self.at = generator.randrange(1 << 16)

    def __call__(self):
        self.at = self.at * 5 + 12345 & 0xFFFF
        return self.draws[self.at]


def people_of(calls):
    return max(1000, calls // 50)


def sizes(calls):
    return {"call": calls, "person": people_of(calls), "request": calls // 50, "task": calls // 20, "asset": calls // 20,
            "knowledge": max(100, calls // 500)}


class Maker:
    def __init__(self, database, calls):
        self.database, self.calls, self.random = database, calls, random.Random(34)
        self.size = sizes(calls)
        self.guid = 0
        skew = lambda count, share=0.8: Skew(self.random, count, share)
        self.group, self.analyst, self.service = skew(GROUPS, 0.5), skew(ANALYSTS), skew(SERVICES, 0.7)
        self.person, self.organization = skew(self.size["person"], 0.6), skew(ORGANIZATIONS, 0.5)
        self.word = skew(len(WORDS), 0.7)
        self.partition = self.random.choices((1, 2, 3), PARTITIONS, k=1 << 16)

    def sentence(self, least, most):
        return " ".join(WORDS[self.word() - 1] for _ in range(self.random.randint(least, most)))

    def common(self, n, created, updated, partition=None, deleted=0):
        self.guid += 1
        return {"Ref": n, "Id": f"{self.guid * 0x9E3779B97F4A7C15 % (1 << 64):016x}{self.guid:016x}", "CreatedDate": created,
                "CreatedBy": 1, "UpdatedDate": updated, "UpdatedBy": 1, "Partition": partition, "IsDeleted": deleted,
                "RecordVersion": 1}

    def insert(self, table, rows):
        rows = iter(rows)
        first = next(rows)
        names = ", ".join(f'"{name}"' for name in first)
        marks = ", ".join("?" * len(first))
        self.database.executemany(f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})',
                                  (tuple(row.values()) for row in itertools.chain([first], rows)))

    def names(self, table, names, **more):
        self.insert(table, ({**self.common(n, BEGIN, BEGIN), "Name": name, **{key: make(n) for key, make in more.items()}}
                            for n, name in names))

    def lookups(self):
        self.names("partition", ((n, f"Partition {n}") for n in (1, 2, 3)))
        self.names("organization", ((n, f"Organization {n}") for n in range(1, ORGANIZATIONS + 1)))
        self.names("group", ((n, f"Group {n}") for n in range(1, GROUPS + 1)))
        self.names("call_state", enumerate(("New", "Open", "Closed", "Resolved", "Unresolved", "Closed unresolved")))
        self.names("request_state", enumerate(("New", "Awaiting", "Open", "Suspended", "Closed", "Cancelled")))
        self.names("task_state", enumerate(("Waiting", "Open", "Closed", "Skipped")))
        self.names("knowledge_state", enumerate(("Draft", "Review", "Published", "Retired")))
        self.names("call_status", ((n, f"Status {n}") for n in range(1, 7)))
        self.names("call_priority", ((n, f"Priority {n}") for n in range(1, 5)), Rank=lambda n: n)
        self.names("call_type", ((n, f"Type {n}") for n in range(1, 13)))
        self.names("asset_status", ((n, f"Status {n}") for n in range(1, 6)))
        self.insert("group_member", ({**self.common(n, BEGIN, BEGIN), "Group": n % GROUPS + 1, "Person": n // 2 + 1}
                                     for n in range(1, 2 * ANALYSTS)))

    def persons(self):
        for n in range(len(KEYS) + 1, self.size["person"] + 1):
            first, last = WORDS[n * 7 % 1500 + 10].title(), WORDS[n * 13 % len(WORDS)].title()
            moment = self.random.randrange(BEGIN, END)
            yield {**self.common(n, BEGIN, moment), "FirstName": first, "LastName": last, "Name": f"{first} {last}",
                   "LoginId": f"PERSON{n}", "Email": f"person{n}@example.org", "Organization": self.organization(),
                   "Department": f"Department {n % 40}", "IsAnalyst": int(n <= ANALYSTS), "IsUser": 1,
                   "IsVip": int(n % 100 == 0), "IsActive": int(n % 11 != 0), "IsLoggedIn": 0}

    def call(self, n):
        rnd = self.random.random
        age, logged = n / self.calls, BEGIN + (END - BEGIN) * n // self.calls
        is_open = rnd() < (0.8 if age > 0.95 else 0.3 if age > 0.92 else 0.01)
        state = (0 if rnd() < 0.02 else self.random.choice((1, 1, 1, 1, 1, 3, 4))) if is_open else (5 if rnd() < 0.12 else 2)
        closed = None if is_open else min(END, logged + int(self.random.expovariate(1 / (2 * DAY))))
        user = USER_CALLS if n % 20_000 == 77 else self.person()
        analyst = None if is_open and rnd() < 0.4 else self.analyst()
        group = self.group()
        kind = "incident" if rnd() < 0.6 else "service-request" if rnd() < 0.8 else "problem"
        updated = closed or min(END, logged + int(rnd() * 3 * DAY))
        return {**self.common(n, logged, updated, self.partition[self.guid & 0xFFFF], int(state == 0 and rnd() < 0.5)),
                "RecordType": kind, "CallRef": f"CAL-{n:08d}", "ShortDescription": self.sentence(4, 7),
                "Description": self.sentence(8, 24), "Type": self.random.randint(1, 12), "Service": self.service(),
                "State": state, "Status": self.random.randint(1, 6), "Priority": self.random.choice((1, 2, 2, 3, 3, 3, 3, 4)),
                "Impact": self.random.randint(1, 3), "Urgency": self.random.randint(1, 3), "User": user,
                "Organization": user % ORGANIZATIONS + 1, "Analyst": analyst, "Group": group,
                "LoggedBy": self.analyst(), "LoggedDate": logged, "DueDate": logged + self.random.randint(1, 10) * DAY,
                "ResolvedDate": closed, "ClosedDate": closed, "ClockStopped": int(is_open and rnd() < 0.05),
                "Breached": int(rnd() < 0.08), "LastHistoryOrder": n % 3 + 1, "AttachmentCount": 0, "Checkbox1": "N"}

    def history(self):
        for n in range(1, self.calls + 1):
            logged = BEGIN + (END - BEGIN) * n // self.calls
            for order in range(1, n % 3 + 2):
                moment = logged + order * DAY // 4
                row = self.common(n, moment, moment)
                del row["Ref"]
                yield {"TicketId": n, "Order": order, **row, "Action": ("create", "forward", "close")[order - 1],
                       "ActionTitle": ("Create", "Forward", "Close")[order - 1], "Description": self.sentence(3, 8),
                       "Analyst": self.analyst(), "Date": moment, "FromState": 1, "ToState": 2, "IsPublic": int(n % 4 > 0)}

    def request(self, n):
        age, moment = n / self.size["request"], BEGIN + (END - BEGIN) * n // self.size["request"]
        state = self.random.choice((1, 2, 2, 3)) if self.random.random() < (0.6 if age > 0.9 else 0.02) else \
            self.random.choice((4, 4, 4, 4, 5))
        return {**self.common(n, moment, min(END, moment + 5 * DAY)), "Title": self.sentence(3, 6), "State": state,
                "Description": self.sentence(8, 16), "Priority": n % 4 + 1, "User": self.person(), "Service": self.service(),
                "Analyst": self.analyst(), "Group": self.group(), "DueDate": moment + 20 * DAY,
                "ClosedDate": moment + 10 * DAY if state > 3 else None, "LastHistoryOrder": 0}

    def task(self, n):
        count = self.size["task"]
        age, moment = n / count, BEGIN + (END - BEGIN) * n // count
        state = self.random.choice((0, 1)) if self.random.random() < (0.6 if age > 0.9 else 0.02) else 2
        return {**self.common(n, moment, moment + DAY), "RecordType": "task", "Title": self.sentence(3, 6), "State": state,
                "Request": n * self.size["request"] // count + 1, "Analyst": self.analyst() if n % 3 else None,
                "Group": self.group(), "DueDate": moment + 15 * DAY, "LastHistoryOrder": 0}

    def asset(self, n):
        bought = self.random.randrange(BEGIN, END)
        return {**self.common(n, bought, bought, self.partition[n & 0xFFFF]),
                "RecordType": "service" if n <= SERVICES else "configuration-item", "AssetRef": f"AST-{n:07d}",
                "Name": self.sentence(2, 3), "Description": self.sentence(5, 10), "Status": self.random.choice((1, 2, 2, 2, 3)),
                "Owner": self.person(), "Organization": self.organization(), "IsFrozen": 0, "User": self.person(),
                "SerialNumber": f"SN{n * 7919 % 9999991:07d}", "Manufacturer": f"Maker {self.service() % 30}",
                "PurchaseDate": bought, "WarrantyEnd": bought + 1000 * DAY, "PurchaseCost": n * 37 % 100_000}

    def article(self, n):
        moment = BEGIN + (END - BEGIN) * n // self.size["knowledge"]
        return {**self.common(n, moment, moment), "Title": self.sentence(4, 8), "Abstract": self.sentence(10, 20),
                "Keywords": self.sentence(3, 5), "Service": self.service(), "State": self.random.choice((0, 1, 2, 2, 2, 3)),
                "Moderated": 1, "Author": self.analyst(), "Views": self.random.randrange(5000), "Rating": 1 + n % 40 / 10}

    def make(self):
        self.lookups()
        self.insert("person", self.persons())
        for table, make in (("call", self.call), ("request", self.request), ("task", self.task), ("asset", self.asset),
                            ("knowledge", self.article)):
            self.insert(table, (make(n) for n in range(1, self.size[table] + 1)))
        self.insert("call_history", self.history())


USER_CALLS = KEYS[USER]
RIGHTS = "*:Read *:Create *:Update *:Action"


def give_access(database):
    for n, (login, rights, everywhere) in enumerate([(ADMINISTRATOR, "Administration " + RIGHTS, 1), (ANALYST, RIGHTS, 0),
                                                     (USER, "", 0)], 1000):
        for table, columns in (("role", {"Name": f"role {n}", "Rights": rights, "AllPartitions": everywhere}),
                               ("role_partition", {"Role": n, "Partition": PARTITION}),
                               ("person_role", {"Person": KEYS[login], "Role": n})):
            names = ", ".join(f'"{name}"' for name in columns)
            database.execute(f'INSERT INTO {table} ("Ref", "Id", "IsDeleted", "RecordVersion", {names}) VALUES '
                             f"(?, ?, 0, 1, {', '.join('?' * len(columns))})", (n, f"{table}{n}", *columns.values()))


def indexes_of(database):
    """Of the desk's own tables, which take long to keep while rows come in; `callisto migrate` makes them again."""
    return [name for (name,) in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN "
        "('call', 'call_history', 'request', 'task', 'asset', 'knowledge')")]


def make(program, folder, calls):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    desk.run(program, folder, "migrate")
    for login in KEYS:
        desk.run(program, folder, "person", "add", login, *(["--analyst"] if login != USER else []))
    desk.run(program, folder, "client", "add", desk.CLIENT)
    database = sqlite3.connect(folder / "desk.db", isolation_level=None)
    database.create_collation("folded", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
    for function in ("contains_folded", "join_folded"):
        database.create_function(function, -1, lambda *_: None)
    database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN")
    for name in indexes_of(database):
        database.execute(f'DROP INDEX "{name}"')
    Maker(database, calls).make()
    give_access(database)
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    desk.run(program, folder, "migrate")
    desk.let_index(program, folder)


def kept(options, calls):
    program, folder = options.build / "callisto", options.build / "bench" / f"questions-{calls}"
    mark, wanted = folder / "made-of.json", {"digest": desk.digest(program), "maker": pathlib.Path(__file__).read_text()}
    if not mark.exists() or json.loads(mark.read_text()) != wanted:
        print(f"making a skewed desk of {calls:,} calls ...", flush=True)
        make(program, folder, calls)
        mark.write_text(json.dumps(wanted))
    return folder
