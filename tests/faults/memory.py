"""Little memory: the server's address space is limited while it works. Requests fail or are answered, the process may
end, but nothing acknowledged is lost and no file is damaged."""
import resource
import signal
import subprocess
import threading

from server import API, Server, check

# One heap that grows where the limit counts it, and not one of 64 MiB for each thread.
PLAIN_HEAP = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TOP_PAD_": "0"}
ROOM = (0, 2, 8, 32)   # MiB beyond what it has


def hammer(server, token, acknowledged, refused, lock):
    connection = server.connect(timeout=20)
    big = {"ShortDescription": "big", "Description": "x" * 2_000_000}
    for turn in range(6):
        for method, path, body in (("GET", "call?$top=1000&$orderby=ShortDescription", None), ("POST", "incident", big),
                                   ("POST", "incident", {"ShortDescription": "small"})):
            answer = server.send(method, API + path, body, token, connection=connection)
            if answer and method == "POST" and answer.status == 200:
                with lock:
                    acknowledged.append(answer.json()["Ref"])
            if answer and answer.status >= 500:
                with lock:
                    refused.append(answer.status)
            if answer and answer.status not in (200, 400, 413, 500, 503):
                with lock:
                    acknowledged.append(f"a status of {answer.status}")
        if turn and not server.is_alive():
            break
    connection.close()


def address_space(server):
    with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def one_round(context, room, acknowledged, refused):
    """How it ended: None where it lived on."""
    folder = context.folder / "desk"
    with Server(context.program, folder, environment=PLAIN_HEAP).started() as server:
        token = server.token()
        acknowledged.append(server.create(token).json()["Ref"])
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (address_space(server) + (room << 20),
                                                                  resource.RLIM_INFINITY))
        lock = threading.Lock()
        threads = [threading.Thread(target=hammer, args=(server, token, acknowledged, refused, lock)) for _ in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if server.is_alive():
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            answer = server.create(token)
            check(answer and answer.status == 200, f"with memory again no write is answered: {answer and answer.body[:300]}")
            acknowledged.append(answer.json()["Ref"])
            return None
        ended = server.process.wait()
        check(ended != -signal.SIGSEGV, f"with {room} MiB it ended with a segmentation fault: {server.log()[-800:]}")
        return ended


def run(context):
    acknowledged, refused, ends = [], [], []
    for _ in range(1 if context.factor <= 1 else 5):
        for room in ROOM:
            ends.append(one_round(context, room, acknowledged, refused))
            odd = [each for each in acknowledged if isinstance(each, str) and each.startswith("a status")]
            check(not odd, f"answers without memory: {odd[:3]}")
    folder = context.folder / "desk"
    with Server(context.program, folder).started() as server:
        gone = server.missing(acknowledged, server.token())
        check(not gone, f"{len(gone)} acknowledged writes are gone after memory ran out")
        whole = subprocess.run([str(context.program), "check", "--database", "--data", str(folder)], capture_output=True,
                               text=True, check=False)
        check(whole.returncode == 0, f"the database is damaged after memory ran out: {whole.stderr}")
    lived = sum(end is None for end in ends)
    return (f"{len(ends)} times short of memory, {lived} times it lived on, else it ended with "
            f"{sorted({end for end in ends if end is not None})}; {len(refused)} answers of 5xx, {len(acknowledged)} acknowledged writes "
            f"checked")
