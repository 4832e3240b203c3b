"""What a request asks PostgreSQL, asked by pgbench instead: raw libpq, prepared statements, no HTTP and no JSON.

What the statements are, the server's own log tells: the request is made, its statements are read there, and pgbench
repeats them with other keys."""
import os
import re
import tempfile
import time

import desk


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
TIME = 15   # characters of a GUID of version 7 that tell its time and its version
COUNTER = re.compile(r"INSERT INTO id_block")


def spelled(literal, keys):
    """`keys`: the recorded request's own keys and the variables in their place, in texts too."""
    if GUID.match(literal):
        return f"{literal[:TIME + 1]}' || substr(gen_random_uuid()::text, {TIME + 1})"
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


def run(postgres, script, seconds, connections):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        os.chmod(file.name, 0o644)
        text = postgres.run("pgbench", "-h", postgres.folder, "-U", "postgres", "-n", "-M", "prepared", "-c",
                            connections, "-j", "1", "-T", seconds, "--max-tries=12", "-f", file.name, "desk")
    return {"rate": float(re.search(r"tps = ([\d.]+) \(without", text)[1])}


def way(postgres, calls, act):
    """A function of seconds and connections that measures the statements of `act`: a request for sample_key(calls), or
    one that creates."""
    script = script_of(postgres, recorded(postgres, act), calls)
    return lambda seconds, connections: run(postgres, script, seconds, connections)
