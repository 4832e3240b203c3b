"""Random damage to the files of a desk: the server tells of it or serves what is left, and never dies of it."""
import collections
import shutil
import subprocess

from server import Server, check

DAMAGES = ("bits", "sector", "cut off", "zeros")


def prepare(context):
    """A desk whose last server was killed, so that it has a log, and one that was stopped."""
    refs, folders = [], {}
    for name in ("killed", "stopped"):
        folders[name] = context.folder / name
        with Server(context.program, folders[name]).started() as server:
            token = server.token()
            for _ in range(60):
                refs.append(server.create(token, "a text to be damaged " * 5).json()["Ref"])
            if name == "killed":
                server.kill()
    return folders, refs[:60]


def damage(random, path):
    """What was done, for the message of a failure."""
    content = bytearray(path.read_bytes())
    kind = random.choice(DAMAGES)
    at = random.randrange(len(content))
    # The first pages hold the header and the schema; without them nothing is found at all.
    if random.random() < 0.3:
        at = random.randrange(min(len(content), 8192))
    if kind == "bits":
        for _ in range(random.choice((1, 10, 500))):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        content[at] ^= 1 << random.randrange(8)
    elif kind == "cut off":
        del content[at:]
    else:
        end = min(len(content), at + random.choice((512, 4096, 65536)))
        content[at:end] = random.randbytes(end - at) if kind == "sector" else bytes(end - at)
    path.write_bytes(content)
    return f"{kind} at {at} of {path.name}"


def use(server, refs, what):
    """Whether all that was asked was answered as if nothing were."""
    signed_in = server.sign_in()
    check(signed_in is not None, f"{what}: no answer to a sign-in")
    token = signed_in.json().get("access_token", "none")
    statuses = set()
    for path in ["call?$top=200", "call?$filter=ShortDescription%20%3D%3D%20%22x%22", "person?$top=100",
                 *(f"call/{ref}" for ref in refs[::6])]:
        answer = server.get(path, token)
        check(answer is not None, f"{what}: no answer to {path}; the server is "
                                  f"{'alive' if server.is_alive() else server.process.returncode}")
        statuses.add(answer.status)
    for _ in range(3):
        answer = server.create(token)
        check(answer is not None, f"{what}: no answer to a write")
        statuses.add(answer.status)
    check(server.is_alive(), f"{what}: the server ended with {server.process.returncode}")
    return statuses == {200}


def one_round(context, folders, refs, number):
    state = context.random.choice(list(folders))
    folder = context.folder / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(folders[state], folder)
    names = ["desk.db"] + (["desk.db-wal"] if state == "killed" else [])
    what = f"round {number}, {state}, {damage(context.random, folder / context.random.choice(names))}"
    checked = subprocess.run([str(context.program), "check", "--database", "--data", str(folder)], capture_output=True,
                             text=True, check=False, timeout=600)
    check(checked.returncode in (0, 1), f"{what}: check --database ended with {checked.returncode}: {checked.stderr}")
    check(checked.returncode == 0 or "callisto backup" in checked.stderr,
          f"{what}: check --database names no way out: {checked.stderr}")
    with Server(context.program, folder) as server:
        if not server.address:
            check(server.process.returncode == 1, f"{what}: the start ended with {server.process.returncode}")
            # What is damaged inside a row reads as another reason.
            log = server.log()
            check("callisto: " in log, f"{what}: refused without a reason: {log[-600:]}")
            server.errors.unlink()
            return "refused, with a way out" if "callisto backup" in log else "refused", checked.returncode == 1
        healthy = use(server, refs, what)
        status = server.stop()
        check(status == 0, f"{what}: it stopped with {status}: {server.log()[-600:]}")
        server.errors.unlink()
        return ("served whole" if healthy else "served with errors"), checked.returncode == 1


def run(context):
    if context.sanitized and context.factor > 1:
        context.program = context.sanitized.resolve()
    folders, refs = prepare(context)
    shutil.copytree(folders["killed"], context.folder / "whole")
    with Server(context.program, context.folder / "whole").started() as server:
        check(use(server, refs, "not damaged"), "a desk that is not damaged has errors in answers")
    found = collections.Counter()
    told = 0
    rounds = context.count(12)
    for number in range(rounds):
        outcome, damaged = one_round(context, folders, refs, number)
        found[outcome] += 1
        told += damaged
        context.progress(number, rounds)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items()))
    return f"{rounds} damaged desks: {outcomes}; check --database told of {told}"
