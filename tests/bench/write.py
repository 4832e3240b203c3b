"""Writing: creates, updates and actions a second beside raw sqlite3, which repeats the statements of the same write
with the product's own number of writes to a commit, or with one (write_floor.cc). What it is worth that writes share
a flush, slow_flush.cpp makes seen where a disk flushes faster than most: both sides wait 2 ms more for each.

How many writes shared a commit is counted in the database's shared memory, where each commit counts one."""
import collections
import contextlib
import json
import pathlib
import random
import struct
import subprocess
import tempfile

import asks
import cases
import desk
import lines
import load
import mixed

CLIENTS = [1, 32, 256]
COMMITS_AT = 8              # of desk.db-shm: the change counter of the WAL index

Case = collections.namedtuple("Case", "name entity action body")

CASES = [
    Case("create", "incident", "create", mixed.CREATE),
    Case("update", "call", "update", {"Name": "x"}),
    Case("forward", "call", "forward", {"ReceivingAnalyst": 7, "Description": "Third floor."}),
]
BESIDE_ONE = {("create", 32)}   # that also have a line beside one write to a commit


SLOW = ", beside one to a commit, 2 ms a flush"


def name_of(case, clients):
    return f"{case.name}, {clients} client{'s' if clients > 1 else ''}"


NAMES = [name_of(case, clients) for case in CASES for clients in CLIENTS]


def keys_of(calls):
    """The first key that is written, and how many: the upper half of the desk, whose calls are all in one state."""
    return calls // 2 + 1, calls // 2 // desk.KEY_STEP


def commits(folder):
    with open(folder / "desk.db-shm", "rb") as memory:
        memory.seek(COMMITS_AT)
        return struct.unpack("=I", memory.read(4))[0]


def measure_product(product, folder, case, clients, token, calls, seconds):
    first, keys = keys_of(calls)
    if case.action == "create":
        ask = asks.Ask(cases.API + case.entity, "POST", body=case.body)
    else:
        tail = "" if case.action == "update" else "/" + case.action
        ask = asks.Ask(f"{cases.API}{case.entity}/", "PUT", keys, case.body, tail, first=first)
    before = commits(folder)
    figures = load.wrk(product, seconds, clients, script=asks.script([ask], token, random.randrange(1 << 30)))
    product.settle()
    return {**figures, "group": figures["requests"] / max(1, commits(folder) - before)}


def measure_floor(build, folder, case, group, person, calls, seconds, before=()):
    first, keys = keys_of(calls)
    command = [*before, build / "tests/bench_write_floor", "--database", folder / "desk.db", "--entity", case.entity,
               "--action", case.action, "--body", json.dumps(case.body), "--person", person,
               "--partition", desk.PARTITION, "--key", first, "--step", desk.KEY_STEP, "--keys", keys,
               "--group", max(1, round(group)), "--seconds", seconds]
    return json.loads(subprocess.check_output([str(part) for part in command], text=True))


def measure_case(case, clients, product, folders, token, person, calls, options):
    """Product, floor and floor with one write to a commit, in turn."""
    ours, floors, singles = [], [], []
    for _ in range(max(2, options.rounds // 2)):
        ours.append(measure_product(product, folders["product"], case, clients, token, calls, options.seconds))
        for group, found in ((ours[-1]["group"], floors), (1, singles)):
            found.append(measure_floor(options.build, folders["floor"], case, group, person, calls, options.seconds))
    name = name_of(case, clients)
    yield lines.of_rates(name, ours, floors, "raw sqlite3, as many to a commit", calls)
    if (case.name, clients) in BESIDE_ONE:
        yield lines.of_rates(name + ", beside one to a commit", ours, singles, "raw sqlite3, one to a commit", calls)


def measure_slowly(case, clients, stack, folders, person, calls, options):
    """Where each flush takes 2 ms more: the product beside a floor with one write to a commit."""
    slowed = ["env", f"LD_PRELOAD={(options.build / 'tests/libbench_slow_flush.so').resolve()}"]
    product = load.start(stack, options.build / "callisto", folders["slowed"], before=slowed)
    token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
    ours, floors = [], []
    for _ in range(max(2, options.rounds // 2)):
        ours.append(measure_product(product, folders["slowed"], case, clients, token, calls, options.seconds))
        floors.append(measure_floor(options.build, folders["floor"], case, 1, person, calls, options.seconds, slowed))
    return lines.of_rates(name_of(case, clients) + SLOW, ours, floors, "raw sqlite3, one to a commit", calls)


def measure(options):
    calls = desk.sample(options.calls)
    kept = desk.kept(options, calls)
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        folders = {name: place / name for name in ("product", "floor", "slowed")}
        person = [desk.copy_of(kept, folder) for folder in folders.values()][0]
        product = load.start(stack, options.build / "callisto", folders["product"])
        token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        for case in CASES:
            for clients in CLIENTS:
                if options.wants("writes", name_of(case, clients)):
                    yield from measure_case(case, clients, product, folders, token, person, calls, options)
        for name, clients in sorted(BESIDE_ONE):
            case = next(each for each in CASES if each.name == name)
            if options.wants("writes", name_of(case, clients) + SLOW):
                yield measure_slowly(case, clients, stack, folders, person, calls, options)
