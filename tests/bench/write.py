"""The writing part of ./dev bench: creates, updates and actions a second beside raw sqlite3, which repeats the statements
of the same write with the product's own number of writes to a commit (write_floor.cc); and what the scripts of a read cost.

How many writes shared a commit is counted in the database's shared memory, where each commit counts one."""
import contextlib
import json
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import struct
import subprocess
import tempfile
import urllib.parse

import desk
import load

API = "/service.api/api/v1/"
CLIENTS = [1, 32, 256]
FIRST_KEY = 50_001          # keys of six digits and more are found again in texts; all of these calls are open
COMMITS_AT = 8              # of desk.db-shm: the change counter of the WAL index

# Name, entity, action, body.
CASES = [
    ("create", "incident", "create", {"ShortDescription": "Printer prints blank pages", "Priority": 2, "User": 17,
                                      "Description": "Since nine o'clock nothing works as it should."}),
    ("update", "call", "update", {"Name": "x"}),
    ("forward", "call", "forward", {"ReceivingAnalyst": 7, "Description": "Third floor."}),
]
TARGETS = {("create", 32): {"floor": 0.5, "one a commit": 5}}
# What scripts cost a read: name, url with them, url without, least ratio of the rates (at most 25 % more time).
PLAIN = "call?$top=100&$select=Ref,CallRef,ShortDescription,State,Priority,User,Analyst,Group,LoggedDate,DueDate"
LIST = ("call?$top=100&$orderby=LoggedDate%20desc&$filter=" + urllib.parse.quote('State.Name != "New" && Breached == false') +
        "&$select=Ref,CallRef,ShortDescription,LoggedDate,DueDate,User.Name,Priority.Name,Analyst.Name,Group.Name")
EXTENSIONS = [("an extension over 100 rows", PLAIN + ",@AssignmentState", PLAIN, 0.8),
              ("an extension over 100 rows of a list with names", LIST + ",@AssignmentState", LIST, 0.8)]
ACTIONS = ("_actions of one record", "call/", "call/", None)

# wrk sends the body with another word in it each time, so that an update changes something.
SCRIPT = """
math.randomseed({seed})
local headers = {{ Authorization = "Bearer {token}", ["Content-Type"] = "application/json" }}
local body, keys = [==[{body}]==], {keys}
request = function()
  local path = keys > 0 and "{path}/" .. ({first} + {step} * math.random(0, keys - 1)) .. "{tail}" or "{path}"
  return wrk.format("{method}", path, headers, (body:gsub('"x"', '"x' .. math.random(1, 1e9) .. '"')))
end
"""


def open_keys(calls):
    return (calls - FIRST_KEY) // desk.KEY_STEP


def copy_of(kept, folder):
    """Of a kept desk, ready for new records."""
    shutil.copytree(kept, folder)
    with contextlib.closing(sqlite3.connect(folder / "desk.db", isolation_level=None)) as database:
        database.execute("INSERT OR REPLACE INTO id_block (entity, next) SELECT 'call', max(Ref) + 1 FROM call")
        database.execute("UPDATE role SET \"Rights\" = '*:Read *:Create *:Update *:Action' WHERE \"Ref\" = 1000")
        (person,) = database.execute("SELECT person FROM person_password WHERE person > 0").fetchone()
    return person


def commits(folder):
    with open(folder / "desk.db-shm", "rb") as memory:
        memory.seek(COMMITS_AT)
        return struct.unpack("=I", memory.read(4))[0]


def measure_product(product, folder, case, clients, token, calls, seconds):
    name, entity, action, body = case
    script = SCRIPT.format(seed=random.randrange(1 << 30), token=token, body=json.dumps(body), path=API + entity,
                           keys=0 if action == "create" else open_keys(calls), first=FIRST_KEY, step=desk.KEY_STEP,
                           tail="" if action == "update" else "/" + action,
                           method="POST" if action == "create" else "PUT")
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        product.settle()
        before, cpu = commits(folder), product.cpu_seconds()
        text = subprocess.run(["wrk", "-t1", f"-c{clients}", f"-d{seconds}", "--latency", "--timeout", "30s",
                               "-s", file.name, product.address], check=True, capture_output=True, text=True).stdout
        product.settle()
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"{name}: wrk met errors:\n{text}")
    requests = int(re.search(r"(\d+) requests in", text)[1])
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
            "group": requests / max(1, commits(folder) - before),
            "cpu_us": (product.cpu_seconds() - cpu) / requests * 1e6,
            "p50_ms": load.latency(text, 50), "p99_ms": load.latency(text, 99)}


def measure_floor(build, folder, case, group, person, calls, seconds):
    name, entity, action, body = case
    command = [build / "tests/bench_write_floor", "--database", folder / "desk.db", "--entity", entity,
               "--action", action, "--body", json.dumps(body), "--person", person, "--partition", desk.PARTITION,
               "--key", FIRST_KEY, "--step", desk.KEY_STEP, "--keys", open_keys(calls), "--group", max(1, round(group)),
               "--seconds", seconds]
    return json.loads(subprocess.check_output([str(part) for part in command], text=True))


