"""A full disk: writes say so in JSON, reading goes on, nothing acknowledged is lost, and with room writing goes on."""
import contextlib
import subprocess

from server import Server, check, until

SIZE = 160 * 1024 * 1024   # the log keeps 64 MiB of it
ROUNDS_OF_A_DESK = 20      # enough for the log to begin anew; each adds to a disk that is to have room again


@contextlib.contextmanager
def small_disk(folder):
    """A tmpfs of its own; None where this user may not mount."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "callisto-faults", str(folder)],
                             capture_output=True, check=False).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def fill(path, leave=0):
    """A file that takes all room but `leave` bytes, also what became free since."""
    with open(path, "ab", buffering=0) as file:
        with contextlib.suppress(OSError):
            while file.write(bytes(64 * 1024)):
                pass
        file.truncate(max(0, file.tell() - leave))


def one_round(server, place, token, acknowledged, leave):
    ballast = place / "ballast"
    fill(ballast, leave)
    refused = 0
    text = "x" * 200
    for attempt in range(20000):
        answer = server.create(token, text)
        check(answer is not None, "no answer to a write on a full disk")
        if answer.status == 200:
            acknowledged.append(answer.json()["Ref"])
            check(not refused or attempt < 19000, "the disk is full and writes are acknowledged for ever")
            if attempt % 1000 == 999:
                fill(ballast)   # a log that begins anew gives room back
            continue
        check(answer.status in (500, 503, 507), f"a write on a full disk: {answer.status} {answer.body[:200]!r}")
        check(answer.json(), "an error without a word")
        refused += 1
        if refused == 30:
            break
    check(refused == 30, "the disk never was full")
    signing_in = server.sign_in()
    check(signing_in is not None, "no answer to a sign-in on a full disk")
    for path in ("call?$top=50", f"call/{acknowledged[-1]}"):
        answer = server.get(path, token)
        check(answer and answer.status == 200, f"reading stops on a full disk: {answer and answer.body[:300]!r}")
    check(server.healthy(), "/healthz does not answer on a full disk")
    ballast.unlink()
    answer = None

    def writes_again():
        nonlocal answer
        answer = server.create(token)
        return answer and answer.status == 200
    until(writes_again, lambda: f"a write after there was room again: {answer and answer.body[:300]}")
    acknowledged.append(answer.json()["Ref"])
    check(not server.missing(acknowledged, token), "acknowledged writes are gone after the disk was full")
    return refused


def one_desk(context, place, rounds):
    """Refused and acknowledged writes, and whether it started on a full disk."""
    acknowledged, refused = [], 0
    with Server(context.program, place / "desk", errors=context.folder / "desk.log").started() as server:
        token = server.token()
        acknowledged.append(server.create(token).json()["Ref"])
        for _ in range(rounds):
            refused += one_round(server, place, token, acknowledged, context.random.randrange(4_000_000))
        fill(place / "ballast", 4096)
        server.create(token)
        server.kill()
    # Whether it starts on a full disk or not, nothing is lost by it.
    with Server(context.program, place / "desk", errors=context.folder / "desk.log") as server:
        started = server.address is not None
    (place / "ballast").unlink()
    with Server(context.program, place / "desk", errors=context.folder / "desk.log").started() as server:
        gone = server.missing(acknowledged, server.token())
        check(not gone, f"{len(gone)} acknowledged writes are gone after kill -9 on a full disk")
    return refused, len(acknowledged), started


def run(context):
    refused, acknowledged, starts, left, desks = 0, 0, 0, context.count(3), 0
    rounds = left
    while left:
        with small_disk(context.folder / f"disk{desks}") as place:
            if not place:
                return "skipped: mount is not allowed here"
            of_this = min(left, ROUNDS_OF_A_DESK)
            more_refused, more_acknowledged, started = one_desk(context, place, of_this)
        left, desks = left - of_this, desks + 1
        refused, acknowledged, starts = refused + more_refused, acknowledged + more_acknowledged, starts + started
        context.progress(rounds - left, rounds)
    return (f"{rounds} times full, {refused} writes refused, {acknowledged} acknowledged writes checked; "
            f"{starts} of {desks} started on a full disk, the others refused with a reason")
