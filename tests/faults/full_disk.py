"""A full disk: writes say so in JSON, reading goes on, nothing acknowledged is lost, and with room writing goes on."""
import contextlib
import subprocess

from server import Failed, Server, check, until

SIZE = 160 * 1024 * 1024   # the log alone may take 33 MB


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


def fill(path, leave):
    """A file that takes all room but `leave` bytes."""
    with open(path, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(64 * 1024))
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.truncate(max(0, size - leave))


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


def run(context):
    with small_disk(context.folder / "disk") as place:
        if not place:
            return "skipped: mount is not allowed here"
        acknowledged, refused, rounds = [], 0, context.count(3)
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
            if gone:
                raise Failed(f"{len(gone)} acknowledged writes are gone after kill -9 on a full disk")
        return (f"{rounds} times full, {refused} writes refused, {len(acknowledged)} acknowledged writes checked, "
                f"start on a full disk: {'yes' if started else 'refused with a reason'}")