def measure_case(case, clients, product, folders, token, person, options):
    """Product, floor and floor with one write to a commit, in turn; medians of figures and of ratios."""
    calls, seconds = min(options.calls), options.seconds
    rounds = []
    for _ in range(max(1, options.rounds // 3)):
        ours = measure_product(product, folders["product"], case, clients, token, calls, seconds)
        floor = measure_floor(options.build, folders["floor"], case, ours["group"], person, calls, seconds)
        single = measure_floor(options.build, folders["floor"], case, 1, person, calls, seconds)
        rounds.append({**ours, "statements": floor["statements"], "floor": floor["rate"], "one a commit": single["rate"]})
    result = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
    result["ratios"] = {way: statistics.median(each["rate"] / each[way] for each in rounds)
                        for way in ("floor", "one a commit")}
    targets = TARGETS.get((case[0], clients), {})
    return {"case": case[0], "clients": clients, **result, "targets": targets,
            "met": all(result["ratios"][way] >= least for way, least in targets.items())}


# As in bench.py. "a commit": how many writes shared one, in product and floor alike.
HEAD = [("  write", -10), ("clients", 8), ("product/s", 11), ("floor/s", 10), ("a commit", 9), ("to floor", 9),
        ("to one a commit", 16), ("CPU", 10), ("p50 ms", 8), ("p99 ms", 8), ("  target", -40)]


def print_line(cells):
    print("".join(cell.rjust(width) if width > 0 else cell.ljust(-width) for cell, (_, width) in zip(cells, HEAD)).rstrip(),
          flush=True)


def print_result(result):
    verdict = ", ".join(f"{'met' if result['ratios'][way] >= least else 'MISSED'}: {least:.0%} of {way}"
                        for way, least in result["targets"].items())
    print_line(["  " + result["case"], str(result["clients"]), f"{result['rate']:,.0f}", f"{result['floor']:,.0f}",
                f"{result['group']:.1f}", f"{result['ratios']['floor']:.0%}", f"{result['ratios']['one a commit']:.0%}",
                f"{result['cpu_us']:,.0f} us", f"{result['p50_ms']:.2f}", f"{result['p99_ms']:.2f}", "  " + verdict])


def start(stack, program, folder, *settings):
    return stack.enter_context(load.Server([program, "--data", folder, "--set", "oauth.access_seconds=7200", "--set",
                                            "log.level=error", *settings, "serve", "--listen", "127.0.0.1:0"]))


def without_actions(folder):
    """A copy of the scripts that knows no action but read, so that nothing is offered."""
    shutil.copytree(desk.ROOT / "scripts", folder)
    for each in folder.glob("*/actions/*.lua"):
        if each.name != "read.lua":
            each.unlink()
    return folder


def measure_read(case, servers, calls, options):
    """`servers`: with and without what is measured, each with its token."""
    name, *urls, least = case
    rates = ([], [])
    for _ in range(options.rounds):
        for (server, token), url, found in zip(servers, urls, rates):
            keys = calls // desk.KEY_STEP if url.endswith("/") else 0
            found.append(load.measure(server, API + url, keys, token, options.seconds, options.connections)["rate"])
    ratio = statistics.median(one / other for one, other in zip(*rates))
    verdict = "" if least is None else f"; {'met' if ratio >= least else 'MISSED'}: at least {least:.0%}"
    print(f"{name}: {ratio:.0%} of the rate without, {1 / ratio - 1:.0%} more time{verdict}", flush=True)
    return {"case": name, "with": statistics.median(rates[0]), "without": statistics.median(rates[1]), "ratio": ratio,
            "target": least, "met": least is None or ratio >= least}


def measure_writes(product, token, person, folders, options):
    print_line([title for title, _ in HEAD])
    results = []
    for case in CASES:
        for clients in CLIENTS:
            results.append(measure_case(case, clients, product, folders, token, person, options))
            print_result(results[-1])
    return results


NAMES=[]
def measure(options):
    """All of it, on the smallest desk."""
    program, calls = options.build / "callisto", min(options.calls)
    kept = desk.kept(program, options.build / "bench" / str(calls), calls)
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        folders = {name: place / name for name in ("product", "bare", "floor")}
        person = [copy_of(kept, folder) for folder in folders.values()][0]
        product = start(stack, program, folders["product"])
        token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        bare = start(stack, program, folders["bare"], "--set", f"scripts={without_actions(place / 'scripts')}")
        bare_token = bare.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        reads = [measure_read(each, [(product, token)] * 2, calls, options) for each in EXTENSIONS]
        reads.append(measure_read(ACTIONS, [(product, token), (bare, bare_token)], calls, options))
        return {"reads": reads, "writes": measure_writes(product, token, person, folders, options)}
